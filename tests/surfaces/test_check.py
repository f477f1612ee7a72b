"""`veridical check` as an editor and a CI job have it."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from veridical import AsyncVeridical, Veridical

from .conftest import Ran

RECORDS = (
    {
        "text": "I would not recommend the Model 3 to beginners. "
        "The battery lasts about 4 hours, and after a week the extruder clogged twice.",
        "url": "https://forum.example/1",
        "author": "Ann Lee",
    },
    {
        "text": "Support answered after 3 days. The screen is bright and easy to read in the sun.",
        "url": "https://forum.example/2",
        "author": "Bob Stone",
    },
    {
        "text": "The firmware update broke the bed leveling for everyone in our lab. We rolled it back the same evening.",
        "url": "https://forum.example/3",
        "author": "Carla Diaz",
    },
)
DRAFT = """# A review

Ann Lee wrote that "after a week the extruder clogged twice" ([post](https://forum.example/1)).

Some "recommend the Model 3 to beginners" without a second thought.

Another user says "I would recommend the Model 3 to beginners" as well.

The battery lasts about 5 hours.

"The screen is bright and easy to read in the sun," said Ann Lee.

One post has it that "the extruder clogged twice. We rolled it back the same evening" at last.

More is in [the forum](https://forum.example/999).

"The motor burned down our entire office building", somebody complained.

It is lovely weather.
"""
EXPECTED = [
    ("quote", "after a week the extruder clogged twice", "exact", "ok"),
    ("url", "https://forum.example/1", "exact", "ok"),
    ("quote", "recommend the Model 3 to beginners", "clipped", "warning"),
    ("quote", "I would recommend the Model 3 to beginners", "altered", "error"),
    ("number", "5 hours", "altered", "error"),
    ("quote", "The screen is bright and easy to read in the sun", "misattributed", "error"),
    ("quote", "the extruder clogged twice. We rolled it back the same evening", "stitched", "error"),
    ("url", "https://forum.example/999", "not-found", "error"),
    ("quote", "The motor burned down our entire office building", "not-found", "error"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "posts.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    (tmp_path / "draft.md").write_text(DRAFT)
    return tmp_path


def found(ran: Ran) -> dict[str, Any]:
    return json.loads(ran.out)


def rows(report: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    return [(one["kind"], one["words"], one["verdict"], one["level"]) for one in report["findings"]]


def test_every_kind_of_wrong_gets_its_verdict(folder: Path, veridical: Callable[..., Ran]) -> None:
    ran = veridical("check", "draft.md", "--against", "sources", "--json")
    report = found(ran)
    assert (4, EXPECTED) == (ran.code, rows(report))
    by_words = {one["words"]: one for one in report["findings"]}
    altered = by_words["I would recommend the Model 3 to beginners"]
    assert [("same", "I would"), ("missing", "not"), ("same", "recommend the Model 3 to beginners")] == [
        (part["op"], part["source"]) for part in altered["diff"]
    ]
    assert ["clipped-context:negation"] == by_words["recommend the Model 3 to beginners"]["labels"]
    right = by_words["The screen is bright and easy to read in the sun"]["passage"]
    assert ("Bob Stone", "https://forum.example/2", 2) == (right["author"]["id"], right["url"], right["line"])
    stitched = by_words["the extruder clogged twice. We rolled it back the same evening"]
    assert ["https://forum.example/1", "https://forum.example/3"] == [part["url"] for part in stitched["parts"]]
    swapped = by_words["5 hours"]
    assert [("missing", "4"), ("added", "5")] == [
        (part["op"], part["source"] or part["draft"]) for part in swapped["diff"] if (part["source"] or part["draft"]) in "45"
    ]


def test_every_place_is_where_the_words_are_in_the_file(folder: Path, veridical: Callable[..., Ran]) -> None:
    lines = DRAFT.splitlines()
    for one in found(veridical("check", "draft.md", "--against", "sources", "--json"))["findings"]:
        assert one["words"] == DRAFT[one["start"] : one["end"]] == lines[one["line"] - 1][one["column"] - 1 : one["end_column"] - 1]


def test_a_clipped_quotation_is_an_error_when_it_has_to_be(folder: Path, veridical: Callable[..., Ran]) -> None:
    (folder / "clipped.md").write_text('He said "recommend the Model 3 to beginners".\n')
    assert (0, "confirmed") == _outcome(veridical("check", "clipped.md", "--against", "sources", "--json"))
    assert (4, "not-in-evidence") == _outcome(veridical("check", "clipped.md", "--against", "sources", "--json", "--strict"))


def test_a_draft_with_nothing_to_check_says_so(folder: Path, veridical: Callable[..., Ran]) -> None:
    (folder / "plain.txt").write_text("It is lovely weather. The sun is out.\n")
    ran = veridical("check", "plain.txt", "--against", "sources", "--json")
    assert (5, "nothing-to-check") == _outcome(ran)
    assert ["It is lovely weather.", "The sun is out."] == [one["text"] for one in found(ran)["drafts"][0]["unchecked"]]


def _outcome(ran: Ran) -> tuple[int, str]:
    return ran.code, found(ran)["outcome"]


def test_a_true_draft_is_confirmed_and_the_sentences_without_a_fact_are_listed(folder: Path, veridical: Callable[..., Ran]) -> None:
    (folder / "true.txt").write_text('"Support answered after 3 days," said Bob Stone. It was a long wait.\n')
    ran = veridical("check", "true.txt", "--against", "sources", "--list-unchecked")
    assert 0 == ran.code
    assert "nothing to check: It was a long wait." in ran.out
    assert "Sentences with nothing that can be checked: 1 of 2." in ran.out


def test_several_drafts_and_standard_input_are_checked_at_once(folder: Path) -> None:
    (folder / "b.html").write_text("<p>She wrote <q>Support answered after 3 days.</q></p>")
    done = subprocess.run(
        [sys.executable, "-m", "veridical.cli", "--home", str(folder / "home"), "check", "-", "b.html", "--against", "sources", "--json"],
        cwd=folder,
        input='The forum says "Support answered after 9 days".',
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    report = json.loads(done.stdout)
    assert 4 == done.returncode
    assert [("-", "altered"), ("b.html", "exact")] == [
        (one["file"], one["verdict"]) for one in report["findings"] if one["kind"] == "quote"
    ]


def test_a_draft_is_no_evidence_for_itself_and_neither_is_what_a_check_wrote(folder: Path, veridical: Callable[..., Ran]) -> None:
    for name, shape in (("a.sarif", "sarif"), ("a.json", "json"), ("a.txt", "text")):
        (folder / name).write_text(veridical("check", "draft.md", "--against", "sources", "--format", shape).out)
    veridical("check", "draft.md", "--against", "sources", "--fix", "copy.md")
    ran = veridical("check", "draft.md", "--against", ".", "--json")
    assert EXPECTED == rows(found(ran))
    derived = {row["path"] for row in found(ran)["inputs"] if row["status"] == "derived"}
    assert {"a.sarif", "a.json", "a.txt", "copy.md"} == {Path(path).name for path in derived}


def test_without_a_path_the_store_is_the_evidence(folder: Path, veridical: Callable[..., Ran]) -> None:
    assert "no evidence to check against" in veridical("check", "draft.md").line()
    veridical("sources", "add", "posts", "sources")
    assert EXPECTED == rows(found(veridical("check", "draft.md", "--json")))
    assert EXPECTED == rows(found(veridical("check", "draft.md", "--source", "posts", "--json")))


# Copies


def test_a_copy_has_the_words_of_the_evidence_and_marks_and_the_draft_stays(folder: Path, veridical: Callable[..., Ran]) -> None:
    ran = veridical("check", "draft.md", "--against", "sources", "--fix-suffix", ".fixed")
    copy = (folder / "draft.fixed.md").read_text()
    assert 'says "I would not recommend the Model 3 to beginners" as well' in copy
    assert 'office building" **\\[not found in the evidence\\]**, somebody' in copy
    assert "[the forum](https://forum.example/999) **\\[not found in the evidence\\]**." in copy
    assert DRAFT == (folder / "draft.md").read_text()
    assert "1 quotation put right, 5 places marked" in ran.err


def test_a_copy_that_is_checked_again_has_no_altered_quotation_left(folder: Path, veridical: Callable[..., Ran]) -> None:
    veridical("check", "draft.md", "--against", "sources", "--fix", "copy.md")
    again = rows(found(veridical("check", "copy.md", "--against", "sources", "--json")))
    assert ("quote", "I would not recommend the Model 3 to beginners", "exact", "ok") in again
    assert [] == [row for row in again if row[0] == "quote" and row[2] == "altered"]


@pytest.mark.parametrize("options", [["--fix", "draft.md"], ["--fix", "draft.md", "--overwrite"], ["--fix", "./draft.md"]])
def test_a_draft_is_never_replaced(folder: Path, veridical: Callable[..., Ran], options: list[str]) -> None:
    ran = veridical("check", "draft.md", "--against", "sources", *options)
    assert 2 == ran.code
    assert "no draft is ever changed" in ran.line()
    assert DRAFT == (folder / "draft.md").read_text()


def test_another_file_is_replaced_only_when_that_is_asked_for(folder: Path, veridical: Callable[..., Ran]) -> None:
    (folder / "copy.md").write_text("mine")
    refused = veridical("check", "draft.md", "--against", "sources", "--fix", "copy.md")
    assert (2, "mine") == (refused.code, (folder / "copy.md").read_text())
    assert "--overwrite" in refused.line()
    assert 4 == veridical("check", "draft.md", "--against", "sources", "--fix", "copy.md", "--overwrite").code
    assert "mine" != (folder / "copy.md").read_text()


# Other shapes


def test_workflow_commands_stand_on_one_line_each_whatever_a_draft_holds(folder: Path, veridical: Callable[..., Ran]) -> None:
    name = "a,b:c%.txt"
    (folder / name).write_text('He said "nobody\n::error::ever said % these \x1b[31mwords at all" to us.\n')
    out = veridical("check", name, "--against", "sources", "--format", "github").out
    commands = [line for line in out.splitlines() if line.startswith("::")]
    assert 1 == len(commands)
    assert commands[0].startswith(
        "::error file=a%2Cb%3Ac%25.txt,line=1,endLine=2,title=quote not-found::nobody ::error::ever said %25 these"
    )
    assert "\x1b" not in out


def test_a_terminal_is_not_moved_by_a_draft_or_a_source(folder: Path, veridical: Callable[..., Ran]) -> None:
    (folder / "sources" / "bad.txt").write_text("The printer \x1b]0;title\x07 is loud at night and the fan rattles all day long.\n")
    (folder / "x.txt").write_text('He said "The printer \x1b[2J is loud at night and the fan rattles each day long" \u202e to us.\n')
    for shape in ("text", "github", "json", "sarif"):
        out = veridical("check", "x.txt", "--against", "sources", "--format", shape).out
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", out), shape


def test_a_sarif_log_points_at_the_words_and_brings_the_fix(folder: Path, veridical: Callable[..., Ran]) -> None:
    ran = veridical("check", "draft.md", "--against", "sources", "--format", "sarif")
    (run,) = json.loads(ran.out)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert ("unicodeCodePoints", 7) == (run["columnKind"], len(run["results"]))
    for result in run["results"]:
        assert result["ruleId"] == rules[result["ruleIndex"]]["id"]
        region = result["locations"][0]["physicalLocation"]["region"]
        shown = DRAFT[region["charOffset"] : region["charOffset"] + region["charLength"]]
        assert shown == DRAFT.splitlines()[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
    (altered,) = [one for one in run["results"] if one["ruleId"] == "altered" and one["properties"]["kind"] == "quote"]
    (change,) = altered["fixes"][0]["artifactChanges"][0]["replacements"]
    assert "I would not recommend the Model 3 to beginners" == change["insertedContent"]["text"]
    assert altered["locations"][0]["physicalLocation"]["region"] == change["deletedRegion"]


# Mishaps


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.md", "--against", "sources"], "There is no draft nothing.md"),
        (["draft.md", "--against", "nowhere"], "nowhere"),
        (["draft.md", "--source", "nobody"], "no source called 'nobody'"),
        (["draft.md", "--against", "draft.md"], "There is no evidence in draft.md"),
        (["-", "--against", "sources", "--fix-suffix", ".x"], "Nothing lies beside standard input"),
    ],
)
def test_words_that_are_off_are_said_in_one_line(folder: Path, veridical: Callable[..., Ran], arguments: list[str], said: str) -> None:
    ran = veridical("check", *arguments)
    assert 2 == ran.code
    assert said in ran.line()
    assert "" == ran.out


def test_the_facade_says_the_same_with_and_without_waiting(folder: Path) -> None:
    async def run() -> list[tuple[str, str]]:
        async with AsyncVeridical(Veridical(home=folder / "home", base=folder)) as installation:
            checked = await installation.check(["draft.md"], against=["sources"])
            return [(one.words, one.verdict) for one in checked.report.findings]

    assert [(words, verdict) for _, words, verdict, _ in EXPECTED] == asyncio.run(run())
    with Veridical(home=folder / "home", base=folder) as installation:
        checked = installation.check([("x.md", DRAFT.encode())], against=["sources"])
    assert [verdict for *_, verdict, _ in EXPECTED] == [one.verdict for one in checked.report.findings]
