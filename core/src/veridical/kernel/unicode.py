"""Characters as the policy knows them, whatever Unicode version the running Python has.

`kind` gives the properties of a character, `is_boundary` says where extended grapheme clusters begin and end (UAX #29, section 3.1.1,
rules GB3 to GB13), and `canonical` is NFC for text on which every supported Python agrees.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from unicodedata import normalize

from veridical_contract import Model

from .policy import Policy

__all__ = ["Kind", "UnicodeTable", "canonical", "cluster_end", "is_boundary"]

_CONTROLS = frozenset({"CR", "LF", "Control"})
_FOLLOWING = frozenset({"Extend", "ZWJ", "SpacingMark"})
_HANGUL = {"L": ("L", "V", "LV", "LVT"), "LV": ("V", "T"), "V": ("V", "T"), "LVT": ("T",), "T": ("T",)}


class Kind(Model):
    """Properties of a character.

    Attributes:
        category: General_Category.
        cluster: Grapheme_Cluster_Break, empty for Other.
        conjunct: Indic_Conjunct_Break, empty for None.
        spaceless: of a script that is written without spaces between words.
        ignorable: Default_Ignorable_Code_Point, without the fillers that stand for a letter.
        pictographic: Extended_Pictographic.
        settled: assigned in Unicode 14.0, so that its normal form and case are the same everywhere (UAX #15, stability).
    """

    category: str
    cluster: str
    conjunct: str
    spaceless: bool
    ignorable: bool
    pictographic: bool
    settled: bool


class UnicodeTable(Model):
    """Runs of characters of one kind: the run that begins at code point `starts[i]` is of `kinds[runs[i]]`."""

    kinds: tuple[Kind, ...]
    starts: tuple[int, ...]
    runs: tuple[int, ...]

    def kind(self, char: str) -> Kind:
        """Return the properties of one character."""
        return self.kinds[self.runs[bisect_right(self.starts, ord(char)) - 1]]

    @cached_property
    def ignorable(self) -> str:
        """The inside of a regular expression class: every character that is not seen."""
        ends = (*self.starts[1:], 0x110000)
        runs = zip(self.starts, ends, self.runs, strict=True)
        return "".join(f"\\U{start:08x}-\\U{end - 1:08x}" for start, end, run in runs if self.kinds[run].ignorable)


def is_boundary(text: str, at: int, policy: Policy) -> bool:
    """Whether a grapheme cluster ends before code point `at` of `text`, and another begins there."""
    if not 0 < at < len(text):
        return True
    if text[at - 1] < "\x80" and text[at] < "\x80":
        return text[at - 1 : at + 1] != "\r\n"
    table = policy.table("unicode", UnicodeTable)
    left, right = table.kind(text[at - 1]), table.kind(text[at])
    if left.cluster in _CONTROLS or right.cluster in _CONTROLS:
        return True
    if right.cluster in _FOLLOWING or left.cluster == "Prepend" or right.cluster in _HANGUL.get(left.cluster, ()):
        return False
    if left.cluster == right.cluster == "Regional_Indicator":
        return (at - _left(text, at, table, lambda kind: kind.cluster == "Regional_Indicator")) % 2 == 0
    return not (_joins_emoji(text, at, left, right, table) or _joins_conjunct(text, at, right, table))


def cluster_end(text: str, at: int, policy: Policy) -> int:
    """Return where the grapheme cluster that begins at `at` ends."""
    end = at + 1
    while not is_boundary(text, end, policy):
        end += 1
    return end


def canonical(text: str, policy: Policy) -> str:
    """Return `text` in NFC, or as it is when a Python may know a character of it that another does not."""
    if text.isascii():
        return text
    table = policy.table("unicode", UnicodeTable)
    return normalize("NFC", text) if all(table.kind(char).settled for char in text) else text


def _joins_emoji(text: str, at: int, left: Kind, right: Kind, table: UnicodeTable) -> bool:
    if left.cluster != "ZWJ" or not right.pictographic:
        return False
    base = _left(text, at - 1, table, lambda kind: kind.cluster == "Extend")
    return base > 0 and table.kind(text[base - 1]).pictographic


def _joins_conjunct(text: str, at: int, right: Kind, table: UnicodeTable) -> bool:
    if right.conjunct != "Consonant":
        return False
    base = _left(text, at, table, lambda kind: kind.conjunct in ("Extend", "Linker"))
    linked = any(table.kind(char).conjunct == "Linker" for char in text[base:at])
    return linked and base > 0 and table.kind(text[base - 1]).conjunct == "Consonant"


def _left(text: str, at: int, table: UnicodeTable, holds: Callable[[Kind], bool]) -> int:
    """Return where the run of characters of a kind begins that ends before `at`."""
    while at > 0 and holds(table.kind(text[at - 1])):
        at -= 1
    return at
