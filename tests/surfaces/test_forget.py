"""Forget, seen by somebody who does not believe it: other copies of a record, pages of one file, a run that ends while one is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from veridical import Veridical
from veridical_contract import UsageError

from .conftest import Ran

SECRET = "The door of the shop does not close since Monday. It is qzannoyingvw to customers."
OTHER = "The window of the house was closed well for many years by its owner."
PLAIN = "Plain words about the river bank stand here for everybody to read."


@pytest.fixture
def added(veridical: Callable[..., Ran], tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in (SECRET, OTHER)))
    assert veridical("sources", "add", "notes", "notes").code == 0
    return tmp_path


def first(veridical: Callable[..., Ran], words: str) -> str:
    return json.loads(veridical("evidence", "search", words, "--json").out)[0]["id"]


def two_pages(first: str, second: str) -> bytes:
    """Return a PDF of two pages with a line each."""
    lines = [f"BT /F 12 Tf 72 700 Td ({text}) Tj ET".encode() for text in (first, second)]
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F 7 0 R >> >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 >>",
        *(part for n, line in enumerate(lines) for part in (page.format(4 + 2 * n).encode(), _stream(line))),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = b"%PDF-1.4\n", [b"0000000000 65535 f \n"]
    for number, content in enumerate(objects, 1):
        places.append(b"%010d 00000 n \n" % len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 %d\n%strailer << /Size %d /Root 1 0 R >>\n" % (len(places), b"".join(places), len(places))
    return body + table + b"startxref\n%d\n%%%%EOF\n" % len(body)


def _stream(line: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(line), line)


def test_the_same_record_that_was_read_for_another_source_goes_too(veridical: Callable[..., Ran], added: Path) -> None:
    veridical("research", "What does not close?", "--from", "notes")
    done = veridical("forget", first(veridical, "qzannoyingvw"), "--reason", "x", "--yes")
    assert done.line() == "Deleted 2 documents and the reports of 1 runs."
    assert b"annoyingvw" not in b"".join(file.read_bytes() for file in (added / "home").glob("store.sqlite3*"))


def test_a_page_goes_with_the_file_whose_bytes_hold_its_words(veridical: Callable[..., Ran], added: Path) -> None:
    (added / "two.pdf").write_bytes(two_pages(SECRET.replace("qzannoyingvw", "qzpagevw"), PLAIN))
    assert veridical("sources", "add", "pdf", "two.pdf").code == 0
    done = veridical("forget", first(veridical, "qzpagevw"), "--reason", "x", "--yes")
    assert done.line() == "Deleted 2 documents and the reports of 0 runs."
    assert b"qzpagevw" not in b"".join(file.read_bytes() for file in (added / "home").glob("store.sqlite3*"))


def test_what_was_taken_back_stays_when_its_file_changes(veridical: Callable[..., Ran], added: Path) -> None:
    veridical("forget", first(veridical, "qzannoyingvw"), "--reason", "x", "--yes")
    assert veridical("sources", "sync", "--forgotten", "notes").code == 0
    with (added / "notes" / "a.jsonl").open("a") as file:
        file.write("\n" + json.dumps({"text": PLAIN}))
    assert "forgotten" not in veridical("sources", "sync").err
    assert veridical("evidence", "search", "qzannoyingvw").code == 0


def test_a_report_that_is_made_while_somebody_is_asked_goes_too(added: Path) -> None:
    with Veridical(home=added / "home", base=added, environment={}) as opened:
        (found,) = opened.search_evidence("qzannoyingvw")
        asked = opened.store.doomed([found.id])
        assert asked.dependents == {}
        opened.research("What does not close?", must_address=())
        assert opened.store.forget(asked, reason="x").withdrawn == 1


def test_a_document_that_is_no_longer_current_is_forgotten_by_its_first_digits(added: Path) -> None:
    with Veridical(home=added / "home", base=added, environment={}) as opened:
        (found,) = opened.search_evidence("qzannoyingvw")
        (added / "notes" / "a.jsonl").write_text(json.dumps({"text": OTHER}))
        opened.sync_sources()
        assert opened.store.doomed([found.id[:12]]).documents == (found.id,)


@pytest.mark.parametrize("name", ["a" * 64, "z" * 64, "A" * 64, "", "é"])
def test_a_name_that_no_document_has_deletes_nothing_and_says_so(added: Path, name: str) -> None:
    with Veridical(home=added / "home", base=added, environment={}) as opened:
        with pytest.raises(UsageError, match="There is no document called"):
            opened.store.doomed([name])
        with pytest.raises(UsageError):
            opened.show_evidence(name)
