"""The command: see the package."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from .bench import Bench
from .page import facts, lines, write
from .peers import Peers, PeersMissingError
from .results import Row
from .rows import GROUPS
from .texts import Comments

_ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for; exit code 1 when a goal is missed."""
    asked = _parser().parse_args(arguments)
    rows, said = _read(asked.read) if asked.read else _measured(asked)
    print("\n".join(lines(rows)))
    if asked.json is not None:
        asked.json.write_text(json.dumps({"facts": said, "rows": [row.data() for row in rows]}, indent=1) + "\n", "utf-8")
    if asked.write:
        for path in write(_ROOT / "docs", rows, said):
            _say(f"written: {path.relative_to(_ROOT)}")
    return _verdict(rows)


def _measured(asked: argparse.Namespace) -> tuple[list[Row], dict[str, str]]:
    data = _ROOT.parent / "shared" / "data"
    comments = Comments.modelled(data if data.is_dir() else None)
    said = facts(asked.sizes, comments.source)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="benchmarks-", dir=asked.folder)))
        peers = None if asked.without_peers else stack.enter_context(_peers())
        bench = Bench(folder, asked.sizes, asked.runs, asked.distributions, comments, data if data.is_dir() else None, peers, _say)
        return [row for name in asked.only or GROUPS for row in GROUPS[name](bench)], said


def _read(paths: Sequence[Path]) -> tuple[list[Row], dict[str, str]]:
    """Rows and facts of earlier runs, in the order of the table; what one run says of itself is the last one's."""
    found = [json.loads(path.read_text("utf-8")) for path in paths]
    rows = [Row.of(row) for one in found for row in one["rows"]]
    order = list(GROUPS)
    return sorted(rows, key=lambda row: order.index(row.group)), {name: value for one in found for name, value in one["facts"].items()}


def _verdict(rows: Sequence[Row]) -> int:
    missed = [row for row in rows if row.met is False]
    met = sum(row.met is True for row in rows)
    _say(f"{met} goals met, {len(missed)} missed")
    return 1 if missed else 0


def _peers() -> Peers:
    try:
        return Peers.started()
    except PeersMissingError as error:
        raise SystemExit(f"{error}\nWithout them: python -m tests.benchmarks --without-peers") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure veridical side by side with its peers.")
    parser.add_argument(
        "--sizes", type=_sizes, default=(10_000, 100_000), metavar="N,N", help="numbers of documents; a million takes minutes"
    )
    parser.add_argument(
        "--only", action="append", choices=list(GROUPS), metavar="NAME", help=f"one of {', '.join(GROUPS)}; may be repeated"
    )
    parser.add_argument("--runs", type=int, default=1_000, help="how often a short action is timed (default: 1000)")
    parser.add_argument("--distributions", type=int, default=140, help="installed beside veridical for the start-up (default: 140)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--read", type=Path, action="append", metavar="FILE", help="show what an earlier run wrote there; may be repeated")
    parser.add_argument("--write", action="store_true", help="renew docs/reference/benchmarks.md and its plots")
    parser.add_argument("--folder", type=Path, help="where stores are made; they are deleted afterwards (default: the temporary folder)")
    parser.add_argument("--without-peers", action="store_true", help="leave out what needs the peers' environment")
    return parser


def _sizes(words: str) -> tuple[int, ...]:
    return tuple(sorted(int(word.replace("_", "")) for word in words.split(",")))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
