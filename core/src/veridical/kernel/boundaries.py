"""Where a span may begin and end: never inside a grapheme, a word, a number with its signs and units, or a token such as an address.

A cut is judged on a `skeleton` of the text around it: one ASCII character for each character, the same for all that mean the same to these
rules, so that each rule is said once for every script. Scripts without spaces have no word boundaries; what is not seen is looked through.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property, lru_cache

from veridical_contract import Model

from .policy import Policy
from .unicode import UnicodeTable, is_boundary

__all__ = ["BoundaryTable", "fault", "skeleton"]

# In a skeleton: x and X letters, 0 digits, 01 letters of a script without spaces, 02 its numerals, 03 em dash, 04 fraction,
# 05 other signs, 06 ellipsis, 7f not seen. 00 is the cut; "|" in the comments.
_RULES = r"""
(?P<inside_number>
    \d \x00 \d | \d [.,:/'^] \x00 \d | \d \x00 [.,:/'^] \d                                     # 1.|2  12:|30
  | (?<!\d)\d{1,3} \s? \x00 \s? (?<=[\s\x00])\d{3} (?!\d)                         # 100 |000
  | \d%? \s? [-\x03] \s? \x00 \s? [$]?\d | \d%? \s? \x00 \s? [-\x03] \s? [$]?\d       # 3-|5
  | \d%? \s (?i:RANGES) \s \x00 [$]?\d | \d%? \s? \x00 \s? (?i:RANGES) \s [$]?\d  # 3 to |5
  | (?i:between) \s \S*\d\S* \s (?:(?i:and) \s)? \x00 | (?i:between) \s \S*\d\S* \x00 \s (?i:and)\b
  | \d \s? \x00 \s? (?:\d+/\d|\x04)                                               # 1 |1/2
  | \d \s? \x00 \s? (?:[*^]|~|\+/?-) \s? \d | \d \s? [*^] \s? \x00 \s? \d         # 2 |x 3  5 |+- 1
  | \d \x00 [\x01\x02] | [\x01\x02] \x00 \d | \x02 \x00 \x02
) | (?P<inside_word>
    \w \x00 \w | \w [*~`]+ \x00 \w | \w \x00 [*~`]+ \w
  | \w ' \x00 \w | \w \x00 ' \w                                                   # n'|est  don|'t
  | \w - \x00 \w | \w \x00 - \w                                                   # well-|known
  | \w -\s*\n[\s>]* \x00 [ >]* \w | \w -\s* \x00 \s*\n[\s>]* \w | \w \x00 -\s*\n[\s>]* \w
) | (?P<clipped_figure>
    [-+~<>=$\#%^] \x00 \.?\d | [<~] \s \x00 [$]?\.?\d | [^\n\x1e>\s] \ *> \s \x00 [$]?\.?\d
  | (?<![\w.])\. \x00 \d | [$] \s? \x00 \s? \.?\d | \d \s? \x00 \s? [$%] (?!\d)     # .|5  $|5  5 |%
  | \b(?i:minus|negative|plus) \s \x00 [$]?\d
  | \b(?:UNITS)\.? \s? \x00 \s? \d | \d \s? \x00 \s? (?:UNITS)\b                  # USD |5
  | (?:\d|\b(?i:NUMBERS)) [\s-]? \x00 [\s-]? (?i:SCALES)\b                      # five |percent
  | \b(?i:hundred|thousand|million) \s? \x00 \s? (?:(?i:and)\s)? (?:\d|(?i:NUMBERS)\b)
  | \b(?i:hundred|thousand|million) \s (?i:and) \s? \x00 \s? (?:\d|(?i:NUMBERS)\b)
  | \( \x00 [$]?\d[\d.,]* (?:\s\w+)? \) | \( [$]?\d[\d.,]* (?:\s\w+)? \x00 \)     # (|10 million)
) | (?P<inside_token>
    \w (?:\.|::?|:?//?|[&@\\=]) \x00 \w | \w \x00 (?:\.|::?|:?//?|[&@\\=]) \w     # example.|com
  | \w \x00 [+\#] | \w [+\#]+ \x00 \w | \w [+\#:/\\] \x00 [+\#:/\\] | \d\s?% \x00 [A-Za-z]  # C|++
  | (?<![^\s("'\x1e]) [.@\#$%&/\\] \x00 \w | (?<=[^\S\n])--? \x00 [A-Za-z]        # .|NET  -|rf
  | \] \x00 [(\[] | ! \x00 \[
)"""
# Without any of these near the cut, or a number word after it, no rule can match: most cuts are plain, and this is ten times faster.
_SUSPECT = re.compile(r"[\d\x02\x04-]|(?!\x01\x00\x01)\S\x00(?:[^\s.,;!?]|[.,;!?]+[^\s.,;!?])", re.ASCII)
_NEAR, _FAR = 24, 1000
_RUN = re.compile(r"[!-~]*")
_ADDRESS = re.compile(r"://|\S@\S|www\.")
_INSIDE_LINK = tuple(
    (re.compile(head), re.compile(tail)) for head, tail in ((r"[^][\n]*\[", r"[^][\n]*\]\("), (r"[^()\s]*\(\]", r"[^()\s]*\)"))
)


class BoundaryTable(Model):
    """The tables of this module.

    Attributes:
        images: the skeleton of single characters.
        kinds: the skeleton of other characters, by general category or its first letter.
        numbers: words that are numbers.
        scales: words without which a number has another value.
        units: capitals without which a figure has another meaning.
        ranges: words between two numbers that are one figure.
    """

    images: dict[str, str]
    kinds: dict[str, str]
    numbers: tuple[str, ...]
    scales: tuple[str, ...]
    units: tuple[str, ...]
    ranges: tuple[str, ...]

    @cached_property
    def after(self) -> tuple[str, ...]:
        """What a rule about number words needs after the cut."""
        return ("and ", *self.numbers, *self.scales)


def fault(text: str, start: int, end: int, policy: Policy) -> str | None:
    """Return the rule by which `text[start:end]` may not begin or end where it does, or None."""
    return _cut(text, start, policy) or _cut(text, end, policy)


def skeleton(text: str, policy: Policy) -> str:
    """Return `text` with one ASCII character for each of its characters."""
    if text.isascii():
        return text
    image = _image(policy)
    return "".join(char if char < "\x80" else image(char) for char in text)


def _cut(text: str, at: int, policy: Policy) -> str | None:
    if not is_boundary(text, at, policy):
        return "inside-grapheme"
    around = f"{_seen(text, at, policy, -1)}\0{_seen(text, at, policy, 1)}"
    after = around[around.index("\0") + 1 :].lstrip(" -\n").lower()
    if _SUSPECT.search(around) is not None or after.startswith(policy.table("boundaries", BoundaryTable).after):
        found = _rules(policy).search(around)
        if found is not None:
            return str(found.lastgroup).replace("_", "-")
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
    if any(head.match(before) is not None and tail.match(after) is not None for head, tail in _INSIDE_LINK):
        return True
    head, tail = _run(before)[::-1], _run(after)
    whole = not head.strip("(<[\"'`") or not tail.strip(")>]\"'`.,;:!?")
    return not whole and _ADDRESS.search(head + tail) is not None


def _run(text: str) -> str:
    found = _RUN.match(text)
    return found[0] if found is not None else ""


@cache
def _rules(policy: Policy) -> re.Pattern[str]:
    table = policy.table("boundaries", BoundaryTable)
    rules = _RULES
    for name, words in (("RANGES", table.ranges), ("UNITS", table.units), ("NUMBERS", table.numbers), ("SCALES", table.scales)):
        rules = rules.replace(name, "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)))
    return re.compile(rules, re.ASCII | re.VERBOSE)


@cache
def _image(policy: Policy) -> Callable[[str], str]:
    table, kind = policy.table("boundaries", BoundaryTable), policy.table("unicode", UnicodeTable).kind

    @lru_cache(maxsize=4096)
    def image(char: str) -> str:
        found = kind(char)
        if "\uff01" <= char <= "\uff5e":
            return chr(ord(char) - 0xFEE0)
        if char in table.images:
            return table.images[char]
        if found.ignorable:
            return "\x7f"
        if found.spaceless and found.category != "Nd":
            return "\1"
        return table.kinds.get(found.category, table.kinds.get(found.category[0], "\5"))

    return image
