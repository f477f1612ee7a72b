"""URLs of rows: a template whose slots are columns.

    https://tickets.example.com/t/{id}      ->  https://tickets.example.com/t/4711

A slot fills a part of one path segment or of one query value, whatever stands in the column: scheme, host and all that lies between are
the operator's own. What a slot cannot hold (nothing, or a path of dots) leaves the template as it is, which the host refuses as a URL: the
row stays, and the refusal is counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

__all__ = ["UrlTemplate"]

_START = re.compile(r"https?://[^\s/?#{}@\\]+(?=[/?])")
_SLOT = re.compile(r"\{([^{}]+)\}")


class UrlTemplate:
    """A URL with columns in braces.

    Args:
        template: as the operator wrote it.

    Attributes:
        columns: that its slots name, in their order.

    Raises:
        ValueError: a slot stands where it could choose another place than the operator's.
    """

    def __init__(self, template: str) -> None:
        self._template = template
        self.columns = tuple(dict.fromkeys(_SLOT.findall(template)))
        start = _START.match(template)
        if start is None or not self.columns:
            raise ValueError(f'url_template {template!r}: expected a whole address with a slot, as "https://tickets.example.com/t/{{id}}"')
        rest, _, fragment = template[start.end() :].partition("#")
        _, _, query = rest.partition("?")
        names = [parameter.partition("=")[0] for parameter in query.split("&")]
        if {"{", "}"} & set(_SLOT.sub("", template)):
            raise ValueError(f"url_template {template!r}: a brace without its other; expected {{COLUMN}}")
        if "{" in fragment or any("{" in name for name in names):
            raise ValueError(f"url_template {template!r}: a slot may stand in a path segment or in the value of a query parameter only")

    def filled(self, values: Mapping[str, str | None]) -> str:
        """Return the URL of a row; the template itself when a slot cannot be filled.

        Args:
            values: column to what stands in it.
        """
        escaped = {name: _escaped(values[name]) for name in self.columns}
        if None in escaped.values():
            return self._template
        path, mark, query = self._template.partition("?")
        segments = [_SLOT.sub(lambda slot: escaped[slot[1]] or "", segment) for segment in path.split("/")]
        if {".", ".."} & set(segments):
            return self._template
        return "/".join(segments) + mark + _SLOT.sub(lambda slot: escaped[slot[1]] or "", query)


def _escaped(value: str | None) -> str | None:
    """Return `value` with everything escaped that is not unreserved (RFC 3986 2.3); None when no page can be named by it."""
    if value is None or not value.strip() or any(character < " " or character == "\x7f" for character in value):
        return None
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:  # a lone surrogate
        return None
