"""Which column or member of a record holds which field: as the operator's map says, else by the names that are common.

A field that was guessed and turns out to hold something else than a value (an object, a fraction) is left out; one that the operator named
is not, so that the host refuses it and says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from veridical_contract import FieldMap, Projection, Record, UnreadableError

__all__ = ["Chosen", "Columns"]

_Look = Callable[[Record, Mapping[str, str]], dict[str, str]]

_COMMON: Final[dict[str, tuple[str, ...]]] = {
    "text": ("text", "body", "content", "comment", "message", "review", "selftext", "answer", "description"),
    "url": ("url", "link", "permalink", "html_url", "web_url", "uri", "href"),
    "title": ("title", "subject", "headline"),
    "author": ("author_id", "user_id", "account_id", "owner_user_id", "author", "user", "username", "user_name", "login", "screen_name"),
    "author_name": ("author_name", "display_name", "user_display_name", "author", "user", "username", "user_name"),
    "published": (
        "published", "published_at", "created", "created_at", "created_utc", "date", "datetime", "timestamp", "posted_at", "time",
    ),
}  # fmt: skip
_FORMAT: Final = ("text_format", "body_format", "format", "markup", "content_type", "mime_type")
_FORMATS: Final[dict[str, Projection]] = {
    "commonmark": "markdown",
    "gfm": "markdown",
    "html": "html",
    "markdown": "markdown",
    "markdown-inline": "markdown",
    "md": "markdown",
    "plain": "plain",
    "text": "plain",
    "text/html": "html",
    "text/markdown": "markdown",
    "text/plain": "plain",
    "xhtml": "html",
}
_TAGS: Final = "a|b|blockquote|br|code|div|em|h[1-6]|i|li|ol|p|pre|span|strong|table|u|ul"
_HTML_START: Final = re.compile(rf"\s*<(?:!doctype\s|html\b|(?:{_TAGS})(?:\s[^<>]*)?/?>)", re.IGNORECASE)
_HTML_PAIR: Final = re.compile(rf"<({_TAGS})(?:\s[^<>]*)?>[^<>]*</\1\s*>", re.IGNORECASE)
_LOOKED_AT: Final = 20_000


class Chosen(NamedTuple):
    """Where the fields of one record stand."""

    pointers: dict[str, str]
    projection: Projection


class Columns:
    """Chooses for the records of one file.

    Args:
        look: gives values of a record.
        mapped: the operator's map.
    """

    def __init__(self, look: _Look, mapped: FieldMap | None) -> None:
        self._look = look
        self._map = dict(mapped.fields) if mapped is not None else {}
        self._projection: Projection | None = mapped.projection if mapped is not None else None
        self._shapes: dict[tuple[tuple[str, str], ...], tuple[dict[str, str], dict[str, str]]] = {}

    def choose(self, record: Record) -> Chosen:
        """Return where the fields of `record` stand; without `text` when it has none."""
        shape = tuple(record.names.items())
        if shape not in self._shapes:
            self._shapes[shape] = self._pointers(record)
        pointers, kind = self._shapes[shape]
        # What was guessed is tried; what the operator named is the host's to judge.
        tried = {name: pointer for name, pointer in pointers.items() if name == "text" or not self._map}
        values = self._values(record, tried | kind)
        if not self._map:
            pointers = {name: pointer for name, pointer in pointers.items() if name == "text" or name in values}
        return Chosen(pointers, self._projection or _projection(values.get("text", ""), values.get("format", "")))

    def _pointers(self, record: Record) -> tuple[dict[str, str], dict[str, str]]:
        """Return the pointers of the fields, and of the member that says how the text is marked up."""
        names = {_plain(name): pointer for name, pointer in reversed(record.names.items())}
        kind = next((names[name] for name in _FORMAT if name in names), None)
        return (self._mapped(record, names) if self._map else _guessed(names)), {} if kind is None else {"format": kind}

    def missing(self, record: Record) -> str:
        """Return, in one line, why no text was found in a file whose first record is `record`, and what to type."""
        if not record.names:
            return "its records have no named columns or members, so there is no text to point at"
        wanted = self._map.get("text")
        why = f"there is no column {wanted!r}" if wanted is not None else "no column has a name that means text"
        values = self._values(record, record.names)
        likely = max(record.names, key=lambda name: len(values.get(name, "")))
        return f"{why}; its columns are {_listed(list(record.names))}: add --map text={likely}"

    def _mapped(self, record: Record, names: Mapping[str, str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for field, name in self._map.items():
            pointer = name if record.format == "json" and name.startswith("/") else record.names.get(name, names.get(_plain(name)))
            if pointer is not None:
                found[field] = pointer
        return found

    def _values(self, record: Record, pointers: Mapping[str, str]) -> dict[str, str]:
        """Return what stands at `pointers`; where something is no value, the others."""
        try:
            return self._look(record, pointers)
        except UnreadableError:
            found: dict[str, str] = {}
            for name, pointer in pointers.items():
                try:
                    found |= self._look(record, {name: pointer})
                except UnreadableError:
                    continue
            return found


def _guessed(names: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, common in _COMMON.items():
        pointer = next((names[name] for name in common if name in names and names[name] not in found.values()), None)
        if pointer is not None:
            found[field] = pointer
    return found


def _projection(text: str, written: str) -> Projection:
    named = _FORMATS.get(written.lower().split(";")[0].strip())
    if named is not None:
        return named
    head = text[:_LOOKED_AT]
    return "html" if _HTML_START.match(head) or _HTML_PAIR.search(head) else "plain"


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip()).lower()


def _listed(names: list[str]) -> str:
    shown = ", ".join(" ".join(name.split())[:40] for name in names[:12])
    return shown if len(names) <= 12 else f"{shown} and {len(names) - 12} more"
