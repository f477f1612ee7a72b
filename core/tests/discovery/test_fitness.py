"""What is asked of a plugin before anything of it is imported: its files, where they come from, and the contract that it is made for."""

from __future__ import annotations

import shutil
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from packaging.version import Version
from veridical.context import Host, HostContext
from veridical.discovery import Allow, Loaded, Pinned, Status, catalogue, load
from veridical.discovery.files import files_digest
from veridical.gateway import Calls
from veridical.homes import Home
from veridical_contract import ConfigurationError, HostFiles, IncompatibleError, StateDepth, StoreState

from tests.distributions import Distribution, plugin
from tests.distributions.broken import good_search

CONTRACT = version("veridical-contract")
NEXT = f"{Version(CONTRACT).major}.{Version(CONTRACT).minor + 1}"
MARK = "import sys; sys.modules['imported_' + __name__] = sys\n"
Try = Callable[..., Loaded | Status]


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(home=Home.below(tmp_path), files=cast("HostFiles", None), environment={}, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def tried(site: Path, host: Host) -> Try:
    """Return a function that installs a distribution, pins its plugin as it is then, lets a test change it, and loads it."""

    def run(distribution: Distribution, change: Callable[[Path], object] = lambda site: None, *, pinned: bool = True) -> Loaded | Status:
        folder = distribution.install(site)
        name = next(iter(next(iter(distribution.entry_points.values()))))
        pin = Pinned(distribution.name, distribution.version, files_digest(str(folder)) if pinned else "")
        change(site)
        (row,) = [row for row in catalogue(Allow(frozenset({name}), pins={name: pin}), path=[str(site)]) if row.name == name]
        return load(row, HostContext(name, host, cancelled=lambda: False))

    return run


def _made_for(*requires: str) -> Distribution:
    made = plugin("acme", "def __init__(self, context): pass\n@hookimpl\ndef search(self, query):\n    return []", before=MARK)
    return replace(made, requires=requires)


@pytest.fixture(autouse=True)
def forget() -> object:
    yield
    for name in [name for name in sys.modules if name.startswith("imported_")]:
        del sys.modules[name]


# Files


def test_a_pinned_plugin_whose_files_are_as_they_were_is_loaded(tried: Try) -> None:
    assert isinstance(tried(good_search()), Loaded)


def test_a_pinned_plugin_whose_files_changed_is_refused_before_it_is_imported(tried: Try) -> None:
    row = tried(_made_for(), lambda site: (site / "veridical_acme.py").write_text(MARK))
    assert isinstance(row, Status)
    assert ("refused", "configuration", False) == (row.status, row.code, "imported_veridical_acme" in sys.modules)
    assert row.reason == (
        "The files of veridical-acme 1.0 are not those that were pinned. If that is meant: veridical plugins enable acme --pin; "
        "if not: pip install --force-reinstall --no-deps veridical-acme==1.0"
    )


def test_without_a_digest_in_the_pin_its_files_may_change(tried: Try) -> None:
    changed = good_search("acme").modules["veridical_acme.py"]
    assert isinstance(tried(_made_for(), lambda site: (site / "veridical_acme.py").write_text(changed), pinned=False), Loaded)


def test_a_pinned_plugin_that_would_be_imported_from_elsewhere_is_refused_before_it_is(tried: Try, site: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "veridical_acme.py").write_text(MARK)

    def shadow(_: Path) -> None:
        sys.path.insert(0, str(other))

    try:
        row = tried(_made_for(), shadow)
    finally:
        sys.path.remove(str(other))
    assert isinstance(row, Status)
    assert ("refused", False) == (row.status, "imported_veridical_acme" in sys.modules)
    assert row.reason.startswith(
        f"It would be imported from {other}/veridical_acme.py, which is not part of veridical-acme 1.0 that is pinned."
    )


def test_a_package_beside_its_module_is_found_out(tried: Try) -> None:
    """A folder is imported before a file of the same name."""

    def shadow(site: Path) -> None:
        (site / "veridical_acme").mkdir()
        (site / "veridical_acme" / "__init__.py").write_text(MARK)

    row = tried(_made_for(), shadow)
    assert ("refused", False) == (cast("Status", row).status, "imported_veridical_acme" in sys.modules)


def test_pinned_files_that_cannot_be_read_are_a_refusal(tried: Try) -> None:
    def loop(site: Path) -> None:
        (site / "veridical_acme.py").unlink()
        (site / "veridical_acme.py").symlink_to(site / "veridical_acme.py")

    row = cast("Status", tried(_made_for(), loop))
    said = "The files of veridical-acme 1.0, which are pinned, cannot be read: [Errno "
    assert ("refused", said, True) == (row.status, row.reason[: len(said)], "Too many levels of symbolic links" in row.reason)


JUNK = st.binary(max_size=60) | st.sampled_from([b"\0,,", b'"', b"../x\0y,,", b"Requires-Dist: veridical-contract>=\xff\n", b"a" * 200_000])


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["RECORD", "METADATA", "direct_url.json", "requires.txt"]), JUNK, st.sampled_from([".dist-info", ".egg-info"]))
def test_metadata_of_any_bytes_end_in_a_row(site: Path, host: Host, name: str, content: bytes, kind: str) -> None:
    folder = _made_for("veridical-contract").install(site)
    there = folder.with_suffix(kind)
    folder.rename(there)
    try:
        (there / name).write_bytes(content)
        allow = Allow(frozenset({"acme"}), pins={"acme": Pinned("veridical-acme", "", "0" * 64)})
        (row,) = catalogue(allow, path=[str(site)])
        tried = [load(one, HostContext("acme", host, cancelled=lambda: False)) for one in (row, row._replace(files=""))]
    finally:
        shutil.rmtree(there)
    assert "refused" == cast("Status", tried[0]).status
    assert [] == [one.reason for one in tried if isinstance(one, Status) and (one.status != "refused" or not one.reason.isprintable())]


def test_a_distribution_without_metadata_needs_nothing(tried: Try, site: Path) -> None:
    assert isinstance(tried(_made_for(), lambda site: (site / "veridical_acme-1.0.dist-info/METADATA").unlink(), pinned=False), Loaded)


def test_an_old_egg_info_says_what_it_needs_in_a_file_of_its_own(site: Path, host: Host) -> None:
    folder = _made_for().install(site)
    egg = folder.rename(folder.with_suffix(".egg-info"))
    (egg / "requires.txt").write_text(f"httpx\nveridical-contract>={NEXT}\n\n[testing]\npytest\n")
    (row,) = catalogue(Allow(frozenset({"acme"})), path=[str(site)])
    tried = load(row, HostContext("acme", host, cancelled=lambda: False))
    assert ("refused", "incompatible") == (cast("Status", tried).status, cast("Status", tried).code)
    (egg / "requires.txt").write_text(f"httpx\n\n[other]\nveridical-contract>={NEXT}\n")
    assert isinstance(load(row, HostContext("acme", host, cancelled=lambda: False)), Loaded)


# The contract


@pytest.mark.parametrize(
    "requires",
    [
        (),
        (f"veridical-contract=={CONTRACT}",),
        ("veridical-contract",),
        (f"Veridical_Contract (>={CONTRACT},<{NEXT})",),
        (f"veridical-contract>={NEXT}; python_version < '3'",),
        (f"veridical-contract[testing]>={NEXT}; extra == 'testing'",),
        (f"veridical-contracts>={NEXT}", f"httpx>={NEXT}"),
    ],
)
def test_a_plugin_that_is_made_for_this_contract_is_loaded(requires: tuple[str, ...], tried: Try) -> None:
    assert isinstance(tried(_made_for(*requires), pinned=False), Loaded)


@pytest.mark.parametrize(
    ("requirement", "shown"),
    [
        (f"veridical-contract>={NEXT}", f">={NEXT}"),
        (f"veridical-contract<{CONTRACT}", f"<{CONTRACT}"),
        (f"veridical.contract[testing]~={NEXT}.3; python_version >= '3'", f"~={NEXT}.3"),
    ],
)
def test_a_plugin_that_is_made_for_another_contract_is_refused_with_both_versions_before_it_is_imported(
    requirement: str, shown: str, tried: Try
) -> None:
    row = cast("Status", tried(_made_for("httpx", requirement), pinned=False))
    assert ("refused", "incompatible", False) == (row.status, row.code, "imported_veridical_acme" in sys.modules)
    assert row.reason == (
        f"veridical-acme 1.0 is made for veridical-contract {shown}, and {CONTRACT} is installed. "
        "Install versions that fit: pip install --upgrade veridical veridical-acme"
    )


def test_a_requirement_that_is_none_is_refused_with_what_it_says(tried: Try) -> None:
    row = cast("Status", tried(_made_for("veridical-contract>=one"), pinned=False))
    assert ("incompatible", True) == (row.code, "says that it needs 'veridical-contract>=one', which is no requirement." in row.reason)


def test_who_asks_a_plugin_that_is_made_for_another_contract_gets_the_error_of_that_name(site: Path, host: Host) -> None:
    _made_for(f"veridical-contract>={NEXT}").install(site)
    said = rf"is made for veridical-contract >={NEXT}, and {CONTRACT} is installed"
    with Calls(catalogue(Allow(frozenset({"acme"})), path=[str(site)]), host) as calls, pytest.raises(IncompatibleError, match=said):
        calls.open("search", "acme")


def test_who_asks_a_plugin_whose_files_changed_gets_a_configuration_error(site: Path, host: Host) -> None:
    _made_for().install(site)
    allow = Allow(frozenset({"acme"}), pins={"acme": Pinned("veridical-acme", "1.0", "0" * 64)})
    with Calls(catalogue(allow, path=[str(site)]), host) as calls, pytest.raises(ConfigurationError, match="not those that") as caught:
        calls.open("search", "acme")
    assert ConfigurationError is type(caught.value)


# Hooks and arguments that this contract does not have


@pytest.mark.parametrize(
    ("body", "said", "known"),
    [
        ("def search(self, query, language): return []", "Its hook search asks for the argument language", "query"),
        ("def suggest(self, query): return []", "It implements the search hook suggest", "search"),
    ],
)
def test_what_only_another_contract_has_is_named_with_the_versions_and_what_to_type(body: str, said: str, known: str, tried: Try) -> None:
    made = plugin("acme", f"def __init__(self, context): pass\n@hookimpl\n{body}")
    row = cast("Status", tried(made))
    assert "refused" == row.status
    assert row.reason == (
        f"{said}, which veridical-contract {CONTRACT} does not have (it has {known}): veridical-acme 1.0 needs a veridical-contract "
        f"later than {CONTRACT}, or is wrong. Type: pip install --upgrade veridical veridical-acme"
    )


def test_an_argument_that_only_another_contract_has_may_have_a_default(tried: Try) -> None:
    made = plugin("acme", "def __init__(self, context): pass\n@hookimpl\ndef search(self, query, language='any'):\n    return [language]")
    loaded = tried(made)
    assert isinstance(loaded, Loaded)
    assert [["any"]] == loaded.relay.search(query=None)


# What is deprecated

OLD = "def state(self, check):\n    return StoreState(location='old', schema_version=int(check), documents=0, origins={})"
NEW = "def state(self, depth):\n    return StoreState(location=depth, schema_version=1, documents=0, origins={})"


def _store(body: str) -> Distribution:
    return plugin("acme", f"def __init__(self, context): pass\n@hookimpl\n{body}", kind="storage")


@pytest.mark.parametrize(("depth", "whole"), [("counts", 0), ("whole", 1)])
def test_a_store_that_asks_for_what_is_deprecated_works_and_has_a_dated_note(depth: StateDepth, whole: int, tried: Try) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what a user's run would print
        loaded = tried(_store(OLD))
    assert isinstance(loaded, Loaded)
    (state,) = cast("list[StoreState]", loaded.relay.state(depth=depth, check=bool(whole)))
    assert ("old", whole) == (state.location, state.schema_version)
    (note,) = loaded.notes
    assert note.startswith("The argument check of the hook state (storage) is deprecated since veridical-contract 0.1.0 (2026-11-22)")


def test_a_store_that_does_not_has_none(tried: Try) -> None:
    loaded = tried(_store(NEW))
    assert isinstance(loaded, Loaded)
    (state,) = cast("list[StoreState]", loaded.relay.state(depth="whole", check=True))
    assert ("whole", ()) == (state.location, loaded.notes)


def test_the_row_of_a_plugin_has_what_is_deprecated_once_and_that_it_has_no_pin(site: Path, host: Host) -> None:
    _store(OLD).install(site)
    with Calls(catalogue(Allow(frozenset({"acme"})), path=[str(site)]), host) as calls:
        calls.check()
        (row,) = calls.check()
    assert ("ok", ["It is enabled", "The argument check"]) == (row.status, [" ".join(note.split()[:3]) for note in row.notes])
