"""Which files a run reads: named by the operator, enumerated and hashed before any plugin is loaded.

    names --files, folders, globs--> paths --regular, readable--> hashed --marker?--> files | derived
                                        `-- otherwise --> problems, one line each

A named folder is walked in the order of names. Hidden files, version control, virtual environments and caches are passed over, and a
symbolic link that leads out of the folder is reported, not followed: only what was named is read. Exports of veridical carry a marker, are
listed apart, and support nothing.
"""

from __future__ import annotations

import difflib
import glob
import hashlib
import itertools
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import BinaryIO, Final

from veridical_contract import InputFile, UsageError

from .markers import MarkerSearch, holds_export

__all__ = ["Inputs", "enumerate_inputs", "shared_base"]

_PASSED_OVER: Final = frozenset({"CVS", "__pycache__", "_darcs", "node_modules"})
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Inputs:
    """What was named, in order.

    Attributes:
        files: to be read.
        problems: (path, why it cannot be read) of each file that cannot, and of links that lead out of a named folder.
        derived: files that carry the export marker.
    """

    files: tuple[InputFile, ...]
    problems: tuple[tuple[str, str], ...] = ()
    derived: tuple[InputFile, ...] = ()


class _UnfitError(Exception):
    """A path cannot be read; the message says why."""


def enumerate_inputs(names: Sequence[str | Path], *, base: Path) -> Inputs:
    """Return the files that `names` stand for, each once, hashed.

    Args:
        names: files, folders or globs (`**` crosses folders), relative to `base` or absolute. Paths are shown as they were given.
        base: the working directory.

    Raises:
        UsageError: a name stands for nothing.
    """
    files: list[InputFile] = []
    derived: list[InputFile] = []
    problems: list[tuple[str, str]] = []
    seen: set[str] = set()
    for path in (path for name in names for path in _expand(name, base)):
        try:
            real = os.path.realpath(base / path.shown)
            if real in seen:
                continue
            seen.add(real)
            file, is_derived = _file(path, base)
        except (_UnfitError, OSError) as error:
            problems.append((_printable(path.shown), _reason(error)))
        else:
            (derived if is_derived else files).append(file)
    return Inputs(tuple(files), tuple(problems), tuple(derived))


def shared_base(paths: Sequence[str]) -> Path:
    """Return the folder that `paths` share, absolute files, folders or globs: below it their names say no more than they must."""
    fixed = [os.path.join(*itertools.takewhile(lambda part: not glob.has_magic(part), Path(path).parts)) for path in paths]  # noqa: PTH118
    return Path(os.path.commonpath([os.path.dirname(path) for path in fixed]))  # noqa: PTH120 - the text of the path, not the file


@dataclass(frozen=True, slots=True)
class _Found:
    """A path as it is shown, and the real path of the folder that it must not lead out of (empty: none)."""

    shown: str
    within: str = ""


# Names


def _expand(name: str | Path, base: Path) -> Iterator[_Found]:
    shown = PurePath(name).as_posix()
    if "\0" in shown or not str(name):
        raise UsageError(f"{_printable(shown)!r} is not a path.")
    path = base / shown
    if _is_dir(path):
        yield from _walk(shown, base, os.path.realpath(path), frozenset())
    elif os.path.lexists(path):
        yield _Found(shown)
    else:
        found = list(_glob(shown, base)) if glob.has_magic(shown) else []
        if not found:
            raise _nothing(shown, base)
        yield from found


def _walk(folder: str, base: Path, within: str, above: frozenset[tuple[int, int]]) -> Iterator[_Found]:
    """Yield what lies below a folder, by name; a folder that contains itself is not entered twice."""
    try:
        here = (base / folder).stat()
        with os.scandir(base / folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        yield _Found(folder, within)  # reported as unreadable
        return
    key = (here.st_dev, here.st_ino)
    if key in above or any(entry.name == "pyvenv.cfg" for entry in found):
        return
    for entry in found:
        shown = (PurePath(folder) / entry.name).as_posix()
        if entry.name.startswith(".") or entry.name in _PASSED_OVER:
            continue
        if _is_dir(entry) and _inside(base / shown, within):
            yield from _walk(shown, base, within, above | {key})
        else:
            yield _Found(shown, within)


def _is_dir(path: Path | os.DirEntry[str]) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long, a loop of links, a folder that may not be looked into
        return False


def _glob(pattern: str, base: Path) -> Iterator[_Found]:
    """Yield what a pattern stands for: files whose path it matches, and everything below folders whose path it matches."""
    parts = PurePath(pattern).parts
    fixed = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    root = PurePath(*parts[:fixed]).as_posix() if fixed else "."
    if not _is_dir(base / root):
        return
    for found in _walk(root, base, os.path.realpath(base / root), frozenset()):
        below = PurePath(found.shown).relative_to(root).parts
        if any(_matches(below[:depth], parts[fixed:]) for depth in range(len(below), 0, -1)):
            yield found


def _matches(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    if not patterns:
        return not parts
    if patterns[0] == "**":
        return any(_matches(parts[index:], patterns[1:]) for index in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], patterns[0]) and _matches(parts[1:], patterns[1:])


def _nothing(shown: str, base: Path) -> UsageError:
    if glob.has_magic(shown):
        return UsageError(f"Nothing matches {_printable(shown)}.", hint="Expected files, folders or a glob such as 'notes/**/*.md'.")
    if not _is_dir(base):  # the folder that was read is gone, or was never there: what is missing is a part of its own path
        shown, base = (base / shown).as_posix(), Path(base.anchor)
    parent = PurePath(shown).parent
    while not _is_dir(base / parent):
        parent = parent.parent
    missing = PurePath(shown).relative_to(parent).parts[0]
    names = sorted(path.name for path in (base / parent).iterdir()) if os.access(base / parent, os.R_OK) else []
    folded = {name.casefold(): name for name in reversed(names) if not name.startswith(".")}
    close = difflib.get_close_matches(missing.casefold(), folded, n=1, cutoff=0.5)
    if close:
        return UsageError(f"There is no {_printable(shown)}.", hint=f"Did you mean {_printable((parent / folded[close[0]]).as_posix())}?")
    where = "here" if parent == PurePath() else f"in {_printable(parent.as_posix())}"
    return UsageError(f"There is no {_printable(shown)}.", hint=f"Nothing {where} has a name like it. Type: ls {_printable(str(parent))}")


# Files


def _file(found: _Found, base: Path) -> tuple[InputFile, bool]:
    """Hash one file, and say whether it carries the marker."""
    path = base / found.shown
    if _printable(found.shown) != found.shown:
        raise _UnfitError("its name is not UTF-8: rename it")
    if not path.exists():
        raise _UnfitError("a symbolic link that leads nowhere" if path.is_symlink() else "it is gone")
    if found.within and not _inside(path, found.within):
        raise _UnfitError("a symbolic link that leads out of the folder: name its target to read it")
    kind = path.stat().st_mode
    if stat.S_ISDIR(kind):
        os.scandir(path).close()  # says why it could not be entered
    if not stat.S_ISREG(kind):
        raise _UnfitError(f"{_special(kind)}, not a file")
    with path.open("rb") as file:
        digest, size, is_export = _read(file, MarkerSearch(path.name))
    return InputFile(path=found.shown, sha256=digest, size=size), is_export or holds_export(path)


def _inside(path: Path, within: str) -> bool:
    real = os.path.realpath(path)
    return real == within or real.startswith(within.rstrip(os.sep) + os.sep)


def _special(kind: int) -> str:
    for test, name in ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket")):
        if test(kind):
            return name
    return "a device"


def _read(file: BinaryIO, search: MarkerSearch) -> tuple[str, int, bool]:
    digest = hashlib.sha256()
    size = 0
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
        search.feed(chunk)
        size += len(chunk)
    return digest.hexdigest(), size, search.found


# Words


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return str(error)


def _printable(text: str) -> str:
    """Return a path in characters that can be printed and stored; file names are bytes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
