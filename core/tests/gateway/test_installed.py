"""Everything that goes wrong, installed at once, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.distributions import plugin
from tests.distributions.broken import everything, good_search

PROGRAM = """
import json, os, sys
from datetime import UTC, datetime
from pathlib import Path
from veridical.context import Host
from veridical.discovery import Allow, catalogue
from veridical.gateway import Calls
from veridical.homes import Home
from veridical.settings import Limits
from veridical_contract import PluginError, SearchQuery

names = {row.name for row in catalogue()}
host = Host(home=Home.below(Path(sys.argv[1])), files=None, environment=os.environ, clock=lambda: datetime.now(UTC))
limits = Limits(load=2.0, search=0.2)
with Calls(catalogue(Allow(frozenset(names))), host, limits=limits) as calls:
    rows = {row.name: [row.status, row.reason] for row in calls.check()}
    found = [item.text for item in calls.call("search", "good", "search", query=SearchQuery(text="x"))]
    junk = calls.call("search", "junk", "search", query=SearchQuery(text="x"))
    try:
        calls.call("search", "hook-hangs", "search", query=SearchQuery(text="x"))
    except PluginError as error:
        hangs = error.code
    again = [item.text for item in calls.call("search", "good", "search", query=SearchQuery(text="y"))]
print(json.dumps([rows, found, junk, hangs, again]))
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which every broken plugin and a good one are installed."""
    site = tmp_path / "site"
    for distribution in (*everything(), good_search()):
        distribution.install(site)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), os.environ["PYTHONPATH"]])}


def _run(environment: dict[str, str], *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], env=environment, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def test_with_everything_broken_installed_at_once_the_rest_works(environment: dict[str, str], tmp_path: Path) -> None:
    done = _run(environment, "-c", PROGRAM, str(tmp_path / "home"))
    assert (0, "") == (done.returncode, done.stderr)
    rows, found, junk, hangs, again = json.loads(done.stdout)
    assert (["found x"], {"moon": "cheese"}, "plugin-timeout", ["found y"]) == (found, junk, hangs, again)
    expected = {
        "import-error": "failed",
        "assertion-error": "failed",
        "system-exit": "failed",
        "wrong-argument": "refused",
        "unknown-hook": "refused",
        "wrapper": "refused",
        "twin": "refused",
        "from-tomorrow": "refused",
        "constructor-hangs": "quarantined",
        "hook-hangs": "ok",
        "junk": "ok",
        "good": "ok",
    }
    assert expected == {name: rows[name][0] for name in expected}
    assert [] == [name for name, (status, reason) in rows.items() if (status == "ok") == bool(reason)]


def test_listing_imports_no_plugin_and_nothing_that_takes_long(environment: dict[str, str], tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('[plugins]\nenabled = ["good", "junk"]\npins.good.distribution = "veridical-good"\n')
    program = (
        "import sys; from pathlib import Path; from veridical.homes import Home; from veridical.discovery import catalogue, read_allow\n"
        f"Home.locate(environment={{'HOME': '/'}}); rows = catalogue(read_allow(Path({str(settings)!r})))\n"
        "ready = sorted(row.name for row in rows if row.state == 'ready'); modules = sorted(sys.modules)\n"
        "import json; print(json.dumps([ready, modules]))"
    )
    done = _run(environment, "-c", program)
    assert 0 == done.returncode, done.stderr
    ready, modules = json.loads(done.stdout)
    imported = {name.partition(".")[0] for name in modules}
    heavy = {"pydantic", "veridical_contract", "httpx", "rich", "click", "pluggy", "stevedore", "email", "logging"}
    assert ["extractive", "files", "good", "hashing", "junk", "mcp", "serve", "sqlite"] == ready
    assert (set(), set()) == (heavy & imported, {name for name in imported if name.startswith("veridical_")})


def test_a_program_started_in_a_folder_of_traps_loads_none_of_them(environment: dict[str, str], tmp_path: Path) -> None:
    trap = tmp_path / "notes"
    plugin("trap", before="print('sprung')", distribution="veridical-trap").install(trap)
    (trap / "veridical_good.py").write_text("print('sprung')")
    (trap / "program.py").write_text(PROGRAM)
    code = (
        "from datetime import UTC, datetime; from pathlib import Path; from veridical.context import Host\n"
        "from veridical.discovery import Allow, catalogue; from veridical.gateway import Calls; from veridical.homes import Home\n"
        f"host = Host(home=Home.below(Path({str(tmp_path)!r})), files=None, environment={{}}, clock=lambda: datetime.now(UTC))\n"
        "rows = catalogue(Allow(frozenset({'good', 'trap'})))\n"
        "with Calls([row for row in rows if row.name in {'good', 'trap'}], host) as calls: print([row.status for row in calls.check()])"
    )
    done = _run(environment, "-c", code, cwd=trap)  # -c puts the working directory first on sys.path
    assert "['refused', 'refused']\n" == done.stdout, done.stderr
