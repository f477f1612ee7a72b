"""The files of an installed distribution as one digest, to pin what a plugin was enabled from. Nothing of it is imported.

covered    what RECORD lists below the folder that it is installed in, and whatever else lies in the packages among that; of an editable
           install (PEP 660), and of one without RECORD, the packages that its entry points name; of the metadata METADATA and
           entry_points.txt (of an egg-info PKG-INFO, requires.txt and entry_points.txt)
not        compiled files (`__pycache__`, `.pyc`), what RECORD lists elsewhere (scripts), what an installer adds to the metadata,
           other distributions

digest     SHA-256 of a line for each file, sorted: its path below that folder (UTF-8, `/`), a tab, the SHA-256 of its bytes in hex. A file
           that RECORD lists and that is gone has `-` there, a link to a folder the digest of what it names. The same wheel has the same
           digest wherever it is installed, and whoever installs it.
"""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from .metadata import read_entry_points
from .places import editable_root, origins

_METADATA = {".dist-info": ("METADATA", "entry_points.txt"), ".egg-info": ("PKG-INFO", "entry_points.txt", "requires.txt")}


def files_digest(metadata: str) -> str:
    """Return the digest of the distribution whose metadata lies in the folder `metadata`.

    Raises:
        OSError: a file that is there cannot be read.
        ValueError: its RECORD is none.
    """
    return digest(covered(metadata))


def digest(files: Mapping[str, Path]) -> str:
    """Return the digest of `files`, by their names; raises as `files_digest`."""
    lines = sorted(f"{name}\t{_digest(path)}\n" for name, path in files.items())
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def covered(metadata: str) -> dict[str, Path]:
    """Return the name in the digest, and the path, of every file that counts."""
    folder = Path(metadata)
    listed = _listed(folder)
    found = {name: folder.parent / name for name in listed}
    for package in _outermost({name.removesuffix("/__init__.py") for name in listed if name.endswith("/__init__.py")}):
        found |= _below(folder.parent / package, package)
    if not listed or editable_root(metadata):
        for module in sorted({entry.value.partition(":")[0].partition(".")[0] for entry in read_entry_points(metadata)[0]}):
            found |= _module(module)
    return found | {f"{folder.name}/{name}": folder / name for name in _METADATA[folder.suffix] if (folder / name).is_file()}


def _listed(folder: Path) -> list[str]:
    """Return what RECORD lists below the folder that the distribution is installed in, without its metadata."""
    try:
        with (folder / "RECORD").open(encoding="utf-8", errors="surrogateescape", newline="") as file:
            names = [os.path.normpath(row[0]).replace(os.sep, "/") for row in csv.reader(file) if row]
    except FileNotFoundError:
        return []
    except csv.Error as error:
        raise ValueError(f"its RECORD is not CSV: {error}") from error
    return [name for name in names if _counts(name) and not name.startswith((f"{folder.name}/", "../", "/"))]


def _outermost(packages: set[str]) -> Iterator[str]:
    """Yield the packages that lie in none of the others."""
    for package in packages:
        if not any(str(parent) in packages for parent in PurePosixPath(package).parents):
            yield package


def _module(module: str) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for origin in map(Path, origins(module)):
        found |= _below(origin, module) if origin.is_dir() else {origin.name: origin}
    return found


def _below(top: Path, name: str) -> dict[str, Path]:
    """Return the files below the folder `top`, as they are called below `name`; a link to a folder counts as a file."""
    inside = {path.relative_to(top).as_posix(): path for path in _walk(top)}
    return {f"{name}/{one}": path for one, path in inside.items() if _counts(one)}


def _walk(top: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (Path(folder, name) for name in files)
        yield from (path for name in folders if (path := Path(folder, name)).is_symlink())


def _counts(name: str) -> bool:
    return not name.endswith(".pyc") and "__pycache__" not in name.split("/")


def _digest(path: Path) -> str:
    if path.is_dir():
        return hashlib.sha256(os.fsencode(path.readlink() if path.is_symlink() else "")).hexdigest()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return "-"
