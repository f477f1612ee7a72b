"""The bytes of one input: hashed, decompressed, bounded.

The bytes must hash to what was enumerated before anything is taken from them. A small file is read once and stays in memory; a file of many
records is hashed first and then read again from the same handle, line by line, and must not have been written to in between.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

from veridical_contract import InputFile, UnreadableError

__all__ = ["Content", "Limits", "opened"]

_CHUNK: Final = 1 << 20
_CHANGED: Final = "it changed since it was listed: run the command again"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file may take, in bytes after decompression.

    Attributes:
        whole: of a file that has to be in memory at once (a page, a mail, a PDF).
        record: of one line, one message or one row.
        ratio: how many times its size a compressed file may become, once it is larger than `floor`. Text becomes 3 to 30 times as large.
        floor: up to here any ratio is fine.
    """

    whole: int = 256 << 20
    record: int = 32 << 20
    ratio: int = 250
    floor: int = 64 << 20


class Content:
    """What an input holds, after decompression."""

    def __init__(self, handle: BinaryIO, file: InputFile, limits: Limits) -> None:
        self.file = file
        self.limits = limits
        self._handle = handle
        self._zipped = file.path.lower().endswith(".gz")

    def whole(self) -> bytes:
        """Return all of it.

        Raises:
            UnreadableError: too large, damaged, or not what was enumerated.
        """
        self._handle.seek(0)
        data = self._handle.read(self.limits.whole + 1)
        self._check_whole(len(data))
        if hashlib.sha256(data).hexdigest() != self.file.sha256:
            raise UnreadableError(_CHANGED)
        if not self._zipped:
            return data
        found = b"".join(self._pieces(_unzipped(io.BytesIO(data))))
        self._check_whole(len(found))
        return found

    def is_longer(self, size: int) -> bool:
        """Whether it holds more than `size` bytes after decompression.

        Raises:
            UnreadableError: damaged, or a decompression bomb.
        """
        total = 0
        return self.file.size > size if not self._zipped else any((total := total + len(chunk)) > size for chunk in self.chunks())

    def check(self) -> None:
        """Hash the file as it lies on disk, to the end.

        Raises:
            UnreadableError: it is not what was enumerated.
        """
        self._handle.seek(0)
        digest = hashlib.sha256()
        while chunk := self._handle.read(_CHUNK):
            digest.update(chunk)
        if digest.hexdigest() != self.file.sha256:
            raise UnreadableError(_CHANGED)

    def chunks(self) -> Iterator[bytes]:
        """Yield all of it in pieces.

        Raises:
            UnreadableError: damaged, a decompression bomb, or the file was written to meanwhile.
        """
        before = _stamp(self._handle)
        yield from self._pieces(self._stream())
        if _stamp(self._handle) != before:
            raise UnreadableError(_CHANGED)

    def lines(self) -> Iterator[bytes]:
        r"""Yield all of it in lines, each with its end, which is `\n`.

        Raises:
            UnreadableError: damaged, a line is too long, a decompression bomb, or the file was written to meanwhile.
        """
        before = _stamp(self._handle)
        stream = self._stream()
        total = 0
        while line := stream.readline(self.limits.record + 1):
            total += len(line)
            self._check_ratio(total)
            if len(line) > self.limits.record:
                raise UnreadableError(f"a line is longer than {_size(self.limits.record)}")
            yield line
        if _stamp(self._handle) != before:
            raise UnreadableError(_CHANGED)

    def _stream(self) -> BinaryIO:
        self._handle.seek(0)
        return _unzipped(self._handle) if self._zipped else self._handle

    def _pieces(self, stream: BinaryIO) -> Iterator[bytes]:
        total = 0
        while chunk := stream.read(_CHUNK):
            total += len(chunk)
            self._check_ratio(total)
            yield chunk

    def _check_ratio(self, total: int) -> None:
        if self._zipped and total > self.limits.floor and total > self.limits.ratio * self.file.size:
            raise UnreadableError(f"it decompresses to more than {self.limits.ratio} times its size: unpack it first if that is right")

    def _check_whole(self, size: int) -> None:
        if size > self.limits.whole:
            raise UnreadableError(f"it is larger than {_size(self.limits.whole)}")


@contextmanager
def opened(path: Path, file: InputFile, limits: Limits) -> Generator[Content, None, None]:
    """Open a file; what goes wrong with its bytes inside the block comes out as `UnreadableError`."""
    try:
        with path.open("rb") as handle:
            yield Content(handle, file, limits)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise UnreadableError("its compressed data is damaged or cut off") from None
    except OSError as error:
        raise UnreadableError((error.strerror or type(error).__name__).lower()) from None


def _unzipped(handle: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(fileobj=handle))


def _stamp(handle: BinaryIO) -> tuple[int, int]:
    state = os.fstat(handle.fileno())
    return state.st_mtime_ns, state.st_size


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
