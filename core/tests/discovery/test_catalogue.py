from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from veridical.discovery import Allow, Listing, Pinned, catalogue, listing
from veridical.discovery.catalogue import BUILT_IN
from veridical_contract import GENERATION, KINDS

from tests.distributions import Distribution, plugin
from tests.distributions.broken import broken, everything, good


def _one(site: Path, *distributions: Distribution, allow: Allow | None = None) -> Listing:
    for distribution in distributions:
        distribution.install(site)
    (row,) = catalogue(allow, path=[str(site)])
    return row


def _enabled(*names: str, disabled: tuple[str, ...] = (), pins: dict[str, Pinned] | None = None) -> Allow:
    return Allow(frozenset(names), frozenset(disabled), pins or {})


def test_kinds_and_generation_are_the_contracts() -> None:
    assert (KINDS, GENERATION) == (listing.KINDS, listing.GENERATION)


def test_the_local_set_is_ready_from_the_start() -> None:
    ready = {(row.kind, row.name, row.distribution) for row in catalogue() if row.state == "ready"}
    assert {(kind, name, distribution) for (kind, name), distribution in BUILT_IN.items()} == ready


def test_a_listing_says_what_the_metadata_says(site: Path) -> None:
    row = _one(site, plugin("acme", version="2.1"))
    expected = ("acme", "search", "v1", "veridical-acme", "2.1", "veridical_acme:Plugin", "veridical.v1.search")
    assert expected == (row.name, row.kind, row.generation, row.distribution, row.version, row.value, row.group)


def test_a_plugin_that_nobody_enabled_is_disabled_and_says_how_to_enable_it(site: Path) -> None:
    row = _one(site, plugin("acme"))
    assert ("disabled", False, "It is not enabled: veridical plugins enable acme") == (row.state, row.enabled, row.reason)


def test_an_enabled_plugin_is_ready(site: Path) -> None:
    row = _one(site, plugin("acme"), allow=_enabled("acme"))
    assert ("ready", True, "") == (row.state, row.enabled, row.reason)


def test_disabling_wins_over_enabling(site: Path) -> None:
    assert "disabled" == _one(site, plugin("acme"), allow=_enabled("acme", disabled=("acme",))).state


def test_a_built_in_plugin_can_be_disabled(site: Path) -> None:
    row = _one(site, plugin("sqlite", kind="storage"), allow=_enabled(disabled=("sqlite",)))
    assert "disabled" == row.state


@pytest.mark.parametrize(("kind", "distribution"), [("storage", "evil-sqlite"), ("search", "veridical-sqlite")])
def test_the_name_alone_does_not_make_a_plugin_built_in(kind: str, distribution: str, site: Path) -> None:
    assert "disabled" == _one(site, plugin("sqlite", kind=kind, distribution=distribution)).state


def test_a_plugin_that_now_comes_from_another_distribution_than_when_it_was_enabled_is_refused(site: Path) -> None:
    row = _one(site, plugin("acme", distribution="evil"), allow=_enabled("acme", pins={"acme": Pinned("veridical-acme")}))
    assert "refused" == row.state
    assert "It was enabled from veridical-acme and now comes from evil. If that is meant: veridical plugins enable acme" == row.reason


def test_a_plugin_that_comes_from_where_it_was_enabled_is_ready(site: Path) -> None:
    assert "ready" == _one(site, plugin("acme"), allow=_enabled("acme", pins={"acme": Pinned("veridical-acme")})).state


def test_a_plugin_in_another_version_than_the_one_that_is_pinned_is_refused_with_both_and_what_to_type(site: Path) -> None:
    row = _one(site, plugin("acme", version="1.1"), allow=_enabled("acme", pins={"acme": Pinned("veridical-acme", "1.0", "0" * 64)}))
    assert ("refused", "") == (row.state, row.files)
    assert row.reason == (
        "It is pinned to veridical-acme 1.0, and 1.1 is installed. If that is meant: veridical plugins enable acme --pin; "
        "if not: pip install veridical-acme==1.0"
    )


def test_a_plugin_in_the_version_that_is_pinned_is_ready_and_its_files_are_looked_at_when_it_is_loaded(site: Path) -> None:
    row = _one(site, plugin("acme"), allow=_enabled("acme", pins={"acme": Pinned("veridical-acme", "1.0", "0" * 64)}))
    assert ("ready", "0" * 64, "") == (row.state, row.files, row.note)


def test_a_plugin_that_was_enabled_by_hand_is_ready_and_says_that_nothing_is_pinned(site: Path) -> None:
    row = _one(site, plugin("acme"), allow=_enabled("acme"))
    assert ("ready", "It is enabled without a pin, so changes are not noticed: veridical plugins enable acme") == (row.state, row.note)


def test_a_plugin_that_is_not_enabled_has_no_note_and_neither_has_a_built_in_one(site: Path) -> None:
    built_in = plugin("sqlite", kind="storage")
    assert ("", "") == (_one(site, plugin("acme")).note, _one(site / "other", built_in).note)


def test_two_plugins_of_one_name_and_kind_are_both_refused_with_both_distributions_and_the_fix(site: Path) -> None:
    for distribution in broken()["duplicate name"]:
        distribution.install(site)
    rows = catalogue(_enabled("twin"), path=[str(site)])
    both = "veridical-twin-one and veridical-twin-two both bring a search plugin of this name. Remove one: pip uninstall"
    assert [("refused", f"{both} veridical-twin-one"), ("refused", f"{both} veridical-twin-two")] == [
        (row.state, row.reason) for row in rows
    ]


def test_a_copy_of_a_built_in_plugin_takes_the_built_in_one_down_with_it_rather_than_replace_it(site: Path) -> None:
    for owner in ("veridical-sqlite", "evil"):
        plugin("sqlite", kind="storage", distribution=owner).install(site)
    assert ["refused", "refused"] == [row.state for row in catalogue(path=[str(site)])]


def test_one_name_in_two_kinds_is_no_duplicate(site: Path) -> None:
    for kind in ("chat", "search"):
        plugin("acme", kind=kind, distribution=f"acme-{kind}").install(site)
    assert ["ready", "ready"] == [row.state for row in catalogue(_enabled("acme"), path=[str(site)])]


def test_one_distribution_on_two_path_entries_is_no_duplicate(tmp_path: Path) -> None:
    for name in ("a", "b"):
        plugin("acme").install(tmp_path / name)
    assert ["ready"] == [row.state for row in catalogue(_enabled("acme"), path=[str(tmp_path / "a"), str(tmp_path / "b")])]


def test_one_name_in_two_generations_is_no_duplicate(site: Path) -> None:
    plugin("acme", distribution="acme-old").install(site)
    plugin("acme", distribution="acme-new", generation="v2").install(site)
    assert [("acme-new", "refused"), ("acme-old", "ready")] == [
        (r.distribution, r.state) for r in catalogue(_enabled("acme"), path=[str(site)])
    ]


@pytest.mark.parametrize("generation", ["v0", "v2", "v10"])
def test_another_generation_is_listed_and_refused_with_both_generations(generation: str, site: Path) -> None:
    row = _one(site, plugin("acme", generation=generation, version="9.0"), allow=_enabled("acme"))
    said = f"veridical-acme 9.0 is made for plugin API {generation}, this veridical has v1. Install a version that fits: "
    assert ("refused", generation, f"{said}pip install --upgrade veridical veridical-acme") == (row.state, row.generation, row.reason)


@pytest.mark.parametrize(
    "group", ["veridical.search", "veridical.v1", "veridical.v1.magic", "veridical.v1.search.more", "veridical.V1.search"]
)
def test_a_group_that_is_none_of_ours_is_refused_with_those_that_are(group: str, site: Path) -> None:
    row = _one(site, Distribution("acme", entry_points={group: {"acme": "acme:Plugin"}}), allow=_enabled("acme"))
    assert ("refused", True) == (row.state, "veridical.v1.{chat,search,embedding,storage,source,command}" in row.reason)


@pytest.mark.parametrize("name", ["Acme", "a_b", "-a", "a-", "a--b", "a b", "ä", "a" * 65])
def test_a_name_that_is_not_one_is_refused(name: str, site: Path) -> None:
    row = _one(site, plugin(name, distribution="acme"), allow=_enabled(name))
    assert ("refused", True) == (row.state, "expected lower-case letters, digits and single hyphens" in row.reason)


@pytest.mark.parametrize("value", ["acme", "acme:", ":Plugin", "acme:Plu gin", "1acme:Plugin", "acme:Plugin [extra]", "acme.:Plugin"])
def test_a_value_that_names_no_class_is_refused(value: str, site: Path) -> None:
    row = _one(site, Distribution("acme", entry_points={"veridical.v1.search": {"acme": value}}), allow=_enabled("acme"))
    assert ("refused", True) == (row.state, "expected module:Class" in row.reason)


def test_metadata_cannot_steer_the_terminal(site: Path) -> None:
    row = _one(site, Distribution("acme", entry_points={"veridical.v1.search": {"a\x1b[2Jb": "x\x07:Y"}}))
    assert True is all(part.isprintable() for part in (row.name, row.value, row.reason))


def test_metadata_that_cannot_be_read_is_a_refused_row_and_costs_nothing_else(site: Path) -> None:
    (plugin("bad").install(site) / "entry_points.txt").write_text("[veridical.v1.search]\nnonsense\n")
    plugin("acme").install(site)
    rows = {row.distribution: row.state for row in catalogue(_enabled("acme", "bad"), path=[str(site)])}
    assert {"veridical-acme": "ready", "veridical-bad": "refused"} == rows


def test_a_command_is_listed_like_a_plugin(site: Path) -> None:
    row = _one(site, plugin("http", kind="command"), allow=_enabled("http"))
    assert ("command", "ready") == (row.kind, row.state)


def test_every_row_that_is_not_ready_says_why_in_one_line(site: Path) -> None:
    for distribution in everything():
        distribution.install(site)
    rows = [row for row in catalogue(path=[str(site)]) if row.state != "ready"]
    assert (len(everything()), True) == (len(rows), all(re.fullmatch(r"[^\n]{20,300}", row.reason) for row in rows))


def test_rows_are_in_the_order_of_kinds_and_names(site: Path) -> None:
    for name, kind in [("b", "search"), ("a", "search"), ("c", "chat"), ("d", "command")]:
        good(kind, name).install(site) if kind != "command" else plugin(name, kind=kind).install(site)
    assert ["c", "a", "b", "d"] == [row.name for row in catalogue(path=[str(site)])]


def test_nothing_is_listed_from_the_working_directory(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin("acme").install(site)
    monkeypatch.chdir(site)
    for entry in ("", str(site)):
        (row,) = catalogue(_enabled("acme"), path=[entry])
        assert ("refused", "It lies in the working directory, which nothing is loaded from. Install it: pip install .") == (
            row.state,
            row.reason,
        )


def test_what_lies_in_the_working_directory_neither_hides_nor_doubles_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, site = tmp_path / "here", tmp_path / "site"
    plugin("acme", version="0.dev").install(here)
    plugin("acme", version="1.0").install(site)
    monkeypatch.chdir(here)
    rows = catalogue(_enabled("acme"), path=["", str(site)])
    assert [("1.0", "ready")] == [(row.version, row.state) for row in rows]


def test_a_working_directory_that_was_deleted_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, site = tmp_path / "gone", tmp_path / "site"
    gone.mkdir()
    plugin("acme").install(site)
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert ["ready"] == [row.state for row in catalogue(_enabled("acme"), path=["", str(site)])]


def test_the_folder_that_distributions_are_installed_in_may_be_the_working_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = next(entry for entry in sys.path if entry.endswith("site-packages"))
    monkeypatch.chdir(installed)
    assert "ready" in {row.state for row in catalogue(path=[installed])}
