"""Where a span may begin and end: never inside a grapheme, a word, a number with its signs and units, or a token such as an address.

A cut is judged on a `skeleton` of the text around it: one ASCII character for each character, the same for all that mean the same to the
rules, so that each rule is said once for every script. Scripts without spaces have no word boundaries; what is not seen is looked through.
The rules are patterns of the policy's table, each with an example; U+0000 is the cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property, lru_cache

from veridical_contract import Model

from .policy import Policy
from .unicode import UnicodeTable, is_boundary

__all__ = ["BoundaryTable", "fault", "skeleton"]

_NEAR, _FAR = 24, 1000
_RUN = re.compile(r"[!-~]*")
_ADDRESS = re.compile(r"://|\S@\S|www\.")
_LINK_TEXT = re.compile(r"[^][\n]*\["), re.compile(r"[^][\n]*\]\(")
_LINK_TARGET = re.compile(r"[^()\s]*\(\]"), re.compile(r"[^()\s]*\)")


class Cut(Model):
    """A pattern of a cut that is refused, on a skeleton, verbose; `example` has `|` for the cut."""

    pattern: str
    example: str


class Rule(Model):
    """What is refused under one name."""

    rule: str
    cuts: tuple[Cut, ...]


class BoundaryTable(Model):
    r"""The tables of this module.

    Attributes:
        images: the skeleton of single characters: \1 letters of a script without spaces, \2 its numerals, \3 em dash, \4 fraction, \5 other
            signs, \6 ellipsis, \x7f not seen; else letters, digits, spaces and marks of ASCII.
        kinds: the skeleton of other characters, by general category or its first letter.
        numbers: words that are numbers.
        scales: words without which a number has another value.
        units: capitals without which a figure has another meaning.
        ranges: words between two numbers that are one figure.
        rules: in order; RANGES, UNITS, NUMBERS and SCALES stand for the words above.
        suspect: without this near the cut, or a number word after it, no rule can match.
    """

    images: dict[str, str]
    kinds: dict[str, str]
    numbers: tuple[str, ...]
    scales: tuple[str, ...]
    units: tuple[str, ...]
    ranges: tuple[str, ...]
    rules: tuple[Rule, ...]
    suspect: str

    @cached_property
    def after(self) -> tuple[str, ...]:
        """What a rule about number words needs after the cut."""
        return ("and ", *self.numbers, *self.scales)

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """`suspect`, and all rules as the groups of one pattern."""
        rules = "|".join(f"(?P<rule{index}>{'|'.join(cut.pattern for cut in rule.cuts)})" for index, rule in enumerate(self.rules))
        for name, words in (("RANGES", self.ranges), ("UNITS", self.units), ("NUMBERS", self.numbers), ("SCALES", self.scales)):
            rules = rules.replace(name, "|".join(map(re.escape, words)))
        return re.compile(self.suspect, re.ASCII), re.compile(rules, re.ASCII | re.VERBOSE)


def fault(text: str, start: int, end: int, policy: Policy) -> str | None:
    """Return the rule by which `text[start:end]` may not begin or end where it does, or None."""
    return _cut(text, start, policy) or _cut(text, end, policy)


def skeleton(text: str, policy: Policy) -> str:
    """Return `text` with one ASCII character for each of its characters."""
    return text if text.isascii() else "".join(map(_image(policy), text))


def _cut(text: str, at: int, policy: Policy) -> str | None:
    if not is_boundary(text, at, policy):
        return "inside-grapheme"
    table = policy.table("boundaries", BoundaryTable)
    suspect, rules = table.patterns
    before, after = _seen(text, at, policy, -1), _seen(text, at, policy, 1)
    around = f"{before}\0{after}"
    # Most cuts are plain, and asking first is ten times faster.
    if suspect.search(around) is not None or after.lstrip(" -\n").lower().startswith(table.after):
        found = rules.search(around)
        if found is not None:
            return table.rules[int(str(found.lastgroup)[4:])].rule
    return "inside-token" if _in_address(text, at) else None


def _seen(text: str, at: int, policy: Policy, way: int) -> str:
    """Return the skeleton of what is seen to the left (`way` -1) or right of the cut, through any number of characters that are not."""
    size = _NEAR
    while True:
        side = skeleton(text[max(0, at - size) : at] if way < 0 else text[at : at + size], policy)
        seen = side.replace("\x7f", "").replace("\r\n", "\n").replace("\0", " ")
        if "\x7f" not in side or len(seen) >= _NEAR or size > len(text):
            return seen
        size *= 4


def _in_address(text: str, at: int) -> bool:
    """Whether a URL, an address or a Markdown link is cut; what opens or closes around an address may be left out."""
    before, after = text[max(0, at - _FAR) : at][::-1], text[at : at + _FAR]
    linked = "](" in after or "(]" in before
    if linked and any(head.match(before) is not None and tail.match(after) is not None for head, tail in (_LINK_TEXT, _LINK_TARGET)):
        return True
    head, tail = (found.group() for side in (before, after) if (found := _RUN.match(side)) is not None)
    whole = not head.strip("(<[\"'`") or not tail.strip(")>]\"'`.,;:!?")
    return not whole and _ADDRESS.search(head[::-1] + tail) is not None


@cache
def _image(policy: Policy) -> Callable[[str], str]:
    table, kind = policy.table("boundaries", BoundaryTable), policy.table("unicode", UnicodeTable).kind

    @lru_cache(maxsize=4096)
    def image(char: str) -> str:
        found = kind(char)
        if char < "\x80":
            return char
        if "\uff01" <= char <= "\uff5e":
            return chr(ord(char) - 0xFEE0)
        if char in table.images:
            return table.images[char]
        special = "\x7f" if found.ignorable else "\1" if found.spaceless and found.category != "Nd" else ""
        return special or table.kinds.get(found.category, table.kinds.get(found.category[0], "\5"))

    return image
