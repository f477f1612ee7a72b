"""Each kind once from template to green, in an environment of its own, and the README's three commands.

Building and installing need uv and the package index, or what uv kept of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .__main__ import each_once
from .baking import bake
from .whole_path import Environment, find_uv, red_ones, three_commands, walk, workspace_wheels

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def uv() -> tuple[str, str]:
    """Uv, and its cache: found before a test gets a home of its own."""
    if (found := find_uv()) is None:
        pytest.skip("uv is not on the PATH")
    return found


def test_each_kind_is_green_and_red_when_its_entry_point_is_broken(tmp_path: Path, uv: tuple[str, str]) -> None:
    wheels = workspace_wheels(tmp_path / "wheels", uv)
    environment = Environment(tmp_path / "environment", uv, wheels)
    projects = [bake(tmp_path / answers["name"], answers) for answers in each_once()]
    assert [] == [
        step.name for baked in projects for step in walk(environment, baked) if not step.right and print(red_ones([step])) is None
    ]
    # The very wheels, the very tests, as a publisher's own commands run them.
    assert "" == red_ones(three_commands(bake(tmp_path / "three", {"kinds": "search,chat"}), uv, wheels))
