"""What holds for every test of every distribution: no network, no file of the user's, no chance, no hidden machine state.

- sockets reach loopback only, in this process and in Python child processes (tools/offline);
- HOME and the XDG folders are temporary, and variables that would configure veridical or a provider are gone;
- hypothesis profiles: `quick` (the default, the same examples every time), `ci` (more of them), and
  `HYPOTHESIS_PROFILE=thorough` (by hand: many, and random).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tools.offline import sitecustomize

ROOT = Path(__file__).resolve().parent
SHARED = ROOT.parent / "shared" / "data"
FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")

# A busy machine is no reason to fail: nothing here depends on the time an example takes.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("quick", _UNTIMED, derandomize=True, database=None, max_examples=40, stateful_step_count=20)
settings.register_profile("ci", _UNTIMED, derandomize=True, database=None, max_examples=150, stateful_step_count=40)
settings.register_profile("thorough", _UNTIMED, max_examples=5_000, stateful_step_count=100)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture(autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give each test folders and an environment of its own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in FOLDERS:
            patch.setenv(name, str(home if name == "HOME" else home / name.lower()))
        for name in os.environ:
            if name.startswith("VERIDICAL_") or name.endswith("_API_KEY") or name in {"SEARXNG_INSTANCE_URL", "FORCE_COLOR", "CI"}:
                patch.delenv(name)
        patch.setenv("PYTHONPATH", str(Path(sitecustomize.__file__).parent), prepend=os.pathsep)
        yield


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Return a function from a name to a file of the test data that lies beside the project; it skips the test when it is not there."""

    def path(name: str) -> Path:
        found = SHARED / name
        if not found.exists():
            pytest.skip(f"test data {name} is not at {os.path.relpath(SHARED, ROOT)}")
        return found

    return path
