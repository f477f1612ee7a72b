"""Options -> cases -> verdicts of all -> table, JSON file, page."""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from veridical.kernel.policy import load_policy

from . import catalogue, comments, quotesum
from .cases import Case
from .judges import PINS, Peers, environment, veridical
from .table import counted, page, table

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "data"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options().parse_args(arguments)
    if not SHARED.is_dir():
        print("The test data is not at ../shared/data: nothing to measure.", file=sys.stderr)
        return 2
    cases = gathered(SHARED, options.size, options.seed)
    print(f"{len(cases):,} cases", file=sys.stderr)
    policy = load_policy()
    ours = [veridical(case, policy) for case in cases]
    try:
        peers = Peers(environment())
        theirs = peers.judge(cases)
    except subprocess.CalledProcessError as failed:
        print(f"The peers could not be asked: {failed}. Their package index must be within reach.", file=sys.stderr)
        return 1
    rows = counted(cases, [{"veridical": kept, **others} for (kept, _), others in zip(ours, theirs, strict=True)])
    for name, side in (("False quotes that were accepted", False), ("True quotes that were rejected", True)):
        print(f"\n{name}\n", *table([row for row in rows if row.true is side]), sep="\n")
    missed = [{**asdict(case), "answer": answer} for case, (kept, answer) in zip(cases, ours, strict=True) if kept != case.keep]
    if options.json:
        options.json.write_text(json.dumps({"rows": [asdict(row) for row in rows], "missed": missed}, indent=1, default=repr), "utf-8")
    if options.write:
        told = [answer for case, (kept, answer) in zip(cases, ours, strict=True) if kept and case.keep]
        options.write.write_text(page(rows, _facts(cases, options, peers), (told.count("clipped"), len(told))), "utf-8")
    return 0


def gathered(folder: Path, size: int, seed: int) -> list[Case]:
    """Return the cases of all three sets, `size` of each kind of real comments."""
    return [
        *catalogue.read(folder / "pitfalls.jsonl"),
        *quotesum.read(folder / "quotesum" / "dev_half.jsonl"),
        *comments.read(folder / "comments", size, seed),
    ]


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.error_rates", description=(__doc__ or "").strip())
    parser.add_argument("--size", type=int, default=1000, help="cases of each kind from real comments (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of what is chosen and changed (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts, and each case that veridical judged wrongly")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write docs/reference/error-rates.md")
    return parser


def _facts(cases: Sequence[Case], options: argparse.Namespace, peers: Peers) -> dict[str, str]:
    return {
        "Date": datetime.now(UTC).date().isoformat(),
        "Cases": f"{len(cases):,}, up to {options.size:,} of each kind from real comments, seed {options.seed}",
        "Versions": ", ".join(
            [f"policy {load_policy().name}", f"Python {platform.python_version()}", *(pin.replace("==", " ") for pin in PINS)]
        ),
    }


if __name__ == "__main__":
    sys.exit(main())
