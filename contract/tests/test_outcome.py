"""The shape of an outcome is a promise: names, types, and what excludes what."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from veridical_contract import ResearchOutcome

FIELDS = {
    "ResearchOutcome": {
        "ok": "boolean",
        "query": "string",
        "summary": "string",
        "sections": "array of OutcomeSection",
        "citations": "array of OutcomeCitation",
        "unverified_notes": "array of Untrusted",
        "disambiguation_candidates": "array of DisambiguationCandidate",
        "refusal_reason": "string or null",
        "coverage_score": "number",
        "provider_used": "string or null",
    },
    "OutcomeSection": {"heading": "string", "claims": "array of OutcomeClaim"},
    "OutcomeClaim": {"text": "string", "citation_index": "integer"},
    "OutcomeCitation": {
        "url": "string or null",
        "title": "string or null",
        "snippet": "string",
        "retrieved_at": "string",
        "snippet_hash": "string",
        "snippet_sha256": "string",
        "rank": "integer",
        "domain": "string",
        "witness": "string",
    },
    "DisambiguationCandidate": {
        "title": "string or null",
        "url": "string or null",
        "domain": "string",
        "passage": "string",
        "citation_index": "integer",
    },
    "Untrusted": {"origin": "string", "text": "string"},
}
CITATION = {
    "url": "https://a.example/",
    "title": None,
    "snippet": "Radium glows.",
    "retrieved_at": "2026-11-22T12:00:00Z",
    "snippet_hash": "0" * 16,
    "snippet_sha256": "0" * 64,
    "rank": 1,
    "domain": "a.example",
    "witness": "wire",
}
ANSWER = {
    "ok": True,
    "query": "q",
    "sections": ({"heading": "a.example", "claims": ({"text": "Radium glows.", "citation_index": 0},)},),
    "citations": (CITATION,),
}


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " or ".join(_type(part) for part in schema["anyOf"])
    return f"array of {_type(schema['items'])}" if schema["type"] == "array" else str(schema["type"])


def test_the_names_and_types_of_an_outcome_are_these() -> None:
    schema = ResearchOutcome.model_json_schema()
    found = {"ResearchOutcome": schema, **schema["$defs"]}
    shapes = {name: {field: _type(part) for field, part in model["properties"].items()} for name, model in found.items()}
    assert shapes == FIELDS


def test_nothing_else_may_stand_in_an_outcome() -> None:
    schema = ResearchOutcome.model_json_schema()
    assert [False] * len(FIELDS) == [part["additionalProperties"] for part in (schema, *schema["$defs"].values())]


def test_an_answer_is_accepted() -> None:
    assert ResearchOutcome.model_validate(ANSWER).ok


@pytest.mark.parametrize(
    "change",
    [
        {"ok": False},
        {"refusal_reason": "no"},
        {"sections": ()},
        {"citations": ()},
        {"sections": ({"heading": "a.example", "claims": ()},)},
        {"sections": ({"heading": "a.example", "claims": ({"text": "x", "citation_index": 1},)},)},
        {"disambiguation_candidates": ({"title": None, "url": None, "domain": "a.example", "passage": "x", "citation_index": 0},)},
        {"coverage_score": 1.01},
        {"coverage_score": float("nan")},
        {"note": "x"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_an_outcome_that_contradicts_itself_is_none(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ResearchOutcome.model_validate({**ANSWER, **change})
