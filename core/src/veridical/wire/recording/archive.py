"""The records of a run as a WARC/1.1 file (ISO 28500:2017): what a person looks a pointer up in, with any tool that reads WARC.

    FOLDER/RUN.warc.gz      for each attempt that was answered a `request` and a `response`, each record a gzip member of its own;
                            a body that the file has already is a `revisit`, which names its digest
    FOLDER/.lock            held by who writes; how many bytes all files have at most, so that they need not all be looked at to add one

Bodies are kept with their content codings undone, as the kernel read them: the headers that spoke of the coding and the length on the
wire are kept as `X-Archive-Orig-...`. Of the request's headers there are only those that the request line and the body need.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from veridical_contract import StoreCorruptError, StoreError, StoreFullError
from warcio.archiveiterator import ArchiveIterator  # pyright: ignore[reportMissingTypeStubs]
from warcio.exceptions import ArchiveLoadFailed  # pyright: ignore[reportMissingTypeStubs]
from warcio.statusandheaders import StatusAndHeaders  # pyright: ignore[reportMissingTypeStubs]
from warcio.warcwriter import WARCWriter  # pyright: ignore[reportMissingTypeStubs]

from .codings import GZIP, CodingError, Zlib
from .record import Recorded

__all__ = ["ArchivedReply", "WireArchive"]

_RUN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}")
_SUFFIX = ".warc.gz"
_PIECE = 1 << 20
_MARGIN = 50
"""The files are looked at when they take too much; so much of the limit, as a divisor, is made free at once, so that this is seldom."""
_ALTERED = ("content-encoding", "content-length", "transfer-encoding")


@dataclass(frozen=True, slots=True)
class ArchivedReply:
    """A reply as the archive has it.

    Attributes:
        url: of the request, without secrets.
        date: when the request was sent.
        status: of the reply.
        digest: SHA-256 of the body.
        body: content codings undone.
    """

    url: str
    date: datetime
    status: int
    digest: str
    body: bytes = field(repr=False)


class WireArchive:
    """The WARC files of all runs.

    Args:
        folder: where they are; made, for its owner alone, when something is first written.
        limit_bytes: of all files together. The oldest go to make room for a new record; one run never takes more.
    """

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._limit = limit_bytes

    def append(self, run: str, records: Iterable[Recorded]) -> None:
        """Write what one or several calls of `run` recorded. Attempts that were not answered are left out, and so are refused replies.

        Raises:
            StoreFullError: the run's file would be larger than the limit, or there is no room left on the disk; it is as it was before.
        """
        answered = [record for record in records if record.status is not None and (record.body or not record.error)]
        if not answered:
            return
        path = self.path(run)
        with self._locked() as total:
            data = _written(answered, known=_first_of_each(path))
            self._make_room(path, len(data), total)
            _append(path, data)

    def read(self, run: str) -> Iterator[ArchivedReply]:
        """Yield the replies of `run` in their order, each with its body; none when nothing was recorded.

        Raises:
            StoreCorruptError: the file is damaged, or a body does not hash to its digest.
        """
        bodies: dict[str, bytes] = {}
        for record in _records(self.path(run)):
            if record.rec_type not in ("response", "revisit"):
                continue
            digest = _digest_of(record)
            if record.rec_type == "response":
                bodies[digest] = record.content_stream().read()
            if digest not in bodies or hashlib.sha256(bodies[digest]).hexdigest() != digest:
                raise StoreCorruptError(f"{self.path(run)}: a body does not hash to its digest {digest[:12]}.")
            headers = record.rec_headers
            date = datetime.fromisoformat(headers.get_header("WARC-Date"))
            status = int(record.http_headers.get_statuscode())
            yield ArchivedReply(headers.get_header("WARC-Target-URI"), date, status, digest, bodies[digest])

    def tidy(self, older_than: timedelta, now: datetime) -> int:
        """Remove the files to which nothing was added for as long as `older_than`; return how many they were."""
        with self._locked():
            old = [path for path in self._files() if datetime.fromtimestamp(path.stat().st_mtime, UTC) < now - older_than]
            return _removed(old)

    def forget(self, digests: Collection[str], runs: Collection[str] = ()) -> int:
        """Remove every file in which there is a body of one of these SHA-256, or that cannot be read; return how many they were.

        Args:
            digests: of replies.
            runs: whose files go as well: requests to a model hold passages of what the run had before it.
        """
        wanted, named = frozenset(digests), {self.path(run) for run in runs}
        if not wanted and not named:
            return 0
        with self._locked():
            return _removed([path for path in self._files() if path in named or (wanted and _holds(path, wanted))])

    def runs(self) -> list[str]:
        """Return the runs of which there is a file, those that were written to last at the end."""
        return [path.name.removesuffix(_SUFFIX) for path in self._files()]

    def copy(self, folder: Path) -> list[Path]:
        """Copy every file into `folder`, each whole, while others may go on writing; return the copies.

        Raises:
            StoreError: one cannot be copied.
        """
        if not self._folder.is_dir():
            return []
        with self._locked():
            try:
                return [Path(shutil.copy2(path, folder)) for path in self._files()]
            except OSError as error:
                raise _unwritten(folder, error) from error

    def path(self, run: str) -> Path:
        """Return where the file of `run` is, or would be.

        Raises:
            StoreError: that is no name of a run.
        """
        if not _RUN.fullmatch(run):
            raise StoreError(f"{run!r} is no name of a run.")
        return self._folder / f"{run}{_SUFFIX}"

    def _files(self) -> list[Path]:
        """Return all files, those that were written to last at the end."""
        return sorted(self._folder.glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime_ns)

    @contextmanager
    def _locked(self) -> Generator[_Total]:
        """Keep other processes out."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            total = _Total(self._folder / ".lock")
        except OSError as error:
            raise _unwritten(self._folder, error) from error
        try:
            yield total
        finally:
            total.close()

    def _make_room(self, path: Path, needed: int, total: _Total) -> None:
        own = path.stat().st_size if path.exists() else 0
        if own + needed > self._limit:
            hint = "Raise retention.wire_megabytes in the settings."
            raise StoreFullError(f"{path}: the replies of one run take more than the {self._limit:,} bytes they may.", hint=hint)
        known = total.read()
        taken = known + needed if known is not None and known + needed <= self._limit else self._make_room_by_looking(path, own + needed)
        total.write(taken)

    def _make_room_by_looking(self, path: Path, own: int) -> int:
        """Remove the oldest files when all take too much; return how many bytes there will be once `path` has `own`."""
        others = [other for other in self._files() if other != path]
        taken = own + sum(other.stat().st_size for other in others)
        if taken > self._limit:
            while others and taken > self._limit - self._limit // _MARGIN:
                oldest = others.pop(0)
                taken -= oldest.stat().st_size
                oldest.unlink()
        return taken


class _Total:
    """The lock, and in its file how many bytes all files have at most.

    It is written before they are, so that it is never too little. Too much, as it is after a file was removed, does no harm: the files
    are looked at, and it is right again.

    Args:
        path: of the file; made when there is none.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def close(self) -> None:
        """Let others in."""
        os.close(self._descriptor)

    def read(self) -> int | None:
        """Return it; `None` when nobody has looked yet."""
        said = os.pread(self._descriptor, 20, 0).decode("ascii", "replace")
        return int(said) if re.fullmatch(r"[0-9]+\n", said) else None

    def write(self, total: int) -> None:
        """Keep it.

        Raises:
            StoreFullError: there is no room left for it; the files are looked at the next time.
        """
        os.ftruncate(self._descriptor, 0)
        try:
            os.pwrite(self._descriptor, f"{total}\n".encode("ascii"), 0)
        except OSError as error:
            raise _unwritten(self._path, error) from error


# Writing


def _written(records: list[Recorded], known: dict[str, tuple[str, str]]) -> bytes:
    """Return the members for `records`; `known` is digest to (URL, date) of the bodies that the file has, and grows."""
    buffer = BytesIO()
    writer: Any = WARCWriter(buffer, gzip=True, warc_version="1.1")
    for record in records:
        digest, date = hashlib.sha256(record.body).hexdigest(), _date(record.begun)
        reply = _revisit(writer, record, digest, date, known[digest]) if digest in known else _reply(writer, record, digest, date)
        known.setdefault(digest, (record.url, date))
        writer.write_request_response_pair(_request(writer, record, date), reply)
    return buffer.getvalue()


def _request(writer: Any, record: Recorded, date: str) -> Any:
    parts = urlsplit(record.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = [("Host", parts.netloc)] + ([("Content-Type", record.sent_type)] if record.sent_type else [])
    http = StatusAndHeaders(f"{record.method} {target} HTTP/1.1", headers, is_http_request=True)
    sent = record.sent or b""
    dated = {"WARC-Date": date, "WARC-Payload-Digest": f"sha256:{hashlib.sha256(sent).hexdigest()}"}
    return writer.create_warc_record(
        record.url, "request", payload=BytesIO(sent), length=len(sent), http_headers=http, warc_headers_dict=dated
    )


def _reply(writer: Any, record: Recorded, digest: str, date: str) -> Any:
    about = {"WARC-Date": date, "WARC-Payload-Digest": f"sha256:{digest}"}
    if not record.whole:
        about["WARC-Truncated"] = "disconnect" if record.error else "unspecified"
    return writer.create_warc_record(
        record.url, "response", payload=BytesIO(record.body), length=len(record.body), http_headers=_head(record), warc_headers_dict=about
    )


def _revisit(writer: Any, record: Recorded, digest: str, date: str, first: tuple[str, str]) -> Any:
    return writer.create_revisit_record(
        record.url, f"sha256:{digest}", *first, http_headers=_head(record), warc_headers_dict={"WARC-Date": date}
    )


def _head(record: Recorded) -> Any:
    headers = [(f"X-Archive-Orig-{name}" if name in _ALTERED else name, value) for name, value in record.headers]
    headers.append(("content-length", str(len(record.body))))
    return StatusAndHeaders(f"{record.status} {record.reason}".rstrip(), headers, protocol="HTTP/1.1")


def _date(moment: datetime) -> str:
    """Return a `WARC-Date` of version 1.1, to the microsecond."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _append(path: Path, data: bytes) -> None:
    """Write all of `data` at the end, or nothing."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        raise _unwritten(path, error) from error
    end = os.fstat(descriptor).st_size
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(descriptor, left) :]
    except OSError as error:
        os.ftruncate(descriptor, end)
        raise _unwritten(path, error) from error
    finally:
        os.close(descriptor)


def _unwritten(path: Path, error: OSError) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StoreFullError(f"{path}: there is no room left to write.")
    return StoreError(f"{path}: it cannot be written: {error.strerror}.")


# Reading


def _records(path: Path) -> Iterator[Any]:
    if not path.exists() or not path.stat().st_size:
        return
    with path.open("rb") as file:
        try:
            _check_members(file)
            yield from ArchiveIterator(file)  # pyright: ignore[reportUnknownVariableType]
        except (ArchiveLoadFailed, EOFError, OSError, CodingError, UnicodeError) as error:
            raise StoreCorruptError(f"{path}: it cannot be read as WARC: {type(error).__name__}.") from None


def _check_members(file: BinaryIO) -> None:
    """Read every gzip member to its check sum: the reader of WARC takes a member that is cut for the end of the file."""
    members = Zlib(GZIP)
    while data := file.read(_PIECE):
        for _ in members.decode(data):
            pass
    if not members.is_whole():
        raise EOFError
    file.seek(0)


def _digest_of(record: Any) -> str:
    return _plain(record.rec_headers.get_header("WARC-Payload-Digest"))


def _first_of_each(path: Path) -> dict[str, tuple[str, str]]:
    """Return digest to (URL, date) of the bodies that a file has."""
    kept = [record.rec_headers for record in _records(path) if record.rec_type == "response"]
    found = {_plain(headers.get_header("WARC-Payload-Digest")): headers for headers in reversed(kept)}
    return {digest: (headers.get_header("WARC-Target-URI"), headers.get_header("WARC-Date")) for digest, headers in found.items()}


def _plain(digest: str | None) -> str:
    return (digest or "").removeprefix("sha256:")


def _holds(path: Path, digests: frozenset[str]) -> bool:
    try:
        return any(_digest_of(record) in digests for record in _records(path))
    except StoreCorruptError:
        return True  # nobody could say that it does not


def _removed(paths: list[Path]) -> int:
    for path in paths:
        path.unlink()
    return len(paths)
