"""The sentence that a span stands in, and what a cut left out of it.

    sentence: the lines around the span, up to a hard boundary -> the stops between sentences -> the ones that cover the span
    clipped:  left of the span and right of it within the sentence, up to the next strong boundary of the clause, by lexicon

A lone comma is no boundary ("I would not, under any circumstances, recommend this"); what stands in parentheses, between dashes or in a
relative clause is not the clause's. The cost is that of the neighbourhood: a text without stops is cut at `REACH` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import groupby

from veridical_contract import Model

from .boundaries import BoundaryTable, skeleton
from .folds import QUOTED
from .policy import Policy

__all__ = ["REACH", "LexiconTable", "clipped", "injected", "level", "sentence"]

REACH = 600
"""Characters on either side of a span that are looked at."""

_MARKER = re.compile(rf"\s*(?:{QUOTED})?\s*")
_LITERAL = re.compile(r"[a-z '](?![?*+{])")
_STOP = re.compile("[.!?\x06]")
_SLOT = re.compile(r"\{\{(\w+)\}\}|<<(\w+)>>")


class LexiconTable(Model):
    """The tables of this module.

    Attributes:
        words: lists of words and phrases, as regular expressions: `negators` on either side of the span, `negators_before` to its left,
            `negator_parts` where words are not apart; `harmless` phrases with one of these that say nothing of the kind; `conditions` to
            the left, `conditions_after` to the right, `inversions` at the beginning; `attributions`, `attributions_near` only directly
            before the span, `hearsay` even with a first person, `adverbs` anywhere; `injections` and their `triggers`; abbreviations
            (`titles`, `numbered`), `starters` of sentences, `unit_stops` that are no unit.
        patterns: regular expressions, in which `<<name>>` is any of a list, as words of their own, and `{{name}}` any of it anywhere.
    """

    words: dict[str, tuple[str, ...]]
    patterns: dict[str, str]

    @cached_property
    def compiled(self) -> dict[str, re.Pattern[str]]:
        """The patterns by name."""
        return {name: re.compile(_SLOT.sub(self._fill, pattern)) for name, pattern in self.patterns.items()}

    def _fill(self, slot: re.Match[str]) -> str:
        words = (QUOTED,) if slot[1] == "quoted" else self.words[slot[1] or slot[2]]
        return f"(?:{_any(words)})" if slot[1] else rf"(?<!\w)(?<!\w')(?:{_any(words)})(?!\w|'\w)"


def _any(words: Iterable[str]) -> str:
    """Return what matches as `"|".join(words)` does, but with what begins alike written once: to miss takes half the time.

    Of the words that begin with a letter each, only those with the same one can match at the same place, and those keep their order.
    """
    parts: list[str] = []
    for literal, some in groupby(words, lambda word: _LITERAL.match(word) is not None):
        tails: dict[str, list[str]] = {}
        for word in some:
            tails.setdefault(word[:1] if literal else word, []).append(word[1:])
        parts += [f"{head}(?:{_any(rest)})" if literal else head for head, rest in tails.items()]
    return "|".join(parts)


def sentence(text: str, start: int, end: int, *, policy: Policy) -> tuple[int, int]:
    """Return start and end, in code points, of the whole sentences that cover `text[start:end]`; no outer space, no marks of quotation."""
    table = policy.table("lexicons", LexiconTable)
    # A blank line at the end of the span ends its block like any other.
    seen = start + len(text[start:end].rstrip())
    begin, finish = _block(text, start, seen, table)
    first, last = begin, finish
    for stop in _stops(skeleton(text[begin:finish], policy), table):
        if begin + stop >= seen:
            last = begin + stop
            break
        first = begin + stop if begin + stop <= start else first
    opening = _MARKER.match(text, first, start)
    return (opening.end() if opening is not None else start), max(end, first + len(text[first:last].rstrip()))


def level(text: str, at: int) -> int:
    """Return how many marks of quotation open the line of `at`."""
    line = text.rfind("\n", 0, at) + 1
    found = _MARKER.match(text, max(line, text.rfind("\x1e", line, at) + 1))
    return found.group().count(">") if found is not None else 0


def injected(text: str, start: int, end: int, *, policy: Policy) -> bool:
    """Whether the text around a sentence speaks to a model."""
    table = policy.table("lexicons", LexiconTable)
    around = text[max(0, start - REACH // 2) : end + REACH // 2]
    lower = around.lower()
    return any(trigger in lower for trigger in table.words["triggers"]) and table.compiled["injection"].search(around) is not None


def clipped(text: str, start: int, end: int, whole: tuple[int, int], *, policy: Policy) -> tuple[str, ...]:
    """Return the labels, sorted, of what the cut left out of the sentence `whole`; all but `clipped-context:unit` change what is said."""
    table = policy.table("lexicons", LexiconTable)
    left, right = (_plain(side, table) for side in (text[whole[0] : start], text[end : whole[1]]))
    head = text[start : start + 12]
    clause, said = (_clause(side, head, table) for side in (left, left.rstrip("\"'\u201c\u2018\u00ab\u2014\u2013-:, ")))
    found = {
        "conditional": _says("conditional", clause, table)
        or _says("condition", _until("result", right, table), table)
        or _says("inverted", left and left + head, table),
        "negation": _says("negated", table.compiled["since"].sub(" ", clause).rstrip(), table)
        or _says("negating", _until("beyond", right, table), table)
        or _says("tag", right, table),
        "question": _is_asked(left, right, table),
        "reported": _is_reported(said, _until("ended", right, table), table),
        "unit": _lacks_unit(text[start:end], right, policy),
    }
    return tuple(f"clipped-context:{name}" for name, true in found.items() if true)


def _block(text: str, start: int, end: int, table: LexiconTable) -> tuple[int, int]:
    """Return the lines around a span up to hard boundaries, or what of them is within reach."""
    low, high = max(0, start - REACH), min(len(text), end + REACH)
    hard = table.compiled["repeated" if level(text, start) else "own"]
    opened = [found.end() for found in hard.finditer(text, low, min(high, start + 8)) if found.end() <= start]
    closed = hard.search(text, end, high)
    begin = opened[-1] if opened else low and start - len(text[low:start].partition(" ")[2])
    finish = closed.start() if closed else high if high == len(text) else end + len(text[end:high].rpartition(" ")[0])
    return begin, finish


def _stops(image: str, table: LexiconTable) -> Iterator[int]:
    """Yield the ends of sentences, in order, from the skeleton of their text."""
    end = 0
    for mark in _STOP.finditer(image):
        if mark.start() < end or (found := table.compiled["stop"].match(image, mark.start())) is None:
            continue
        end = found.end()
        following = found["next"] or ""
        last = table.compiled["last"].search(image, max(0, found.start() - 12), found.start()) if found["mark"] == "." else None
        if not following[:1].islower() and (last is None or not _abbreviates(last.group(), following, table.words)):
            yield found.end() - len(found["space"] or "")


def _abbreviates(word: str, following: str, words: Mapping[str, tuple[str, ...]]) -> bool:
    initial = len(word.rpartition(".")[2]) == 1 and word != "I" and following not in words["starters"]
    return initial or word.lower() in words["titles"] or (word.lower() in words["numbered"] and following[:1].isdigit())


def _plain(side: str, table: LexiconTable) -> str:
    """Return a context with one kind of apostrophe, without asides, quotations and the dots of abbreviations."""
    straight = table.compiled["aside"].sub(" ", side.replace("\u2019", "'"))
    straight = straight if straight.count('"') % 2 else table.compiled["quotation"].sub(" ", straight)
    return table.compiled["abbreviation"].sub(lambda found: found[0][:-1], straight) if ". " in straight else straight


def _found(kind: str, context: str, table: LexiconTable) -> Iterator[re.Match[str]]:
    pattern = table.compiled[kind]
    return _small(pattern.pattern).finditer(context.lower()) if context.isascii() else pattern.finditer(context)


@cache
def _small(caseless: str) -> re.Pattern[str]:
    """The same for ASCII text in small letters: without looking for capitals it takes half the time."""
    return re.compile(caseless.replace("(?is)", "(?s)").replace("(?i)", ""))


def _says(kind: str, context: str, table: LexiconTable) -> bool:
    """Whether there is something of the kind in a context, in another phrase than a harmless one."""
    return any(not _is_harmless(found, table) for found in _found(kind, context, table))


def _is_harmless(found: re.Match[str], table: LexiconTable) -> bool:
    around = table.compiled["harmless"].finditer(found.string, max(0, found.start() - 16), found.end() + 24)
    return any(phrase.start() <= found.start() < phrase.end() for phrase in around)


def _clause(left: str, head: str, table: LexiconTable) -> str:
    """Return the end of `left` that is of one clause with the span, whose first characters are `head`."""
    cuts = [found.end() for found in _found("clause", left + head, table) if found.end() <= len(left)]
    return left[cuts[-1] :] if cuts else left


def _until(kind: str, right: str, table: LexiconTable) -> str:
    found = next(_found(kind, right, table), None)
    return right[: found.start()] if found is not None else right


def _is_asked(left: str, right: str, table: LexiconTable) -> bool:
    ended = table.compiled["terminal"].search(right)
    asking = table.compiled["asking"].match(left) is not None and right.rstrip("\"')]\u201d ").endswith("?")
    return asking or (ended is not None and ended["asked"] is not None)


def _is_reported(left: str, right: str, table: LexiconTable) -> bool:
    # Not in small letters: it tells "I" from "i".
    named = any(not _is_harmless(found, table) for found in table.compiled["attribution"].finditer(right))
    if named or _says("heard", left, table) or _says("adverb", right, table):
        return True
    verbs = (found for found in _found("attributed", left, table) if not _is_harmless(found, table))
    return any(table.compiled["first"].search(left[: found.start()]) is None for found in verbs)


def _lacks_unit(quoted: str, right: str, policy: Policy) -> bool:
    """Whether the span ends with a figure and a word follows that may be its unit."""
    table = policy.table("lexicons", LexiconTable)
    following = table.compiled["unit"].match(right)
    words = ["", *quoted.split()]
    scaled = words[-1].lower() in policy.table("boundaries", BoundaryTable).scales
    return following is not None and words[-1 - scaled][-1:].isdigit() and following[1].lower() not in table.words["unit_stops"]
