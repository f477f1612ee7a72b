"""A long text comes in parts that follow one another, end where sentences do, and are read again one by one."""

from __future__ import annotations

import gzip
import hashlib
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.wire.reading import Reader
from veridical.wire.reading.content import Content, Limits
from veridical.wire.reading.encodings import Encoding, survey
from veridical.wire.reading.lines import Piece
from veridical.wire.reading.parts import LONG, text_parts
from veridical_contract import InputFile, UnreadableError


def pieces(data: bytes, encoding: Encoding, most: int) -> list[Piece]:
    file = InputFile(path="long.txt", sha256=hashlib.sha256(data).hexdigest(), size=len(data))
    with tempfile.TemporaryFile() as handle:
        handle.write(data)
        handle.seek(0)
        return list(text_parts(Content(handle, file, Limits()), encoding, most=most))


def parts(data: bytes, most: int) -> list[str]:
    return [piece.raw.decode() for piece in pieces(data, survey([data]), most)]


@given(
    text=st.text(st.sampled_from("ab. \n\r\u0301\u4e2d\u3002"), max_size=400),
    most=st.integers(4, 60),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_parts_are_the_whole_text_in_order_none_too_long_each_on_its_line(text: str, most: int, encoding: str) -> None:
    data = text.encode(encoding)
    found_encoding = survey([data]) if encoding != "utf-16" else Encoding("utf-16", "utf-16-le", 2)
    found = pieces(data, found_encoding, most)
    assert b"".join(piece.raw for piece in found) == data[found_encoding.mark :]
    at, before = found_encoding.mark, ""
    for piece in found:
        part = piece.raw.decode(found_encoding.part)
        assert 0 < len(part) <= most
        assert (piece.offset, piece.number) == (at, 1 + before.replace("\r\n", "\n").replace("\r", "\n").count("\n"))
        at, before = at + len(piece.raw), before + part
        assert not (before.endswith("\r") and text[len(before) :].startswith("\n"))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("One two. Three four.\n\nFive six. Seven eight.\n\nNine ten.\n\n", "Seven eight.\n\n"),
        ("One two three. Four five six seven. Eight nine ten eleven twelve thirteen", "seven. "),
        ("One two three.\nFour five six seven.\nEight nine. Ten eleven twelve thirteen", "seven.\n"),
        ("one two three\nfour five six seven\neight nine ten eleven twelve thirteen", "seven\n"),
        ("one two three four five six seven eight nine ten eleven twelve thirteen", "nine "),
        ("\u4e2d" * 35 + "\u3002" + "\u4e2d" * 30, "\u3002"),
    ],
)
def test_a_part_ends_with_a_paragraph_else_a_sentence_else_a_line_else_a_word(text: str, ends: str) -> None:
    first = parts(text.encode(), 48)[0]
    assert first.endswith(ends)


def test_no_part_begins_inside_a_cluster_of_characters() -> None:
    text = "e\u0301" * 300
    assert [] == [part for part in parts(text.encode(), 31) if unicodedata.combining(part[0])]


def test_bytes_that_do_not_come_back_from_their_characters_make_the_file_unreadable() -> None:
    data = b"+AOQ-" * 100  # one of many spellings
    with pytest.raises(UnreadableError, match="throughout"):
        pieces(data, Encoding("utf-7", "utf-7"), 20)


def read(folder: Path, name: str, data: bytes) -> list[tuple[int | None, int | None, int]]:
    (folder / name).write_bytes(data)
    file = InputFile(path=name, sha256=hashlib.sha256(data).hexdigest(), size=len(data))
    records = list(Reader(folder).records(file, format="text"))
    return [(record.locator.page, record.locator.line, record.raw.offset) for record in records]


def test_a_text_is_one_record_up_to_a_mebibyte_and_pages_from_there(tmp_path: Path) -> None:
    line = b"The words of one line, which ends here.\n"
    short, long = line * (LONG // len(line)), line * (LONG // len(line) + 1)
    assert read(tmp_path, "short.txt", short) == [(None, None, 0)]
    pages = read(tmp_path, "long.txt", long)
    assert [page for page, _, _ in pages] == [1, 2, 3, 4, 5]
    assert [(at, line_) for _, line_, at in pages] == [(at, 1 + long[:at].count(b"\n")) for _, _, at in pages]
    assert [page for page, _, _ in read(tmp_path, "long.txt.gz", gzip.compress(long))] == [1, 2, 3, 4, 5]
    assert read(tmp_path, "short.txt.gz", gzip.compress(short)) == [(None, None, 0)]
    assert read(tmp_path, "long.md", long) == [(None, None, 0)]
