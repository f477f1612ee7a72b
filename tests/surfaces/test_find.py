"""A quote is found among all documents, or it is said how sure it is that it is in none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from veridical import AsyncVeridical, Veridical
from veridical_contract import UsageError

from .conftest import Ran

TEXT = "Opening hours changed.\n\nThe door of the shop does not close since the frame is bent. We called the carpenter twice.\n"
QUOTE = "door of the shop does not close since the frame is bent"


@pytest.fixture
def notes(tmp_path: Path, veridical: Callable[..., Ran]) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text(TEXT)
    (tmp_path / "notes" / "b.txt").write_text(TEXT.replace("the shop does", "the\nshop does"))
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "c.txt").write_text("We have new opening hours, and nothing is broken at all.")
    assert veridical("sources", "add", "notes", "notes").code == 0
    assert veridical("sources", "add", "mail", "mail").code == 0
    return tmp_path


def test_every_document_is_named_with_its_place(notes: Path, veridical: Callable[..., Ran]) -> None:
    ran = veridical("evidence", "find", QUOTE)
    assert ran.code == 0, ran.err
    assert [line.split("  ")[1] for line in ran.out.splitlines() if line and line[0] != " "] == [
        "notes/a.txt, line 3 (exact)",
        "notes/b.txt, line 3 (located: whitespace)",
    ]
    assert ran.line() == "It stands in 2 documents."
    assert "It stands in 2 documents; 1 shown." in veridical("evidence", "find", QUOTE, "--limit", "1").err


def test_the_same_as_json(notes: Path, veridical: Callable[..., Ran]) -> None:
    found = json.loads(veridical("evidence", "find", QUOTE, "--json").out)
    assert (found["total"], found["complete"], found["absent"]) == (2, True, False)
    assert [place["verdict"] for place in found["places"]] == ["exact", "located"]
    assert found["places"][1]["folds"] == ["whitespace"]
    assert found["places"][0]["text"] == QUOTE


def test_what_stands_nowhere_is_said_to_be_nowhere(notes: Path, veridical: Callable[..., Ran]) -> None:
    ran = veridical("evidence", "find", "the windows of the shop do not close since they are bent")
    assert (ran.code, ran.line()) == (4, "It stands in no document of the store.")
    ran = veridical("evidence", "find", QUOTE, "--source", "mail")
    assert (ran.code, ran.line()) == (4, "It stands in no document of the store.")


def test_words_that_are_too_few_are_not_said_to_be_absent(notes: Path, veridical: Callable[..., Ran]) -> None:
    ran = veridical("evidence", "find", "the shop")
    assert ran.code == 4
    assert "too-short" in ran.line()


def test_a_short_quote_in_a_large_store_needs_a_document(tmp_path: Path, veridical: Callable[..., Ran]) -> None:
    rows = [json.dumps({"text": f"Comment number {n} is about door {n * 7}."}) + "\n" for n in range(400)]
    (tmp_path / "rows.jsonl").write_text("".join(rows))
    assert veridical("sources", "add", "rows", "rows.jsonl").code == 0
    ran = veridical("evidence", "find", "about the horse")
    assert ran.code == 4
    assert "need a document" in ran.line()
    assert veridical("evidence", "find", "number 77 is about").code == 0


def test_an_empty_quote_and_an_unknown_source_are_usage(notes: Path, veridical: Callable[..., Ran]) -> None:
    assert veridical("evidence", "find", " ").code == 2
    assert veridical("evidence", "find", QUOTE, "--source", "letters").code == 2


def test_the_facade_finds_the_same_synchronously_and_not(notes: Path) -> None:
    async def ask() -> int:
        async with AsyncVeridical(Veridical(home=notes / "home")) as installation:
            standing = await installation.find_quote(QUOTE, sources=["notes"])
            return (await installation.show_place(standing.places[0])).line or 0

    assert asyncio.run(ask()) == 3
    with Veridical(home=notes / "home") as installation, pytest.raises(UsageError):
        installation.find_quote("")


def test_reading_that_is_interrupted_while_the_index_is_put_in_order_loses_nothing(tmp_path: Path) -> None:
    class Interrupts:
        def step(self, name: str, done: int, total: int | None) -> None:
            if name == "ordering the index":
                raise KeyboardInterrupt

    (tmp_path / "a.txt").write_text(TEXT)
    with Veridical(home=tmp_path / "home", progress=Interrupts()) as installation, pytest.raises(KeyboardInterrupt):
        installation.add_source("notes", [tmp_path / "a.txt"])
    with Veridical(home=tmp_path / "home") as installation:
        assert installation.find_quote(QUOTE).total == 1
        assert [record.status for record in installation.sync_sources()["notes"].inputs] == ["unchanged"]
        assert installation.find_quote(QUOTE).total == 1
