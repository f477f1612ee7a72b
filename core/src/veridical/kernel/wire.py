"""The wire rule: a hit is evidence when a whole, successful reply, which the host recorded, holds it where the approved map says.

    place named by the plugin + approved map + recorded exchange --prove--> how every field follows from the reply's bytes
    text, title or URL that repeats the request --is_echo--> not the provider's word, and refused

"Occurs somewhere in the bytes" is no such rule: a prefix, an echo of the query, a model's prose and another hit's text all occur.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import unquote, urlsplit

from veridical_contract import Derivation, Model, WireMap, WirePlace

from .canonical import canonical_bytes, digest
from .derivation import DerivationRefused, values_at
from .policy import Policy
from .replies import Element, elements, is_composed

__all__ = ["EchoTable", "Exchange", "WireRefused", "is_echo", "map_fingerprint", "prove"]

_OK = range(200, 300)
_PARTIAL = 206  # a part that the asker chose is not the reply
_SLOT = re.compile(r"\{([^{}]+)\}")
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)((?:\.[A-Za-z0-9_-]+)*)(?:@([a-z][a-z0-9-]*))?")
# Scripts that are written without spaces between words: each character counts by itself.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_INSIDE_WORDS = frozenset(["Mn", "Me", "Cf"])  # accents once they are apart, soft hyphens, joiners, direction marks


class WireRefused(ValueError):  # noqa: N818 - the name says what happened to the hit
    """A hit is not on the wire. `rule` says why; `text` is for the operator's log."""

    def __init__(self, rule: str, text: str = "") -> None:
        super().__init__(rule)
        self.rule = rule
        self.text = text


class EchoTable(Model):
    """How much no honest snippet shares with its query by chance; a character of a script without spaces counts as half a word.

    Attributes:
        run: words in a row.
        part: words in a row that are too few by themselves, but add up.
        share: per cent of all words that may not stand in such parts.
    """

    run: int
    part: int
    share: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its reply as the host recorded them.

    Attributes:
        url: of the request, without secrets.
        asked: every string of the request, decoded: parts of the path, values of the query, of a form, of a JSON body.
        status: of the reply; None when there was none.
        whole: it was read to its end, or to the event that ends a stream.
        body: of the reply, content codings undone.
        encoding: Python name of its character encoding.
    """

    url: str
    asked: tuple[str, ...]
    status: int | None
    whole: bool
    body: bytes
    encoding: str = "utf-8"


def map_fingerprint(maps: Mapping[str, WireMap]) -> str:
    """Return the SHA-256 of a plugin's wire maps: what the operator approves."""
    return digest(canonical_bytes({name: wire.model_dump(mode="json") for name, wire in maps.items()}))


def prove(wire: WireMap, place: WirePlace, exchange: Exchange) -> Derivation:
    """Return how the fields of the hit at `place` follow from the reply.

    Raises:
        WireRefused: `wire-origin`, `wire-status`, `wire-cut`: the reply is none of the map's, no success, or not whole;
            `wire-place`: the map does not call that a hit, or a text; `wire-url`: the hit has no URL where the map says, or a slot of
            its template holds what may not stand there.
    """
    if not _below(exchange.url, wire.base_url):
        raise WireRefused("wire-origin", exchange.url)
    if exchange.status not in _OK:
        raise WireRefused("wire-status", str(exchange.status))
    if not exchange.whole or exchange.status == _PARTIAL:
        raise WireRefused("wire-cut", exchange.url)
    pointers = _in_page(wire, place, exchange) if wire.layout == "html" else _in_json(wire, place)
    derivation = Derivation(format=wire.layout, encoding=exchange.encoding, projection=wire.projection, pointers=pointers)
    _check_url(wire, place, exchange.body, derivation)
    return derivation


def is_echo(words: str, asked: Iterable[str], *, policy: Policy) -> bool:
    """Whether `words` repeat a string of the request: all of them, a run of them that is too long for chance, or too many short runs.

    Case, accents, compatibility forms, percent-encoding and what stands between words make no difference.
    """
    table = policy.table("echo", EchoTable)
    said = _tokens(words)
    return bool(said) and any(_repeats(said, string, table) for string in map(_tokens, asked))


def _below(url: str, base: str) -> bool:
    try:
        one, other = urlsplit(url), urlsplit(base)
        same = (one.scheme, one.hostname, one.port) == (other.scheme, other.hostname, other.port)
    except ValueError:
        return False
    if "@" in one.netloc + other.netloc or ".." in re.split(r"[/\\]", unquote(one.path)):
        return False
    return same and f"{one.path}/".startswith(f"{other.path.rstrip('/')}/")


def _in_json(wire: WireMap, place: WirePlace) -> dict[str, str]:
    """Return the pointer of each field of the map, of a hit that its pattern allows."""
    allowed = _matches(place.item, wire.item) and (place.text is None or any(_matches(place.text, text) for text in wire.text))
    # A member whose name holds a brace would end the slot of a template, and put its own name into the URL.
    if not allowed or "{" in place.item or "}" in place.item:
        raise WireRefused("wire-place", f"{place.item} {place.text}")
    named = {"title": wire.title, "author": wire.author, "author_name": wire.author_name, "published": wire.published, "text": place.text}
    found = {name: f"{place.item}/{pointer}" for name, pointer in named.items() if pointer is not None}
    if is_composed(wire.url):
        return found | {"url": _SLOT.sub(lambda slot: f"{{{place.item}/{slot[1]}}}", wire.url)}
    return found | {"url": f"{place.item}/{wire.url}"}


def _matches(pointer: str, pattern: str) -> bool:
    """Whether `pointer` is one that `pattern` allows: the same tokens, any single one for `*`."""
    given, allowed = pointer.split("/"), pattern.split("/")
    return len(given) == len(allowed) and all(one in (token, "*") for token, one in zip(given, allowed, strict=True))


def _in_page(wire: WireMap, place: WirePlace, exchange: Exchange) -> dict[str, str]:
    """Return the pointer of each field of the map, as numbers of start tags, in the hit of that number."""
    try:
        page = elements(exchange.body.decode(exchange.encoding))
    except (ValueError, LookupError, AssertionError):  # what is no text in the encoding, and a reference of too many digits
        raise WireRefused("html-form") from None
    hits = [number for number, element in enumerate(page) if _selects(wire.item, element)]
    inside = {f"/{at}": range(number, page[number].last + 1) for at, number in enumerate(hits)}.get(place.item, range(0))
    # An element that holds another hit is not one hit; so is every one of a page whose elements are not closed.
    if sum(number in inside for number in hits) != 1 or (place.text is not None and place.text not in wire.text):
        raise WireRefused("wire-place", f"{place.item} {place.text}")
    named = {"title": wire.title, "author": wire.author, "author_name": wire.author_name, "published": wire.published, "text": place.text}
    found = {name: _first(page, inside, selector) for name, selector in named.items() if selector is not None}
    if is_composed(wire.url):
        found["url"] = _SLOT.sub(lambda slot: f"{{{_first(page, inside, slot[1])}}}", wire.url)
    else:
        found["url"] = _first(page, inside, wire.url) or ""
    return {name: pointer for name, pointer in found.items() if pointer is not None}


def _first(page: Sequence[Element], inside: range, selector: str) -> str | None:
    number = next((number for number in inside if _selects(selector, page[number])), None)
    _, at, attribute = selector.partition("@")
    return None if number is None else f"{number}{at}{attribute}"


def _selects(selector: str, element: Element) -> bool:
    """Whether a compound selector, `tag.class.class`, an attribute after it or not, is true of an element."""
    parts = _SELECTOR.fullmatch(selector)
    if parts is None:
        return False
    return parts[1] == element.tag and set(parts[2].split(".")[1:]) <= set(element.attributes.get("class", "").split())


def _check_url(wire: WireMap, place: WirePlace, body: bytes, derivation: Derivation) -> None:
    try:
        url = derivation.pointers["url"]
        found = values_at(body, derivation, {"url": url, **{slot: slot for slot in _SLOT.findall(url)}})
    except DerivationRefused as error:
        raise WireRefused("wire-url" if is_composed(wire.url) else error.rule, place.item) from None
    slots = zip(_SLOT.findall(url), _SLOT.findall(wire.url), strict=True)
    if not found.get("url") or not all(re.fullmatch(wire.slots.get(name, "(?s:.*)"), found[slot]) for slot, name in slots):
        raise WireRefused("wire-url", place.item)


def _tokens(words: str) -> list[str]:
    apart = unicodedata.normalize("NFKD", unquote(words)).casefold()
    return _TOKEN.findall("".join(char for char in apart if unicodedata.category(char) not in _INSIDE_WORDS))


def _repeats(said: Sequence[str], asked: Sequence[str], table: EchoTable) -> bool:
    if f" {' '.join(said)} " in f" {' '.join(asked)} " or _shared(said, asked, table.run):
        return True
    return 100 * len(_shared(said, asked, table.part)) >= table.share * len(said)


def _shared(said: Sequence[str], asked: Sequence[str], words: int) -> set[int]:
    """Return the places in `said` of the tokens that stand in a run of `words` words which `asked` has too."""
    theirs = {run for _, run in _runs(asked, words)}
    return {at for start, run in _runs(said, words) if run in theirs for at in range(start, start + len(run))}


def _runs(tokens: Sequence[str], words: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield from each token on the shortest run that weighs at least `words` words, where there is one."""
    halves = list(accumulate((1 if re.fullmatch(f"[{_UNSPACED}]", token) else 2 for token in tokens), initial=0))
    for start in range(len(tokens)):
        end = bisect_left(halves, halves[start] + 2 * words)
        if end < len(halves):
            yield start, tuple(tokens[start:end])
