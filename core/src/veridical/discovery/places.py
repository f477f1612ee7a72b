"""The working directory is not a place to load from: whoever can put a file into a folder of notes would run code.

`python -m veridical` and a stray empty element of PYTHONPATH put it on `sys.path`. Metadata found there is refused, and so is a
module that comes from there, unless the distribution was installed from there in editable mode (`direct_url.json`, PEP 610).
"""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Sequence
from pathlib import Path


def working_directory() -> str | None:
    """Return the real path of the working directory; None when it was deleted, or when distributions are installed right in it."""
    try:
        here = os.path.realpath(Path.cwd())
    except FileNotFoundError:
        return None
    installed = [*site.getsitepackages(), site.getusersitepackages()]
    return None if here in map(os.path.realpath, installed) else here


def split_path(path: Sequence[str], here: str | None) -> tuple[list[str], list[str]]:
    """Return the entries of `path` to trust, and those that are the working directory `here`."""
    inside = [entry for entry in path if not entry or os.path.realpath(entry) == here]
    return [entry for entry in path if entry not in inside], inside if here else []


def shadowed_by(module: str, metadata: str, here: str | None) -> str:
    """Return the file in the working directory `here` that `module` would be imported from; empty when it comes from elsewhere.

    Args:
        module: dotted name; only its first part is looked up, and nothing is imported.
        metadata: folder of its distribution's metadata.
        here: real path of the working directory, or None.
    """
    origin = next(iter(origins(module.partition(".")[0])), "")
    if not origin or here is None or str(Path(origin).resolve().parent) != here:
        return ""
    editable = editable_root(metadata)
    return "" if editable and os.path.commonpath([editable, here]) == editable else origin


def origins(top: str) -> tuple[str, ...]:
    """Return the file that a top-level module would be imported from, or the folders of a top-level package; nothing is imported."""
    from importlib.util import find_spec

    spec = getattr(sys.modules[top], "__spec__", None) if top in sys.modules else find_spec(top)
    if spec is None:
        return ()
    return (*(spec.submodule_search_locations or ()),) or ((spec.origin,) if spec.origin else ())


def editable_root(metadata: str) -> str:
    """Return the real path of the project that a distribution was installed from in editable mode; empty when it was not."""
    import json
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        direct = json.loads(Path(metadata, "direct_url.json").read_text(encoding="utf-8"))
        editable, url = direct["dir_info"]["editable"], str(direct["url"])
    except (OSError, ValueError, KeyError, TypeError):  # most distributions have no such file, and one that is off proves nothing
        return ""
    return os.path.realpath(url2pathname(urlsplit(url).path)) if editable is True else ""
