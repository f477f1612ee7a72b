"""The table of broken plugins, printed at the end: one row for each check."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session", autouse=True)
def _collected_quickly() -> Iterator[None]:
    """Spare the kit, which collects garbage to see that files are closed, all that was imported before: a third of the time of a store."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    rows = sorted(
        value.split("\t")
        for report in terminalreporter.stats.get("passed", [])
        for name, value in getattr(report, "user_properties", ())
        if name == "proved" and report.when == "call"
    )
    if not rows:
        return
    terminalreporter.section("broken plugins, and the one check that each fails")
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for check, kind, does in rows:
        terminalreporter.write_line(f"{check:{widths[0]}}  {kind:{widths[1]}}  proved: a plugin that {does}")
    checks = {check for check, _, _ in rows}
    ended = [report for state in ("failed", "error") for report in terminalreporter.stats.get(state, [])]
    failed = [report for report in ended if "/test_proved.py" in report.nodeid]
    proved = f"{len(failed)} tests of the table FAILED" if failed else "all proved"
    terminalreporter.write_line(f"{len(checks)} checks, {len(rows)} broken plugins: {proved}")
