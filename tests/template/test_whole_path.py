"""Each kind once from template to green, in an environment of its own, and the README's three commands.

Building and installing need uv and the package index, or what uv kept of it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from .__main__ import each_once
from .baking import ROOT, bake
from .whole_path import Environment, find_uv, red_ones, three_commands, walk, workspace_wheels

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="walked once, with the oldest Python: python -m tests.template takes any"),
]


THREE = ["$ uvx cookiecutter cookiecutter-adapter -o ..", "$ cd ../veridical-acme && uv sync", "$ uv run pytest"]
"""What README.md and docs/how-to/publish-a-plugin.md show; the first is `bake`, the others are `three_commands`."""


@pytest.fixture(scope="module")
def uv() -> tuple[str, str]:
    """Uv, and its cache: found before a test gets a home of its own."""
    if (found := find_uv()) is None:
        pytest.skip("uv is not on the PATH")
    return found


def test_the_three_commands_that_are_shown_are_the_ones_that_are_run() -> None:
    pages = ("README.md", "docs/tutorial-publisher.md", "docs/how-to/publish-a-plugin.md")
    for page in pages:
        blocks = re.findall(r"^```console\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
        assert THREE in [block.splitlines() for block in blocks], page


def test_each_kind_is_green_and_red_when_its_entry_point_is_broken(tmp_path: Path, uv: tuple[str, str]) -> None:
    wheels = workspace_wheels(tmp_path / "wheels", uv)
    environment = Environment(tmp_path / "environment", uv, wheels)
    projects = [bake(tmp_path / answers["name"], answers) for answers in each_once()]
    assert [] == [
        step.name for baked in projects for step in walk(environment, baked) if not step.right and print(red_ones([step])) is None
    ]
    # What docs/how-to/publish-a-plugin.md says, with the wheels of this workspace.
    assert "" == red_ones(three_commands(bake(tmp_path / "three", {"kinds": "search,chat"}), uv, wheels))
