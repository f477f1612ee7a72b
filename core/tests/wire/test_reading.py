"""Files become records whose bytes are exactly theirs, and everything that is read from them follows from those bytes."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import mailbox
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veridical.kernel.admission import AdmissionRefused, Trust, admit
from veridical.kernel.derivation import atoms
from veridical.kernel.policy import load_policy
from veridical.wire.reading import Limits, Reader
from veridical.wire.reading.encodings import Encoding
from veridical.wire.reading.objects import read_values
from veridical_contract import Derivation, InputFile, Item, Record, RecordFormat, UnreadableError

Listed = Callable[[str, bytes], InputFile]
Pdf = Callable[..., bytes]


def read(base: Path, file: InputFile, kind: RecordFormat, *, limits: Limits | None = None) -> list[Record]:
    """Read a file and hold every record against the bytes of the file."""
    reader = Reader(base, limits=limits)
    found = list(reader.records(file, format=kind))
    data = (base / file.path).read_bytes()
    whole = gzip.decompress(data) if file.path.endswith(".gz") else data
    for record in found:
        raw = reader.held(record.raw.digest)
        assert whole[record.raw.offset : record.raw.offset + record.raw.size] == raw
        assert (record.raw.digest, record.raw.container) == (hashlib.sha256(raw).hexdigest(), file.sha256)
        assert record.locator.container == file.path
        if record.locator.line is not None:
            assert record.locator.line == whole[: record.raw.offset].replace(b"\0", b"").count(b"\n") + 1
    return found


def bodies(base: Path, file: InputFile, kind: RecordFormat) -> list[bytes]:
    reader = Reader(base)
    return [reader.held(record.raw.digest) for record in reader.records(file, format=kind)]


def values(base: Path, file: InputFile, kind: RecordFormat) -> list[dict[str, str]]:
    reader = Reader(base)
    return [reader.atoms(record, record.names) for record in reader.records(file, format=kind)]


def refused(base: Path, file: InputFile, kind: RecordFormat, *, limits: Limits | None = None) -> str:
    with pytest.raises(UnreadableError) as caught:
        list(Reader(base, limits=limits).records(file, format=kind))
    message = str(caught.value)
    assert "\n" not in message
    assert file.path not in message
    return message


class TestEveryFormat:
    def test_a_file_that_changed_since_it_was_listed_is_refused(self, tmp_path: Path, listed: Listed) -> None:
        for name, kind in (
            ("a.txt", "text"),
            ("a.jsonl", "json"),
            ("a.csv", "csv"),
            ("a.mbox", "mime"),
            ("a.eml", "mime"),
            ("a.pdf", "pdf"),
        ):
            file = listed(name, b"words")
            (tmp_path / name).write_bytes(b"other")
            assert refused(tmp_path, file, kind) == "it changed since it was listed: run the command again"

    def test_a_file_that_is_written_to_while_it_is_read_is_refused_at_its_end(self, tmp_path: Path, listed: Listed) -> None:
        file = listed("a.jsonl", b'{"a": "x"}\n' * 3)
        records = Reader(tmp_path).records(file, format="json")
        next(records)
        with (tmp_path / "a.jsonl").open("ab") as out:
            out.write(b'{"a": "y"}\n')
        with pytest.raises(UnreadableError, match="it changed"):
            list(records)

    def test_a_file_that_is_gone_is_refused(self, tmp_path: Path, listed: Listed) -> None:
        file = listed("a.txt", b"words")
        (tmp_path / "a.txt").unlink()
        assert refused(tmp_path, file, "text") == "no such file or directory"

    @pytest.mark.parametrize(("name", "kind"), [("a.txt.gz", "text"), ("a.jsonl.gz", "json"), ("a.csv.gz", "csv"), ("a.mbox.gz", "mime")])
    def test_damaged_compression_is_refused(self, tmp_path: Path, listed: Listed, name: str, kind: RecordFormat) -> None:
        whole = gzip.compress(b'From x\n{"a": "words"}\n' * 100)
        for data in (whole[:-20], b"no gzip at all", whole[:30] + b"\xff" * 20 + whole[50:]):
            assert refused(tmp_path, listed(name, data), kind) == "its compressed data is damaged or cut off"

    def test_a_decompression_bomb_is_refused(self, tmp_path: Path, listed: Listed) -> None:
        limits = Limits(floor=1000, ratio=50)
        bomb = gzip.compress(b"From a\n" * 100_000)
        for name, kind in (("a.txt.gz", "text"), ("a.csv.gz", "csv"), ("a.mbox.gz", "mime")):
            assert refused(tmp_path, listed(name, bomb), kind, limits=limits).startswith("it decompresses to more than 50 times its size")

    def test_a_file_that_does_not_fit_is_refused(self, tmp_path: Path, listed: Listed) -> None:
        limits = Limits(whole=10, record=20)
        assert refused(tmp_path, listed("a.txt", b"x" * 11), "text", limits=limits) == "it is larger than 10 bytes"
        assert refused(tmp_path, listed("a.txt.gz", gzip.compress(b"")), "text", limits=limits) == "it is larger than 10 bytes"
        assert refused(tmp_path, listed("a.jsonl", b'"' + b"x" * 30 + b'"'), "json", limits=limits) == "a line is longer than 20 bytes"
        assert refused(tmp_path, listed("a.mbox", b"From x\n" + b"words\n" * 5), "mime", limits=limits).startswith("the message in line 2")

    def test_bytes_are_held_until_they_are_released(self, tmp_path: Path, listed: Listed) -> None:
        reader = Reader(tmp_path)
        records = reader.records(listed("a.jsonl", b'{"a": "x"}\n{"a": "y"}\n'), format="json")
        first = next(records)
        assert reader.held(first.raw.digest) == b'{"a": "x"}'
        reader.release()
        second = next(records)
        assert reader.held(second.raw.digest) == b'{"a": "y"}'
        with pytest.raises(AdmissionRefused, match="bytes-not-read"):
            reader.held(first.raw.digest)
        with pytest.raises(UnreadableError, match="bytes-not-read"):
            reader.atoms(first, {"text": "/a"})


class TestText:
    LATIN = "Le caf\xe9 est tr\xe8s bon, m\xeame \xe0 midi. O\xf9 \xeates-vous all\xe9s hier? C'\xe9tait d\xe9j\xe0 l'\xe9t\xe9."
    RUSSIAN = (
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043a\u0430\u043a \u0434\u0435\u043b\u0430? "
        "\u0421\u0435\u0433\u043e\u0434\u043d\u044f \u0445\u043e\u0440\u043e\u0448\u0430\u044f \u043f\u043e"
        "\u0433\u043e\u0434\u0430 \u0438 \u043c\u044b \u043f\u043e\u0439\u0434\u0451\u043c \u0433\u0443\u043b\u044f\u0442\u044c."
    )

    @pytest.mark.parametrize(
        ("name", "data", "encoding"),
        [
            ("a.txt", "words \u201cand\u201d more".encode(), "utf-8"),
            ("a.txt", "caf\xe9".encode("utf-8-sig"), "utf-8-sig"),
            ("a.txt", "caf\xe9".encode("utf-16"), "utf-16"),
            ("a.txt", "plain words".encode("utf-16-le"), "utf-16-le"),
            ("a.txt", "plain words".encode("utf-16-be"), "utf-16-be"),
            ("a.txt", "caf\xe9".encode("utf-32"), "utf-32"),
            ("a.txt", LATIN.encode("latin-1"), "cp1252"),
            ("a.txt", RUSSIAN.encode("cp1251"), "cp1251"),
            ("a.html", b"<meta charset='koi8-r'><p>" + RUSSIAN.encode("koi8-r"), "koi8-r"),
            ("a.html", b"<meta http-equiv=x content='text/html; charset=Shift_JIS'>" + "\u65e5\u672c".encode("cp932"), "cp932"),
            ("a.html", b"<?xml version='1.0' encoding='ISO-8859-1'?><p>caf\xe9", "cp1252"),
            ("a.html", b"<meta charset=iso-8859-1><p>" + "caf\xe9".encode(), "utf-8"),
            ("a.html", b"<meta charset=utf-7><p>+AGE-", "utf-8"),
            ("a.html", b"<meta charset=utf-16><p>caf\xc3\xa9", "utf-8"),
            ("a.html", b"<meta charset=nonsense><p>caf\xc3\xa9", "utf-8"),
            ("a.html", b"<meta charset=hex><p>caf\xc3\xa9", "utf-8"),
            ("a.txt", b"<meta charset='koi8-r'> " + "caf\xe9".encode(), "utf-8"),
        ],
    )
    def test_the_encoding_is_marked_declared_proved_or_guessed(
        self, tmp_path: Path, listed: Listed, name: str, data: bytes, encoding: str
    ) -> None:
        (record,) = read(tmp_path, listed(name, data), "text")
        assert (record.encoding, record.names, record.locator.line) == (encoding, {"text": ""}, None)
        data.decode(record.encoding)

    @pytest.mark.parametrize("data", [b"PK\x03\x04\x00\x00", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", b"words\x00words"])
    def test_binary_data_is_no_text(self, tmp_path: Path, listed: Listed, data: bytes) -> None:
        assert refused(tmp_path, listed("a.txt", data), "text") == "it holds binary data, not text"

    def test_bytes_that_no_encoding_explains_are_refused(self, tmp_path: Path, listed: Listed) -> None:
        data = "caf\xe9".encode("utf-16") + b"\x00"
        assert refused(tmp_path, listed("a.txt", data), "text") == "it holds binary data, not text"

    @given(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
        st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
    )
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_unicode_comes_back_whole(self, tmp_path: Path, listed: Listed, text: str, encoding: str) -> None:
        reader = Reader(tmp_path)
        (record,) = reader.records(listed("a.txt", text.encode(encoding)), format="text")
        assert reader.atoms(record, record.names)["text"].removeprefix("\ufeff") == text.removeprefix("\ufeff")


class TestJson:
    def test_each_line_is_a_record_with_its_names(self, tmp_path: Path, listed: Listed) -> None:
        data = b'{"text": "one", "a/b~c": 1}\n\n  {"text": "two"}  \r\n[1]\n"x"\nnot json\n'
        found = read(tmp_path, listed("a.jsonl", data), "json")
        assert [(record.locator.line, record.names) for record in found] == [
            (1, {"text": "/text", "a/b~c": "/a~1b~0c"}),
            (3, {"text": "/text"}),
            (4, {}),
            (5, {}),
            (6, {}),
        ]
        assert bodies(tmp_path, listed("a.ndjson", data), "json")[1] == b'  {"text": "two"}  '

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1251"])
    def test_lines_and_elements_are_exact_in_every_encoding(self, tmp_path: Path, listed: Listed, encoding: str) -> None:
        rows = [{"text": TestText.RUSSIAN + str(number)} for number in range(3)]
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\r\n" for row in rows)
        assert values(tmp_path, listed("a.jsonl", lines.encode(encoding)), "json") == rows
        assert values(tmp_path, listed("a.json", json.dumps(rows, ensure_ascii=False, indent=1).encode(encoding)), "json") == rows
        for name, kind in (("a.jsonl", "json"), ("a.json", "json")):
            read(tmp_path, InputFile(path=name, sha256=hashlib.sha256((tmp_path / name).read_bytes()).hexdigest(), size=1), kind)

    @pytest.mark.parametrize(
        ("data", "records"),
        [
            (b'[{"a": 1}, {"a": [2]}]', [b'{"a": 1}', b'{"a": [2]}']),
            (b'\n[\n {"a": 1}\n ,\n {"a": 2}\n]\n', [b'{"a": 1}', b'{"a": 2}']),
            (b"[]", []),
            (b"", []),
            (b'{"a": [1, 2]}', [b'{"a": [1, 2]}']),
            (b'{"a": 1}\n{"a": 2}\n', [b'{"a": 1}', b'{"a": 2}']),
            (b'["x", null, 1.5]', [b'"x"', b"null", b"1.5"]),
        ],
    )
    def test_elements_of_a_list_are_records(self, tmp_path: Path, listed: Listed, data: bytes, records: list[bytes]) -> None:
        file = listed("a.json", data)
        assert len(read(tmp_path, file, "json")) == len(records)
        assert bodies(tmp_path, file, "json") == records

    @pytest.mark.parametrize(
        ("data", "line"),
        [
            (b'[{"a": 1}', 1),
            (b'[{"a": 1}\n {"a": 2}]', 2),
            (b'[{"a": 1},]', 1),
            (b'[{"a": 1}] x', 1),
            (b'\n\n{"a": ', 3),
            (b"[" * 100_000, 1),
            (b"1" * 5000, 1),
            (b"words", 1),
        ],
    )
    def test_what_is_not_json_is_refused_with_its_line(self, tmp_path: Path, listed: Listed, data: bytes, line: int) -> None:
        assert refused(tmp_path, listed("a.json", data), "json") == f"it is not JSON from line {line} on"

    def test_bytes_that_do_not_come_back_from_their_characters_are_refused(self) -> None:
        """CP932 has two spellings of some characters."""
        with pytest.raises(UnreadableError, match="do not come back from its characters"):
            list(read_values(b'["\xee\xf9"]', Encoding("cp932", "cp932")))

    def test_what_stood_before_the_damage_is_read(self, tmp_path: Path, listed: Listed) -> None:
        records = Reader(tmp_path).records(listed("a.json", b'[{"a": 1}, {"a": 2}, oh'), format="json")
        assert [next(records).raw.size, next(records).raw.size] == [8, 8]
        with pytest.raises(UnreadableError):
            next(records)

    @given(
        st.lists(st.dictionaries(st.text(), st.text() | st.integers(), max_size=3), max_size=4), st.sampled_from([None, 1]), st.booleans()
    )
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_every_element_is_exactly_its_bytes(
        self, tmp_path: Path, listed: Listed, rows: list[dict[str, object]], indent: int | None, escaped: bool
    ) -> None:
        try:
            data = json.dumps(rows, indent=indent, ensure_ascii=escaped).encode()
        except UnicodeEncodeError:
            return
        assert [json.loads(body) for body in bodies(tmp_path, listed("a.json", data), "json")] == rows


class TestCsv:
    def test_rows_keep_their_quoted_line_feeds(self, tmp_path: Path, listed: Listed) -> None:
        data = b'id,"the text",\r\n1,"one\r\n\r\ntwo, ""three""",x\r\n\r\n2,four\r\n'
        file = listed("a.csv", data)
        found = read(tmp_path, file, "csv")
        assert [(record.locator.line, record.locator.row) for record in found] == [(2, 1), (6, 2)]
        assert bodies(tmp_path, file, "csv") == [b'1,"one\r\n\r\ntwo, ""three""",x', b"2,four"]
        assert values(tmp_path, file, "csv") == [{"id": "1", "the text": 'one\r\n\r\ntwo, "three"'}, {"id": "2", "the text": "four"}]

    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_the_delimiter_is_found_in_every_encoding(
        self, tmp_path: Path, listed: Listed, delimiter: str, encoding: str, end: str
    ) -> None:
        rows = [["id", "text"], ["1", "caf\xe9, th\xe9; t\u2019es l\xe0 | non"], ["2", f"deux{end}lignes"], ["3", ""]]
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
        found = values(tmp_path, listed("a.csv", out.getvalue().encode(encoding)), "csv")
        assert found == [{name: cell for name, cell in zip(rows[0], row, strict=True) if cell} for row in rows[1:]]

    def test_a_tsv_is_cut_at_tabs_whatever_its_cells_hold(self, tmp_path: Path, listed: Listed) -> None:
        assert values(tmp_path, listed("a.tsv", b"a,b,c\td\n1,2,3\t4\n"), "csv") == [{"a,b,c": "1,2,3", "d": "4"}]

    def test_one_column_is_a_table_too(self, tmp_path: Path, listed: Listed) -> None:
        assert values(tmp_path, listed("a.csv", b"text\nwords; more\n"), "csv") == [{"text": "words; more"}]

    def test_of_two_columns_with_one_name_the_first_is_meant(self, tmp_path: Path, listed: Listed) -> None:
        assert values(tmp_path, listed("a.csv", b"a,a,,b\n1,2,3,4\n"), "csv") == [{"a": "1", "b": "4"}]

    def test_an_unbalanced_quote_ends_the_file_with_its_line(self, tmp_path: Path, listed: Listed) -> None:
        records = Reader(tmp_path).records(listed("a.csv", b'a,b\n1,2\n3,"4\n5,6\n'), format="csv")
        assert next(records).locator.row == 1
        with pytest.raises(UnreadableError, match=r"^the row in line 3 cannot be read: unexpected end of data$"):
            next(records)

    def test_wide_characters_that_break_off_are_refused(self, tmp_path: Path, listed: Listed) -> None:
        data = "a,b\n1,2\n".encode("utf-16") + b"\x00\xd8"
        assert refused(tmp_path, listed("a.csv", data), "csv") == "its bytes are not utf-16-le throughout: save it as UTF-8"

    def test_nothing_but_a_header_holds_no_record(self, tmp_path: Path, listed: Listed) -> None:
        assert read(tmp_path, listed("a.csv", b"\n\na,b\n\n"), "csv") == []

    def test_bytes_that_change_their_encoding_half_way_are_refused(self, tmp_path: Path, listed: Listed) -> None:
        data = b"a,b\n" + "caf\xe9,x\n".encode("cp932", "ignore") + b"\x81\n" * 3
        assert "save it as UTF-8" in refused(tmp_path, listed("a.csv", data), "csv")

    @given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), min_size=2, max_size=2), max_size=5))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_every_row_comes_back_from_its_own_bytes(self, tmp_path: Path, listed: Listed, rows: list[list[str]]) -> None:
        out = io.StringIO(newline="")
        csv.writer(out, quoting=csv.QUOTE_ALL).writerows([["a", "b"], *rows])
        file = listed("a.tsv", out.getvalue().replace('","', '"\t"').encode())
        if "\0" in out.getvalue() or any('","' in cell for row in rows for cell in row):
            return
        assert values(tmp_path, file, "csv") == [{name: cell for name, cell in zip("ab", row, strict=True) if cell} for row in rows]


class TestMail:
    def mails(self) -> list[EmailMessage]:
        made: list[EmailMessage] = []
        for number in range(3):
            mail = EmailMessage()
            mail["From"] = f'"Jo \xe9 {number}" <jo{number}@example.org>'
            mail["Subject"] = f"Caf\xe9 {number}"
            mail["Message-ID"] = f"<{number}@example.org>"
            mail.set_content(f"From here on\n\ncaf\xe9 {number}\n", cte="quoted-printable")
            mail.add_alternative("<p>rich</p>", subtype="html")
            made.append(mail)
        return made

    def test_an_mbox_holds_what_the_standard_library_put_there(self, tmp_path: Path, listed: Listed) -> None:
        box = mailbox.mbox(tmp_path / "made.mbox")
        for mail in self.mails():
            box.add(mail)
        box.close()
        file = listed("a.mbox", (tmp_path / "made.mbox").read_bytes())
        found = read(tmp_path, file, "mime")
        assert [record.locator.message for record in found] == ["<0@example.org>", "<1@example.org>", "<2@example.org>"]
        assert [each["Subject"] for each in values(tmp_path, file, "mime")] == ["Caf\xe9 0", "Caf\xe9 1", "Caf\xe9 2"]
        assert [each["text/plain"].splitlines()[-1] for each in values(tmp_path, file, "mime")] == ["caf\xe9 0", "caf\xe9 1", "caf\xe9 2"]

    def test_a_message_is_what_stands_between_two_separators(self, tmp_path: Path, listed: Listed) -> None:
        data = b"\nFrom a\nSubject: 1\n\none\n\nFrom b\r\nSubject: 2\r\n\r\ntwo\r\n>From x\r\n\r\n\r\nFrom c\nSubject: 3\n"
        file = listed("a.mbox", data)
        assert bodies(tmp_path, file, "mime") == [b"Subject: 1\n\none\n", b"Subject: 2\r\n\r\ntwo\r\n>From x\r\n\r\n", b"Subject: 3\n"]
        assert [record.locator.line for record in read(tmp_path, file, "mime")] == [3, 8, 15]

    def test_what_does_not_begin_with_a_separator_is_no_mbox(self, tmp_path: Path, listed: Listed) -> None:
        assert (
            refused(tmp_path, listed("a.mbox", b"Subject: x\n\nFrom y\n"), "mime") == "it is no mbox: it does not begin with a 'From ' line"
        )

    def test_a_mail_is_one_record(self, tmp_path: Path, listed: Listed) -> None:
        data = self.mails()[0].as_bytes()
        (record,) = read(tmp_path, listed("a.eml", data), "mime")
        assert (record.raw.size, record.locator.line, record.locator.message) == (len(data), 1, "<0@example.org>")
        assert record.names["text/plain"] == record.names["part/1"] == "part/1"
        assert record.names["text/html"] == "part/2"

    def test_an_attachment_is_not_the_text_of_a_mail(self, tmp_path: Path, listed: Listed) -> None:
        mail = EmailMessage()
        mail.add_attachment("attached\n", filename="a.txt")
        mail.add_attachment("shown\n", disposition="inline")
        (record,) = read(tmp_path, listed("a.eml", mail.as_bytes()), "mime")
        assert (record.names["text/plain"], record.names["part/1"]) == ("part/2", "part/1")

    @pytest.mark.parametrize("header", [b"", b"Message-ID: words\n", b"Message-ID: <caf\xe9@x>\n", b"Message-ID: <a b>\n"])
    def test_what_is_no_identifier_is_none(self, tmp_path: Path, listed: Listed, header: bytes) -> None:
        (record,) = read(tmp_path, listed("a.eml", header + b"Subject: x\n\nx"), "mime")
        assert record.locator.message is None

    @given(st.binary(max_size=300))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_any_bytes_are_a_mail_of_some_sort(self, tmp_path: Path, listed: Listed, junk: bytes) -> None:
        reader = Reader(tmp_path)
        (record,) = reader.records(listed("a.eml", b"Content-Type: multipart/mixed; boundary=b\n" + junk), format="mime")
        for pointer in record.names.values():
            with suppress(UnreadableError):
                assert set(reader.atoms(record, {"text": pointer})) <= {"text"}


class TestPdf:
    def test_each_page_with_text_is_a_record_of_the_whole_file(self, tmp_path: Path, listed: Listed, pdf: Pdf) -> None:
        data = pdf([(72, 700, 12, b"Page one")], [], [(72, 700, 12, b"Page three")])
        found = read(tmp_path, listed("a.pdf", data), "pdf")
        assert [(record.locator.page, record.names, record.raw.size) for record in found] == [
            (1, {"text": "1"}, len(data)),
            (3, {"text": "3"}, len(data)),
        ]
        assert values(tmp_path, listed("a.pdf.gz", gzip.compress(data)), "pdf") == [{"text": "Page one"}, {"text": "Page three"}]

    def test_a_page_reads_as_it_looks(self, tmp_path: Path, listed: Listed, pdf: Pdf) -> None:
        page = [
            (72, 720, 18, b"A heading"),
            (72, 690, 11, b"An exam-"),
            (72, 677, 11, b"ple of a well-known soft\xad"),
            (72, 664, 11, b"hyphen \x93here\x94."),
            (72, 630, 11, b"Another paragraph."),
            (320, 690, 11, b"Another column."),
        ]
        (found,) = values(tmp_path, listed("a.pdf", pdf(page)), "pdf")
        text = "A heading\n\x1eAn exam-\nple of a well-known soft-\nhyphen \u201chere\u201d.\n\nAnother paragraph.\n\nAnother column."
        assert found == {"text": text}

    def test_a_scan_says_that_it_needs_text_recognition(self, tmp_path: Path, listed: Listed, pdf: Pdf) -> None:
        expected = "no page holds text: it may be a scan, which needs text recognition first"
        assert refused(tmp_path, listed("a.pdf", pdf([], [])), "pdf") == expected

    @pytest.mark.parametrize("data", [b"", b"%PDF-1.4 broken", b"words", b"%PDF-1.7\n" + b"\x00" * 500])
    def test_a_broken_file_is_one_line(self, tmp_path: Path, listed: Listed, data: bytes) -> None:
        assert refused(tmp_path, listed("a.pdf", data), "pdf") == "it is damaged, or no PDF"

    def test_a_damaged_page_costs_that_page_alone(self, tmp_path: Path, listed: Listed, pdf: Pdf) -> None:
        data = pdf([(72, 700, 12, b"Page one")], [(72, 700, 12, b"Page two")]).replace(b"/Kids [5 0 R 7 0 R]", b"/Kids [5 0 R 9 0 R]")
        file = listed("a.pdf", data)
        assert values(tmp_path, file, "pdf") == [{"text": "Page one"}]
        assert Reader(tmp_path).derive(data, Derivation(format="pdf", pointers={"text": "2"})).text == ""

    def test_an_encrypted_file_is_one_line(self, tmp_path: Path, listed: Listed, pdf: Pdf) -> None:
        lock = b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >> /ID [<00><00>]" % (b"41" * 32, b"42" * 32)
        data = pdf([(72, 700, 12, b"Secret")], trailer=lock)
        assert refused(tmp_path, listed("a.pdf", data), "pdf") == "it is encrypted: save a copy without a password"

    def test_a_page_that_is_not_there_holds_nothing(self, tmp_path: Path, listed: Listed, pdf: Pdf) -> None:
        reader = Reader(tmp_path)
        data = pdf([(72, 700, 12, b"Words of the page")])
        (record,) = reader.records(listed("a.pdf", data), format="pdf")
        with pytest.raises(UnreadableError, match="there is no page 2"):
            reader.atoms(record, {"text": "2"})
        assert reader.derive(data, Derivation(format="pdf", pointers={"text": "2"})).text == ""
        assert reader.derive(data, Derivation(format="pdf", pointers={"text": "1"})).text == "Words of the page"


class TestDerived:
    MARKDOWN = "# Top\n\nOne *two*\nthree\n\n## Sub\n\n> &amp; quoted\n\n## Next\n\nlast\n"

    def reread(self, base: Path, file: InputFile, derivation: Derivation, kind: RecordFormat = "text"):
        """Read, admit, and read the admitted document again."""
        reader = Reader(base)
        record = next(iter(reader.records(file, format=kind)))
        item = Item(locator=record.locator, raw=record.raw, derivation=derivation)
        raw = reader.held(record.raw.digest)
        made = admit(
            item,
            plugin="files",
            origin="notes",
            extractor="x",
            retrieved=datetime(2026, 1, 1, tzinfo=UTC),
            held=reader.derive(raw, derivation),
            trust=Trust(),
            policy=load_policy(),
        )
        found = reader.reread(made.document, raw)
        assert found.text == made.document.text
        return found

    def test_lines_and_headings_of_markdown(self, tmp_path: Path, listed: Listed) -> None:
        derivation = Derivation(format="text", projection="markdown", pointers={"text": ""})
        found = self.reread(tmp_path, listed("a.md", self.MARKDOWN.encode()), derivation)
        places = {word: found.text.index(word) for word in ("Top", "One", "three", "Sub", "&", "quoted", "last")}
        assert {word: found.line(at) for word, at in places.items()} == {
            "Top": 1,
            "One": 3,
            "three": 4,
            "Sub": 6,
            "&": 8,
            "quoted": 8,
            "last": 12,
        }
        assert {word: [found.text[slice(*span)] for span in found.headings(at)] for word, at in places.items()} == {
            "Top": [],
            "One": ["Top"],
            "three": ["Top"],
            "Sub": ["Top"],
            "&": ["Top", "Sub"],
            "quoted": ["Top", "Sub"],
            "last": ["Top", "Next"],
        }

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_lines_of_plain_text(self, tmp_path: Path, listed: Listed, end: str) -> None:
        derivation = Derivation(format="text", pointers={"text": ""})
        found = self.reread(tmp_path, listed("a.txt", f"one{end}two{end}{end}four".encode()), derivation)
        assert [found.line(found.text.index(word)) for word in ("one", "two", "four")] == [1, 2, 4]

    def test_a_value_stands_in_the_line_of_its_record(self, tmp_path: Path, listed: Listed) -> None:
        derivation = Derivation(format="json", projection="html", pointers={"text": "/t"})
        found = self.reread(tmp_path, listed("a.jsonl", b'\n\n{"t": "<p>one</p>\\n<p>two</p>"}\n'), derivation, "json")
        assert (found.text, found.line(5)) == ("one\n\ntwo", 3)

    def test_in_a_record_of_several_lines_the_line_is_not_known(self, tmp_path: Path, listed: Listed) -> None:
        derivation = Derivation(format="csv", pointers={"text": "1"})
        found = self.reread(tmp_path, listed("a.csv", b'a,b\n1,"x\ny"\n'), derivation, "csv")
        assert (found.text, found.line(2), found.headings(2)) == ("x\ny", None, ())

    def test_a_record_that_does_not_hold_what_is_said_is_refused_by_the_kernel(self, tmp_path: Path, listed: Listed) -> None:
        for pointers, rule in (({"text": "/b"}, "no-text"), ({"text": "b"}, "pointer-form"), ({}, "no-text")):
            with pytest.raises(AdmissionRefused, match=rule):
                self.reread(tmp_path, listed("a.jsonl", b'{"a": "x"}'), Derivation(format="json", pointers=pointers), "json")

    def test_what_is_derived_is_what_the_kernel_takes(self, tmp_path: Path, listed: Listed) -> None:
        derivation = Derivation(format="json", projection="markdown", pointers={"text": "/t", "title": "/h"})
        raw = b'{"t": "**words**", "h": "title"}'
        assert Reader(tmp_path).derive(raw, derivation).text == "words"
        assert atoms(raw, derivation) == {"text": "**words**", "title": "title"}
