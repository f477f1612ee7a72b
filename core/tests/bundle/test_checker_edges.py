"""The checker at the edge of each rule: the last value that is still right beside the first that is not, and the words of its verdicts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from veridical.bundle import checker

from .cases import answered, refused, sha
from .changes import put

SHOWN = """\

Question: What is hard?⟦U+202E⟧

Theme (source wording): learning rates
  accounts 3, attested accounts 1, mentions 5, origins 5, sources 3, unknown accounts 1
  c1 Neural networks ⟦need a lot of data⟧.
     [1] exact: container notes/a.txt, line 3, notes, witness held, read 2026-06-02T10:00:00Z
  c1 Deep ⟦layers forget⟧ what came before them.
     [2] clipped, clipped-context:unit: container notes/a.md, notes, witness held, read 2026-06-02T10:00:00Z
  c2 ⟦Beginners rarely tune & test⟧; they copy * settings.
     [3] located, case: container notes/b.jsonl, line 5, https://www.a.example/q/1?x=%20#top, witness held, read 2026-06-02T10:00:00Z
  c2 ⟦Nobody reads all⟧ of them.
     [1] exact, quoted-not-authored: container notes/a.txt, line 4, notes, witness held, read 2026-06-02T10:00:00Z
  c2 Nobody explains, ⟦why layers help⟧.
     [4] exact: container notes/c.csv, line 2, row 1, notes, witness held, read 2026-06-02T10:00:00Z

Theme (model wording): Training takes 3 days
  accounts 2, attested accounts 0, mentions 3, origins 3, sources 2, unknown accounts 1
  c3 in a model's words, quotes attached: Training took 3 days on 2000 images, say 2 accounts, see https://www.a.example/q/1?x=%20#top.
  c3 ⟦Training took 3 days⟧ on 2,000 images.
     [1] exact: container notes/a.txt, line 3, notes, witness held, read 2026-06-02T10:00:00Z
  c3 ⟦Beginners rarely tune & test⟧; they copy * settings.
     [3] located, case: container notes/b.jsonl, line 5, https://www.a.example/q/1?x=%20#top, witness held, read 2026-06-02T10:00:00Z
  c4 in a model's words, quotes attached: Ask Ann@a.example.
  c4 ⟦Ask ann@a.example first⟧.
     [1] exact: container notes/a.txt, line 3, notes, witness held, read 2026-06-02T10:00:00Z

Theme (kernel wording): Theme 3
  accounts 1, attested accounts 0, mentions 1, origins 1, sources 1, unknown accounts 0
  c5 ⟦On layers⟧
     [2] exact, field:title: container notes/a.md, notes, witness held, read 2026-06-02T10:00:00Z

To address: Who says so?
  c6 ⟦Attested words are only⟧ as good as who says them.
     [5] exact, snippet-only: container notes/a.md, http://b.example:8080/w, witness attested, read 2026-06-02T10:00:00Z

To address: Why? No sentence of the evidence could be verified as an answer to this.

"""
SHOWN_REFUSED = """\

Question: What is hard?⟦U+202E⟧

To address: Why? No sentence of the evidence could be verified as an answer to this.
No answer. The evidence that was named says too little about this to answer from it.

"""
ENDED = """\
{} documents: text recomputed from the raw bytes
{} documents: every visible character found in the raw bytes, in order
{} documents: raw bytes not enclosed, or not recomputable: text as recorded
Carried, not recomputed: bounds and context of cuts, a model's wording, rules of accounts, hosts and URLs, report.html and .md.
It does not prove that the words are true, independent, complete or fairly chosen.
"""


@pytest.mark.parametrize(("made", "shown", "states"), [(answered, SHOWN, (3, 1, 2)), (refused, SHOWN_REFUSED, (0, 0, 0))])
def test_all_that_is_released_is_shown_with_its_place_and_nothing_more(check, tmp_path, capsys, made, shown, states):
    data = made().build()
    assert check(data).code == 0
    name = tmp_path / "report.zip"
    assert checker.main([str(name), "--show"]) == 0
    root = sha(checker.read_archive(data)["MANIFEST.json"])
    verdict = f"{name} verifies: consistent, origin unproven\nroot digest {root}\n"
    assert f"{verdict}{shown}{ENDED.format(*states)}" == capsys.readouterr().out
    assert checker.main([str(name)]) == 0
    assert f"{verdict}{ENDED.format(*states)}" == capsys.readouterr().out


def test_the_result_as_json_names_the_state_of_each_document(tmp_path, capsys):
    case = answered()
    path = tmp_path / "report.zip"
    path.write_bytes(case.build())
    assert checker.main([str(path), "--json"]) == 0
    states = {"b": checker.FOUND, "p": checker.RECORDED, "w": checker.RECORDED}
    said = json.loads(capsys.readouterr().out)
    assert {
        "ok": True,
        "origin": "consistent, origin unproven",
        "root": sha(checker.read_archive(case.build())["MANIFEST.json"]),
        "documents": {name: states.get(letter, checker.RECOMPUTED) for letter, name in case.ids().items()},
        "limits": checker.LIMITS,
    } == said


SHAPE_WORDS: list[tuple[str, Any, str]] = [
    ("themes", {}, "is not a list"),
    ("run", [], "is not an object"),
    ("run", None, "is not an object"),
    ("run/zz", 1, "is missing, or is not a member of this object"),
    ("themes/0/claims/0/quotes/0/line", 0, "is too small"),
    ("themes/0/claims/0/quotes/0/line", True, "is not of type int1"),
    ("citations/0/number", 0, "is too small"),
    ("run/sealed", -1, "is too small"),
    ("run/sealed", True, "is not of type int"),
    ("citations/2/published/zone_known", 1, "is not of type bool"),
]


@pytest.mark.parametrize(("path", "wrong", "why"), SHAPE_WORDS)
def test_a_value_of_another_shape_is_told_by_what_it_should_be(check, path, wrong, why):
    found = check(answered().build(report=put(path, wrong)))
    assert (4, f"report.json/{path}", why) == (found.code, found.where, found.why)


FREE: list[tuple[str, Any]] = [("run/seed", -1), ("run/seed", 0), ("inputs/0/size", 0), ("inputs/0/documents", 0), ("inputs/0/size", 2**70)]


@pytest.mark.parametrize(("path", "right"), FREE)
def test_a_number_that_may_be_as_small_is_read(check, path, right):
    assert check(answered().build(report=put(path, right))).code == 0
