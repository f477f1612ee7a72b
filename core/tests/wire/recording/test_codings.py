"""Content codings are undone to the bytes that were coded, or it is said that they were not."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.wire.recording.codings import Body, CodingError, TooLongError, acceptable

LIMIT = 8 << 20
CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "identity": bytes,
    "gzip": gzip.compress,
    "X-GZip": gzip.compress,
    "deflate": zlib.compress,
    "DEFLATE ": lambda data: zlib.compress(data)[2:-4],
    "br": brotli.compress,
    "gzip, br": lambda data: brotli.compress(gzip.compress(data)),
    "identity,, gzip": gzip.compress,
}


def _fed(codings: str, data: bytes, *, step: int, limit: int = LIMIT) -> Body:
    body = Body(codings, limit=limit)
    for start in range(0, len(data), step):
        body.feed(data[start : start + step])
    return body


@given(st.binary(max_size=500), st.sampled_from(sorted(CODINGS)), st.integers(1, 50))
def test_what_was_coded_comes_out(data: bytes, codings: str, step: int) -> None:
    body = _fed(codings, CODINGS[codings](data), step=step)
    assert (data, True) == (body.kept(), body.is_whole())


@given(st.binary(min_size=1, max_size=200), st.sampled_from(["gzip", "deflate", "br"]), st.data())
def test_a_coding_that_is_cut_is_not_whole(data: bytes, codings: str, drawn: st.DataObject) -> None:
    coded = CODINGS[codings](data)
    cut = drawn.draw(st.integers(1, len(coded) - 1))
    body = _fed(codings, coded[:cut], step=7)
    assert (False, True) == (body.is_whole(), data.startswith(body.kept()))


@pytest.mark.parametrize("codings", [coding for coding in CODINGS if "deflate" not in coding.lower()] + ["deflate"])
@pytest.mark.parametrize("size", [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_few_bytes_that_are_many_come_out_whole(codings: str, size: int) -> None:
    body = _fed(codings, CODINGS[codings](bytes(size)), step=1 << 16)
    assert (size, True) == (len(body.kept()), body.is_whole())


@pytest.mark.parametrize("codings", CODINGS)
def test_more_than_the_limit_is_never_kept(codings: str) -> None:
    with pytest.raises(TooLongError):
        _fed(codings, CODINGS[codings](bytes(5000)), step=64, limit=4999)
    assert 5000 == len(_fed(codings, CODINGS[codings](bytes(5000)), step=64, limit=5000).kept())


@pytest.mark.parametrize(
    ("codings", "data"),
    [("gzip", b"plain text"), ("deflate", b"\xff" * 9), ("br", b"\xff" * 9), ("gzip", gzip.compress(b"a", mtime=0) + b"rest")],
)
def test_bytes_in_another_coding_are_refused(codings: str, data: bytes) -> None:
    with pytest.raises(CodingError):
        _fed(codings, data, step=4)


def test_a_coding_that_nobody_knows_is_refused() -> None:
    with pytest.raises(CodingError, match="the coding 'zstd' is not known"):
        Body("gzip, zstd", limit=LIMIT)


def test_without_its_package_a_coding_is_neither_asked_for_nor_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("brotli", "brotlicffi"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "gzip" == acceptable("gzip, br")
    with pytest.raises(CodingError, match="pip install brotli"):
        Body("br", limit=LIMIT)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("gzip, deflate, br, zstd", "gzip, deflate, br"),
        ("GZIP;q=0.5 ,*", "GZIP;q=0.5"),
        ("zstd", "identity"),
        ("", "identity"),
        ("identity", "identity"),
    ],
)
def test_only_what_can_be_undone_is_acceptable(header: str, expected: str) -> None:
    assert expected == acceptable(header)
