"""The locator under adversarial quotes: no wrong span, and no quote lost that stands there.

    draw   a text of many scripts, a span cut anywhere, and the words that are proposed for it: as they are, under folds, or altered
    locate the kernel confirms, or not
    judge  by the oracle beside this file, which knows nothing of the kernel

Whatever comes back must be, by the oracle, the words that were asked for, cut at no place that is torn, across no hard boundary and of
one depth of quotation. A quote that is its span under folds, on plainly sound cuts and long enough, must come back. The kernel alone is
asked too, with spans that are off by a little. Everything follows from a seed and the number of the draw.
"""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from veridical.kernel.policy import load_policy
from veridical.kernel.quotes import Confirmed, confirm
from veridical.locate.find import Located, locate

from tests.proof.figures import Figures
from tests.proof.oracle import levels, plainly_sound, same_words, torn, words_enough

__all__ = ["Case", "Draw", "draw", "fault", "main"]

_QUICK, _FULL = 4_000, 100_000
_JOBS = 2

SENTENCES: tuple[str, ...] = tuple(json.loads(Path(__file__).with_name("sentences.json").read_text("utf-8")))
JOINTS = (" ", " ", " ", " ", " ", " ", "\n", "\n", "\n\n", "  ", " \u2014 ", "\n> ", "\n\n> ", "\x1e", "\t", "\u2029", "\r\n")
Mixture = Callable[[Random, str], str]


@dataclass(frozen=True)
class Draw:
    """A text, a span of it, and the words that are proposed; `faithful`: they are the span's, under folds or as they are."""

    text: str
    start: int
    end: int
    quote: str
    faithful: bool


@dataclass(frozen=True)
class Case:
    """What came of a draw: `found`, `refused`, `lost` or `wrong`, and why; `due`: it had to be found."""

    outcome: str
    why: str = ""
    due: bool = False


def draw(seed: int, number: int) -> Draw:
    """Return the draw of this number."""
    random = Random(f"{seed}/{number}")
    parts = [random.choice(SENTENCES) for _ in range(random.randint(1, 7))]
    if random.random() < 0.2:
        parts.append(parts[0])  # the same words in two places
    text = parts[0] + "".join(random.choice(JOINTS) + part for part in parts[1:])
    start, end = _span(random, text)
    quote, faithful = text[start:end], random.random() < 0.6
    for fold in random.sample(FOLDS, random.randint(0, 3)):
        quote = fold(random, quote)
    if not faithful:
        quote = random.choice(ALTERATIONS)(random, quote)
    return Draw(text, start, end, quote, faithful)


def _span(random: Random, text: str) -> tuple[int, int]:
    """Return a span: anywhere, or more often where words begin and end."""
    if random.random() < 0.2:
        start = random.randrange(len(text))
        return start, random.randint(start + 1, min(len(text), start + 90))
    edges = [at for at in range(len(text) + 1) if at in (0, len(text)) or text[at - 1].isspace() != text[at].isspace()]
    start, end = sorted(random.sample(edges, 2))
    return start, min(end, edges[min(len(edges) - 1, edges.index(start) + 40)])


def _swap(table: dict[str, str]) -> Mixture:
    def fold(random: Random, words: str) -> str:
        places = [at for at, char in enumerate(words) if char in table]
        chosen = set(random.sample(places, random.randint(0, len(places))))
        return "".join(table[char] if at in chosen else char for at, char in enumerate(words))

    return fold


def _spaces(random: Random, words: str) -> str:
    places = [at for at, char in enumerate(words) if char == " " and words[at - 1 : at].isalpha() and words[at + 1 : at + 2].isalpha()]
    chosen = set(random.sample(places, random.randint(0, len(places))))
    return "".join(random.choice(("  ", "\n", "\u00a0", "\u2009", " \n ")) if at in chosen else char for at, char in enumerate(words))


def _unseen(random: Random, words: str) -> str:
    places = [at for at in range(1, len(words)) if _plain(words[at - 1]) and _plain(words[at])]
    if not places:
        return words
    at = random.choice(places)
    return words[:at] + random.choice("\u200b\u00ad\u2060\ufeff") + words[at:]


def _ligature(_: Random, words: str) -> str:
    # Not of a part of a longer one: "ffi" against "f" and the ligature of "fi" is beyond the declared folds.
    return re.sub(r"(?<!f)f([il])", lambda found: "\ufb01" if found[1] == "i" else "\ufb02", words)


def _apart(_: Random, words: str) -> str:
    return words.replace("\ufb03", "ffi").replace("\ufb01", "fi").replace("\ufb02", "fl")


def _joined(_: Random, words: str) -> str:
    return words.replace("informa-\ntion", "information").replace("cus-\ntomers", "customers")


def _around(random: Random, words: str) -> str:
    return random.choice(("... {}", "{} ...", "\u2026{}\u2026", "[...] {} [...]", " {}\n", "\u00a0{} ")).format(
        words.replace("{", "").replace("}", "")
    )


def _first_letter(_: Random, words: str) -> str:
    return words[:1].upper() + words[1:] if "a" <= words[:1] <= "z" else words


def _composed(random: Random, words: str) -> str:
    return unicodedata.normalize(random.choice(("NFC", "NFD")), words)


def _entities(_: Random, words: str) -> str:
    return words.replace("&amp;", "&").replace("&", "&amp;").replace('"', "&quot;")


FOLDS: tuple[Mixture, ...] = (
    _swap({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"', "\u201e": '"'}),
    _swap({"'": "\u2019", '"': "\u201d", "-": "\u2010"}),
    _swap({chr(code): chr(code + 0xFEE0) for code in range(0x41, 0x5B)}),
    _spaces, _unseen, _ligature, _apart, _joined, _around, _first_letter, _composed, _entities,
)  # fmt: skip


def _word_out(random: Random, words: str) -> str:
    parts = words.split(" ")
    del parts[random.randrange(len(parts))]
    return " ".join(parts)


def _word_in(random: Random, words: str) -> str:
    parts = words.split(" ")
    parts.insert(random.randint(0, len(parts)), random.choice(("really", "not", "never", "7", "\u4e0d", "\u0e44\u0e21\u0e48")))
    return " ".join(parts)


def _words_turned(random: Random, words: str) -> str:
    parts = words.split(" ")
    at = random.randrange(len(parts))
    parts[at : at + 2] = reversed(parts[at : at + 2])
    return " ".join(parts)


def _other_character(random: Random, words: str) -> str:
    if not words:
        return "x"
    at = random.randrange(len(words))
    other = {"a": "\u0430", "e": "\u00e9", "o": "0", "l": "1", "i": "\u0131", ".": ",", ",": "", "-": "", " ": "", "?": "!", "\u20ac": "$"}
    changed = str((int(words[at]) + 1) % 10) if words[at] in "0123456789" else other.get(words[at], words[at].swapcase())
    return words[:at] + changed + words[at + 1 :]


def _no_marks(_: Random, words: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", words) if not unicodedata.combining(char))


def _no_joints(_: Random, words: str) -> str:
    return words.replace("-", "").replace("'", "").replace("\u2019", "")


def _cut_short(random: Random, words: str) -> str:
    return words[random.randint(0, 2) : len(words) - random.randint(0, 2)]


def _spliced(random: Random, words: str) -> str:
    at = random.randint(0, len(words))
    return words[:at] + " ... " + words[at + random.randint(0, 12) :]


ALTERATIONS: tuple[Mixture, ...] = (
    _word_out, _word_in, _words_turned, _other_character, _other_character, _no_marks, _no_joints, _cut_short, _spliced,
    lambda _, words: words.upper(), lambda _, words: words.replace("not", "now").replace("n't", ""), lambda _, words: words[::-1],
)  # fmt: skip


def _plain(char: str) -> bool:
    return char.isascii() and char.isalpha()


def fault(text: str, start: int, end: int, quote: str) -> str | None:
    """Return what is wrong with a span that came back for `quote`, by the oracle."""
    taken = text[start:end]
    if not same_words(taken, quote):
        return f"says {taken!r}"
    if torn(text, start) or torn(text, end):
        return f"is torn at {start} or {end}: {taken!r}"
    if "\x1e" in taken or levels(text, start, end) > 1:
        return f"crosses a hard boundary: {taken!r}"
    return None


def _case(one: Draw) -> Case:
    policy = load_policy()
    found = locate(one.text, one.quote, policy=policy)
    if isinstance(found, Located):
        wrong = fault(one.text, found.start, found.end, one.quote)
        if wrong is not None:
            return Case("wrong", f"{one.quote!r} in {one.text!r} {wrong}")
    for start, end in ((one.start + by, one.end + beside) for by in (-1, 0, 1) for beside in (-1, 0, 1)):
        if isinstance(confirm(one.text, start, end, one.quote, policy=policy), Confirmed):
            wrong = fault(one.text, start, end, one.quote)
            if wrong is not None:
                return Case("wrong", f"{one.quote!r} in {one.text!r}, confirmed at {start}:{end}, {wrong}")
    due = _is_due(one)
    if isinstance(found, Located):
        return Case("found", due=due)
    return Case("lost", f"{one.quote!r} at {one.start}:{one.end} of {one.text!r}: {found.rule}", due=True) if due else Case("refused")


def _is_due(one: Draw) -> bool:
    """Whether the quote has to be found, whatever the rules leave open."""
    taken = one.text[one.start : one.end]
    stretch = levels(one.text, one.start, one.end) == 1 and not set(taken) & {"\x1e", ">"}
    return one.faithful and stretch and words_enough(taken) and plainly_sound(one.text, one.start) and plainly_sound(one.text, one.end)


def _share(seed: int, numbers: range) -> tuple[Counter[str], list[str]]:
    outcomes: Counter[str] = Counter()
    failures: list[str] = []
    for number in numbers:
        one = draw(seed, number)
        case = _case(one)
        outcomes[case.outcome] += 1
        outcomes["faithful"] += one.faithful
        outcomes["due"] += case.due
        outcomes["altered and found"] += case.outcome == "found" and not one.faithful
        if case.outcome in ("wrong", "lost"):
            failures.append(f"draw {number} of seed {seed}: {case.outcome}: {case.why}")
    return outcomes, failures


def main(*, full: bool = False, seed: int = 20, draws: int | None = None) -> Figures:
    """Judge the draws of a seed."""
    total = draws or (_FULL if full else _QUICK)
    shares = [range(at, min(total, at + 500)) for at in range(0, total, 500)]
    outcomes: Counter[str] = Counter()
    failures: list[str] = []
    with ProcessPoolExecutor(_JOBS, initializer=os.nice, initargs=(10,)) as pool:
        for found, failed in pool.map(partial(_share, seed), shares):
            outcomes += found
            failures += failed
    figures: dict[str, int | str] = {
        "quotes": total,
        "faithful under folds": outcomes["faithful"],
        "altered": total - outcomes["faithful"],
        "certain to stand there": outcomes["due"],
        "found": outcomes["found"],
        "found although altered (the oracle agrees)": outcomes["altered and found"],
        "refused": outcomes["refused"],
        "wrong spans": outcomes["wrong"],
        "lost": outcomes["lost"],
    }
    return Figures("locator", f"{total:,} quotes of seed {seed}", figures, tuple(failures))


if __name__ == "__main__":
    result = main(draws=int(sys.argv[1]), seed=int(sys.argv[2]) if len(sys.argv) > 2 else 20)
    print("\n".join(result.failures[:40]), result.figures, sep="\n")
