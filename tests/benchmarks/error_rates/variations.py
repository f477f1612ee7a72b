"""Six harmless variations: the words are the same, and must be kept. Each gives the words, and the document as it was recorded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from random import Random

__all__ = ["VARIATIONS", "Variation"]

Variation = Callable[[Random, str, str], tuple[str, str] | None]

_OPENING = (
    "The",
    "This",
    "That",
    "These",
    "There",
    "It",
    "If",
    "You",
    "We",
    "They",
    "What",
    "When",
    "Where",
    "How",
    "In",
    "But",
    "And",
    "So",
    "Some",
    "As",
)
_BREAKABLE = re.compile(r"(?<![\w-])[a-z]{6,}(?![\w-])")
# Where a typesetter breaks: between two consonants that stand between vowels, unless the two are one sound.
_BREAK = re.compile(r"(?<=\w[aeiouy][b-df-hj-np-tv-xz])(?=[b-df-hj-np-tv-xz][aeiouy]\w)")
_ONE_SOUND = re.compile(r"[cgpst]h|ck|qu|tr|br|cr|dr|fr|gr|pr|bl|cl|fl|gl|pl")


def _whitespace(rng: Random, quote: str, text: str) -> tuple[str, str] | None:
    return re.sub(" ", lambda _: rng.choice((" ", " ", "  ", "\n", "\t", "\u00a0")), quote), text


def _typography(rng: Random, quote: str, text: str) -> tuple[str, str] | None:
    curled = re.sub(r"(?<=\w)'(?=\w)", "\u2019", quote)
    curled = re.sub(r'"([^"]*)"', "\u201c\\1\u201d", curled)
    curled = re.sub(r" - ", " \u2013 ", curled).replace("...", "\u2026")
    straight = quote.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2013: "-", 0x2014: "-"}).replace("\u2026", "...")
    return curled if curled != quote else straight, text


def _normal_form(rng: Random, quote: str, text: str) -> tuple[str, str] | None:
    apart = unicodedata.normalize("NFD", quote)
    return apart if apart != quote else unicodedata.normalize("NFC", quote), text


def _hyphenation(rng: Random, quote: str, text: str) -> tuple[str, str] | None:
    """A page that broke a word at the end of a line; whoever quotes it writes the word whole."""
    within = [range(word.start(), word.end()) for word in _BREAKABLE.finditer(quote)]
    places = [found.start() for found in _BREAK.finditer(quote) if any(found.start() in word for word in within)]
    places = [at for at in places if _ONE_SOUND.match(quote, at - 1) is None]
    if not places or text.count(quote) != 1 or text[text.rfind("\n", 0, text.index(quote)) + 1 :].startswith(">"):
        return None
    at = rng.choice(places)
    return quote, text.replace(quote, f"{quote[:at]}-\n{quote[at:]}")


def _sentence_case(rng: Random, quote: str, text: str) -> tuple[str, str] | None:
    """A sentence taken into another one, or a part of one made into a sentence."""
    if quote.split()[0] in _OPENING:
        return quote[0].lower() + quote[1:], text
    cut = re.search(r"(?<=, )(?:but|and|so|because|if|which|that|it|you|they|there)(?= \w+ \w)", quote)
    return (quote[cut.start()].upper() + quote[cut.start() + 1 :], text) if cut is not None else None


def _outer_ellipsis(rng: Random, quote: str, text: str) -> tuple[str, str] | None:
    before, after = rng.choice((("...", ""), ("", " ..."), ("\u2026 ", "\u2026"), ("[...] ", ""), ("", " [\u2026]"), ("... ", " ...")))
    return f"{before}{quote}{after}", text


VARIATIONS: dict[str, Variation] = {
    "white space": _whitespace,
    "typographic quotes and dashes": _typography,
    "composed or decomposed letters": _normal_form,
    "word broken at a line's end": _hyphenation,
    "case at a sentence's start": _sentence_case,
    "outer ellipsis": _outer_ellipsis,
}
