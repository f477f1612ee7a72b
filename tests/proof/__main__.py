"""`python -m tests.proof [NAME...] [--full] [--write]`: put the kernel to the proof, and say with what figures it stood.

Without names every proof runs, at a size of about a minute each; `--full` runs the sizes that the documentation speaks of, which takes
hours. The table is printed, the exit status is 1 when a proof fails, and `--write` keeps the figures in docs/reference/proof.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module

from tests.proof.figures import Figures
from tests.proof.page import Row, write

__all__ = ["PROOFS", "main"]


def _module(name: str, function: str = "main") -> Callable[[bool], Figures]:
    # Imported when it runs: one proof that cannot start on this machine does not keep the others from running.
    return lambda full: getattr(import_module(f"tests.proof.{name}"), function)(full=full)


def _kill(full: bool) -> Figures:
    from tests.proof.kill import Lost, main

    try:
        tally = main(1000 if full else 60)
    except Lost as error:
        return Figures("kill", "processes killed at random moments", {}, (str(error),))
    figures: dict[str, int | str] = {
        "processes killed": tally.rounds.total(),
        "calls acknowledged before": tally.calls,
        "stores left with a log to recover": tally.logs,
        "documents read again": tally.documents,
        "lost, or half there": 0,
    }
    return Figures("kill", f"{tally.rounds.total():,} processes killed at random moments", figures)


PROOFS: dict[str, Callable[[bool], Figures]] = {
    "mutation": _module("mutation"),
    "mutation_checker": _module("mutation", "checker"),
    "locator": _module("locator"),
    "coverage_fuzz": _module("coverage_fuzz"),
    "differential": _module("differential"),
    "kill": _kill,
}


def main(arguments: list[str] | None = None) -> int:
    """Run the proofs named, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description="Put the kernel to the proof.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(PROOFS)}; all of them without a name")
    parser.add_argument("--full", action="store_true", help="at full size, for hours")
    parser.add_argument("--write", action="store_true", help="keep the figures in docs/reference/proof.md")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - PROOFS.keys())
    if unknown:
        parser.error(f"there is no proof {unknown[0]!r}; there are {', '.join(PROOFS)}")
    rows = [_run(name, full=options.full) for name in options.names or PROOFS]
    for row in rows:
        print(row.line())
    if options.write:
        write(rows)
    return 1 if any(row.figures.failures for row in rows) else 0


def _run(name: str, *, full: bool) -> Row:
    print(f"{name} ...", file=sys.stderr, flush=True)
    began = time.monotonic()
    figures = PROOFS[name](full)
    for failure in figures.failures:
        print(f"{name} FAILED: {failure}", file=sys.stderr, flush=True)
    return Row(figures, full=full, seconds=round(time.monotonic() - began))


if __name__ == "__main__":
    sys.exit(main())
