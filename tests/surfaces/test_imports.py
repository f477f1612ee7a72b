"""Which modules a command may import: help and listings are instant, whatever is installed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("pydantic", "httpx", "rich", "pluggy", "stevedore", "packaging", "veridical_contract", "veridical.kernel", "veridical.client")
PLUGINS = ("veridical_sqlite", "veridical_files", "veridical_extractive", "veridical_hashing")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["plugins", "list"], ["plugins", "list", "--json"], ["research", "--help"]]
)
def test_help_version_and_the_list_of_plugins_import_nothing_heavy_and_no_plugin(arguments: list[str]) -> None:
    script = (
        "import sys, json\n"
        "from veridical.cli import main\n"
        f"code = main({arguments!r})\n"
        "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    code, modules = json.loads(done.stderr.strip().splitlines()[-1])
    assert code == 0
    assert [name for name in (*HEAVY, *PLUGINS) if name in modules] == []


def test_importing_the_package_imports_nothing_heavy() -> None:
    script = "import sys, veridical; print([name for name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert [name for name in HEAVY if f"'{name}'" in done.stdout] == []
