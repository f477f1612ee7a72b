from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.homes import HINT, Home, make_folder
from veridical_contract import ConfigurationError, StoreFullError


def test_one_folder_holds_everything_when_it_is_named() -> None:
    home = Home.locate(home=Path("/somewhere"), environment={"VERIDICAL_HOME": "/elsewhere", "HOME": "/home/me"})
    expected = ("/somewhere", "/somewhere/settings.toml", "/somewhere/cache", "/somewhere/runs", "/somewhere/logs")
    assert expected == tuple(map(str, (home.data, home.settings, home.cache, home.runs, home.logs)))


def test_the_environment_may_name_the_folder() -> None:
    assert Home.below(Path("/elsewhere")) == Home.locate(environment={"VERIDICAL_HOME": "/elsewhere", "XDG_DATA_HOME": "/data"})


def test_a_relative_folder_is_below_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Home.below(tmp_path / "here") == Home.locate(home=Path("here"), environment={})


def test_otherwise_it_is_the_xdg_base_directories() -> None:
    home = Home.locate(environment={"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k", "HOME": "/home/me"})
    assert ("/d/veridical", "/c/veridical/settings.toml", "/k/veridical") == tuple(map(str, home))


@pytest.mark.parametrize("unset", ["", "relative/path"])
def test_an_xdg_folder_that_is_empty_or_relative_is_the_default(unset: str) -> None:
    variables = dict.fromkeys(["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "VERIDICAL_HOME"], unset) | {"VERIDICAL_HOME": ""}
    home = Home.locate(environment={**variables, "HOME": "/home/me"})
    expected = ("/home/me/.local/share/veridical", "/home/me/.config/veridical/settings.toml", "/home/me/.cache/veridical")
    assert expected == tuple(map(str, home))


def test_without_any_home_the_error_says_how_to_name_one() -> None:
    with pytest.raises(ConfigurationError) as caught:
        Home.locate(environment={})
    assert ("Nothing says where your files are: neither VERIDICAL_HOME nor HOME is set.", HINT) == (caught.value.message, caught.value.hint)


@given(st.dictionaries(st.sampled_from(["VERIDICAL_HOME", "XDG_DATA_HOME", "HOME", "XDG_CACHE_HOME"]), st.text(max_size=20), max_size=4))
def test_every_place_is_absolute_whatever_the_environment_says(environment: dict[str, str]) -> None:
    home = Home.locate(environment={"HOME": "/home/me"} | {name: value for name, value in environment.items() if value})
    assert [True] * 3 == [place.is_absolute() for place in home]


def test_knowing_the_places_makes_none_of_them(tmp_path: Path) -> None:
    Home.locate(home=tmp_path / "home", environment={})
    assert [] == list(tmp_path.iterdir())


def test_a_folder_and_what_is_missing_above_it_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = make_folder(tmp_path / "a" / "b" / "c")
    finally:
        os.umask(before)
    assert [0o700] * 3 == [stat.S_IMODE(folder.stat().st_mode) for folder in (made, *made.parents[:2])]


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert (tmp_path, 0o755) == (make_folder(tmp_path), stat.S_IMODE(tmp_path.stat().st_mode))


def test_a_file_in_the_way_is_one_line_with_the_next_command(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ConfigurationError) as caught:
            make_folder(place)
        assert (f"The folder {place} cannot be made: ", HINT) == (caught.value.message[: len(str(place)) + 28], caught.value.hint)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EROFS, ConfigurationError),
        (errno.EACCES, ConfigurationError),
        (errno.ENOSPC, StoreFullError),
        (errno.EDQUOT, StoreFullError),
    ],
)
def test_a_disk_that_refuses_is_told_apart_from_one_that_is_full(
    number: int, kind: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(kind, match=os.strerror(number)):
        make_folder(tmp_path / "new")


def test_importing_it_imports_neither_pydantic_nor_the_contract() -> None:
    code = "import sys, veridical.homes; print({'pydantic', 'veridical_contract', 'stevedore'} & set(sys.modules))"
    assert "set()\n" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
