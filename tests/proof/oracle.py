"""A second opinion on quotes: slow, and written without the kernel. It shares no code, no table and no method with it.

    same_words    may these words be said to be those: a search over every way in which one could be read as the other
    torn          a cut that is wrong whatever the rules are: inside a grapheme cluster, a word or a number
    plainly_sound a cut that is right whatever the rules are: at a space of plain prose, or in a script without spaces

`same_words` is generous: it allows each declared fold anywhere, and says nothing of rules that narrow one. Between `torn` and
`plainly_sound` lies what only the rules decide. Characters are known from `unicodedata` and from the `regex` package.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import regex

__all__ = ["levels", "plainly_sound", "same_words", "torn", "words_enough"]

_CLUSTER = regex.compile(r"\X")
_UNSEEN = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_SPACELESS = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\u3005\u3006\u30fc\u3031-\u3035\uff70\uff9e\uff9f]"
)
_PICTOGRAPH = regex.compile(r"\p{Extended_Pictographic}")
_BROKEN = regex.compile(r"(?:[-\u2010\u00ad])?[ \t\r]*\n(?:[ \t]*(?:>[ \t]*)+)?[ \t]*")
_SPACE_RUN = regex.compile(r"(?:\s|\p{Default_Ignorable_Code_Point}|(?<=\n[ \t>]*)>)+")
_ENTITIES = {
    "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#34;": '"', "&#39;": "'", "&#x27;": "'", "&apos;": "'", "&nbsp;": "\u00a0",
}  # fmt: skip
_ELLIPSES = ("[...]", "[\u2026]", "...", "\u2026")
_LONG_FORMS = {"\u2026": "...", "\u2013": "--", "\u2014": "--"}
_PROSE = regex.compile(r"[\p{L}\p{M}\p{Po}\p{Pd}\p{Pi}\p{Pf}\s--[\\/@#*%&]]*", regex.VERSION1)
_PLAIN = regex.compile(r"[\p{L}\p{M}\s.,!?;\u3001\u3002\u0964\u061f\u060c]*")
_NUMBER_WORDS = frozenset(
    {
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "thirty",
        "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "billion", "trillion", "dozen", "half",
        "quarter", "percent", "minus", "plus", "negative",
    }
)  # fmt: skip


def same_words(source: str, quote: str) -> bool:
    """Whether some reading of `quote` is `source` under the declared folds."""
    return any(_is_read_as(source, reading) for reading in _readings(quote))


def torn(text: str, at: int) -> bool:
    """Whether a cut before code point `at` goes through a grapheme cluster, a word or a number."""
    if not 0 < at < len(text):
        return False
    if at not in _edges(text):
        return True
    left = next((char for char in reversed(text[:at]) if not _UNSEEN.match(char)), " ")
    right = next((char for char in text[at:] if not _UNSEEN.match(char)), " ")
    if left.isdecimal() and right.isdecimal():
        return True
    return _is_letter(left) and _is_letter(right) and not (_SPACELESS.match(left) or _SPACELESS.match(right))


def plainly_sound(text: str, at: int) -> bool:
    """Whether nothing around the cut but plain words could make it a wrong one."""
    near, around = text[max(0, at - 2) : at + 2], text[max(0, at - 24) : at + 24]
    if not _PLAIN.fullmatch(near) or not _PROSE.fullmatch(around) or not _NUMBER_WORDS.isdisjoint(around.lower().split()):
        return False
    left, right = text[at - 1 : at] or " ", text[at : at + 1] or " "
    if left.isspace() != right.isspace():
        return True
    return at in (0, len(text)) or bool(_SPACELESS.match(left) and _SPACELESS.match(right) and at in _edges(text))


def levels(text: str, start: int, end: int) -> int:
    """How many different depths of quotation marks the lines of a span have."""
    found: set[int] = set()
    at = start
    while at < end:
        line = max(text.rfind("\n", 0, at), text.rfind("\x1e", 0, at)) + 1
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        if text[at : min(stop, end)].strip(" \t>"):
            prefix = regex.match(r"[\s>]*", text, pos=line)
            found.add(prefix.group().count(">") if prefix is not None else 0)
        at = stop + 1
    return len(found)


def words_enough(taken: str) -> bool:
    """Whether a span is longer than the least that may be quoted, by any count."""
    words = [word for word in taken.split() if any(_is_letter(char) for char in word)]
    return len(words) > 3 or len(_SPACELESS.findall(taken)) > 8


def _readings(quote: str) -> set[str]:
    found = {quote, quote.strip()}
    for mark in _ELLIPSES:
        found |= {each.removeprefix(mark).strip() for each in found}
    for mark in _ELLIPSES:
        found |= {each.removesuffix(mark).strip() for each in found}
    pattern = regex.compile("|".join(map(regex.escape, _ENTITIES)))
    return found | {pattern.sub(lambda entity: _ENTITIES[entity.group()], each) for each in found}


def _is_read_as(source: str, quote: str) -> bool:
    """Depth first over pairs of places; every step is one fold, or the same character."""
    first = next((index for index, char in enumerate(quote) if char.isalnum()), -1)
    seen = {(0, 0)}
    waiting = [(0, 0)]
    while waiting:
        at, to = waiting.pop()
        if (at, to) == (len(source), len(quote)):
            return True
        for step in _steps(source, at, quote, to, first):
            if step not in seen:
                seen.add(step)
                waiting.append(step)
    return False


def _steps(source: str, at: int, quote: str, to: int, first: int) -> Iterator[tuple[int, int]]:
    one, other = source[at : at + 1], quote[to : to + 1]
    run, beside = _spaces(source, at), _spaces(quote, to)
    if run > at and beside > to:
        yield run, beside
    if one and _is_unseen(source, at):
        yield at + 1, to
    if other and _is_unseen(quote, to):
        yield at, to + 1
    yield from _breaks(source, at, quote, to)
    for short, long in _expanded(one):
        if quote.startswith(long, to):
            yield at + len(short), to + len(long)
    for short, long in _expanded(other):
        if source.startswith(long, at):
            yield at + len(long), to + len(short)
    if one and other:
        yield from _alike(source, at, quote, to, first)


def _alike(source: str, at: int, quote: str, to: int, first: int) -> Iterator[tuple[int, int]]:
    one, other = source[at], quote[to]
    if one == other or _kind(one) == _kind(other):
        yield at + 1, to + 1
    if to == first and len(one.lower()) == len(other.lower()) == 1 and _kind(one).lower() == _kind(other).lower():
        yield at + 1, to + 1
    cluster, beside = _cluster(source, at), _cluster(quote, to)
    if cluster and beside and _bare(cluster) == _bare(beside):
        yield at + len(cluster), to + len(beside)
    word, shout = _word(source, at), _word(quote, to)
    if word and shout and word.lower() == shout.lower() and word.isupper() != shout.isupper():
        yield at + len(word), to + len(shout)


def _breaks(source: str, at: int, quote: str, to: int) -> Iterator[tuple[int, int]]:
    broken = _BROKEN.match(source, at)
    if broken is not None and "\n" in broken.group() and at > 0:
        before = source[at - 1]
        marked = source[at] in "-\u2010\u00ad" or before in "-\u2010\u00ad"
        after = source[broken.end() : broken.end() + 1]
        if marked and _is_letter(after) and (_is_letter(before) or source[at - 2 : at - 1].isalpha()):
            yield broken.end(), to


@lru_cache(maxsize=65536)
def _kind(char: str) -> str:
    """What a character is taken for: its ASCII form when it is wide, the sort of quotation mark or dash, or itself."""
    if unicodedata.decomposition(char).startswith("<wide>"):
        char = unicodedata.normalize("NFKC", char)
    name = unicodedata.name(char, "")
    if char in "\"'" or ("QUOTATION MARK" in name and "HEAVY" not in name):
        return '"' if char == '"' or "DOUBLE" in name else "'"
    return "-" if unicodedata.category(char) == "Pd" or char == "\u2212" else char


def _expanded(char: str) -> Iterator[tuple[str, str]]:
    if char in _LONG_FORMS:
        yield char, _LONG_FORMS[char]
    if "\ufb00" <= char <= "\ufb06":
        yield char, unicodedata.normalize("NFKD", char)


def _bare(cluster: str) -> str:
    return unicodedata.normalize("NFD", "".join(char for index, char in enumerate(cluster) if not _is_unseen(cluster, index)))


def _is_unseen(text: str, at: int) -> bool:
    """Whether a character is not seen and does not change what is: it is no joint of a pictograph and no tag of a flag."""
    if not _UNSEEN.match(text, at):
        return False
    if text[at] == "\u200d":
        return not (_pictured(text[:at]) and _PICTOGRAPH.match(text, at + 1))
    return not ("\U000e0020" <= text[at] <= "\U000e007f" and _pictured(text[:at]))


def _pictured(before: str) -> bool:
    base = regex.search(r"(?:\p{M}|\p{Emoji_Modifier}|[\U000e0020-\U000e007f])*$", before)
    return base is not None and bool(_PICTOGRAPH.match(before[base.start() - 1 : base.start()] if base.start() else ""))


def _spaces(text: str, at: int) -> int:
    run = _SPACE_RUN.match(text, at)
    return run.end() if run is not None and any(char.isspace() for char in run.group()) else at


def _cluster(text: str, at: int) -> str:
    found = _CLUSTER.match(text, at)
    return found.group() if found is not None and at in _edges(text) else ""


def _word(text: str, at: int) -> str:
    found = regex.compile(r"(?<![A-Za-z])[A-Za-z]+").match(text, at)
    return found.group() if found is not None else ""


def _is_letter(char: str) -> bool:
    return char.isalnum()


@lru_cache(maxsize=4096)
def _edges(text: str) -> frozenset[int]:
    return frozenset({0, *(found.end() for found in _CLUSTER.finditer(text))})
