"""A check as text, as workflow commands and as SARIF: every word visible, every format whole, whatever drafts and sources hold."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.render import render_check_github, render_check_sarif, render_check_text
from veridical_contract import CheckReport

ANY = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
HOSTILE = st.one_of(ANY, st.text(st.sampled_from("::error,%[]({})\n\r\x1b\x9b\u202e\u27e6\\a "), min_size=1, max_size=30))
UNSEEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


def passage(text: str, **more: Any) -> dict[str, Any]:
    span = {"document": "a" * 64, "start": 3, "end": 3 + len(text), "text": text}
    return {"document": "a" * 64, "span": span, "locator": {"container": "notes/a.md"}, "line": 7, "origin": "notes", **more}


def finding(**more: Any) -> dict[str, Any]:
    return {
        "file": "draft.md",
        "kind": "quote",
        "start": 10,
        "end": 15,
        "line": 2,
        "column": 4,
        "end_line": 2,
        "end_column": 9,
        "words": "words",
        "verdict": "altered",
        "level": "error",
        "rule": "not-found",
        "message": "It differs.",
        **more,
    }


def edit(text: str) -> dict[str, Any]:
    place = {"start": 10, "end": 15, "line": 2, "column": 4, "end_line": 2, "end_column": 9}
    return {**place, "text": text, "replaces": True}


def report(*findings: dict[str, Any], **more: Any) -> CheckReport:
    levels = [one["level"] for one in findings]
    unchecked = more.pop("unchecked", [])
    made = {
        "outcome": "not-in-evidence",
        "drafts": [
            {"file": more.pop("file", "draft.md"), "format": "markdown", "sha256": "b" * 64, "sentences": 3, "unchecked": unchecked}
        ],
        "findings": list(findings),
        "summary": {
            "verdicts": {"altered": len(findings)},
            "errors": levels.count("error"),
            "warnings": levels.count("warning"),
            "sentences": 3,
            "unchecked": len(unchecked),
            "documents": 2,
        },
        "policy": "p",
        "policy_fingerprint": "c" * 64,
        "veridical": "0.1.0",
        **more,
    }
    return CheckReport.model_validate_json(json.dumps(made))


DIFF = [{"op": "same", "source": "I would"}, {"op": "missing", "source": "not"}, {"op": "added", "draft": "gladly"}]


def test_the_text_names_place_verdict_difference_and_source() -> None:
    made = report(finding(diff=DIFF, passage=passage("I would not", title="A title", url="https://a.example/")))
    lines = render_check_text(made, width=200).splitlines()
    assert lines[0] == "draft.md:2:4: error: quotation altered: \u201cwords\u201d"
    assert "    Difference: I would \u27e6-not-\u27e7 \u27e6+gladly+\u27e7" in lines
    assert "    Nearest passage: \u201cI would not\u201d \u2014 notes/a.md:7, A title, https://a.example/" in lines
    assert lines[-1] == "veridical-export veridical.check/1"


def test_the_text_has_a_line_for_what_is_fine() -> None:
    made = report(finding(verdict="exact", level="ok", passage=passage("words")))
    assert render_check_text(made, width=200).startswith("draft.md:2:4: quotation exact: \u201cwords\u201d \u2014 notes/a.md:7\n")


@pytest.mark.parametrize(
    ("text", "written"),
    [("50%", "50%25"), ("a\nb", "a b"), ("::error::x", "::error::x"), ("\x1b[31m", "\u27e6U+001B\u27e7[31m")],
)
def test_a_workflow_command_is_escaped_as_the_runner_unescapes_it(text: str, written: str) -> None:
    command = render_check_github(report(finding(words=text))).splitlines()[0]
    assert command == f"::error file=draft.md,line=2,endLine=2,col=4,endColumn=8,title=quote altered::{written}: It differs."


def test_a_command_over_two_lines_has_no_columns() -> None:
    command = render_check_github(report(finding(end_line=3, level="warning", file="a,b:c%")))
    assert command.startswith("::warning file=a%2Cb%3Ac%25,line=2,endLine=3,title=quote altered::")


@given(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
def test_no_words_break_out_of_any_format(words: str, source: str, title: str, name: str) -> None:
    parts = [{"op": "missing", "source": source}, {"op": "added", "draft": words}]
    one = finding(words=words, file=name, diff=parts, passage=passage(source, title=title), fix=edit(words))
    made = report(one, file=name, unchecked=[{"line": 1, "column": 1, "text": words}])
    commands = render_check_github(made, unchecked=True)
    shown = render_check_text(made, width=80, unchecked=True)
    assert ["::error", "::notice"] == [line.partition(" ")[0] for line in commands.split("\n") if line.startswith("::")]
    for text in (commands, shown):
        hidden = {char for char in text if unicodedata.category(char) in UNSEEN} - {"\n"}
        assert hidden <= {"\u200c", "\u200d"}
    log = json.loads(render_check_sarif(made, unchecked=True))
    assert_sarif(log)
    (altered, _) = log["runs"][0]["results"]
    assert words == altered["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"]
    assert render_check_sarif(made, unchecked=True).isascii()


def test_the_rules_of_a_log_are_those_of_its_results() -> None:
    verdicts = ("altered", "misattributed", "stitched", "not-found", "needs-document", "not-shown", "clipped", "too-short", "exact")
    rows = [finding(verdict=verdict, level="warning") for verdict in verdicts]
    log = json.loads(render_check_sarif(report(*rows)))
    assert_sarif(log)
    assert list(verdicts) == [result["ruleId"] for result in log["runs"][0]["results"]]


def test_a_log_says_how_it_counts_and_is_no_evidence() -> None:
    (run,) = json.loads(render_check_sarif(report(finding())))["runs"]
    assert ("unicodeCodePoints", ["\r\n", "\n", "\r"]) == (run["columnKind"], run["newlineSequences"])
    assert "veridical-export" == run["properties"]["marker"]


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("docs/a b.md", "docs/a%20b.md"),
        ("/tmp/\u00e9.md", "file:///tmp/%C3%A9.md"),
        ("a:b.md", "a%3Ab.md"),
        ("-", "stdin"),
        ("50%?#.md", "50%25%3F%23.md"),
    ],
)
def test_a_file_is_a_uri_reference(file: str, uri: str) -> None:
    (run,) = json.loads(render_check_sarif(report(finding(file=file), file=file)))["runs"]
    assert uri == run["artifacts"][0]["location"]["uri"]


# The structure of SARIF 2.1.0, as far as it is used here: no other property, and each of its type.

LOCATION = {"artifactLocation", "region"}
REGION = {"startLine", "startColumn", "endLine", "endColumn", "charOffset", "charLength"}


def assert_sarif(log: dict[str, Any]) -> None:
    assert {"$schema", "version", "runs"} == set(log)
    assert "2.1.0" == log["version"]
    (run,) = log["runs"]
    assert {"tool", "columnKind", "newlineSequences", "artifacts", "results", "properties"} == set(run)
    driver = run["tool"]["driver"]
    assert {"name", "version", "rules"} == set(driver)
    for rule in driver["rules"]:
        assert {"id", "name", "shortDescription", "defaultConfiguration"} == set(rule)
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in run["results"]:
        _assert_result(result, run)


def _assert_result(result: dict[str, Any], run: dict[str, Any]) -> None:
    known = {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "fixes", "properties"}
    assert {"ruleId", "ruleIndex", "level", "message", "locations"} <= set(result) <= known
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in ("note", "warning", "error")
    _assert_message(result["message"])
    for location in result["locations"]:
        _assert_place(location["physicalLocation"], run)
    for location in result.get("relatedLocations", []):
        assert location["id"] >= 0
        _assert_message(location["message"])
        assert set(location["physicalLocation"]) <= LOCATION
    for fix in result.get("fixes", []):
        assert {"description", "artifactChanges"} == set(fix)
        for change in fix["artifactChanges"]:
            assert {"artifactLocation", "replacements"} == set(change)
            for replacement in change["replacements"]:
                assert {"deletedRegion", "insertedContent"} == set(replacement)
                _assert_region(replacement["deletedRegion"])


def _assert_place(place: dict[str, Any], run: dict[str, Any]) -> None:
    assert set(place) == LOCATION
    artifact = run["artifacts"][place["artifactLocation"]["index"]]
    assert artifact["location"]["uri"] == place["artifactLocation"]["uri"]
    assert re.fullmatch(r"[!-~]*", artifact["location"]["uri"])
    _assert_region(place["region"])


def _assert_region(region: dict[str, Any]) -> None:
    assert set(region) <= REGION
    assert min(region["startLine"], region["startColumn"]) >= 1
    assert region.get("charOffset", 0) >= 0


def _assert_message(message: dict[str, Any]) -> None:
    """No placeholder (3.11.5) and no link (3.11.6) is made by words of others."""
    assert {"text"} == set(message)
    plain = re.sub(r"\\.|\{\{|\}\}", "", message["text"])
    assert not set("[]{}\n\r") & set(plain)
