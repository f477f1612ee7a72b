"""Entry points of the installed distributions, read from their `entry_points.txt` alone.

`importlib.metadata` reads the same files and costs more to import than all of this takes for 140 distributions; `stevedore` adds a
disk cache on top that loses the distribution and hides the second of two equal entry points. A test holds this reader against both.
Format: the PyPA specifications "Entry points" and "Recording installed projects". Distributions inside zip files and behind import hooks
of their own are not seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PREFIX = "veridical."
_SUFFIXES = (".dist-info", ".egg-info")


class EntryPoint(NamedTuple):
    """One line of `entry_points.txt`."""

    group: str
    name: str
    value: str


class Distribution(NamedTuple):
    """A distribution with entry points in a group of ours.

    Attributes:
        name: normalised (PEP 503).
        version: as its folder says.
        folder: of its metadata.
        entry_points: those in groups that begin with `veridical.`.
        problem: why its entry points cannot be read; empty when they can.
    """

    name: str
    version: str
    folder: str
    entry_points: tuple[EntryPoint, ...]
    problem: str = ""


def distributions(path: Iterable[str], seen: set[str]) -> Iterator[Distribution]:
    """Yield the distributions on `path` that speak of us; the first of a name hides the others, as in importing.

    Args:
        path: folders, in the order of `sys.path`.
        seen: normalised names met so far; those found here are added.
    """
    for entry in path:
        for folder in _metadata_folders(entry):
            name, version, *_ = [*folder.rpartition("/")[2].rpartition(".")[0].split("-"), ""]
            if (key := normalise(name)) in seen:
                continue
            seen.add(key)
            found, problem = read_entry_points(folder)
            if found or problem:
                yield Distribution(key, version or _egg_version(folder), folder, found, problem)


def normalise(name: str) -> str:
    """Return the normalised name of a distribution (PEP 503)."""
    return "-".join(filter(None, name.lower().replace("_", "-").replace(".", "-").split("-")))


def _metadata_folders(entry: str) -> list[str]:
    try:
        with os.scandir(entry or ".") as found:
            return sorted(one.path for one in found if one.name.endswith(_SUFFIXES))
    except OSError:  # entries of sys.path need not exist, and some are zip files
        return []


def read_entry_points(folder: str) -> tuple[tuple[EntryPoint, ...], str]:
    """Return the entry points in groups of ours that the metadata in `folder` names, or why they cannot be read."""
    try:
        with open(f"{folder}/entry_points.txt", "rb") as file:  # noqa: PTH123 - a Path for each doubles the time of `plugins list`
            content = file.read()
    except (FileNotFoundError, NotADirectoryError):  # most distributions have none, and an old egg-info is a file
        return (), ""
    except OSError as error:
        return (), f"its entry points cannot be read: {error.strerror}"
    if PREFIX.encode() not in content:
        return (), ""
    try:
        return tuple(_parse(content.decode("utf-8"))), ""
    except ValueError as error:
        return (), f"its entry points cannot be read: {error}"


def _parse(text: str) -> Iterator[EntryPoint]:
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1]
        elif line and not line.startswith("#") and group.startswith(PREFIX):
            name, equals, value = line.partition("=")
            if not equals:
                raise ValueError(f"the line {line!r} has no '='")
            yield EntryPoint(group, name.strip(), value.strip())


def _egg_version(folder: str) -> str:
    try:
        lines = Path(folder, "PKG-INFO").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # a version that nobody recorded is unknown, no more
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("Version:")), "")
