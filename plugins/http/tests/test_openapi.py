"""The OpenAPI document says what the service does: schemathesis asks what it allows, and what it does not, and looks at the replies."""

from __future__ import annotations

import json
import re
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error, positive_data_acceptance
from veridical_http.app import api
from veridical_http.problems import KINDS

from plugins.http.tests.running import Running

DOCUMENT = api().openapi()
NOT_SET_UP = {"/api/v1/complete", "/api/v1/agent/stream", "/api/v1/research"}
"""This service has no model to talk to, and no search plugin to search the web with."""


schemathesis.serializer.alias("application/zip", "application/octet-stream")
SCHEMA = schemathesis.openapi.from_dict(json.loads(json.dumps(DOCUMENT)))


@SCHEMA.parametrize()
@settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_what_the_document_allows_is_answered_as_it_says_and_the_rest_is_refused(case: Any, served: Running) -> None:
    reply = case.call(base_url=served.url)
    case.validate_response(reply, excluded_checks=[not_a_server_error, positive_data_acceptance])
    if reply.status_code >= 400:
        said = reply.json()
        assert (reply.status_code, reply.headers["x-request-id"]) == (said["status"], [said["request_id"]])
        assert KINDS[said["code"]].status == reply.status_code
        made = (case.meta.generation, *case.meta.components.values())
        if all(part.mode.is_positive for part in made):  # it may name what is not there, and no more
            assert said["code"] not in {"invalid", "malformed", "media-type", "too-large", "method-not-allowed"}
    allowed = {503} if case.path in NOT_SET_UP else set[int]()
    assert reply.status_code < 500 or reply.status_code in allowed, reply.text


def test_the_document_is_served(served: Running) -> None:
    assert DOCUMENT == served.client.get("/openapi.json").json()


def test_every_operation_has_a_name_a_summary_and_a_problem() -> None:
    operations = [operation for path in DOCUMENT["paths"].values() for operation in path.values()]
    names = ["ground", "agent", "complete", "research", "check", "verify", "report", "evidence", "healthz", "readyz", "problem"]
    assert names == [operation["operationId"] for operation in operations]
    for operation in operations:
        assert re.fullmatch(r"[A-Z].*\.", operation["summary"])
        assert "application/problem+json" in operation["responses"]["default"]["content"]
        assert {"200", "default"} == operation["responses"].keys()


def test_every_reference_leads_somewhere_and_nothing_is_left_over() -> None:
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(DOCUMENT)))
    assert named == set(DOCUMENT["components"]["schemas"])


def test_every_field_of_our_own_models_is_described() -> None:
    for name in ("GroundRequest", "ResearchRequest", "CheckRequest", "ConversationRequest", "Problem", "ResearchOutcome", "Turn"):
        fields = DOCUMENT["components"]["schemas"][name]["properties"]
        assert [] == [field for field, schema in fields.items() if not schema.get("description") and "const" not in schema], name


def test_the_events_of_a_stream_are_described_by_their_chunks() -> None:
    reply = DOCUMENT["paths"]["/api/v1/agent/stream"]["post"]["responses"]["200"]["content"]["text/event-stream"]
    data = reply["itemSchema"]["properties"]["data"]
    assert ("application/json", "#/components/schemas/AgentChunk") == (data["contentMediaType"], data["contentSchema"]["$ref"])
    kinds = DOCUMENT["components"]["schemas"]["AgentChunk"]["discriminator"]["mapping"]
    assert {"topic", "tool_call", "tool_result", "claim", "text", "withheld", "done", "failed"} == kinds.keys()
