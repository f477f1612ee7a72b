"""Kernel against checker: generated bundles, honest and tampered, are judged by both, and they agree on every one.

    bundles.py honest ones -> tampering.py lies with every digest made again -> judge.py the kernel's verdict
                                                                             -> the checker's verdict       -> compared

The checker recomputes less than the kernel: it has no lexicons and no tables, on purpose. What it takes as carried is the list `CARRIED`;
each entry names the verdicts of the kernel that it explains, and nothing else is explained. The checker may never refuse what the
kernel lets out.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from random import Random

from veridical.bundle.checker import Bundle, DoesNotVerify

from tests.proof.bundles import honest
from tests.proof.figures import Figures
from tests.proof.judge import Refusal, by_kernel
from tests.proof.tampering import tampered

__all__ = ["CARRIED", "Compared", "compare", "explained", "main"]

_QUICK, _FULL, _SEED = 1_200, 20_000, 1
_TAMPERED = 4  # of each honest bundle
_JOBS = 2

CARRIED: dict[str, str] = {
    "pages": "report.html and report.md: the checker renders the released items itself",
    "bounds": "where a sentence, its neighbours and a cut may begin and end, and what is too short: rules over tables of the policy",
    "context": "what a cut left out, what speaks to a model, what is not seen, how often words stand there, the headings above: lexicons",
    "wording": "a model's words beyond their numbers, counts, addresses and URLs: the claim rule is lexicons",
    "keys": "which accounts are bots or one, which hosts one source, which texts outside ASCII one origin: tables",
    "admission": "which URLs, dates and authors are admitted at all: tables, and the operator's settings",
}
"""What the checker does not recompute, by design, and why."""

_LABELS = r"label (?:ambiguous-occurrence|clipped-context:\w+|suspected-injection|invisible)"
_RULES: tuple[tuple[str, str, str], ...] = (
    ("pages", "pages", r"report\.(?:html|md)"),
    (
        "bounds",
        "quote",
        r"sentence|before|after|rule [\w-]+",
    ),
    ("context", "quote", rf"headings|verdict|folds|{_LABELS}"),
    ("wording", "prose", r"[\w-]+"),
    ("keys", "citation", r"account|account_key|source_key|origin_key"),
    ("admission", "document", r"url|published|author|grades|title"),
)


@dataclass
class Compared:
    """What came of a stretch of bundles.

    Attributes:
        verdicts: number of bundles by (`honest` or `tampered`, what the kernel says, what the checker says).
        carried: number of disagreements by entry of `CARRIED`.
        failures: what should not be, one line each.
        edits: which kinds of change were tried, and how often.
    """

    verdicts: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])
    carried: Counter[str] = field(default_factory=Counter[str])
    failures: list[str] = field(default_factory=list[str])
    edits: Counter[str] = field(default_factory=Counter[str])

    def add(self, other: Compared) -> None:
        """Take in another stretch."""
        self.verdicts += other.verdicts
        self.carried += other.carried
        self.failures += other.failures
        self.edits += other.edits


def compare(seed: int, number: int) -> Compared:
    """Judge one honest bundle and those that are made of it."""
    found = Compared()
    data, _ = honest(seed, number)
    _judge(found, "honest", f"{seed}/{number}", data)
    for at in range(_TAMPERED):
        name, made = tampered(data, Random(f"{seed}/{number}/{at}"))
        if made != data:
            found.edits.update(name.split("+"))
            _judge(found, "tampered", f"{seed}/{number}/{at} ({name})", made)
    return found


def _judge(found: Compared, kind: str, name: str, data: bytes) -> None:
    kernel, checker = by_kernel(data), _by_checker(data)
    found.verdicts[kind, "refuses" if kernel else "accepts", "refuses" if checker else "accepts"] += 1
    if kind == "honest" and (kernel or checker):
        found.failures.append(f"{name}: an honest bundle is refused: {kernel or checker}")
    elif checker and kernel is None:
        found.failures.append(f"{name}: the checker refuses what the kernel lets out: {checker}")
    elif kernel and checker is None:
        entries = explained(kernel)
        found.carried.update(entries)
        if not entries:
            found.failures.append(f"{name}: the checker accepts what the kernel refuses: {kernel.part} {kernel.details}: {kernel.message}")


def _by_checker(data: bytes) -> str | None:
    try:
        Bundle(data, None)
    except DoesNotVerify as error:
        return ": ".join(error.args)
    return None


def explained(refusal: Refusal) -> set[str]:
    """Return the entries of `CARRIED` that cover everything for which the kernel refuses; none when something is not covered."""
    entries: set[str] = set()
    for detail in refusal.details or ("",):
        fitting = [entry for entry, part, details in _RULES if part == refusal.part and re.fullmatch(details, detail)]
        if not fitting:
            return set()
        entries.update(fitting)
    return entries


def _stretch(bounds: tuple[int, int, int]) -> Compared:
    seed, low, high = bounds
    found = Compared()
    for number in range(low, high):
        found.add(compare(seed, number))
    return found


def main(count: int | None = None, seed: int = _SEED, *, full: bool = False) -> Figures:
    """Compare `count` bundles; without it, the quick or the full size."""
    wanted = count or (_FULL if full else _QUICK)
    numbers = -(-wanted // (_TAMPERED + 1))
    whole = Compared()
    for part in _judged(seed, numbers):
        whole.add(part)
    verdicts = whole.verdicts
    agreed = sum(size for (_, kernel, checker), size in verdicts.items() if kernel == checker)
    figures: dict[str, int | str] = {
        "bundles": verdicts.total(),
        "honest, accepted by both": verdicts["honest", "accepts", "accepts"],
        "tampered, refused by both": verdicts["tampered", "refuses", "refuses"],
        "tampered where it changes nothing that is claimed, accepted by both": verdicts["tampered", "accepts", "accepts"],
        "agreements": agreed,
        "refused by the kernel alone, and explained": verdicts["tampered", "refuses", "accepts"] - _unexplained(whole),
        **{f"  carried: {entry}": whole.carried[entry] for entry in CARRIED},
        "refused by the checker alone": verdicts["tampered", "accepts", "refuses"] + verdicts["honest", "accepts", "refuses"],
        "not explained": len(whole.failures),
        "kinds of change": len(whole.edits),
    }
    return Figures("differential", f"{verdicts.total():,} bundles, seed {seed}", figures, tuple(whole.failures))


def _unexplained(whole: Compared) -> int:
    return sum("the checker accepts what" in failure for failure in whole.failures)


def _judged(seed: int, numbers: int) -> Iterator[Compared]:
    step = 50
    tasks = [(seed, low, min(low + step, numbers)) for low in range(0, numbers, step)]
    if len(tasks) == 1:
        yield _stretch(tasks[0])
        return
    with ProcessPoolExecutor(_JOBS, initializer=os.nice, initargs=(10,)) as pool:
        yield from pool.map(_stretch, tasks)


def _by_hand() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.proof.differential", description="Judge generated bundles by kernel and checker."
    )
    parser.add_argument("count", nargs="?", type=int, default=_QUICK)
    parser.add_argument("--seed", type=int, default=_SEED)
    options = parser.parse_args()
    figures = main(options.count, options.seed)
    for failure in figures.failures:
        print(failure)
    for name, value in figures.figures.items():
        print(f"{value:>10}  {name}")
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(_by_hand())
