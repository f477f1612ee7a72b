"""Fields follow from bytes, and visible text from its atom, or they are refused."""

from __future__ import annotations

import base64
import csv
import io
import json
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.derivation import DerivationRefused, Run, atoms, confirm_projection, values_at
from veridical_contract import Derivation
from veridical_contract import Projection as ProjectionKind

from core.tests.kernel.lying import LyingInt

words = st.text(st.characters(exclude_categories=["Cs"]))
names = st.sampled_from(["text", "url", "title", "author", "author_name", "published"])


def refusal(raw: bytes, derivation: Derivation) -> str:
    with pytest.raises(DerivationRefused) as caught:
        atoms(raw, derivation)
    return caught.value.rule


def text_of(raw: bytes, encoding: str = "utf-8") -> str:
    return atoms(raw, Derivation(format="text", encoding=encoding, pointers={"text": ""}))["text"]


def json_of(raw: str | bytes, pointer: str) -> str | None:
    data = raw.encode() if isinstance(raw, str) else raw
    return atoms(data, Derivation(format="json", pointers={"text": pointer})).get("text")


def csv_of(raw: str, column: str, delimiter: str = ",") -> str | None:
    return atoms(raw.encode(), Derivation(format="csv", delimiter=delimiter, pointers={"text": column})).get("text")


def mail_of(raw: bytes, pointer: str) -> str | None:
    return atoms(raw, Derivation(format="mime", pointers={"text": pointer})).get("text")


class TestText:
    @given(words, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be", "gb18030"]))
    def test_the_whole_comes_back_in_every_encoding_that_can_hold_it(self, text: str, encoding: str) -> None:
        assert text_of(text.encode(encoding), encoding) == text

    def test_a_byte_order_mark_is_dropped_by_the_encoding_that_names_it(self) -> None:
        assert text_of(b"\xef\xbb\xbfwords", "utf-8-sig") == "words"

    @pytest.mark.parametrize(
        ("raw", "encoding", "rule"),
        [
            (b"caf\xe9", "utf-8", "text-form"),
            (b"words", "no-such-encoding", "text-form"),
            (b"words", "hex", "text-form"),
            (b"\\u0041", "unicode_escape", "encoding-escapes"),
            (b"\\u0041", "raw-unicode-escape", "encoding-escapes"),
            (b"+AGEAYg-", "UTF7", "encoding-escapes"),
            (b"~{<:Ky2;~}", "hz-gb-2312", "encoding-escapes"),
            (b"abc-", "punycode", "encoding-escapes"),
            (b"abc", "idna", "encoding-escapes"),
        ],
    )
    def test_bytes_that_are_not_what_they_are_said_to_be_are_refused(self, raw: bytes, encoding: str, rule: str) -> None:
        assert refusal(raw, Derivation(format="text", encoding=encoding, pointers={"text": ""})) == rule

    def test_a_text_has_no_parts(self) -> None:
        assert refusal(b"words", Derivation(format="text", pointers={"text": "/a"})) == "pointer-form"

    def test_only_fields_of_a_document_are_derived(self) -> None:
        assert refusal(b"words", Derivation(format="text", pointers={"grade": ""})) == "field-unknown"

    def test_values_may_be_looked_at_under_any_name(self) -> None:
        assert values_at(b'{"a": "x"}', Derivation(format="json", pointers={}), {"anything": "/a", "absent": "/b"}) == {"anything": "x"}


class TestJson:
    @given(st.dictionaries(words, words, min_size=1), st.data())
    def test_a_member_is_found_by_its_escaped_name(self, record: dict[str, str], data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(record)))
        assert json_of(json.dumps(record), "/" + name.replace("~", "~0").replace("/", "~1")) == record[name]

    @given(st.integers())
    def test_an_integer_becomes_its_digits(self, number: int) -> None:
        assert json_of(json.dumps({"n": number}), "/n") == str(number)

    @pytest.mark.parametrize(
        ("record", "pointer", "value"),
        [
            ('{"a": {"b": ["x", "y"]}}', "/a/b/1", "y"),
            ('"whole"', "", "whole"),
            ('{"": {"": "x"}}', "//", "x"),
            ('{"~1": "x", "/": "y"}', "/~01", "x"),
            ('{"a": ["x"]}', "/a/1", None),
            ('{"a": ["x"]}', "/a/00", None),
            ('{"a": ["x"]}', "/a/-", None),
            ('{"a": "xy"}', "/a/0", None),
            ('{"a": null}', "/a", None),
            ('{"a": null}', "/a/b", None),
            ("{}", "/a", None),
            ('{"a": 1.5, "b": "x"}', "/b", "x"),
        ],
    )
    def test_pointers_find_values_or_nothing(self, record: str, pointer: str, value: str | None) -> None:
        assert json_of(record, pointer) == value

    @pytest.mark.parametrize(
        ("record", "pointer", "rule"),
        [
            ('{"a": "x", "a": "y"}', "/a", "json-duplicate-key"),
            ('{"a": "x", "b": {"c": 1, "c": 1}}', "/a", "json-duplicate-key"),
            ('{"a": "x", "b": NaN}', "/a", "json-not-a-number"),
            ('{"a": "x", "b": -Infinity}', "/a", "json-not-a-number"),
            ('{"a": "x"', "/a", "json-form"),
            ('{"a": "x"} {}', "/a", "json-form"),
            ("[" * 100_000, "/a", "json-form"),
            ('{"a": ' + "1" * 5_000 + "}", "/a", "json-form"),
            ('{"a": 1.5}', "/a", "json-not-a-value"),
            ('{"a": true}', "/a", "json-not-a-value"),
            ('{"a": {}}', "/a", "json-not-a-value"),
            ('{"a": []}', "/a", "json-not-a-value"),
            (r'{"a": "\ud800"}', "/a", "json-form"),
            ('{"a": "x"}', "a", "pointer-form"),
            ('{"a": "x"}', "/~2", "pointer-form"),
        ],
    )
    def test_what_is_no_value_is_refused(self, record: str, pointer: str, rule: str) -> None:
        assert refusal(record.encode(), Derivation(format="json", pointers={"text": pointer})) == rule


class TestCsv:
    @given(st.lists(words, min_size=1), st.sampled_from(",;\t|"), st.data())
    def test_every_cell_of_a_written_row_is_found_by_its_number(self, row: list[str], delimiter: str, data: st.DataObject) -> None:
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerow(row)
        column = data.draw(st.integers(0, len(row)))
        assert csv_of(out.getvalue(), str(column), delimiter) == ((row[column] or None) if column < len(row) else None)

    def test_an_empty_cell_is_absent(self) -> None:
        assert csv_of("a,,b", "1") is None

    @pytest.mark.parametrize(
        ("row", "column", "delimiter", "rule"),
        [
            ("a,b\nc,d\n", "0", ",", "csv-form"),
            ("", "0", ",", "csv-form"),
            ('"a"b,c', "0", ",", "csv-form"),
            ('"a', "0", ",", "csv-form"),
            ("a,b", "0", "||", "csv-form"),
            ("a,b", "-1", ",", "pointer-form"),
            ("a,b", "01", ",", "pointer-form"),
            ("a,b", "\u0661", ",", "pointer-form"),
            ("a,b", "", ",", "pointer-form"),
        ],
    )
    def test_what_is_not_one_row_with_that_column_is_refused(self, row: str, column: str, delimiter: str, rule: str) -> None:
        assert refusal(row.encode(), Derivation(format="csv", delimiter=delimiter, pointers={"text": column})) == rule


class TestMime:
    @given(words, st.sampled_from(["quoted-printable", "base64"]))
    def test_a_text_part_comes_back_through_its_transfer_encoding(self, text: str, encoding: str) -> None:
        body = {"quoted-printable": quoted_printable(text), "base64": base64.encodebytes(text.encode())}[encoding]
        raw = f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body
        assert mail_of(raw, "part/1") == text

    def test_text_parts_are_numbered_from_one_in_walking_order(self) -> None:
        mail = EmailMessage()
        mail.set_content("plain words\n")
        mail.add_alternative("<p>rich words</p>\n", subtype="html")
        mail.add_attachment(b"\x00", maintype="image", subtype="png")
        mail.add_attachment(b"words", maintype="video", subtype="mp4")
        mail.add_attachment("attached words\n", subtype="csv")
        found = [mail_of(mail.as_bytes(), f"part/{number}") for number in range(5)]
        assert found == [None, "plain words\n", "<p>rich words</p>\n", "attached words\n", None]

    def test_a_declared_charset_is_honoured(self) -> None:
        assert mail_of(b"Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9", "part/1") == "caf\xe9"

    def test_undeclared_text_is_utf_8(self) -> None:
        assert mail_of("Subject: x\n\ncaf\xe9".encode(), "part/1") == "caf\xe9"

    @pytest.mark.parametrize(
        ("pointer", "value"),
        [
            ("Subject", "caf\xe9 hours"),
            ("subject", "caf\xe9 hours"),
            ("From", '"Doe, Jo" <jo@example.org>'),
            ("From/address", "jo@example.org"),
            ("Cc/address", None),
            ("Reply-To/address", None),
            ("Date", "Tue, 01 Jul 2003 10:52:37 +0200"),
        ],
    )
    def test_headers_are_decoded(self, pointer: str, value: str | None) -> None:
        raw = (
            b'From: "Doe, Jo" <jo@example.org>\nSubject: =?utf-8?q?caf=C3=A9?= hours\nDate: Tue, 1 Jul 2003 10:52:37 +0200\nReply-To: \n\nx'
        )
        assert mail_of(raw, pointer) == value

    @pytest.mark.parametrize(
        ("raw", "pointer", "rule"),
        [
            (b"Content-Type: text/plain; charset=utf-8\n\ncaf\xe9", "part/1", "mime-form"),
            (b"Content-Type: text/plain; charset=x-none\n\ncaf\xe9", "part/1", "mime-form"),
            (b"Content-Type: text/plain; charset=utf-7\n\n+AGE-", "part/1", "encoding-escapes"),
            (b"Subject: x\n\nx", "part/x", "pointer-form"),
            (b"Subject: x\n\nx", "Subject/address", "pointer-form"),
            (b"From: a@b.c\n\nx", "From/domain", "pointer-form"),
            (b"From: a@b.c\n\nx", "From/aaa", "pointer-form"),
        ],
    )
    def test_what_cannot_be_decoded_is_refused(self, raw: bytes, pointer: str, rule: str) -> None:
        assert refusal(raw, Derivation(format="mime", pointers={"text": pointer})) == rule

    @given(st.binary(max_size=200), st.sampled_from(["Subject", "From/address", "Content-Type", "part/1"]))
    def test_any_bytes_give_words_or_a_refusal(self, junk: bytes, pointer: str) -> None:
        raw = b"From: " + junk + b"\nContent-Type: text/plain; charset=" + junk + b"\n\n" + junk
        try:
            found = mail_of(raw, pointer)
        except DerivationRefused:
            return
        assert found is None or found.encode("utf-8").decode("utf-8") == found


class TestPdf:
    def test_nothing_is_recomputed(self) -> None:
        assert atoms(b"%PDF-1.7", Derivation(format="pdf", pointers={"text": "1"})) == {}


class TestMaps:
    def confirm(self, atom: str, text: str, runs: list[Run], kind: ProjectionKind = "markdown") -> str | None:
        try:
            confirm_projection(atom, text, runs, kind)
        except DerivationRefused as error:
            return error.rule
        return None

    def test_plain_text_is_its_atom(self) -> None:
        assert self.confirm("words", "words", [], "plain") is None
        assert self.confirm("words", "word", [], "plain") == "map-not-plain"
        assert self.confirm("words", "words", [(0, 5, 0, 5, "copy")], "plain") == "map-not-plain"

    @pytest.mark.parametrize(
        ("atom", "text", "runs"),
        [
            ("", "", []),
            ("<b>", "", []),
            ("a<b>b", "ab", [(0, 1, 0, 1, "copy"), (1, 2, 4, 5, "copy")]),
            ("&amp;", "&", [(0, 1, 0, 5, "entity")]),
            ("&#x27;", "'", [(0, 1, 0, 6, "entity")]),
            ("&ampx", "&x", [(0, 2, 0, 5, "entity")]),
            (r"\*", "*", [(0, 1, 0, 2, "escape")]),
            ("a*b", "a\n\x1e> b", [(0, 1, 0, 1, "copy"), (1, 5, 2, 2, "inserted"), (5, 6, 2, 3, "copy")]),
        ],
    )
    def test_each_kind_of_run_is_accepted(self, atom: str, text: str, runs: list[Run]) -> None:
        assert self.confirm(atom, text, runs) is None

    @pytest.mark.parametrize(
        ("atom", "text", "runs", "rule"),
        [
            ("ab", "ab", [(0, 1, 0, 1, "copy")], "map-does-not-tile"),
            ("ab", "a", [(0, 1, 0, 1, "copy"), (1, 2, 1, 2, "copy")], "map-differs"),
            ("ab", "ab", [(0, 1, 0, 1, "copy"), (0, 2, 1, 2, "copy")], "map-order"),
            ("ab", "ba", [(0, 1, 1, 2, "copy"), (1, 2, 0, 1, "copy")], "map-order"),
            ("ab", "aa", [(0, 1, 0, 1, "copy"), (1, 2, 0, 1, "copy")], "map-order"),
            ("ab", "ab", [(0, 2, 0, 3, "copy")], "map-order"),
            ("ab", "ab", [(0, 2, 2, 0, "copy")], "map-order"),
            ("ab", "ab", [(0, 0, 0, 0, "copy"), (0, 2, 0, 2, "copy")], "map-order"),
            ("ab", "ab", [(0, 2, False, 2, "copy")], "map-not-exact"),
            ("ab", "ab", [(0.0, 2, 0, 2, "copy")], "map-not-exact"),
            ("ab", "cd", [(0, 2, 0, 2, "copy")], "map-differs"),
            ("ab", "ab", [(0, 2, 0, 2, "same")], "map-differs"),
            ("&amp;&amp;", "&&", [(0, 2, 0, 10, "entity")], "map-differs"),
            ("&amp;", "+", [(0, 1, 0, 5, "entity")], "map-differs"),
            ("&amp;", "!", [(0, 1, 0, 5, "entity")], "map-differs"),
            (r"\z", "*", [(0, 1, 0, 2, "escape")], "map-differs"),
            ("ab", "ab", [(0, LyingInt(2), 0, 2, "copy")], "map-not-exact"),
            ("abc", "abc", [(0, -1, 0, 2, "copy"), (-1, 3, 2, 3, "copy")], "map-order"),
            ("abc", "abc", [(0, 1, 0, 1, "copy"), (2, 3, 2, 3, "copy")], "map-order"),
            ("abc", "abc", [(1, 3, 1, 3, "copy")], "map-order"),
            ("abc", "abc", [(0, 99, 0, 3, "copy")], "map-does-not-tile"),
            ("ab", "ab", [(0, 2, 0, 2, "entity")], "map-differs"),
            ("&#" + "1" * 5_000 + ";", "x", [(0, 1, 0, 5_003, "entity")], "map-differs"),
            (r"\a", "a", [(0, 1, 0, 2, "escape")], "map-differs"),
            (r"\**", "**", [(0, 2, 0, 3, "escape")], "map-differs"),
            (r"\*+", "*+", [(0, 2, 0, 3, "escape")], "map-differs"),
            ("/*", "*", [(0, 1, 0, 2, "escape")], "map-differs"),
            ("ab", "a ", [(0, 1, 0, 1, "copy"), (1, 2, 1, 2, "inserted")], "map-differs"),
            ("ab", "a b", [(0, 1, 0, 1, "copy"), (1, 2, 1, 2, "inserted"), (2, 3, 2, 2, "copy")], "map-differs"),
            ("ab", "anot b", [(0, 1, 0, 1, "copy"), (1, 5, 1, 1, "inserted"), (5, 6, 1, 2, "copy")], "map-differs"),
            ("ab", "a\u00a0b", [(0, 1, 0, 1, "copy"), (1, 2, 1, 1, "inserted"), (2, 3, 1, 2, "copy")], "map-differs"),
        ],
    )
    def test_a_map_that_does_not_hold_is_refused(self, atom: str, text: str, runs: list[Run], rule: str) -> None:
        assert self.confirm(atom, text, runs) == rule

    @pytest.mark.parametrize("kind", ["", "aaa", "cozy", "enzyme", "exit", "insert", "inserted ", "zzz"])
    def test_a_kind_of_run_that_is_not_known_shows_nothing(self, kind: str) -> None:
        for atom, text, run in (
            ("ab", "ab", (0, 2, 0, 2)), ("&amp;", "&", (0, 1, 0, 5)), (r"\*", "*", (0, 1, 0, 2)), ("", " ", (0, 1, 0, 0)),
        ):  # fmt: skip
            assert self.confirm(atom, text, [(*run, kind)]) == "map-differs"  # type: ignore[list-item]

    @given(words, words, st.lists(st.tuples(*[st.integers(-1, 6)] * 4, st.sampled_from(["copy", "entity", "escape", "inserted"]))))
    def test_whatever_is_accepted_shows_only_characters_of_the_atom_in_order(self, atom: str, text: str, runs: list[Run]) -> None:
        if self.confirm(atom, text, runs) is not None:
            return
        shown = "".join(text[t0:t1] for t0, t1, _, _, kind in runs if kind == "copy")
        rest = iter(atom)
        assert all(any(each == letter for each in rest) for letter in shown)
        assert set("".join(text[t0:t1] for t0, t1, _, _, kind in runs if kind == "inserted")) <= set(" \n>\x1e")

    @given(st.text("ab<>&; \n\\*", min_size=1), st.data())
    def test_one_changed_character_is_found(self, atom: str, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(atom) - 1))
        changed = atom[:at] + "X" + atom[at + 1 :]
        assert self.confirm(atom, changed, [(0, len(atom), 0, len(atom), "copy")]) == "map-differs"


def quoted_printable(text: str) -> bytes:
    return "".join(f"={byte:02X}=\n" for byte in text.encode()).encode()
