"""What the conformance kit adds to pytest: `--record`, `--contract-report`, and the report at the end.

Every run of pytest imports this: the kit itself is imported only where there is something to report.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

_PROPERTY = "veridical-contract"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("veridical contract")
    group.addoption("--record", action="store_true", default=False, help="ask the providers, and keep what they answer as cassettes")
    group.addoption(
        "--contract-report",
        metavar="FILE",
        default=None,
        help="where to write what became of each check as JSON; by default into the cache folder of pytest",
    )


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what became of the checks of each plugin, and the line for a badge."""
    reports = _reports(terminalreporter)
    if not reports:
        return
    from .testing import ContractReport

    found = [ContractReport.model_validate_json(json.dumps(report)) for report in reports]
    terminalreporter.section("veridical contract")
    for report in found:
        for result in report.results:
            if result.outcome == "waived":
                terminalreporter.write_line(f"waived: {report.plugin} ({report.kind}): {result.check}: {result.said}")
        terminalreporter.write_line(report.badge())
    if (path := _report_path(config)) is not None:
        data = [report.model_dump(mode="json") for report in found]
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        terminalreporter.write_line(f"the report as JSON: {path}")


def _report_path(config: pytest.Config) -> Path | None:
    """Return where the report is written: where the option says, or in pytest's cache folder, unless there is none."""
    if (named := config.getoption("contract_report")) is not None:
        return Path(named)
    cache = getattr(config, "cache", None)
    return Path(cache.mkdir("veridical")) / "contract-report.json" if cache is not None else None


def _reports(terminalreporter: Any) -> list[dict[str, Any]]:
    """Put together what the tests of each plugin said, wherever they ran."""
    plugins: dict[tuple[str, str], dict[str, Any]] = {}
    for outcome in ("passed", "failed", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, value in getattr(report, "user_properties", ()):
                if name == _PROPERTY and getattr(report, "when", "") == "call":
                    one = json.loads(value)
                    plugins.setdefault((one["kind"], one["plugin"]), {**one, "results": []})["results"] += one["results"]
    return [plugins[key] for key in sorted(plugins)]
