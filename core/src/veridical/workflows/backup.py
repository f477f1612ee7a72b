"""Backup and restore: the store and what belongs to it, in one tar archive (POSIX.1-2001, not compressed), private to its owner.

store               the storage plugin's copy of the store
admission.key       without it, nothing in the store counts as admitted
runs/...            the host's ledger of past runs
wire/...            what went over the wire in them, as WARC
settings.toml       restored only where there is none
MANIFEST.json       every other member: name and SHA-256

A backup is read again before it takes its name. Restoring checks every member before anything is touched, adds to the ledger and to the
WARC files what they do not have, and keeps the store and the key that were there beside the restored ones. Done again after an
interruption, it ends the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from veridical_contract import Backup, Json, Migration, StoreError, UsageError

from veridical.gateway.verified import Gateway
from veridical.homes import Home, make_folder
from veridical.kernel.canonical import canonical_bytes
from veridical.ledger import KEY_SIZE

__all__ = ["backup", "restore"]

FORMAT = "veridical.backup/1"
_MANIFEST = "MANIFEST.json"
_STORE, _KEY, _SETTINGS, _WIRE = "store", "admission.key", "settings.toml", "wire"
_MEMBER = re.compile(r"store|admission\.key|settings\.toml|runs/[0-9a-f]{1,64}\.(?:json|sha256)|wire/[0-9a-f]{1,64}\.warc\.gz")
_CHUNK = 1 << 20


def backup(gateway: Gateway, home: Home, path: Path, *, wire: Callable[[Path], Sequence[Path]], force: bool) -> Backup:
    """Write a backup to `path` while others go on using the store.

    Args:
        gateway: to the store.
        home: whose it is.
        path: of the file to write.
        wire: copies the WARC files into a folder and returns the copies.
        force: replace an earlier backup that is there; nothing else is ever replaced.

    Raises:
        UsageError: there is something at `path`, or no such folder.
        StoreError: it cannot be written, or what was written is not what the store holds; `path` is as it was.
    """
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.", hint=f"Type: mkdir -p {path.parent}")
    if os.path.lexists(path) and not (force and _is_backup(path)):
        hint = "Choose another name: --force replaces only a backup." if force else "Choose another name, or add --force."
        raise UsageError(f"There is something at {path}; it was not replaced.", hint=hint)
    with _workshop(path.parent) as folder:
        held = gateway.backup(folder / _STORE)
        part = folder / "archive"
        records = folder / _WIRE
        records.mkdir(mode=0o700)
        _write(part, dict(_members(home, folder / _STORE, wire(records))))
        _unpacked(part, folder)
        part.replace(path)
    return held


def restore(gateway: Gateway, home: Home, path: Path, now: datetime) -> Migration:
    """Restore a backup.

    Args:
        gateway: to the store, which need not be open, nor be there.
        home: whose store it becomes.
        path: of the backup.
        now: the time, for the names of what is kept beside.

    Raises:
        UsageError: there is no such file.
        StoreError: it is not a whole backup; nothing was changed.
    """
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", hint="Expected a file that `veridical store backup` wrote.")
    make_folder(home.data)
    with _workshop(home.data) as folder:
        members = _unpacked(path, folder)
        done = gateway.restore(members[_STORE])
        _put_key(members[_KEY], home.data / _KEY, now)
        make_folder(home.runs)
        for name, file in members.items():
            target = home.data / name if name.startswith(("runs/", f"{_WIRE}/")) else home.settings if name == _SETTINGS else None
            if target is not None and not target.exists():
                make_folder(target.parent)
                shutil.move(file, target)
    return done


def _is_backup(path: Path) -> bool:
    """Whether the file begins as a backup does; it may be cut or damaged."""
    if not path.is_file():
        return False
    try:
        with tarfile.open(path, "r:") as archive:
            first = archive.next()
    except (tarfile.TarError, OSError):
        return False
    return first is not None and first.name == _STORE


def _members(home: Home, store: Path, wire: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    yield _STORE, store
    yield _KEY, home.data / _KEY
    if home.settings.is_file():
        yield _SETTINGS, home.settings
    for file in sorted(home.runs.glob("*")):
        if _MEMBER.fullmatch(f"runs/{file.name}"):
            yield f"runs/{file.name}", file
    for file in wire:
        if _MEMBER.fullmatch(f"{_WIRE}/{file.name}"):
            yield f"{_WIRE}/{file.name}", file


def _write(part: Path, members: dict[str, Path]) -> None:
    handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, source in members.items():
                archive.add(source, arcname=name, recursive=False)
            manifest = part.with_name("manifest")
            manifest.write_bytes(_manifest({name: _digest(source) for name, source in members.items()}))
            archive.add(manifest, arcname=_MANIFEST, recursive=False)
        file.flush()
        os.fsync(file.fileno())


def _manifest(digests: dict[str, Json]) -> bytes:
    return canonical_bytes({"format": FORMAT, "members": digests})


def _unpacked(path: Path, folder: Path) -> dict[str, Path]:
    """Unpack an archive below `folder`, and return its members once each is what the manifest says."""
    target = folder / "unpacked"
    target.mkdir(mode=0o700)
    try:
        found = dict(_extracted(path, target))
    except (tarfile.TarError, EOFError, OSError) as error:
        raise _no_backup(path, str(error) or "it is cut off") from error
    manifest = found.pop(_MANIFEST, None)
    if manifest is None or not {_STORE, _KEY} <= found.keys():
        raise _no_backup(path, "it lacks what a backup holds")
    if found[_KEY].stat().st_size != KEY_SIZE:
        raise _no_backup(path, "its key is none")
    digests: dict[str, Json] = {name: _digest(file) for name, file in found.items()}
    if manifest.read_bytes() != _manifest(digests):
        raise _no_backup(path, "a member is not what was written")
    return found


def _extracted(path: Path, target: Path) -> Iterator[tuple[str, Path]]:
    with tarfile.open(path, "r:") as archive:
        for member in archive:
            if not member.isreg() or not (_MEMBER.fullmatch(member.name) or member.name == _MANIFEST):
                raise tarfile.TarError(f"it holds {member.name!r}, which no backup does")
            source = archive.extractfile(member)
            file = target / member.name.replace("/", "-")
            handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as copy:
                if source is not None:
                    shutil.copyfileobj(source, copy, _CHUNK)
            os.utime(file, (member.mtime, member.mtime))  # by which retention counts
            yield member.name, file


def _put_key(key: Path, target: Path, now: datetime) -> None:
    if target.exists():
        if target.read_bytes() == key.read_bytes():
            return
        target.rename(_kept_as(target, f"{now:%Y%m%d%H%M%S}"))
    shutil.move(key, target)


def _kept_as(target: Path, stamp: str) -> Path:
    """Return a name beside `target` that nothing has: two restores may fall into one second."""
    first = f"{target.name}.before-{stamp}"
    names = chain((first,), (f"{first}-{number}" for number in count(2)))
    return next(place for name in names if not os.path.lexists(place := target.with_name(name)))


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _no_backup(path: Path, why: str) -> StoreError:
    return StoreError(f"{path} is not a whole backup: {' '.join(why.split())}. Nothing was changed.", hint="Take another backup.")


@contextmanager
def _workshop(place: Path) -> Generator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=".veridical-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
