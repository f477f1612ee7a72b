"""The operator's query: one SELECT, and the same with a place to go on from.

A mistake is found here before anything is sent. What keeps a database from being changed is its own read-only mode: see `_connection`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, TextClause, and_, column, or_, select, text

__all__ = ["after", "checked_select", "gaps", "whole"]

_PART = re.compile(
    r"""
      '(?:[^']|'')*'                      # a string
    | "(?:[^"]|"")*"                      # an identifier
    | `[^`]*`                             # an identifier of MySQL
    | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$     # a string of PostgreSQL
    | --[^\n]*                            # comments; a hint (/*+ ... */) is none
    | /\*(?!\+).*?\*/
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_BEGINS = re.compile(r"[\s(]*(select|with)\b", re.IGNORECASE)
_COMMENTS = ("--", "/*")
_ROWS = "veridical_rows"


def checked_select(query: str) -> str:
    """Return `query` without comments at its begin and without a semicolon at its end.

    Raises:
        ValueError: it is not one statement that begins with SELECT or WITH.
    """
    bare = "".join(" " if part.startswith(_COMMENTS) and not part.startswith("/*+") else part for part in _parts(query)).strip()
    kept = bare.rstrip("; \t\r\n")
    if _BEGINS.match(kept) is None:
        first = kept.split(maxsplit=1)[0][:20] if kept else "nothing"
        raise ValueError(f"query: it begins with {first}; expected one SELECT")
    if ";" in _parts(kept):
        raise ValueError("query: it has more than one statement; expected one SELECT")
    return kept


def _parts(query: str) -> list[str]:
    """Return strings, identifiers in quotes and comments, each as one; every other character by itself."""
    return [found[0] for found in _PART.finditer(query)]


def whole(query: str) -> TextClause:
    """Return the query as it is to be sent, every character of it the operator's."""
    return text(_literal(query))


def after(query: str, incremental: str, key: str, last: Sequence[object] | None) -> Select[Any]:
    """Return the rows of `query` in the order of (`incremental`, `key`), those alone that come after the pair `last`."""
    grows, names = _column(incremental), _column(key)
    rows = select(text("*")).select_from(_rows_of(query)).order_by(grows, names)
    if last is None:
        return rows
    value, name = last
    return rows.where(or_(grows > value, and_(grows == value, names > name)))


def gaps(query: str, incremental: str, key: str) -> Select[Any]:
    """Return a row when the query has one without a value in either column: nobody could say when it was read."""
    found = or_(_column(incremental).is_(None), _column(key).is_(None))
    return select(text("1")).select_from(_rows_of(query)).where(found).limit(1)


def _rows_of(query: str) -> TextClause:
    return text(f"(\n{_literal(query)}\n) {_ROWS}")


def _column(name: str) -> ColumnElement[Any]:
    return column(name)


def _literal(query: str) -> str:
    """Return `query` so that no colon of it stands for a parameter."""
    return checked_select(query).replace(":", r"\:")
