"""What a request says, as it may be kept: its URL without secrets, and every string in it, decoded, so that an echo is known as one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from urllib.parse import SplitResult, quote, unquote, unquote_plus, urlsplit, urlunsplit

__all__ = ["origin", "safe_url", "strings"]

_Redact = Callable[[str], str]
_UNENCODED = "[]"  # around the name of a secret


def origin(url: str) -> str:
    """Return scheme, host and port of a URL, for a message."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{_host(parts)}"


def safe_url(url: str, redact: _Redact) -> str:
    """Return `url` without user info and fragment, and with the names of secrets in the place of their values.

    A client encodes a value as it likes, so that a secret is also looked for in what each part decodes to.
    """
    parts = urlsplit(url)
    path = _cleaned(redact(parts.path), unquote, redact, safe=f"/{_UNENCODED}")
    pairs = redact(parts.query).split("&")
    query = "&".join("=".join(_cleaned(half, unquote_plus, redact) for half in pair.split("=", 1)) for pair in pairs)
    return urlunsplit((parts.scheme, _host(parts), path, query, ""))


def strings(url: str, content_type: str, body: bytes, redact: _Redact) -> tuple[str, ...]:
    """Return every string of a request, decoded: parts of the path, values of the query and of a form, string leaves of a JSON body.

    A body of another kind is one string. Each comes once, with the names of secrets in the place of their values; the URL is a safe one.
    """
    parts = urlsplit(url)
    found = [*map(unquote, parts.path.split("/")), *_values(parts.query), *_in_body(content_type, body)]
    return tuple(dict.fromkeys(redact(string) for string in found if string.strip()))


def _host(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _cleaned(part: str, decode: Callable[[str], str], redact: _Redact, *, safe: str = _UNENCODED) -> str:
    decoded = decode(part)
    return part if (redacted := redact(decoded)) == decoded else quote(redacted, safe=safe)


def _values(query: str) -> Iterator[str]:
    """Yield the value of each pair, or the name where there is none."""
    for pair in query.split("&"):
        name, equals, value = pair.partition("=")
        yield unquote_plus(value if equals else name)


def _in_body(content_type: str, body: bytes) -> Iterator[str]:
    text = body.decode("utf-8", "replace")
    if content_type.partition(";")[0].strip().lower() == "application/x-www-form-urlencoded":
        yield from _values(text)
        return
    try:
        yield from _leaves(json.loads(text))
    except (ValueError, RecursionError):
        yield text


def _leaves(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for member in value:  # pyright: ignore[reportUnknownVariableType]
                yield from _leaves(member)  # pyright: ignore[reportUnknownArgumentType]
        case dict():
            for member in value.values():  # pyright: ignore[reportUnknownVariableType]
                yield from _leaves(member)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return
