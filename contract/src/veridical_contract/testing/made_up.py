"""Replies that no provider sent: made from a wire map, so that whoever reads them can say what each hit holds.

Every hit has words of its own, in several scripts; of a map that speaks of HTML they hold markup and entities. Hits lie on three sites.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast
from urllib.parse import quote

from pydantic import JsonValue

from veridical_contract import WireMap

__all__ = ["HITS", "can_make_up", "made_up"]

HITS = 7
"""Hits of a reply."""

_SITES = ("www.example.com", "example.org", "docs.example.net")
_WORDS = (
    "A sheet of zinc lasts longer when the gutter behind it is kept free of leaves in autumn",
    "Nach dem Löten bleibt die Naht zwei Tage lang matt, danach glänzt sie wieder, so die Werkstatt",
    "Le couvreur a noté que une eau claire passe sous la tôle dès que le vent tourne",
    "屋根の勾配が緩いと、雨水は板の継ぎ目に溜まりやすくなる。",
    "Slate was cheaper by a third in that county until the quarry closed its northern pit",
    "Nobody had measured the pitch before: 22.5 degrees on one side, 23 on the other 🛠️",
    "Ένα φύλλο μολύβδου διαστέλλεται περισσότερο από ένα φύλλο χαλκού το καλοκαίρι",
)
_TITLES = ("Gutters in autumn", "Matte Nähte", "Sous la tôle", "緩い勾配", "Northern pit", "22.5 degrees", "Φύλλα μολύβδου")
_SLOT = re.compile(r"\{([^{}]+)\}")


def can_make_up(maps: Mapping[str, WireMap]) -> bool:
    """Whether replies can be made from the maps: those of JSON can."""
    return bool(maps) and all(wire.layout == "json" for wire in maps.values())


def made_up(maps: Mapping[str, WireMap], *, hits: int = HITS) -> bytes:
    """Return the reply that holds `hits` hits for every one of `maps`."""
    reply: JsonValue = {}
    for wire in maps.values():
        found = [_hit(wire, number) for number in range(hits)]
        reply = _merged(reply, _around(wire.item.split("/")[1:], found))
    return json.dumps(reply, ensure_ascii=False).encode()


def _around(tokens: list[str], hits: list[JsonValue]) -> JsonValue:
    """Return what holds `hits` at the pointer: all of them at its last `*`, one thing at those before."""
    if not tokens:
        return hits[0] if hits else {}
    first, *rest = tokens
    if first == "*" and "*" not in rest:
        return [_around(rest, [hit]) for hit in hits]
    inner = _around(rest, hits)
    return [inner] if first == "*" or first.isdecimal() else {_plain(first): inner}


def _merged(one: JsonValue, other: JsonValue) -> JsonValue:
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **{key: _merged(one[key], value) if key in one else value for key, value in other.items()}}
    if isinstance(one, list) and isinstance(other, list):
        longer = max(one, other, key=len)
        return [_merged(a, b) for a, b in zip(one, other, strict=False)] + longer[min(len(one), len(other)) :]
    return other


def _hit(wire: WireMap, number: int) -> JsonValue:
    words = _WORDS[number % len(_WORDS)] + (f" ({number})" if number >= len(_WORDS) else "")
    url = f"https://{_SITES[number % len(_SITES)]}/roofs/{number}?of={quote('ü')}"
    hit: JsonValue = {}
    for pointer, value in _url_fields(wire, url, number):
        hit = _merged(hit, _at(pointer, value))
    if wire.title is not None:
        hit = _merged(hit, _at(wire.title, _TITLES[number % len(_TITLES)]))
    for place, pointer in enumerate(wire.text):
        said = words if not place else f"{words.split()[0]} {place}: {words[::1]} once more, at another place of the page"
        hit = _merged(hit, _at(pointer, f"<b>{said}</b> &amp; more" if wire.projection == "html" else said))
    for field, value in (
        ("author", f"roofer-{number}"),
        ("author_name", f"Roofer {number}"),
        ("published", f"2025-03-{number % 28 + 1:02}"),
    ):
        if (pointer := cast("str | None", getattr(wire, field))) is not None:
            hit = _merged(hit, _at(pointer, value))
    return hit


def _url_fields(wire: WireMap, url: str, number: int) -> list[tuple[str, str]]:
    slots = _SLOT.findall(wire.url)
    if not slots:
        return [(wire.url, url)]
    if wire.url.startswith("?"):
        parameter = wire.url[1:].partition("=")[0]
        return [(slots[0], f"https://{_SITES[0]}/to?{parameter}={quote(url, safe='')}")]
    return [(slot, f"{4200 + number}") for slot in slots]


def _at(pointer: str, value: JsonValue) -> JsonValue:
    for part in reversed(pointer.split("/")):
        value = [value] if part == "*" or part.isdecimal() else {_plain(part): value}
    return value


def _plain(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")
