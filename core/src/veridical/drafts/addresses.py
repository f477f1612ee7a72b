"""Addresses in a draft: bare ones in its prose, and which of all can be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["bare_addresses", "is_checkable", "shows_address"]

_UNSEEN: Final = "[\u00ad\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff]*+"
_BARE: Final = re.compile(
    f'(?<![\\w@])(?:{_UNSEEN.join("http")}{_UNSEEN}s?{_UNSEEN}:{_UNSEEN}/{_UNSEEN}/|www\\.(?=[^\\W_]))[^\\s<>"\\x00-\\x1f\u201c\u201d\u201e\u00ab\u00bb\u300c-\u300f\u3001\u3002\uff0c\uff09\ufffc`]+',
    re.IGNORECASE,
)
# Where a browser goes (URL Standard, 4.4): slashes may lean the other way, be missing or too many, and tabs and line feeds count nothing.
_PASSED_OVER: Final = re.compile(r"[\t\r\n]|\A[\x00-\x20]+")
_LEADS_AWAY: Final = re.compile(
    r"https?:[/\\]*[^/\\?#]|[/\\]{2,}[^/\\?#]|(?:ftps?|sftp|wss?|gopher|ipfs|data|blob|vbscript|view-source):|"
    r"javascript:(?!\s*(?:void\b|return\b|;|//|\Z))",
    re.IGNORECASE,
)
# A host with a top-level domain, and a path: `Node.js` and `README.md` are none.
_SHOWN: Final = re.compile(r"(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?::\d{1,5})?/[^\s\ufffc]*")
_TRAILING: Final = frozenset(".,;:!?'*_~\u2019\u2018\u2026\\|")
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}


def is_checkable(address: str) -> bool:
    """Whether an address leads away, as browsers read it: not to a mailbox, a place in this draft, or a file beside it."""
    return _LEADS_AWAY.match(_PASSED_OVER.sub("", address)) is not None


def shows_address(label: str) -> bool:
    """Whether the text of a link is an address without its scheme (`site.example/page`)."""
    return _SHOWN.fullmatch(label) is not None


def bare_addresses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of addresses that stand in `text[start:end]` as they are, without the punctuation of the sentence after them."""
    for found in _BARE.finditer(text, start, end):
        stop = found.start() + _length(found[0])
        if is_checkable(text[found.start() : stop]) or "." in text[found.start() + 4 : stop]:
            yield found.start(), stop


def _length(address: str) -> int:
    """Return how much of `address` is the address: no mark at its end, no bracket that it does not open (GFM 6.9)."""
    balance = {opening: address.count(opening) - address.count(closing) for closing, opening in _BRACKETS.items()}
    end = len(address)
    while end:
        last = address[end - 1]
        opening = _BRACKETS.get(last)
        if opening is not None and balance[opening] < 0:
            balance[opening] += 1
        elif last in _BRACKETS.values():
            balance[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return end
