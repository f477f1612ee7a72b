"""What was named on a command line or in a call, enumerated: which files are read, below which folder, as which source."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from veridical_contract import UsageError

from veridical.settings import Settings, Source
from veridical.wire.inputs import Inputs, enumerate_inputs, shared_base
from veridical.workflows.following import Followed

__all__ = ["enumerated", "evidence_below", "followed", "origin_of", "something", "source_of"]


def origin_of(place: Path) -> str:
    """Return the name of a source that has no other: its last part, and a digest of the whole path, which stays private."""
    return f"{place.name or 'root'}@{hashlib.sha256(os.fsencode(place)).hexdigest()[:8]}"


def something(path: Path | str, inputs: Inputs) -> Inputs:
    """Return the inputs of what was named to be read.

    Raises:
        UsageError: there is no file among them.
    """
    if not (inputs.files or inputs.problems or inputs.derived):
        raise UsageError(f"There is no file to read in {path}.", hint='Name another place: veridical research "QUESTION" --from PATH')
    return inputs


def evidence_below(path: Path | str, inputs: Inputs, drafts: frozenset[str]) -> Inputs:
    """Return the inputs without the drafts themselves, which lie among them when a whole folder is named.

    Raises:
        UsageError: there is nothing else.
    """
    files = tuple(file for file in inputs.files if file.sha256 not in drafts)
    if not (files or inputs.problems or inputs.derived):
        raise UsageError(f"There is no evidence in {path}.", hint="Name another place: veridical check draft.md --against PATH")
    return replace(inputs, files=files)


def source_of(
    paths: Sequence[str], mapped: Mapping[str, str], projection: str | None, plugin: str = "files", locations: Sequence[str] = ()
) -> Source:
    """Return the settings of a source that is read from `paths`, or by a plugin that reads no files."""
    fields = {"plugin": plugin, "paths": tuple(paths), "locations": tuple(locations), "map": dict(mapped), "projection": projection}
    return Source.model_validate(fields)


def enumerated(source: Source) -> tuple[Path, Inputs]:
    """Enumerate a named source below the folder that all its paths share, so that a report shows no more of them than it must."""
    base = shared_base(source.paths)
    return base, enumerate_inputs([os.path.relpath(path, base) for path in source.paths], base=base)


def followed(name: str, settings: Settings) -> Followed:
    """Return a named source that has no files, with what the settings say about it: not about the plugin's other sources."""
    source = settings.sources[name]
    table: dict[str, object] = {**settings.plugin.get(source.plugin, {})}
    if isinstance(declared := table.get("sources"), dict):
        table["sources"] = cast("dict[str, object]", declared).get(name)
    settled = json.dumps(table, sort_keys=True, default=str)
    return Followed(plugin=source.plugin, origin=name, locations=source.locations, field_map=source.field_map(), settings=settled)
