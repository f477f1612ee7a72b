"""The page with the latest figures: docs/reference/proof.md, written from latest.json beside this file.

A run renews the rows of the proofs that it ran and leaves the others, so that an hour of one proof does not cost an hour of each.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.proof.figures import Figures

__all__ = ["PAGE", "Row", "page", "write"]

LATEST = Path(__file__).with_name("latest.json")
PAGE = Path(__file__).resolve().parents[2] / "docs/reference/proof.md"

_WHAT = {
    "mutation": "every small change to the kernel turns a test red, or is explained",
    "mutation_checker": "every small change to the stand-alone checker turns a test red, or is explained",
    "locator": "no wrong span is ever confirmed, and every quote that equals its source under the folds is found",
    "coverage_fuzz": "whatever bytes come in, a reader reads them or refuses them by name",
    "differential": "kernel and checker give the same verdict on honest and tampered bundles",
    "kill": "the store loses nothing and holds nothing by halves when its process is killed",
}
_HEAD = """# Proofs: the latest figures

Written by `uv run python -m tests.proof --write`. [How to run the proofs](../how-to/prove-the-kernel.md) says what each of them does,
and what it does not show.
"""


@dataclass(frozen=True)
class Row:
    """One run of one proof; `full` is None for a size that was chosen by hand."""

    figures: Figures
    full: bool | None
    seconds: int

    def line(self) -> str:
        """One line for the terminal."""
        found = ", ".join(f"{name} {_shown(value)}" for name, value in self.figures.figures.items())
        state = "FAILED" if self.figures.failures else "holds"
        return f"{self.figures.proof:14} {state:7} {self.seconds:6,} s  {self.figures.size}: {found}"


def write(rows: Iterable[Row]) -> None:
    """Keep `rows` as the latest figures, and write the page."""
    latest: dict[str, Any] = json.loads(LATEST.read_text("utf-8")) if LATEST.exists() else {}
    for row in rows:
        latest[row.figures.proof] = {
            "size": row.figures.size,
            "figures": row.figures.figures,
            "holds": not row.figures.failures,
            "full": row.full,
            "seconds": row.seconds,
            "date": datetime.now(UTC).date().isoformat(),
            "python": platform.python_version(),
            "veridical": version("veridical-core"),
        }
    LATEST.write_text(json.dumps(latest, indent=2, sort_keys=True) + "\n", "utf-8")
    PAGE.write_text(page(latest), "utf-8")


def page(latest: dict[str, Any]) -> str:
    """Return the page that shows `latest`."""
    parts = [_HEAD]
    for name, row in sorted(latest.items()):
        size = {True: "full size", False: "quick size", None: "a size chosen by hand"}[row["full"]]
        when = f"{row['date']}, veridical {row['veridical']}, Python {row['python']}, {size}, {row['seconds']:,} seconds"
        table = "\n".join(f"| {figure} | {_shown(value)} |" for figure, value in row["figures"].items())
        verdict = "Holds" if row["holds"] else "**Does not hold**"
        parts.append(f"## {name}\n\nClaim: {_WHAT[name]}.\n\n{verdict}. Tried: {row['size']}. {when}.\n\n| | |\n|---|---:|\n{table}\n")
    return "\n".join(parts)


def _shown(value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else value
