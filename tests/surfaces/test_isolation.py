"""What the command line says of plugins that run in processes of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from veridical.isolation import unsupported

from .conftest import Ran

SETTINGS = """
[isolation.files]
isolate = true

[isolation.extractive]
isolate = true
without_sandbox = true

[isolation.hashing]
memory_megabytes = 512
"""


@pytest.fixture
def isolating(tmp_path: Path) -> Path:
    if why := unsupported():
        pytest.skip(f"there is no sandbox here: {why}")
    settings = tmp_path / "home/settings.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(SETTINGS, "utf-8")
    return settings


def test_the_doctor_says_where_each_plugin_runs(veridical: Callable[..., Ran], isolating: Path) -> None:
    done = veridical("doctor")
    rows = {line.split()[0]: " ".join(line.split()) for line in done.out.splitlines() if line}
    assert 0 == done.code
    assert rows["files"].startswith("files source ok isolated ")
    assert rows["extractive"].startswith("extractive chat ok isolated, no sandbox ")
    assert rows["hashing"].startswith("hashing embedding ok here ")
    found = {row["name"]: row["isolated"] for row in json.loads(veridical("doctor", "--json").out)["plugins"]}
    assert ("sandboxed", "unsandboxed", "") == (found["files"], found["extractive"], found["hashing"])


def test_a_name_that_is_no_plugins_is_a_problem(veridical: Callable[..., Ran], isolating: Path) -> None:
    isolating.write_text("[isolation.moon]\nisolate = true\n", "utf-8")
    done = veridical("doctor")
    assert (6, True) == (done.code, "[isolation.moon]: no plugin of that name is installed." in done.err)


def test_one_plugin_is_shown_with_where_it_runs(veridical: Callable[..., Ran], isolating: Path) -> None:
    assert ["sandboxed"] == [row["isolated"] for row in json.loads(veridical("plugins", "show", "files", "--json").out)]
    assert "isolated:     sandboxed" in veridical("plugins", "show", "files").out


def test_the_store_cannot_be_isolated_and_says_so(veridical: Callable[..., Ran], isolating: Path) -> None:
    isolating.write_text("[isolation.sqlite]\nisolate = true\n", "utf-8")
    done = veridical("doctor")
    assert 6 == done.code
    assert "take [isolation.sqlite] out of the settings file" in done.err
