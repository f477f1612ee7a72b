"""An old and a new plugin in an old and a new host, each in a process of its own; and what a plugin's declared range decides."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.compatibility.hosts import ADDED, CONTRACT, HERON, NEXT, new_contract, new_plugin, unpack
from tests.distributions import Distribution
from tests.providers.service import Answer, Asked, Service, as_json, service

QUESTION = "how was radium discovered"
FOUND = "Radium was found by boiling tons of pitchblende in a shed."
READ = "Marie Curie discovered radium together with her husband."
PROGRAM = Path(__file__).parent / "program.py"
TOLD = {kind: {hook.added: hook.told} for kind, hook in ADDED.items()}
KINDS = ["chat", "search", "source"]

Try = Callable[..., "Ran"]


@dataclass(frozen=True)
class Ran:
    """What the program printed, and what the hooks of the new plugin wrote down, by argument."""

    said: dict[str, Any]
    handed: dict[str, list[str]]

    @property
    def reasons(self) -> dict[str, str]:
        return {kind: reason for kind, (_, reason, _) in self.said["rows"].items()}


def _answer(asked: Asked) -> Answer:
    return as_json({"rows": [{"link": "https://one.example/shed", "name": "The shed", "words": FOUND}]})


@pytest.fixture(scope="module")
def running() -> Generator[Service]:
    with service(_answer) as one:
        yield one


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What comes first on the path of the old host, and of the new one."""
    return {"old": [], "new": [str(new_contract(tmp_path_factory.mktemp("contract")))]}


@pytest.fixture
def tried(tmp_path: Path, hosts: dict[str, list[str]], running: Service) -> Try:
    """Return a function that runs a plugin in a host: the one of the frozen wheel, or one that is given."""
    site, home, base = (tmp_path / name for name in ("site", "home", "base"))

    def run(host: str, plugin: Distribution | None = None) -> Ran:
        name = "heron" if plugin is None else "egret"
        for folder in (home, base):
            folder.mkdir()
        if plugin is None:
            unpack(HERON, site)
        else:
            plugin.install(site)
        (base / "pages.jsonl").write_text(json.dumps({"link": "https://two.example/curie", "name": "Marie Curie", "words": READ}) + "\n")
        (home / "settings.toml").write_text(
            f'[plugins.hosts]\n{name} = ["127.0.0.1"]\n[plugin.{name}]\nurl = "{running.url}"\n'
            f'[sources.pages]\nplugin = "{name}"\npaths = ["{base}/pages.jsonl"]\n'
        )
        path = os.pathsep.join([os.environ["PYTHONPATH"], *hosts[host], str(site)])
        done = subprocess.run(
            [sys.executable, str(PROGRAM), str(home), str(base), name, QUESTION, json.dumps(TOLD if host == "new" else {})],
            env={**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "error"},
            cwd=base,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (0, "") == (done.returncode, done.stderr)
        kept = {hook.added: list(home.rglob(hook.added)) for hook in ADDED.values()}
        return Ran(json.loads(done.stdout), {name: paths[0].read_text().split() for name, paths in kept.items() if paths})

    return run


# The wheel


def test_the_frozen_wheel_is_the_one_that_was_built_once() -> None:
    assert "198952b7ce66ce273e93ad22a8d68d519169dc83544ff2d4f07b6e852fa0b361" == hashlib.sha256(HERON.read_bytes()).hexdigest()


def test_the_text_beside_it_is_what_it_holds() -> None:
    with zipfile.ZipFile(HERON) as wheel:
        assert HERON.with_name("veridical_heron-1.0.txt").read_bytes() == wheel.read("veridical_heron/__init__.py")
        metadata = wheel.read("veridical_heron-1.0.dist-info/METADATA").decode()
    assert "Requires-Dist: veridical-contract<1,>=0.1" in metadata.splitlines()


# The four cells


@pytest.mark.parametrize("host", ["old", "new"])
def test_an_old_plugin_works_in_an_old_and_a_new_host_with_every_hook(host: str, tried: Try) -> None:
    """In the new one it is not handed what it does not ask for: its hooks would raise."""
    ran = tried(host)
    assert (NEXT if host == "new" else CONTRACT) == ran.said["contract"]
    assert {kind: ["ok", "", ""] for kind in KINDS} == ran.said["rows"]
    assert {"quotes": sorted([FOUND, READ]), "plugins": KINDS} == ran.said["research"]
    assert (KINDS, 64) == (sorted(ran.said["answered"]), len(ran.said["pinned"]))


def test_a_new_plugin_in_a_new_host_is_handed_the_default_and_what_the_host_says(tried: Try) -> None:
    ran = tried("new", new_plugin(f"veridical-contract>={NEXT}"))
    assert {kind: ["ok", "", ""] for kind in KINDS} == ran.said["rows"]
    assert {"quotes": sorted([FOUND, READ]), "plugins": KINDS} == ran.said["research"]
    assert {hook.added: (hook.default, hook.told) for hook in ADDED.values()} == {
        name: (handed[0], handed[-1]) for name, handed in ran.handed.items()
    }


def test_a_new_plugin_that_says_what_it_needs_is_refused_by_an_old_host_before_it_is_imported(tried: Try) -> None:
    ran = tried("old", new_plugin(f"veridical-contract>={NEXT}"))
    said = (
        f"veridical-egret 2.0 is made for veridical-contract >={NEXT}, and {CONTRACT} is installed. "
        "Install versions that fit: pip install --upgrade veridical veridical-egret"
    )
    assert {kind: ["refused", said, "incompatible"] for kind in KINDS} == ran.said["rows"]
    assert {"error": f"The source plugin egret cannot be used: {said}", "type": "IncompatibleError"} == ran.said["research"]
    assert ([], {}) == (ran.said["answered"], ran.handed)


def test_a_new_plugin_that_does_not_say_so_is_refused_by_an_old_host_when_it_is_loaded_and_the_argument_is_named(tried: Try) -> None:
    ran = tried("old", new_plugin("veridical-contract"))
    assert {
        kind: f"Its hook {hook.name} asks for the argument {hook.added}, which veridical-contract {CONTRACT} does not have "
        f"(it has {hook.given}): veridical-egret 2.0 needs a veridical-contract later than {CONTRACT}, or is wrong. "
        "Type: pip install --upgrade veridical veridical-egret"
        for kind, hook in ADDED.items()
    } == ran.reasons
    assert {"refused"} == {status for status, _, _ in ran.said["rows"].values()}
    assert ("ConfigurationError", [], {}) == (ran.said["research"]["type"], ran.said["answered"], ran.handed)


@pytest.mark.parametrize(("host", "handed"), [("old", ("own", "own")), ("new", None)])
def test_a_new_plugin_with_defaults_of_its_own_works_in_both(host: str, handed: tuple[str, str] | None, tried: Try) -> None:
    ran = tried(host, new_plugin(f"veridical-contract>={CONTRACT}", "own"))
    assert {"quotes": sorted([FOUND, READ]), "plugins": KINDS} == ran.said["research"]
    assert {hook.added: handed or (hook.default, hook.told) for hook in ADDED.values()} == {
        name: (handed[0], handed[-1]) for name, handed in ran.handed.items()
    }


# What the range of a plugin decides


def test_a_plugin_whose_range_ends_before_the_new_contract_is_refused_by_the_new_host(tried: Try) -> None:
    ran = tried("new", new_plugin(f"veridical-contract>={CONTRACT},<{NEXT}"))
    said = f"veridical-egret 2.0 is made for veridical-contract <{NEXT},>={CONTRACT}, and {NEXT} is installed."
    assert dict.fromkeys(KINDS, said) == {kind: reason.partition(" Install")[0] for kind, reason in ran.reasons.items()}
    assert ("IncompatibleError", {}) == (ran.said["research"]["type"], ran.handed)


def test_the_new_host_runs_the_copy_and_the_old_one_the_contract_as_it_is(tried: Try, hosts: dict[str, list[str]]) -> None:
    assert hosts["new"] == [tried("new").said["copy"]]
