from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.distributions import Distribution, plugin
from tests.distributions.broken import everything


def _installed(site: Path) -> list[tuple[str, str, str]]:
    found = importlib.metadata.distributions(path=[str(site)])
    return sorted((one.name, one.version, entry.value) for one in found for entry in one.entry_points)


def test_an_installed_distribution_has_the_metadata_it_was_given(tmp_path: Path) -> None:
    plugin("acme", distribution="Acme.Search", version="2.1").install(tmp_path)
    assert [("Acme.Search", "2.1", "Acme_Search:Plugin")] == _installed(tmp_path)


@pytest.mark.parametrize("distribution", everything(), ids=lambda one: one.name)
def test_an_installer_takes_the_wheel_for_what_install_puts_there(distribution: Distribution, tmp_path: Path) -> None:
    if (uv := shutil.which("uv")) is None:
        pytest.skip("uv is not on the PATH")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    distribution.install(ours)
    wheel = distribution.wheel(tmp_path)
    command = [uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", sys.executable, "--target", theirs, wheel]
    subprocess.run(command, check=True, capture_output=True)
    assert _installed(ours) == _installed(theirs)
