"""Content codings undone while the bytes come in: no more is ever in memory than a page may have.

Only gzip and deflate are asked for (RFC 9110 8.4.1). A coding that was not asked for, a second one on top, and data that ends early are
refused: what cannot be read to its end was not read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from .refused import FetchRefused

__all__ = ["ACCEPTED", "decoded"]

ACCEPTED: Final = "gzip, deflate"
"""The value of Accept-Encoding."""

_GZIP: Final = 16 + zlib.MAX_WBITS
_STEP: Final = 64 << 10


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unconsumed_tail(self) -> bytes: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes: ...


def decoded(chunks: Iterable[bytes], codings: Iterable[str], size: int, url: str, *, cut: bool = False) -> tuple[bytes, bool]:
    """Return the body, and whether it was cut.

    Args:
        chunks: of the body as it comes in.
        codings: values of Content-Encoding.
        size: bytes that the body may have.
        url: for the refusal.
        cut: return the first `size` bytes of a longer body instead of refusing it.

    Raises:
        FetchRefused: `body-size` or `content-coding`.
    """
    found = bytearray()
    try:
        for piece in _pieces(chunks, _coding(codings, url), url):
            found += piece
            if len(found) > size:
                if cut:
                    return bytes(found[:size]), True
                raise FetchRefused("body-size", url, f"more than {size} bytes")
    except zlib.error:
        raise FetchRefused("content-coding", url, "damaged") from None
    return bytes(found), False


def _coding(codings: Iterable[str], url: str) -> str:
    named = [name.strip().lower() for value in codings for name in value.split(",")]
    named = [name.removeprefix("x-") for name in named if name not in ("", "identity")]
    if len(named) > 1 or any(name not in ("gzip", "deflate") for name in named):
        raise FetchRefused("content-coding", url, ascii(", ".join(named))[1:-1][:60])
    return named[0] if named else "identity"


def _pieces(chunks: Iterable[bytes], coding: str, url: str) -> Iterator[bytes]:
    if coding == "identity":
        yield from chunks
        return
    reader: _Decompressor | None = None
    for chunk in chunks:
        data = chunk
        while data:
            if reader is None:
                reader = _reader(coding, data)
            yield reader.decompress(data, _STEP)
            # A gzip file may have several members, one after another (RFC 1952 2.2).
            data, reader = (reader.unused_data, None) if reader.eof and coding == "gzip" else (reader.unconsumed_tail, reader)
    while reader is not None and not reader.eof:
        piece = reader.decompress(reader.unconsumed_tail, _STEP)
        if not piece:
            raise FetchRefused("content-coding", url, "it ends early")
        yield piece


def _reader(coding: str, data: bytes) -> _Decompressor:
    # What is called deflate comes with zlib's header, as RFC 9110 says, or without, as some servers have it.
    return zlib.decompressobj(_GZIP if coding == "gzip" else zlib.MAX_WBITS if _has_header(data) else -zlib.MAX_WBITS)


def _has_header(data: bytes) -> bool:
    return data[0] & 0x0F == 8 and (len(data) == 1 or (data[0] << 8 | data[1]) % 31 == 0)
