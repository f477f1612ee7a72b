"""Write the policy's Unicode table: `python -m tools.make_unicode_tables`. Needs Python 3.11 and the `regex` package.

The properties are those of the `regex` package's Unicode version. `settled` is a property of our own: assigned in Unicode 14.0, that of the
oldest Python we run on, so that every Python normalises and maps the case of the character alike (UAX #15, Normalization Stability).
Run by hand when a new policy is made, never for an old one: a change of the table is a change of the policy's fingerprint.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import regex

FILE = Path(__file__).resolve().parent.parent / "core/src/veridical/kernel/tables/policy-1/unicode.json"
OLDEST = "14.0.0"

_CATEGORIES = tuple(
    f"{major}{minor}"
    for major, minors in {"L": "ultmo", "M": "nce", "N": "dlo", "P": "cdseifo", "S": "mcko", "Z": "slp", "C": "cfson"}.items()
    for minor in minors
)
_CLUSTERS = ("CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark", "L", "V", "T", "LV", "LVT")
_CONJUNCTS = ("Consonant", "Linker", "Extend")
_SPACELESS = (
    "Balinese", "Bopomofo", "Han", "Hiragana", "Javanese", "Katakana", "Khmer", "Lao", "Myanmar",
    "New_Tai_Lue", "Tai_Le", "Tai_Tham", "Tai_Viet", "Thai", "Tibetan", "Yi",
)  # fmt: skip
# Marks of many scripts are also used in one of these.
_SPACED = ("Arabic", "Cyrillic", "Devanagari", "Greek", "Latin")
# Default ignorable, but they stand for a letter.
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")

_Kind = tuple[str, str, str, bool, bool, bool, bool]


def main() -> None:
    """Write the table."""
    if unicodedata.unidata_version != OLDEST:
        sys.exit(f"make_unicode_tables: needs a Python with Unicode {OLDEST} (3.11), this one has {unicodedata.unidata_version}")
    describe = _describer()
    kinds: dict[_Kind, int] = {}
    starts: list[int] = []
    runs: list[int] = []
    for code in range(sys.maxunicode + 1):
        index = kinds.setdefault(describe(chr(code)), len(kinds))
        if not runs or runs[-1] != index:
            starts.append(code)
            runs.append(index)
    names = ("category", "cluster", "conjunct", "spaceless", "ignorable", "pictographic", "settled")
    table = {"kinds": [dict(zip(names, kind, strict=True)) for kind in kinds], "starts": starts, "runs": runs}
    FILE.write_text(json.dumps(table, indent=None, separators=(",", ":"), ensure_ascii=True) + "\n", "ascii")


def _describer() -> Callable[[str], _Kind]:
    category = _first("General_Category", _CATEGORIES)
    cluster = _first("Grapheme_Cluster_Break", _CLUSTERS)
    conjunct = _first("Indic_Conjunct_Break", _CONJUNCTS)
    spaceless = _any_script(_SPACELESS)
    spaced = _any_script(_SPACED)
    ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}")
    pictographic = regex.compile(r"\p{Extended_Pictographic}")

    def describe(char: str) -> _Kind:
        kind = category(char)
        return (
            kind,
            cluster(char),
            conjunct(char),
            kind[0] in "LMN" and spaceless(char) and not spaced(char),
            char not in _FILLERS and ignorable.match(char) is not None,
            pictographic.match(char) is not None,
            unicodedata.category(char) != "Cn",
        )

    return describe


def _any_script(scripts: tuple[str, ...]) -> Callable[[str], bool]:
    pattern = regex.compile("|".join(rf"\p{{Script_Extensions={script}}}" for script in scripts))
    return lambda char: pattern.match(char) is not None


def _first(name: str, values: tuple[str, ...]) -> Callable[[str], str]:
    """Return a function from a character to its value of property `name`, or to an empty string."""
    pattern = regex.compile("|".join(rf"(?P<v{index}>\p{{{name}={value}}})" for index, value in enumerate(values)))

    def find(char: str) -> str:
        found = pattern.match(char)
        return values[int(found.lastgroup[1:])] if found is not None and found.lastgroup is not None else ""

    return find


if __name__ == "__main__":
    main()
