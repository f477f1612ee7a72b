"""Content codings undone piece by piece (RFC 9110 8.4): gzip, deflate, and br where a package for it is installed.

The bytes that come out are the provider's own; nothing is guessed, and what does not decode is said to be so.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Protocol

__all__ = ["GZIP", "Body", "CodingError", "TooLongError", "Zlib", "acceptable"]

_PIECE = 1 << 20
GZIP = zlib.MAX_WBITS | 16
"""What zlib calls a gzip member."""


class CodingError(ValueError):
    """The bytes are not in the coding that the reply names, or the coding is not known."""


class TooLongError(ValueError):
    """More bytes came than are kept."""


def acceptable(header: str) -> str:
    """Return the value of `accept-encoding` without the codings that could not be undone here."""
    known = ("gzip", "deflate", "identity", "br" if _brotli() else "")
    return ", ".join(part.strip() for part in header.split(",") if part.partition(";")[0].strip().lower() in known) or "identity"


class _Coding(Protocol):
    def decode(self, data: bytes) -> Iterator[bytes]: ...

    def is_whole(self) -> bool: ...


class Body:
    """A body as it comes in.

    Args:
        codings: value of the header `content-encoding`, in the order in which they were applied.
        limit: bytes that are kept, codings undone.
    """

    def __init__(self, codings: str, *, limit: int) -> None:
        self._limit = limit
        self._kept = bytearray()
        self._is_empty = True
        self._layers = [_coding(name) for name in reversed(codings.lower().split(",")) if name.strip() not in ("", "identity")]

    def feed(self, data: bytes) -> bytes:
        """Take the next bytes of the wire; return what they decode to.

        Raises:
            CodingError: they are not in the coding that the reply names.
            TooLongError: with them it is more than the limit.
        """
        start = len(self._kept)
        self._is_empty = self._is_empty and not data
        for piece in self._decoded(data, self._layers):
            self._kept += piece
            if len(self._kept) > self._limit:
                raise TooLongError
        return bytes(self._kept[start:])

    def is_whole(self) -> bool:
        """Whether every coding was read to its end, as a body that is empty is."""
        return self._is_empty or all(layer.is_whole() for layer in self._layers)

    def kept(self) -> bytes:
        """What came so far, codings undone."""
        return bytes(self._kept)

    def tail(self, size: int) -> bytes:
        """Return the last `size` bytes of it."""
        return bytes(self._kept[-size:])

    def _decoded(self, data: bytes, layers: list[_Coding]) -> Iterator[bytes]:
        if not layers:
            yield data
            return
        for piece in layers[0].decode(data):
            yield from self._decoded(piece, layers[1:])


def _coding(name: str) -> _Coding:
    match name.strip():
        case "gzip" | "x-gzip":
            return Zlib(GZIP)
        case "deflate":
            return Zlib(zlib.MAX_WBITS, otherwise=-zlib.MAX_WBITS)
        case "br":
            return _Brotli()
        case unknown:
            raise CodingError(f"the coding {unknown!r} is not known")


class Zlib:
    """gzip of one member or several; `deflate` is zlib, or, as some servers send it, bare."""

    def __init__(self, bits: int, *, otherwise: int | None = None) -> None:
        self._bits = bits
        self._otherwise = otherwise
        self._inflate = zlib.decompressobj(bits)
        self._first = b""

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Yield what the next bytes decode to, in pieces that never take much memory.

        Raises:
            CodingError: they do not decode.
        """
        data, piece = self._chosen(data), b""
        while data or len(piece) == _PIECE:  # a full piece may leave output behind that needs no more input
            if self._inflate.eof and data:
                self._inflate = zlib.decompressobj(self._bits)
            try:
                piece = self._inflate.decompress(data, _PIECE)
            except zlib.error as error:
                raise CodingError(str(error)) from None
            yield piece
            data = self._inflate.unused_data or self._inflate.unconsumed_tail

    def is_whole(self) -> bool:
        """Whether the last member was read to its check sum."""
        return self._inflate.eof

    def _chosen(self, data: bytes) -> bytes:
        """Hold back what came until two bytes say whether it has the header of zlib (RFC 1950 2.2)."""
        if self._otherwise is None:
            return data
        self._first += data
        if len(self._first) < 2:
            return b""
        if int.from_bytes(self._first[:2]) % 31 or self._first[0] & 0x0F != zlib.DEFLATED:
            self._bits = self._otherwise
            self._inflate = zlib.decompressobj(self._bits)
        data, self._first, self._otherwise = self._first, b"", None
        return data


class _Brotli:
    def __init__(self) -> None:
        library = _brotli()
        if library is None:
            raise CodingError("the coding 'br' needs a package: pip install brotli")
        self._error: type[Exception] = library.error
        self._inflate = library.Decompressor()

    def decode(self, data: bytes) -> Iterator[bytes]:
        try:
            while piece := self._inflate.process(data, output_buffer_limit=_PIECE):
                yield piece
                data = b""
        except self._error as error:
            raise CodingError(str(error)) from None

    def is_whole(self) -> bool:
        return self._inflate.is_finished()


def _brotli() -> ModuleType | None:
    for name in ("brotli", "brotlicffi"):
        try:
            return import_module(name)
        except ImportError:
            continue
    return None
