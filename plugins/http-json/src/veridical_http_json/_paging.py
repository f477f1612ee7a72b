"""The request of each page, and what says that there is a next one."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from pydantic import JsonValue
from veridical_contract import ProviderError

from ._cursor import Value
from ._pointers import at, filled
from ._settings import Declaration

__all__ = ["Asking", "asking", "following"]


@dataclass(frozen=True, slots=True)
class Asking:
    """A request.

    Attributes:
        url: of it.
        query: its parameters; None when they stand in `url`.
        body: sent as JSON; None for none.
    """

    url: str
    query: dict[str, str] | None
    body: dict[str, JsonValue] | None


def asking(declared: Declaration, place: Value | None, since: Value | None) -> Asking:
    """Return the request of the page at `place`, None for the first, for what is no less than `since`."""
    query = {name: _text(value) for name, value in declared.query.items()}
    body = declared.body
    if declared.incremental.parameter and since is not None:
        query, body = _with(query, body, declared.incremental.parameter, since)
    paging = declared.paging
    if paging.kind == "next-url":
        later = Asking(str(place), None, body if declared.method == "POST" else None)
        return later if place is not None else Asking(declared.url, query, body if declared.method == "POST" else None)
    if paging.kind in ("page", "offset") and place is None:
        place = paging.first if paging.kind == "page" else 0
    if place is not None:
        query, body = _with(query, body, paging.parameter, place)
    return Asking(declared.url, query, body if declared.method == "POST" else None)


def following(declared: Declaration, reply: JsonValue, place: Value | None, records: int) -> Value | None:
    """Return the place of the page after `reply`, which is the page at `place` and holds `records`; None when there is none.

    Raises:
        ProviderError: the next page would be asked for somewhere else.
    """
    paging = declared.paging
    if paging.kind == "none" or (paging.more and not at(reply, paging.more)):
        return None
    if paging.kind in ("page", "offset"):
        if not records or records < paging.size:
            return None
        here = place if isinstance(place, int) else (paging.first if paging.kind == "page" else 0)
        return here + (1 if paging.kind == "page" else paging.size)
    found = at(reply, paging.pointer)
    if found is None or found == "" or found is False:
        return None
    if not isinstance(found, (str, int)):
        raise ProviderError(f"What stands at {paging.pointer} is no {paging.kind}: {found!r:.50}.", failure="malformed")
    return found if paging.kind == "cursor" else _next_url(declared, str(found))


def _next_url(declared: Declaration, found: str) -> str:
    """Return the whole address of the next page, which has to lie where the operator said that all of them do."""
    base = (declared.base_url or declared.url).rstrip("/")
    try:
        url = urljoin(declared.url, found)
        parts, own = urlsplit(url), urlsplit(base)
        same = (parts.scheme, parts.hostname, parts.port) == (own.scheme, own.hostname, own.port) and "@" not in parts.netloc
        below = f"{parts.path}/".startswith(f"{own.path}/")
    except ValueError:
        same = below = False
        url = found
    if not (same and below):
        said = f"The next page would be asked for somewhere else than below {base}: {url:.200}."
        raise ProviderError(said, failure="malformed", hint="Set base_url where the pages lie elsewhere on the same host." if same else "")
    return url


def _with(query: dict[str, str], body: dict[str, JsonValue], parameter: str, value: Value) -> tuple[dict[str, str], dict[str, JsonValue]]:
    if parameter.startswith("/"):
        return query, filled(body, parameter, value)
    return {**query, parameter: _text(value)}, body


def _text(value: str | int | bool) -> str:  # noqa: FBT001 - a value of a table
    return str(value).lower() if isinstance(value, bool) else str(value)
