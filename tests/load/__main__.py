"""`python -m tests.load [--requests N] [--clients N] [--threads N]`: exit code 1 when a request failed or memory grew."""

from __future__ import annotations

import statistics
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from . import Result, run


def main() -> int:
    """Run it and print what came of it."""
    parser = ArgumentParser(prog="python -m tests.load", description="veridical serve under load, on loopback")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--threads", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="veridical-load-") as folder:
        result = run(Path(folder), requests=options.requests, clients=options.clients, threads=options.threads)
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    _print(result, options.clients, size)
    return 1 if result.problems() else 0


def _print(result: Result, clients: int, size: int) -> None:
    held = sum(map(len, result.seconds.values()))
    failed = sum(result.failures.values())
    print(
        f"{held} requests held in {result.took:.0f} s ({held / result.took:.0f} a second), {clients} clients at a time, {failed} failures"
    )
    print(f"{'route':<10}{'requests':>10}{'p50 ms':>10}{'p99 ms':>10}")
    for route, seconds in sorted(result.seconds.items(), key=lambda row: -len(row[1])):
        low, high = _percentiles(seconds)
        print(f"{route:<10}{len(seconds):>10}{low * 1000:>10.0f}{high * 1000:>10.0f}")
    before, warm, *later = (bytes_ / (1 << 20) for bytes_ in result.memory)
    print(f"memory: {before:.0f} MiB before, {warm:.0f} MiB after the warm-up, then {', '.join(f'{one:.0f}' for one in later)} MiB")
    print(f"the home has {size / (1 << 20):.0f} MiB; the service ended with code {result.code}: {result.said}")
    for problem in result.problems():
        print(f"problem: {problem}")


def _percentiles(seconds: list[float]) -> tuple[float, float]:
    if len(seconds) < 2:
        return seconds[0], seconds[0]
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return cuts[49], cuts[98]


if __name__ == "__main__":
    sys.exit(main())
