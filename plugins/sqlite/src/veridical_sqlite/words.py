"""What is indexed of a passage, and what is looked up for a query: one folding for both.

SQLite's `unicode61` cuts words, folds case and diacritics, and `porter` takes English endings off. Before that, text that is not ASCII is
folded here: compatibility forms (full width, ligatures), vowel points and invisible characters, which readers leave out of a query.

Scripts that set no spaces would be one word a line. They are indexed as overlapping pairs of characters, with the last one of a
run by itself, so that a single character is found as the beginning of a word. Offsets never come from here: only candidates do.
"""

from __future__ import annotations

import json
import re
import unicodedata

# Soft hyphen, zero-width characters and direction marks, Hebrew points, Arabic harakat and tatweel.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]+")
# Thai, Lao, Tibetan, Myanmar, Khmer, kana, Bopomofo, Han, Hangul syllables (which set spaces, but glue particles to words).
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def indexed(title: str | None, text: str) -> str:
    """Return the words of a passage as the index takes them; the title of its document goes with every passage."""
    return _spaced(_folded(f"{title}\n{text}" if title else text), alone=True)


def follow_from(body: bytes, title: str | None, text: str) -> bool:
    """Whether `of_body` returns the words of any passage: `body` holds both fields, and no table of Unicode has a say in their words."""
    return text.isascii() and (title is None or title.isascii()) and _field("text", text) in body and _field("title", title) in body


def of_body(body: bytes, start: int, end: int) -> str:
    """Return the words of a passage, made anew from the body of its document.

    Raises:
        ValueError: `body` is damaged.
        TypeError: the same.
        LookupError: the same.
    """
    fields = json.loads(body)
    return indexed(fields["title"], fields["text"][start:end])


def looked_up(query: str) -> list[str]:
    """Return the terms of `query`, each once, in their order, as quoted FTS5 strings: no query syntax can be in them."""
    terms: dict[str, None] = {}
    for word in _spaced("".join(c if _in_word(c) else " " for c in _folded(query)), alone=False).split():
        single = len(word) == 1 and _UNSPACED.match(word)
        terms[f'"{word}" *' if single else f'"{word}"'] = None
    return list(terms)


def _field(name: str, value: str | None) -> bytes:
    return f'"{name}":{json.dumps(value)}'.encode()


def _folded(text: str) -> str:
    return text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFKC", text.casefold()))


def _spaced(text: str, *, alone: bool) -> str:
    if text.isascii():
        return text
    return _UNSPACED.sub(lambda run: f" {' '.join(_pairs(run.group(), alone=alone))} ", text)


def _pairs(run: str, *, alone: bool) -> list[str]:
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    return [*pairs, run[-1]] if alone or not pairs else pairs


def _in_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in {"Mn", "Mc", "Me", "Co"}
