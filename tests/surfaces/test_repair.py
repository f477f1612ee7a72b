"""What a person sees of a damaged store, and how it is repaired: by name, from what is there, or not at all."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from veridical import Veridical
from veridical.workflows.repair import Repaired

from .conftest import Ran


@pytest.fixture
def added(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("The door of the shop does not close since Monday.")
    (notes / "b.md").write_text("# Windows\n\nThe window of the shop is broken.\n")
    (notes / "c.csv").write_text("".join(["text,user\n", *(f'"The roof number {n} is new.",u{n}\n' for n in range(9))]))
    rows = [{"text": f"The wall number {n} is old."} for n in range(9)]
    (notes / "d.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    with opened(tmp_path) as veridical:
        veridical.add_source("notes", ["notes"])
    return tmp_path


def opened(folder: Path) -> Veridical:
    return Veridical(home=folder / "home", base=folder, environment={})


def run(folder: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "home" / "store.sqlite3")) as connection, connection:
        return connection.execute(statement, values).fetchall()


def shown(folder: Path) -> list[str]:
    with opened(folder) as veridical:
        return sorted(found.id for word in ("shop", "roof", "wall") for found in veridical.search_evidence(word))


def repaired(folder: Path) -> Repaired:
    with opened(folder) as veridical:
        return veridical.store.repair()


def gone(folder: Path) -> None:
    for file in (folder / "notes").iterdir():
        file.unlink()


@pytest.mark.parametrize("there", [True, False], ids=["file there", "file gone"])
@pytest.mark.parametrize("row", [1, 2, 3, 7, 11, 12, 20])
def test_a_damaged_document_is_not_served_and_is_made_again(added: Path, row: int, there: bool) -> None:
    before = shown(added)
    ((name,),) = run(added, "SELECT lower(hex(id)) FROM documents WHERE row = ?", row)
    run(added, "UPDATE documents SET body = zeroblob(length(body)) WHERE row = ?", row)
    assert shown(added) == sorted(set(before) - {name})
    if not there:
        gone(added)
    done = repaired(added)
    assert (done.documents, done.lost, done.problems) == ((name,), (), ())
    assert shown(added) == before


def test_damaged_records_come_back_from_the_files(added: Path) -> None:
    run(added, "UPDATE raws SET body = zeroblob(length(body)) WHERE row IN (1, 5, 15)")
    done = repaired(added)
    assert (done.documents, len(done.raws), done.lost, done.problems) == ((), 3, (), ())


def test_a_document_and_its_record_come_back_from_the_file(added: Path) -> None:
    before = shown(added)
    run(added, "UPDATE raws SET body = zeroblob(length(body)) WHERE row = 7")
    run(added, "UPDATE documents SET body = zeroblob(length(body)), tag = zeroblob(16) WHERE raw = 7")
    assert repaired(added).problems == ()
    assert shown(added) == before


def test_a_record_whose_file_is_gone_is_named_as_lost(added: Path) -> None:
    ((name,),) = run(added, "SELECT lower(hex(digest)) FROM raws WHERE row = 5")
    run(added, "UPDATE raws SET body = zeroblob(length(body)) WHERE row = 5")
    gone(added)
    assert [(lost.what, lost.name, lost.containers) for lost in repaired(added).lost] == [("raw", name, (("notes", "notes/c.csv"),))]


def test_neighbours_that_are_damaged_come_back_one_after_the_other(added: Path) -> None:
    before = shown(added)
    run(added, "UPDATE documents SET body = zeroblob(length(body)) WHERE row IN (5, 6, 7)")
    gone(added)
    assert repaired(added).problems == ()
    assert shown(added) == before


def test_a_damaged_index_is_built_from_the_documents(added: Path) -> None:
    before = shown(added)
    run(added, "UPDATE passage_index_data SET block = zeroblob(20) WHERE id > 10")
    run(added, "UPDATE passages SET words = zeroblob(9)")
    assert repaired(added).problems == ()
    assert shown(added) == before


def test_a_whole_store_is_left_alone(added: Path) -> None:
    assert repaired(added) == Repaired((), (), (), ())


def test_what_a_person_is_told(veridical: Callable[..., Ran], added: Path) -> None:
    """A document without its tag is not made again from what the store says: it could make up all of them."""
    names = [name for (name,) in run(added, "SELECT lower(hex(id)) FROM documents WHERE row IN (7, 9) ORDER BY row")]
    run(added, "UPDATE documents SET body = zeroblob(length(body)) WHERE row IN (7, 9)")
    run(added, "UPDATE documents SET tag = zeroblob(16) WHERE row = 7")
    gone(added)
    checked = veridical("doctor", "--store")
    assert (checked.code, [name for name in names if f"document {name}: its bytes do not hash to its name" in checked.err]) == (6, names)
    repaired = veridical("doctor", "--store", "--repair")
    assert repaired.code == 6
    assert "Repaired 1 documents and 0 records." in repaired.err
    assert f"lost: document {names[0]} from notes/c.csv of notes." in repaired.err
    assert veridical("forget", str(names[0]), "--reason", "damaged", "--yes").code == 0
    assert veridical("doctor", "--store").code == 0
    assert veridical("doctor", "--repair").code == 2
