from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stevedore._cache import Cache
from veridical.discovery.metadata import PREFIX, distributions
from veridical.discovery.metadata import Distribution as Found

from tests.distributions import Distribution, plugin

LINES = st.lists(
    st.sampled_from(
        [
            "[veridical.v1.search]",
            "[veridical.v1.chat]",
            "[console_scripts]",
            "[veridical.v2.source]",
            "acme = acme:Search",
            "  acme=acme.sub:Search  ",
            "other = other:Thing [extra]",
            "# acme = commented:Out",
            "",
            "  ",
        ]
    ),
    max_size=12,
)


def _ours(path: Path) -> list[Found]:
    return list(distributions([str(path)], set()))


def _listed_by_importlib(*path: Path) -> set[tuple[str, str, str]]:
    found = list(importlib.metadata.distributions(path=[str(entry) for entry in path]))
    first = {one.metadata["Name"].lower().replace("_", "-"): one for one in reversed(found)}
    return {(e.group, e.name, e.value) for one in first.values() for e in one.entry_points if e.group.startswith(PREFIX)}


@given(LINES)
def test_entry_points_are_read_as_importlib_reads_them(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    site = tmp_path_factory.mktemp("site")
    (Distribution("acme").install(site) / "entry_points.txt").write_text("[veridical.v1.source]\n" + "\n".join(lines))
    assert _listed_by_importlib(site) == {tuple(entry) for one in _ours(site) for entry in one.entry_points}


def test_what_is_installed_here_is_listed_as_importlib_lists_it() -> None:
    ours = {tuple(entry) for one in distributions(sys.path, set()) for entry in one.entry_points}
    assert _listed_by_importlib(*map(Path, sys.path)) == ours


def test_what_is_installed_here_is_listed_as_stevedore_lists_it(tmp_path: Path) -> None:
    groups = ["veridical.v1.storage", "veridical.v1.source", "veridical.v1.chat", "veridical.v1.embedding"]
    theirs = {(e.group, e.name, e.value) for group in groups for e in Cache(str(tmp_path)).get_group_all(group)}
    assert theirs == {tuple(e) for one in distributions(sys.path, set()) for e in one.entry_points if e.group in groups}


def test_name_and_version_are_the_distributions(tmp_path: Path) -> None:
    plugin("acme", distribution="Acme.Search_Plus", version="2.1rc1+local").install(tmp_path)
    assert [("acme-search-plus", "2.1rc1+local")] == [(one.name, one.version) for one in _ours(tmp_path)]


def test_the_first_of_a_name_on_the_path_hides_the_others_even_when_it_has_no_plugin(tmp_path: Path) -> None:
    Distribution("Veridical_Acme", "2.0").install(tmp_path / "first")
    plugin("acme").install(tmp_path / "second")
    assert [] == list(distributions([str(tmp_path / "first"), str(tmp_path / "second")], set()))


def test_an_egg_info_folder_is_read_too(tmp_path: Path) -> None:
    folder = tmp_path / "veridical_acme.egg-info"
    folder.mkdir()
    (folder / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: veridical-acme\nVersion: 0.3\n")
    (folder / "entry_points.txt").write_text("[veridical.v1.search]\nacme = acme:Search\n")
    assert [("veridical-acme", "0.3")] == [(one.name, one.version) for one in _ours(tmp_path)]


def test_an_old_egg_info_file_and_a_folder_without_entry_points_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "old-1.0.egg-info").write_text("Name: old\n")
    (tmp_path / "bare-1.0.dist-info").mkdir()
    assert [] == _ours(tmp_path)


@pytest.mark.parametrize("entry", ["missing", "file.zip"])
def test_a_path_entry_that_is_no_folder_holds_nothing(entry: str, tmp_path: Path) -> None:
    (tmp_path / "file.zip").write_bytes(b"")
    assert [] == _ours(tmp_path / entry)


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"[veridical.v1.search]\nacme\n", "has no '='"), (b"[veridical.v1.search]\nacme = \xff\n", "utf-8")],
)
def test_entry_points_that_cannot_be_read_are_a_problem_of_their_distribution(content: bytes, expected: str, tmp_path: Path) -> None:
    (Distribution("acme").install(tmp_path) / "entry_points.txt").write_bytes(content)
    (found,) = _ours(tmp_path)
    assert (True, ()) == (expected in found.problem, found.entry_points)


def test_a_broken_line_of_a_group_that_is_not_ours_is_not_ours_to_judge(tmp_path: Path) -> None:
    (Distribution("acme").install(tmp_path) / "entry_points.txt").write_text("[veridical.v1.search]\na = a:B\n[others]\nno equals\n")
    (found,) = _ours(tmp_path)
    assert ("", 1) == (found.problem, len(found.entry_points))
