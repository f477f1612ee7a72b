"""Each route gives what the same verb of the facade gives, over a real socket."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from veridical import Veridical
from veridical_contract import CheckReport, Report, ResearchOutcome

from plugins.http.tests.running import NOTE, Running, problem

QUESTION = "Why does the battery fail?"


def test_a_grounded_answer_is_that_of_the_facade(served: Running) -> None:
    reply = served.post("autonomy/research/complete", {"query": QUESTION, "sources": ["notes"]})
    with Veridical(home=served.home, environment={}) as veridical:
        expected = veridical.ground(QUESTION, sources=["notes"])
    assert 200 == reply.status_code
    assert expected == ResearchOutcome.model_validate_json(reply.content)
    assert expected.ok


def test_a_refusal_is_an_answer(served: Running) -> None:
    reply = served.post("autonomy/research/complete", {"query": QUESTION})
    outcome = ResearchOutcome.model_validate_json(reply.content)
    assert (200, False) == (reply.status_code, outcome.ok)
    assert outcome.refusal_reason


def test_local_evidence_answers_only_where_it_is_named(served: Running) -> None:
    assert "battery" not in served.post("autonomy/research/complete", {"query": "battery hours"}).json()["refusal_reason"]
    problem(served.post("research", {"query": QUESTION}), 422, "usage")
    problem(served.post("check", {"drafts": [{"name": "a.md", "text": "x"}]}), 422, "invalid")


def test_a_report_is_the_bytes_that_the_exit_made(served: Running) -> None:
    reply = served.post("research", {"query": QUESTION, "sources": ["notes"]})
    report = Report.model_validate_json(reply.content)
    with Veridical(home=served.home, environment={}) as veridical:
        assert veridical.store.reopen(report.run.id).report_bytes == reply.content
    assert "answered" == report.outcome


def test_a_report_can_be_had_again_and_is_the_same_bytes(served: Running) -> None:
    first = served.post("research", {"query": QUESTION, "sources": ["notes"], "must_address": ["What of the hinge?"], "seed": 3})
    again = served.client.get(f"/api/v1/reports/{first.json()['run']['id']}")
    assert (200, first.content) == (again.status_code, again.content)
    assert 3 == again.json()["run"]["seed"]


def test_a_draft_is_checked_against_the_sources_that_are_named(served: Running) -> None:
    text = 'It says "The battery fails after two hours of use." and "The battery fails after nine hours of use."\n'
    body = {"drafts": [{"name": "draft.md", "text": text}], "sources": ["notes"]}
    reply = served.post("check", body)
    report = CheckReport.model_validate_json(reply.content)
    assert ["exact", "altered"] == [finding.verdict for finding in report.findings if finding.kind == "quote"]
    assert "not-in-evidence" == report.outcome
    with Veridical(home=served.home, environment={}) as veridical:
        expected = veridical.check([("draft.md", text.encode())], sources=["notes"]).report
    assert expected.findings == report.findings


def test_drafts_have_names_of_their_own(served: Running) -> None:
    drafts = [{"name": "a.md", "text": "x"}, {"name": "a.md", "text": "y"}]
    problem(served.post("check", {"drafts": drafts, "sources": ["notes"]}), 422, "usage")


@pytest.fixture(scope="module")
def bundle(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    """A bundle and its root digest."""
    path = tmp_path_factory.mktemp("bundle") / "report.zip"
    with Veridical(home=prepared, environment={}) as veridical:
        root = veridical.save(veridical.research(QUESTION, sources=["notes"]), path)
    assert root is not None
    return path.read_bytes(), root


def test_a_bundle_verifies_and_its_root_is_compared(served: Running, bundle: tuple[bytes, str]) -> None:
    data, root = bundle
    plain, rooted, other = (
        served.client.post(f"/api/v1/verify{query}", content=data, headers={"Content-Type": "application/zip"})
        for query in ("", f"?root={root}", f"?root={'0' * 64}")
    )
    assert [True, True, False] == [reply.json()["ok"] for reply in (plain, rooted, other)]
    assert "consistent, origin unproven" in plain.json()["said"]
    assert "consistent, origin unproven" not in rooted.json()["said"]
    assert root in other.json()["said"]


def test_a_changed_bundle_does_not_verify_and_the_place_is_named_but_no_path(served: Running, bundle: tuple[bytes, str]) -> None:
    data = bytearray(bundle[0])
    data[len(data) // 2] ^= 1
    reply = served.client.post("/api/v1/verify", content=bytes(data), headers={"Content-Type": "application/octet-stream"})
    assert (200, False, 4) == (reply.status_code, reply.json()["ok"], reply.json()["code"])
    assert "does not verify" in reply.json()["said"]
    assert "/" + "tmp" not in reply.text
    assert "veridical-http-" not in reply.text


def test_what_is_no_bundle_does_not_verify(served: Running) -> None:
    for content in (b"", b"PK", b"hello"):
        reply = served.client.post("/api/v1/verify", content=content, headers={"Content-Type": "application/zip"})
        assert (200, False) == (reply.status_code, reply.json()["ok"])


def test_evidence_is_given_as_it_was_admitted(served: Running) -> None:
    report = served.post("research", {"query": QUESTION, "sources": ["notes"]}).json()
    identifier = report["citations"][0]["document"]
    reply = served.client.get(f"/api/v1/evidence/{identifier}")
    assert (200, identifier, NOTE.strip()) == (reply.status_code, reply.json()["id"], reply.json()["document"]["text"].strip())


@pytest.mark.parametrize("path", ["reports/" + "0" * 32, "evidence/" + "0" * 64, "nothing", "reports/..%2F..%2Fsettings"])
def test_what_is_not_there_is_not_found(path: str, served: Running) -> None:
    problem(served.client.get(f"/api/v1/{path}"), 404, "not-found")


@pytest.mark.parametrize("path", ["reports/0", "reports/" + "0" * 31 + "g", "evidence/00", "evidence/" + "A" * 64])
def test_an_identifier_has_a_shape(path: str, served: Running) -> None:
    """The first digits of a document do not name it: they would be looked for in the whole store."""
    problem(served.client.get(f"/api/v1/{path}"), 422, "invalid")


def test_evidence_that_was_deleted_is_not_served_and_neither_is_its_report(tmp_path: Path) -> None:
    from plugins.http.tests.running import running

    (tmp_path / "a.txt").write_text(NOTE)
    home = tmp_path / "home"
    with Veridical(home=home, base=tmp_path, environment={}) as veridical:
        veridical.add_source("notes", ["a.txt"])
        with running(lambda: Veridical(home=home, environment={}), home) as service:
            report = service.post("research", {"query": QUESTION, "sources": ["notes"]}).json()
            identifier = report["citations"][0]["document"]
            veridical.store.forget(veridical.store.doomed([identifier]), reason="asked to")
            said = problem(service.client.get(f"/api/v1/evidence/{identifier}"), 404, "not-found")
            assert "asked to" in said["detail"]
            said = problem(service.client.get(f"/api/v1/reports/{report['run']['id']}"), 409, "not-publishable")
            assert "withdrawn" in said["detail"]


@pytest.mark.parametrize("route", ["autonomy/research/complete", "research"])
def test_a_source_that_was_never_added_is_named(route: str, served: Running) -> None:
    assert "'memos'" in problem(served.post(route, {"query": "x", "sources": ["memos"]}), 422, "usage")["detail"]


@pytest.mark.parametrize("name", ["/etc/passwd", "../notes", "./laptop.txt", "notes/laptop.txt", "*"])
def test_no_request_reaches_a_file_by_its_path(name: str, served: Running) -> None:
    for route in ("autonomy/research/complete", "research"):
        problem(served.post(route, {"query": "battery", "sources": [name]}), 422, "usage")
    problem(served.post("check", {"drafts": [{"name": "a.md", "text": "x"}], "sources": [name]}), 422, "usage")


@pytest.mark.parametrize("member", ["paths", "from", "against", "path", "chat", "search", "embedding", "field_map"])
def test_a_request_has_no_field_for_files_or_plugins(member: str, served: Running) -> None:
    for route, body in (("autonomy/research/complete", {"query": "x"}), ("research", {"query": "x", "web": True})):
        said = problem(served.post(route, {**body, member: ["/etc/passwd"]}), 422, "invalid")
        assert [f"#/{member}"] == [one["place"] for one in said["errors"]]


def test_a_draft_whose_name_is_a_path_is_not_read_from_it(served: Running, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text('"A secret sentence that nobody may read."')
    drafts = [{"name": str(tmp_path / "secret.md"), "text": '"The screen is fine and bright."'}]
    reply = served.post("check", {"drafts": drafts, "sources": ["notes"]})
    assert ["exact"] == [finding["verdict"] for finding in reply.json()["findings"]]


def test_the_service_is_alive_and_ready_and_says_whom_it_would_ask(served: Running) -> None:
    assert {"status": "alive"} == served.client.get("/healthz").json()
    ready = served.client.get("/readyz").json()
    assert ("ready", 1) == (ready["status"], ready["documents"])
    assert ["extractive"] == [choice["name"] for choice in ready["choices"] if choice["kind"] == "chat"]


def test_the_type_of_a_problem_leads_to_what_it_means(served: Running) -> None:
    said = problem(served.client.get("/nothing"), 404, "not-found")
    page = served.client.get(said["type"])
    assert 200 == page.status_code
    assert page.text.startswith(f"{said['title']} (404, not-found)\n")
    problem(served.client.get("/problems/no-such-kind"), 404, "not-found")


def test_what_leaves_is_json_that_holds_the_contracts_fields(served: Running) -> None:
    reply = served.post("autonomy/research/complete", {"query": QUESTION, "sources": ["notes"]})
    assert "application/json" == reply.headers["content-type"]
    assert list(ResearchOutcome.model_fields) == list(json.loads(reply.content))
