"""Write the table of the wire maps of the plugins in this repository: `python -m tools.wire_maps`.

A plugin's maps are those that it has with its default settings, with a key that is none. A test holds the page against the plugins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from veridical.context import Host, HostContext
from veridical.discovery import Allow, Loaded, catalogue, load
from veridical.homes import Home
from veridical.kernel.wire import map_fingerprint
from veridical.wire.reading import Reader
from veridical_contract import WireMap

__all__ = ["PAGE", "Maps", "found", "main", "page"]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "wire-maps.md"

Maps = Mapping[str, WireMap]
"""The maps of a plugin, by name; "" for one alone."""

_HEAD = """# Wire maps

<!-- Written by python -m tools.wire_maps; run it again instead of editing. -->

Where each provider's reply holds what a hit is made of, as the plugins of this repository declare it with their default settings. Pointers
are RFC 6901, `*` stands for any member or index; of HTML they are selectors. What stands anywhere else in a reply is no evidence, whatever
it says: see [the wire record](../explanation/wire-record.md).
"""
_VARIABLES: tuple[str, ...] = (
    "ANTHROPIC_API_KEY",
    "BRAVE_SEARCH_API_KEY",
    "EXA_API_KEY",
    "GEMINI_API_KEY",
    "OPENAI_API_KEY",
    "TAVILY_API_KEY",
)
_TABLES: dict[str, dict[str, object]] = {"duckduckgo": {"allowed": True}, "searxng": {"base_url": "https://searxng.example"}}


def page() -> str:
    """Return the page."""
    sections = [_section(kind, name, maps) for kind, name, maps in found()]
    return "\n".join([_HEAD, *sections])


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


def found() -> Iterator[tuple[str, str, Maps]]:
    """Yield kind, name and wire maps of the chat and search plugins of this repository."""
    with TemporaryDirectory() as folder:
        home = Home.below(Path(folder))
        environment = dict.fromkeys(_VARIABLES, "not-a-key")
        host = Host(home=home, files=Reader(), environment=environment, clock=lambda: datetime.now(UTC), tables=_TABLES)
        ours = {folder.name for folder in (PAGE.parents[2] / "plugins").iterdir()}
        for listing in catalogue(Allow(enabled=frozenset(ours))):
            if listing.distribution.removeprefix("veridical-") in ours and listing.kind in ("chat", "search"):
                context = HostContext(listing.name, host, cancelled=lambda: False)
                loaded = load(listing, context)
                if isinstance(loaded, Loaded) and loaded.wire:
                    yield listing.kind, listing.name, loaded.wire


def _section(kind: str, name: str, maps: Maps) -> str:
    lines = [f"## {name} ({kind})", "", f"Fingerprint `{map_fingerprint(maps)[:16]}`.", "", "| | " + " | ".join(map(_named, maps)) + " |"]
    lines.append("| --- |" + " --- |" * len(maps))
    rows = {key: [_cell(getattr(wire, key)) for wire in maps.values()] for key in WireMap.model_fields}
    lines += [f"| {key} | {' | '.join(cells)} |" for key, cells in rows.items() if any(cells)]
    return "\n".join([*lines, ""])


def _named(name: str) -> str:
    return f"`{name}`" if name else "the map"


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"`{each}`" for each in cast("tuple[Any, ...]", value))
    if isinstance(value, dict):
        return ", ".join(f"`{key}`: `{each}`" for key, each in cast("dict[str, str]", value).items())
    return f"`{value}`" if value is not None else ""


if __name__ == "__main__":
    main()
