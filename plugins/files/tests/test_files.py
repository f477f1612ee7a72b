"""What the plugin hands in for real files, read by the host's own reader and judged by the kernel."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import cast

import pytest
from veridical.kernel.admission import AdmissionRefused, Trust, admit
from veridical.kernel.policy import load_policy
from veridical.wire.inputs import enumerate_inputs
from veridical.wire.reading import Reader
from veridical_contract import Document, FieldMap, HostFiles, PluginContext, SourceBatch, SourceRequest
from veridical_files import FilesSource


class Context:
    """As much of a `PluginContext` as a source of files uses."""

    def __init__(self, files: HostFiles, *, calls: int) -> None:
        self.files = files
        self.logger = logging.getLogger("test")
        self._calls = calls

    def cancelled(self) -> bool:
        self._calls -= 1
        return self._calls < 0


class Folder:
    """A folder of files, and what the plugin makes of them."""

    def __init__(self, base: Path, name: str = ".") -> None:
        self.base = base
        self.name = name
        self.reader = Reader(base)

    def write(self, name: str, data: bytes | str) -> None:
        path = self.base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    def batches(self, *, mapped: FieldMap | None = None, calls: int = 10**6) -> Iterator[SourceBatch]:
        """Yield batches, and let go of the bytes after each, as the gateway does."""
        source = FilesSource(cast("PluginContext", Context(self.reader, calls=calls)))
        inputs = enumerate_inputs([self.name], base=self.base).files
        for batch in source.read(request=SourceRequest(origin="notes", inputs=inputs, map=mapped)):
            yield batch
            self.reader.release()

    def documents(self, *, mapped: FieldMap | None = None) -> list[Document]:
        found: list[Document] = []
        for batch in self.batches(mapped=mapped):
            assert batch.problem is None
            for item in batch.items:
                assert item.raw is not None
                assert item.derivation is not None
                made = admit(
                    item,
                    plugin="files",
                    origin="notes",
                    extractor="host",
                    retrieved=datetime(2026, 1, 1, tzinfo=UTC),
                    held=self.reader.derive(self.reader.held(item.raw.digest), item.derivation),
                    trust=Trust(),
                    policy=load_policy(),
                )
                found.append(made.document)
        return found

    def problems(self, *, mapped: FieldMap | None = None) -> dict[str, str]:
        return {batch.container: batch.problem for batch in self.batches(mapped=mapped) if batch.problem is not None}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


class TestTexts:
    def test_each_file_is_a_document_as_its_name_says(self, folder: Folder) -> None:
        folder.write("a.md", "# Title\n\n*words*")
        folder.write("b.html", "<h1>Title</h1><p>words</p>")
        folder.write("c.txt", "*words* <b>")
        folder.write("d.MARKDOWN.gz", gzip.compress(b"**words**"))
        folder.write("e.rst", "*words*")
        found = folder.documents()
        assert [document.text for document in found] == ["Title\n\x1ewords", "Title\n\x1ewords", "*words* <b>", "words", "*words*"]
        assert [document.locator.container for document in found] == ["a.md", "b.html", "c.txt", "d.MARKDOWN.gz", "e.rst"]
        assert {(document.title, document.url, document.grades.text) for document in found} == {(None, None, "held")}

    def test_an_unknown_name_is_text_when_it_looks_like_text(self, folder: Folder) -> None:
        folder.write("README", "words")
        folder.write("notes.xyz", "more words")
        assert [document.text for document in folder.documents()] == ["words", "more words"]

    @pytest.mark.parametrize("name", ["a.docx", "a.PNG", "a.svg", "a.tar.gz", "a.zip"])
    def test_what_is_not_text_is_unsupported(self, folder: Folder, name: str) -> None:
        folder.write(name, b"PK\x03\x04")
        assert folder.problems() == {name: "unsupported: it is not text; save it as PDF, HTML or text to have it read"}

    def test_binary_data_under_an_unknown_name_is_unsupported(self, folder: Folder) -> None:
        folder.write("core.dump", b"\x7fELF\x00\x00\x00")
        assert folder.problems() == {"core.dump": "unsupported: it holds binary data, not text"}

    def test_an_empty_file_is_a_problem(self, folder: Folder) -> None:
        folder.write("a.md", b"")
        assert folder.problems() == {"a.md": "it is empty"}


class TestTables:
    MAP = FieldMap(fields={"text": "remark", "author": "who", "url": "where", "published": "when"})

    def test_the_operators_map_says_what_is_what(self, folder: Folder) -> None:
        folder.write("a.csv", "who,when,where,remark\nu1,2024-05-01,https://ex.org/1,<p>One &amp; two</p>\n")
        folder.write("b.jsonl", json.dumps({"remark": "three", "who": 7, "when": "2024", "where": "https://ex.org/2", "text": "not this"}))
        first, second = folder.documents(mapped=self.MAP)
        assert (first.text, first.author and first.author.id, first.url, first.published and first.published.value) == (
            "One & two",
            "u1",
            "https://ex.org/1",
            "2024-05-01",
        )
        assert (second.text, second.author and second.author.id) == ("three", "7")
        assert (first.locator.row, first.locator.line, second.locator.line) == (1, 2, 1)

    def test_a_map_may_point_into_an_object_and_say_the_markup(self, folder: Folder) -> None:
        folder.write("a.json", '[{"data": {"body": "*one*"}}, {"data": {"body": "two"}}]')
        mapped = FieldMap(fields={"text": "/data/body"}, projection="markdown")
        assert [document.text for document in folder.documents(mapped=mapped)] == ["one", "two"]

    def test_names_are_matched_without_case(self, folder: Folder) -> None:
        folder.write("a.csv", "Review Text,User-ID\nwords,u1\n")
        (found,) = folder.documents(mapped=FieldMap(fields={"text": "review_text", "author": "user id"}))
        assert (found.text, found.author and found.author.id) == ("words", "u1")

    def test_without_a_map_common_names_are_understood(self, folder: Folder) -> None:
        folder.write("a.csv", "ID,Body,Permalink,Subject,user_id,Author,created_at\n1,words,https://ex.org/1,Title,u1,Jo,2024-05-01\n")
        (found,) = folder.documents()
        assert found.author is not None
        assert (found.text, found.url, found.title, found.author.id, found.author.name) == (
            "words",
            "https://ex.org/1",
            "Title",
            "u1",
            "Jo",
        )

    def test_a_guess_that_is_no_value_is_left_out(self, folder: Folder) -> None:
        folder.write("a.jsonl", '{"text": "words", "user": {"login": "x"}, "created": 1.5, "url": "https://ex.org"}')
        (found,) = folder.documents()
        assert (found.text, found.url, found.author, found.published) == ("words", "https://ex.org", None, None)

    def test_what_the_operator_named_is_refused_when_it_is_no_value(self, folder: Folder) -> None:
        folder.write("a.jsonl", '{"text": "words", "user": {"login": "x"}}')
        with pytest.raises(AdmissionRefused, match="json-not-a-value"):
            folder.documents(mapped=FieldMap(fields={"text": "text", "author": "user"}))

    @pytest.mark.parametrize(
        ("record", "text"),
        [
            ({"text": "<p>a &amp; b</p>"}, "a & b"),
            ({"text": "a <b>bold</b> word"}, "a bold word"),
            ({"text": "a < b and c > d, x<y"}, "a < b and c > d, x<y"),
            ({"text": "*a* &amp; <T>"}, "*a* &amp; <T>"),
            ({"text": "*a* &amp; b", "text_format": "html"}, "*a* & b"),
            ({"text": "*a* &amp; b", "format": "markdown-inline"}, "a & b"),
            ({"text": "<b>a</b>", "content_type": "text/plain; charset=utf-8"}, "<b>a</b>"),
            ({"text": "<b>a</b>", "format": "unheard of"}, "a"),
        ],
    )
    def test_the_markup_is_declared_or_seen(self, folder: Folder, record: dict[str, str], text: str) -> None:
        folder.write("a.jsonl", json.dumps(record))
        assert [document.text for document in folder.documents()] == [text]

    def test_a_file_without_text_says_what_to_type(self, folder: Folder) -> None:
        folder.write("a.csv", "id,remark,stars\n1,a long remark,5\n")
        folder.write("b.json", "[1, 2]")
        folder.write("c.jsonl", '{"id": 1, "data": {}}')
        assert folder.problems() == {
            "a.csv": "no column has a name that means text; its columns are id, remark, stars: add --map text=remark",
            "b.json": "its records have no named columns or members, so there is no text to point at",
            "c.jsonl": "no column has a name that means text; its columns are id, data: add --map text=id",
        }

    def test_a_map_that_names_no_column_says_what_to_type(self, folder: Folder) -> None:
        folder.write("a.csv", ",".join(f"c{number}" for number in range(14)) + "\nwords" + "," * 13)
        shown = ", ".join(f"c{number}" for number in range(12))
        expected = f"there is no column 'remark'; its columns are {shown} and 2 more: add --map text=c0"
        assert folder.problems(mapped=self.MAP) == {"a.csv": expected}

    def test_a_line_that_is_not_json_is_handed_in_and_refused_by_the_kernel(self, folder: Folder) -> None:
        folder.write("a.jsonl", '{"text": "one"}\nnot json\n{"text": "two"}\n')
        (batch,) = folder.batches()
        assert [bool(item.derivation and item.derivation.pointers) for item in batch.items] == [True, False, True]
        with pytest.raises(AdmissionRefused):
            folder.documents()

    def test_rows_before_an_unbalanced_quote_are_kept(self, folder: Folder) -> None:
        folder.write("a.csv", 'text\none\ntwo\n"three\n')
        (batch,) = folder.batches()
        assert len(batch.items) == 2
        assert batch.problem == "the row in line 4 cannot be read: unexpected end of data"

    def test_real_comments_come_in_with_their_fields(self, shared_data: Callable[[str], Path]) -> None:
        found = Folder(shared_data("comments"), "stackexchange.coffee.stackexchange.com.jsonl.gz").documents()
        assert len(found) == 225 + 327
        assert sum(document.title is not None for document in found) == 225
        assert all(document.url is not None and document.published is not None for document in found)
        assert not any("<p>" in document.text or "&amp;" in document.text for document in found)


class TestMail:
    def mail(self, number: int) -> EmailMessage:
        mail = EmailMessage()
        mail["From"] = f"Jo <jo{number}@example.org>"
        mail["Subject"] = f"Subject {number}"
        mail["Date"] = "Tue, 01 Jul 2003 10:52:37 +0200"
        mail["Message-ID"] = f"<{number}@example.org>"
        mail.set_content(f"words {number}\n")
        return mail

    def test_each_message_is_a_document(self, folder: Folder) -> None:
        box = b"".join(b"From x\n" + self.mail(number).as_bytes() + b"\n" for number in range(3))
        folder.write("a.mbox", box)
        folder.write("b.eml", self.mail(3).as_bytes())
        found = folder.documents()
        assert [document.text for document in found] == ["words 0\n", "words 1\n", "words 2\n", "words 3\n"]
        assert [document.title for document in found] == ["Subject 0", "Subject 1", "Subject 2", "Subject 3"]
        assert [document.author and document.author.id for document in found] == [f"jo{number}@example.org" for number in range(4)]
        assert [document.locator.message for document in found] == [f"<{number}@example.org>" for number in range(4)]
        assert {document.published and document.published.value for document in found} == {"2003-07-01T10:52:37+02:00"}

    def test_a_mail_that_is_only_html_is_read_as_html(self, folder: Folder) -> None:
        mail = EmailMessage()
        mail.set_content("<p>one</p><p>two</p>", subtype="html")
        folder.write("a.eml", mail.as_bytes())
        assert [document.text for document in folder.documents()] == ["one\n\ntwo"]

    def test_a_header_that_cannot_be_read_does_not_cost_the_mail(self, folder: Folder) -> None:
        folder.write("a.eml", b"From: <\nSubject: x\nDate: never\n\nwords of the mail")
        (found,) = folder.documents()
        assert (found.text, found.title, found.author, found.published) == ("words of the mail", "x", None, None)

    def test_a_mail_without_text_is_handed_in_and_refused_by_the_kernel(self, folder: Folder) -> None:
        folder.write("a.eml", b"Subject: x\nContent-Type: image/png\n\nx")
        with pytest.raises(AdmissionRefused, match="no-text"):
            folder.documents()


class TestBatches:
    @pytest.mark.parametrize(("rows", "sizes"), [(1, [1]), (199, [199]), (200, [200, 0]), (201, [200, 1]), (450, [200, 200, 50])])
    def test_batches_are_bounded_and_the_last_one_says_so(self, folder: Folder, rows: int, sizes: list[int]) -> None:
        folder.write("a.csv", "text\n" + "".join(f"row {number}\n" for number in range(rows)))
        found = list(folder.batches())
        assert [len(batch.items) for batch in found] == sizes
        assert [batch.done for batch in found] == [False] * (len(sizes) - 1) + [True]
        assert len(folder.documents()) == rows

    def test_a_broken_file_is_one_line_and_costs_nothing_else(self, folder: Folder) -> None:
        folder.write("a.md", "first words")
        folder.write("b.pdf", b"%PDF-1.4 broken")
        folder.write("c.jsonl.gz", b"not gzip")
        folder.write("d.md", "last words")
        found = {batch.container: (len(batch.items), batch.done, batch.problem) for batch in folder.batches()}
        assert found == {
            "a.md": (1, True, None),
            "b.pdf": (0, True, "it is damaged, or no PDF"),
            "c.jsonl.gz": (0, True, "its compressed data is damaged or cut off"),
            "d.md": (1, True, None),
        }

    def test_rows_that_were_read_before_the_damage_are_handed_in_with_the_problem(self, folder: Folder) -> None:
        folder.write("a.csv", "text\n" + "row\n" * 250 + '"broken\n')
        found = [(len(batch.items), batch.done, batch.problem is not None) for batch in folder.batches()]
        assert found == [(200, False, False), (50, True, True)]

    def test_it_stops_when_nobody_waits_any_more(self, folder: Folder) -> None:
        for name in "abcde":
            folder.write(f"{name}.md", "words")
        assert [batch.container for batch in folder.batches(calls=2)] == ["a.md", "b.md"]
