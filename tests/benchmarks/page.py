"""The table: for a terminal, and as docs/reference/benchmarks.md with its plots."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from .peers import PINNED
from .plot import drawing
from .results import Row, shown, shown_figures

__all__ = ["facts", "lines", "write"]

_HEAD = ("what", "veridical p50 / p99", "peer", "peer p50 / p99", "ratio", "goal", "met")
_MET = {True: "yes", False: "**no**", None: ""}
_PAGE = """# Benchmarks

<!-- Written by python -m tests.benchmarks --write; run it again instead of editing. -->

What things cost, side by side with a peer in one run. Figures are medians and 99th percentiles of many runs, taken in turns with
the peer's, after a warm-up. Absolute figures differ from machine to machine; the ratio is what to read: ours as a multiple of the
peer's, unless a row says otherwise. What is compared is rarely the same work, and each group says what it is.

| this run | |
| --- | --- |
{facts}

Error rates, held against the same peers, are measured apart: `python -m tests.benchmarks.error_rates`.

{groups}"""


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the table for a terminal."""
    table = [_HEAD, *(tuple(cell.replace("*", "") for cell in _cells(row)) for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(_HEAD))]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def facts(sizes: Sequence[int], comments: str) -> dict[str, str]:
    """Return what a reader has to know of the run and the machine; no name of either."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release().split('-')[0]}",
        "Python, SQLite": f"CPython {platform.python_version()}, SQLite {sqlite3.sqlite_version}",
        "peers": ", ".join(PINNED),
        "documents": f"{', '.join(f'{size:,}' for size in sizes)}, {comments}",
        "load when it began": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "not known",
    }


def write(docs: Path, rows: Sequence[Row], said: dict[str, str]) -> list[Path]:
    """Write the page and its plots into `docs` and return their paths."""
    folder = docs / "reference"
    written: list[Path] = []
    parts: list[str] = []
    for group, found in _grouped(rows).items():
        parts += [f"## {group.capitalize()}\n", f"{_about(group)}\n", *_table(found), ""]
        for name, plot in _plots(group, found):
            path = folder / f"benchmarks-{name}.svg"
            path.write_text(plot, "utf-8")
            written.append(path)
            parts += [f"![{name}]({path.name})", ""]
    page = folder / "benchmarks.md"
    known = "\n".join(f"| {name} | {value} |" for name, value in said.items())
    page.write_text(_PAGE.format(facts=known, groups="\n".join(parts).rstrip() + "\n"), "utf-8")
    return [page, *written]


def _grouped(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.group].append(row)
    return found


def _about(group: str) -> str:
    """What the module of a group says of it."""
    text = sys.modules[f"tests.benchmarks.rows.{group}"].__doc__ or ""
    return text.strip()


def _table(rows: Sequence[Row]) -> Iterator[str]:
    for cells in (_HEAD, ["---"] * len(_HEAD), *map(_cells, rows)):
        yield f"| {' | '.join(cells)} |"


def _cells(row: Row) -> tuple[str, ...]:
    goal = f"{row.goal}{f' {row.note}' if row.note == 'times faster' else ''}" if row.goal is not None else ""
    value = shown(row.value, row.goal.unit if row.goal is not None else "x") if row.value is not None else ""
    ratio = value or (shown(row.ratio, "x") if row.ratio is not None else "")
    what = row.what if not row.note or row.note == "times faster" else f"{row.what} ({row.note})"
    theirs = shown_figures(row.theirs) if row.theirs is not None else ""
    return what, shown_figures(row.ours), row.peer, theirs, ratio, goal, _MET[row.met]


def _plots(group: str, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    for name, (title, across, unit, chosen) in _DRAWN.items():
        if name.partition("-")[0] != group:
            continue
        series: dict[str, dict[float, float]] = defaultdict(dict)
        for row in rows:
            for label, value in chosen(row):
                series[label][float(row.size or 0)] = value
        drawn = {label: sorted(points.items()) for label, points in series.items() if len(points) > 1}
        if drawn:
            yield name, drawing(title, across, "seconds" if unit == "s" else unit, drawn, shown=lambda value, unit=unit: shown(value, unit))


def _matching(row: Row) -> Iterator[tuple[str, float]]:
    if row.theirs is not None and "that is there" in row.what:
        if row.peer == "str.find":
            yield "veridical", row.ours.p50
        yield row.peer.replace("a verifier that knows", "knows").replace("the synthesis's check", "synthesis"), row.theirs.p50


def _locating(row: Row) -> Iterator[tuple[str, float]]:
    if row.theirs is not None and row.peer.startswith("metalworks"):
        yield "metalworks, scan", row.theirs.p50
    for state in ("uncompacted", "compacted"):
        for rank in ("p50", "p99"):
            if f" {state}, with one word changed: {rank}" in row.what:
                yield f"veridical, {state}, {rank}", getattr(row.ours, rank)


def _ingesting(row: Row) -> Iterator[tuple[str, float]]:
    if row.ours.unit == "documents/s" and row.theirs is not None:
        yield ("veridical, from a file" if row.what.startswith("the whole") else "veridical, put"), row.ours.p50
        yield row.peer, row.theirs.p50


_Chosen = Callable[[Row], Iterator[tuple[str, float]]]
_DRAWN: dict[str, tuple[str, str, str, _Chosen]] = {
    "matching": ("A quote found in one text", "characters of the text", "s", _matching),
    "locating": ("A quote located, no document named", "documents", "s", _locating),
    "ingesting": ("Documents a second and core", "documents", "documents/s", _ingesting),
}


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    named = path.read_text("utf-8").splitlines() if path.exists() else []
    return next((line.partition(":")[2].strip() for line in named if line.startswith("model name")), platform.machine())
