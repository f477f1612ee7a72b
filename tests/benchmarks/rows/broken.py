"""Eight kinds of broken plugin installed and enabled at once: everything else works, and says so with exit code 0."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import alternate
from tests.benchmarks.results import Row, at_most
from tests.distributions.broken import broken, good_search

__all__ = ["rows"]

_NOTE = "The battery of the printer lasts nine days after the update, which is more than before.\n"
_COMMANDS = (
    ["plugins", "list"],
    ["doctor"],
    ["research", "How long does the battery of the printer last?", "--from", "note.txt"],
)


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows."""
    found = broken("search")
    site = bench.folder / "broken"
    distributions = [distribution for one in found.values() for distribution in one]
    for distribution in (*distributions, good_search()):
        distribution.install(site)
    names = [name for one in distributions for group in one.entry_points.values() for name in group]
    home = bench.folder / "broken-home"
    home.mkdir()
    enabled = ", ".join(f'"{name}"' for name in sorted({*names, "good"}))
    (home / "settings.toml").write_text(f"[plugins]\nenabled = [{enabled}]\n", "utf-8")
    (bench.folder / "note.txt").write_text(_NOTE, "utf-8")
    for arguments in _COMMANDS:
        yield _row(arguments, bench, {"VERIDICAL_HOME": str(home), "PYTHONPATH": str(site)}, len(found))


def _row(arguments: Sequence[str], bench: Bench, variables: Mapping[str, str], kinds: int) -> Row:
    without = {"VERIDICAL_HOME": str(bench.folder / "sound-home")}
    codes: list[int] = []

    def run(extra: Mapping[str, str]) -> float:
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "veridical.cli", *arguments],
            cwd=bench.folder, env={**os.environ, **extra}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        if extra is variables:
            codes.append(done.returncode)
        return time.perf_counter() - started

    figures = alternate({"broken": lambda _: run(variables), "sound": lambda _: run(without)}, range(max(1, bench.runs // 300)), warm_up=1)
    what = f"veridical {' '.join(arguments)}, {kinds} kinds of broken plugin enabled"
    worst = max(codes)
    return Row("broken", what, figures["broken"], "without them", figures["sound"], worst, at_most(0, "exit code"), f"exit code {worst}")
