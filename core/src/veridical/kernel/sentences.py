"""The sentence that a span stands in, and what a cut left out of it.

    sentence: the lines around the span, up to a hard boundary -> the stops between sentences -> the ones that cover the span
    clipped:  left of the span and right of it within the sentence, up to the next strong boundary of the clause, by lexicon

A lone comma is no boundary ("I would not, under any circumstances, recommend this"); what stands in parentheses, between dashes or in a
relative clause is not the clause's. The cost is that of the neighbourhood: a text without stops is cut at `REACH` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from veridical_contract import Model

from .boundaries import BoundaryTable, skeleton
from .folds import QUOTED
from .policy import Policy

__all__ = ["REACH", "LexiconTable", "clipped", "injected", "level", "sentence"]

REACH = 600
"""Characters on either side of a span that are looked at."""

_MARKER = re.compile(rf"\s*(?:{QUOTED})?\s*")
_HARD = r"\x1e|\n[ \t\r>]*\n|\n(?=[ \t]*(?:[-+*\u2022]|\d{1,3}[.)])[ \t])"
_OWN = re.compile(rf"{_HARD}|\n(?={QUOTED})")
_REPEATED = re.compile(rf"{_HARD}|\n(?!{QUOTED})|(?:\A|(?<=\n))(?!{QUOTED})[^\n]*\n(?={QUOTED})")
_STOP = re.compile(
    r"""(?P<mark>[.!?\x06]+) ["')\]*_]* (?P<space>\Z|\s+ (?=["'(\[*_]*(?P<next>[\w']*)))
    | (?: (?<=[\x01\x02"')]) [!?]+ | [!?]+ (?=[)\]]*[\x01\x02(]) ) [)\]]*""",
    re.ASCII | re.VERBOSE,
)
_LAST = re.compile(r"[A-Za-z]+(?:\.[A-Za-z]+)*\Z")
_STRONG = r"[;:!?\uff0c\u3001\u3002\uff1b\uff1a\uff01\uff1f\u061f]|(?<!\.)\.(?!\S)|\s[-\u2013]+\s|[\u2014\u2015]|--"
_ASIDES = re.compile(
    r"\([^()]*\)|\s[-\u2013\u2014]+\s[^-\u2013\u2014]{1,60}\s[-\u2013\u2014]+\s|,\s*(?:which|who|whom|whose|where)\b[^,]*,"
)
_QUOTATION = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d")
_CLAUSE = re.compile(rf"(?i){_STRONG}|,?\s(?:but|yet)\s|,\s*(?:and|or|so)\s|\s(?:and|so)\s+(?=(?:i|we|you|he|she|it|they|there)\b)")
_SINCE = re.compile(r"(?i)^\W*(?:(?:(?:even )?though|although|because|since|while|after|before|when(?:ever)?)\b[^,]*|no|nope|nah)\s*,")
_BEYOND = re.compile(
    rf"(?i){_STRONG}|,\s*not\s+(?!always|really|at|any|ever|quite|even|yet)\w|\b(?:because|since|so|as|that|which|who|whom|whose|when|while|where"
    r"|although|though|whereas|if|unless|whether|than|and|but|or|with(?! no ?one)|to(?! no))\b"
)
_RESULT = re.compile(rf"(?i){_STRONG}|,\s*(?:and|but(?! only)|so|which|who|where)\b|\b(?:because|since|although|though)\b")
_TERMINAL = re.compile(r"(?i)[;:!\u3002\uff01]|(?<!\.)\.(?!\S)|\s[-\u2013]+\s|\u2014|,\s*(?:but|and|so)\s|(?P<asked>[?\uff1f\u061f])")
_ASKING = re.compile(
    r"(?i)^\W*(?:am|is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|may|might|must|why|how|what|who|when|where|which)\b"
)
_ENDED = re.compile(r"[;!?]|(?<!\.)\.(?!\S)")
_UNIT = re.compile(r"[ \u00a0\u202f]([^\W\d_]+)")
_TAG = re.compile(r"(?i)^\W*(?:not|never|nope|no way|as if|yeah,? right|said no one(?: ever)?|just kidding|jk)\W*$")
_FIRST_PERSON = re.compile(
    r"\b(?:I|[Ww]e)\b(?:'\w+|\s+(?:\w+ly|also|always|am|can|could|did|do|have|just|must|only|still|will|would))*\s*$"
)


def _word(words: Iterable[str]) -> str:
    return rf"(?<!\w)(?<!\w')(?:{'|'.join(words)})(?!\w|'\w)"


class LexiconTable(Model):
    """The tables of this module: words, or regular expressions of words, whatever their case.

    Attributes:
        titles: abbreviations after which a sentence goes on.
        numbered: abbreviations after which it goes on with a number.
        starters: words that begin a sentence even after an initial.
        negators: on either side of the span, in every language that is known.
        negators_before: words to the left that make what follows untrue.
        negator_parts: the same where words are not apart.
        harmless: phrases with one of these words that say nothing of the kind; `harmless_parts` where words are not apart.
        conditions: to the left; `conditions_after` to the right; `inversions` at the beginning of the sentence.
        attributions: words that make something somebody's; `attributions_near` only directly before it, `hearsay` even with a first person.
        adverbs: attributions that stand anywhere.
        injections: what speaks to a model and not to a reader; no text without one of `triggers` does.
        unit_stops: words after a figure that are not its unit.
    """

    titles: frozenset[str]
    numbered: frozenset[str]
    starters: frozenset[str]
    negators: tuple[str, ...]
    negators_before: tuple[str, ...]
    negator_parts: tuple[str, ...]
    harmless: tuple[str, ...]
    harmless_parts: tuple[str, ...]
    conditions: tuple[str, ...]
    conditions_after: tuple[str, ...]
    inversions: tuple[str, ...]
    attributions: tuple[str, ...]
    attributions_near: tuple[str, ...]
    hearsay: tuple[str, ...]
    adverbs: tuple[str, ...]
    injections: tuple[str, ...]
    triggers: tuple[str, ...]
    unit_stops: frozenset[str]

    @cached_property
    def patterns(self) -> dict[str, re.Pattern[str]]:
        """One pattern for each question that is asked of a context."""
        parts = "|".join(self.negator_parts)
        verb = rf"(?:{'|'.join((*self.attributions, *self.attributions_near))})\b"
        found = {
            "abbreviation": rf"{_word(self.titles | self.numbered)}\.",
            "harmless": rf"{_word(self.harmless)}|{'|'.join(self.harmless_parts)}",
            "negated": rf"{_word((*self.negators, *self.negators_before))}|{parts}",
            "negating": rf"{_word(self.negators)}|{parts}",
            "conditional": _word(self.conditions),
            "condition": _word(self.conditions_after),
            "inverted": rf"^\W*{_word(self.inversions)}",
            "attributed": rf"{_word(self.attributions)}|{_word(self.attributions_near)}(?:\s+that\b.*|\W*)$",
            "heard": rf"{_word(self.hearsay)}|{_word(self.adverbs)}",
            "adverb": _word(self.adverbs),
            "attribution": rf"^\W*[,\"'\u201d\u00bb\u2014\u2013-]\W*(?!(?-i:I)\b|we\b)(?:[\w']+\s+){{0,3}}?{verb}(?!\s+(?:(?-i:I)|we)\b)",
            "injection": "|".join(self.injections),
        }
        return {name: re.compile(pattern, re.IGNORECASE | re.DOTALL) for name, pattern in found.items()}


def sentence(text: str, start: int, end: int, *, policy: Policy) -> tuple[int, int]:
    """Return start and end, in code points, of the whole sentences that cover `text[start:end]`; no outer space, no marks of quotation."""
    begin, finish = _block(text, start, end)
    stops = [begin + stop for stop in _stops(skeleton(text[begin:finish], policy), policy.table("lexicons", LexiconTable))]
    seen = start + len(text[start:end].rstrip())
    first = max((stop for stop in stops if stop <= start), default=begin)
    last = min((stop for stop in stops if stop >= seen), default=finish)
    opening = _MARKER.match(text, first, start)
    return (opening.end() if opening is not None else start), max(end, first + len(text[first:last].rstrip()))


def level(text: str, at: int) -> int:
    """Return how many marks of quotation open the line of `at`."""
    line = max(text.rfind("\n", 0, at), text.rfind("\x1e", 0, at)) + 1
    found = _MARKER.match(text, line)
    return found.group().count(">") if found is not None else 0


def injected(text: str, start: int, end: int, *, policy: Policy) -> bool:
    """Whether the text around a sentence speaks to a model."""
    table = policy.table("lexicons", LexiconTable)
    around = text[max(0, start - REACH // 2) : end + REACH // 2]
    lower = around.lower()
    return any(trigger in lower for trigger in table.triggers) and table.patterns["injection"].search(around) is not None


def clipped(text: str, start: int, end: int, whole: tuple[int, int], *, policy: Policy) -> tuple[str, ...]:
    """Return the labels, sorted, of what the cut left out of the sentence `whole`; all but `clipped-context:unit` change what is said."""
    table = policy.table("lexicons", LexiconTable)
    left, right = (_plain(side, table) for side in (text[whole[0] : start], text[end : whole[1]]))
    found = {
        "unit": _lacks_unit(text[start:end], right, policy),
        "question": _is_asked(left, right),
        "negation": _is_negated(left, right, text[start : start + 12], table),
        "conditional": _is_conditional(left, right, text[start : start + 12], table),
        "reported": _is_reported(left, right, text[start : start + 12], table),
    }
    return tuple(sorted(f"clipped-context:{name}" for name, true in found.items() if true))


def _block(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the lines around a span up to hard boundaries, or what of them is within reach."""
    low, high = max(0, start - REACH), min(len(text), end + REACH)
    hard = _REPEATED if level(text, start) else _OWN
    opened = [found.end() for found in hard.finditer(text, low, min(high, start + 8)) if found.end() <= start]
    closed = hard.search(text, max(start, end - 1), high)
    begin = opened[-1] if opened else low and start - len(text[low:start].partition(" ")[2])
    finish = closed.start() if closed else high if high == len(text) else end + len(text[end:high].rpartition(" ")[0])
    return begin, finish


def _stops(image: str, table: LexiconTable) -> Iterator[int]:
    """Yield the ends of sentences, from the skeleton of their text."""
    for found in _STOP.finditer(image):
        following = found["next"] or ""
        last = _LAST.search(image, max(0, found.start() - 12), found.start()) if found["mark"] == "." else None
        if not following[:1].islower() and (last is None or not _abbreviates(last.group(), following, table)):
            yield found.end() - len(found["space"] or "")


def _abbreviates(word: str, following: str, table: LexiconTable) -> bool:
    initial = len(word.rpartition(".")[2]) == 1 and word != "I" and following not in table.starters
    return word.lower() in table.titles or initial or (word.lower() in table.numbered and following[:1].isdigit())


def _plain(side: str, table: LexiconTable) -> str:
    """Return a context with one kind of apostrophe, without asides, quotations and the dots of abbreviations."""
    straight = _ASIDES.sub(" ", side.replace("\u2019", "'"))
    straight = straight if straight.count('"') % 2 else _QUOTATION.sub(" ", straight)
    return table.patterns["abbreviation"].sub(lambda found: found[0][:-1], straight) if ". " in straight else straight


def _says(kind: str, context: str, table: LexiconTable) -> bool:
    """Whether there is a word of the kind in a context, in another phrase than a harmless one."""
    return any(not _is_harmless(found, table) for found in table.patterns[kind].finditer(context))


def _is_harmless(found: re.Match[str], table: LexiconTable) -> bool:
    around = table.patterns["harmless"].finditer(found.string, max(0, found.start() - 16), found.end() + 24)
    return any(phrase.start() <= found.start() < phrase.end() for phrase in around)


def _clause(left: str, head: str) -> str:
    """Return the end of `left` that is of one clause with the span, whose first characters are `head`."""
    cuts = [found.end() for found in _CLAUSE.finditer(left + head) if found.end() <= len(left)]
    return left[cuts[-1] :] if cuts else left


def _until(pattern: re.Pattern[str], right: str) -> str:
    found = pattern.search(right)
    return right[: found.start()] if found is not None else right


def _is_negated(left: str, right: str, head: str, table: LexiconTable) -> bool:
    before, after = _SINCE.sub(" ", _clause(left, head)).rstrip(), _until(_BEYOND, right)
    return _says("negated", before, table) or _says("negating", after, table) or _TAG.match(right) is not None


def _is_conditional(left: str, right: str, head: str, table: LexiconTable) -> bool:
    before, after = _clause(left, head), _until(_RESULT, right)
    return (
        _says("conditional", before, table)
        or _says("condition", after, table)
        or table.patterns["inverted"].match(left and left + head) is not None
    )


def _is_asked(left: str, right: str) -> bool:
    ended = _TERMINAL.search(right)
    return (ended is not None and ended["asked"] is not None) or (
        _ASKING.match(left) is not None and right.rstrip("\"')]\u201d ").endswith("?")
    )


def _is_reported(left: str, right: str, head: str, table: LexiconTable) -> bool:
    before, after = _clause(left.rstrip("\"'\u201c\u2018\u00ab\u2014\u2013-:, "), head), _until(_ENDED, right)
    if _says("heard", before, table) or _says("attribution", after, table) or _says("adverb", after, table):
        return True
    if not _says("attributed", before, table):
        return False
    return any(_FIRST_PERSON.search(before[: found.start()]) is None for found in table.patterns["attributed"].finditer(before))


def _lacks_unit(quoted: str, right: str, policy: Policy) -> bool:
    """Whether the span ends with a figure and a word follows that may be its unit."""
    following = _UNIT.match(right)
    words = quoted.split()[-2:]
    scaled = len(words) == 2 and words[1].lower() in policy.table("boundaries", BoundaryTable).scales
    figure = words[0] if scaled else words[-1] if words else ""
    return following is not None and figure[-1:].isdigit() and following[1].lower() not in policy.table("lexicons", LexiconTable).unit_stops
