"""What an operator enables is what runs: pinned when asked for, frozen and restored all together, refused before it is imported."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from veridical.cli import main

from tests.distributions import Distribution, plugin
from tests.distributions.broken import broken
from tests.distributions.installing import on_path
from tests.surfaces.conftest import Ran

Run = Callable[..., Ran]
SEARCH = """
def __init__(self, context):
    self.wire = WireMap(base_url="https://api.acme.example", item="/rows/*", url="link", text=("text",))

@hookimpl
def search(self, query):
    return []
"""
TWICE = "veridical-acme and zeal both bring a search plugin of this name"
OLD_STORE = """
@hookimpl
def state(self, check):
    return SqliteStorage.state(self, "whole" if check else "counts")
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


@pytest.fixture
def run(tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs `veridical` where the distributions of `site` are installed, each time as if for the first time."""
    monkeypatch.chdir(tmp_path)

    def type_(*arguments: str, home: Path = tmp_path / "home") -> Ran:
        monkeypatch.setenv("VERIDICAL_HOME", str(home))
        with on_path(site):
            importlib.invalidate_caches()
            code = main([*arguments])
        return Ran(code, *capfd.readouterr())

    return type_


def acme(mark: Path | None = None, *, version: str = "1.0", name: str = "acme") -> Distribution:
    """A search plugin; importing it makes the file `mark`."""
    before = f"import pathlib\npathlib.Path({str(mark)!r}).touch()" if mark is not None else ""
    return plugin(name, SEARCH, before=before, version=version)


def settings(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.toml"


def state(run: Run, name: str = "acme") -> tuple[str, str]:
    (row,) = [row for row in json.loads(run("plugins", "list", "--json").out) if row["name"] == name]
    return row["state"], row["reason"]


def loaded(run: Run, name: str = "acme") -> tuple[str, str]:
    (row,) = json.loads(run("plugins", "show", name, "--json").out)
    return row["status"], row["reason"]


# Pinned to a version and its files


def test_without_a_pin_another_version_and_other_files_are_taken(run: Run, site: Path) -> None:
    acme().install(site)
    assert 0 == run("plugins", "enable", "acme").code
    (site / "veridical_acme.py").write_text((site / "veridical_acme.py").read_text() + "\n# more\n")
    assert ("ok", "") == loaded(run)


def test_a_pin_says_what_it_holds(run: Run, site: Path, tmp_path: Path) -> None:
    acme().install(site)
    ran = run("plugins", "enable", "acme", "--pin")
    pin = tomllib.loads(settings(tmp_path).read_text())["plugins"]["pins"]["acme"]
    assert {"distribution", "version", "files", "wire"} == pin.keys()
    assert (0, f"It is pinned to version 1.0 with the files that it has now, {pin['files'][:12]}.") == (ran.code, ran.err.splitlines()[1])
    assert f"pinned:       {pin['files']}" in run("plugins", "show", "acme").out.splitlines()
    assert ("ok", "") == loaded(run)


def test_pinned_files_that_changed_are_refused_before_they_are_imported_and_listing_does_not_look_at_them(
    run: Run, site: Path, tmp_path: Path
) -> None:
    acme().install(site)
    run("plugins", "enable", "acme", "--pin")
    mark = tmp_path / "imported"
    (site / "veridical_acme.py").write_text(acme(mark).modules["veridical_acme.py"])
    status, reason = loaded(run)
    assert ("refused", "The files of veridical-acme 1.0 are not those that were pinned.") == (status, reason.partition(" If")[0])
    assert (("ready", ""), False) == (state(run), mark.exists())


def test_a_pin_holds_for_a_plugin_in_a_process_of_its_own_too(run: Run, site: Path, tmp_path: Path) -> None:
    acme().install(site)
    run("plugins", "enable", "acme", "--pin")
    settings(tmp_path).write_text(f"{settings(tmp_path).read_text()}\n[isolation.acme]\nisolate = true\nwithout_sandbox = true\n")
    assert ("ok", "") == loaded(run)
    mark = tmp_path / "imported"
    (site / "veridical_acme.py").write_text(acme(mark).modules["veridical_acme.py"])
    status, reason = loaded(run)
    assert ("refused", "The files of veridical-acme 1.0 are not those that were pinned.") == (status, reason.partition(" If")[0])
    assert False is mark.exists()


@pytest.mark.parametrize("again", [("--pin",), ()])
def test_enabling_again_takes_the_files_as_they_are_and_stays_exact(again: tuple[str, ...], run: Run, site: Path) -> None:
    acme().install(site)
    run("plugins", "enable", "acme", "--pin")
    for more in ("# one", "# two"):
        (site / "veridical_acme.py").write_text(acme().modules["veridical_acme.py"] + more)
        assert "refused" == loaded(run)[0]
        assert 0 == run("plugins", "enable", "acme", *again).code
        assert ("ok", "") == loaded(run)


def test_another_version_than_the_pinned_one_is_refused_by_every_command(run: Run, site: Path, tmp_path: Path) -> None:
    folder = acme().install(site)
    run("plugins", "enable", "acme", "--pin")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    mark = tmp_path / "imported"
    acme(mark, version="1.1").install(site)
    said = "It is pinned to veridical-acme 1.0, and 1.1 is installed."
    assert [("refused", said)] * 2 == [(found, reason.partition(" If")[0]) for found, reason in (state(run), loaded(run))]
    assert False is mark.exists()


# What is refused changes nothing


def test_two_plugins_of_one_name_are_not_enabled_and_nothing_is_written(run: Run, site: Path, tmp_path: Path) -> None:
    for distribution in broken()["duplicate name"]:
        distribution.install(site)
    ran = run("plugins", "enable", "twin", "--pin")
    said = "veridical: twin is not enabled: veridical-twin-one and veridical-twin-two both bring a search plugin of this name."
    assert (6, said) == (ran.code, ran.line().partition(" Remove one")[0])
    assert False is settings(tmp_path).exists()


def test_two_plugins_of_one_name_leave_what_was_set_as_it_was(run: Run, site: Path, tmp_path: Path) -> None:
    acme().install(site)
    run("plugins", "enable", "acme")
    before = settings(tmp_path).read_bytes()
    plugin("acme", SEARCH, distribution="acme-search").install(site)
    assert (6, before) == (run("plugins", "enable", "acme").code, settings(tmp_path).read_bytes())


def test_one_name_of_two_distributions_is_not_enabled_since_it_cannot_be_said_which_is_meant(run: Run, site: Path, tmp_path: Path) -> None:
    acme().install(site)
    plugin("acme", kind="chat", distribution="acme-chat").install(site)
    ran = run("plugins", "enable", "acme")
    said = "acme-chat and veridical-acme both bring plugins of this name, and one is enabled from one distribution."
    assert (6, True, False) == (ran.code, said in ran.line(), settings(tmp_path).exists())


def test_a_plugin_that_can_never_be_loaded_is_not_enabled(run: Run, site: Path) -> None:
    (made,) = broken()["other generation"]
    made.install(site)
    ran = run("plugins", "enable", "from-tomorrow")
    assert (6, True) == (ran.code, "is made for plugin API v2" in ran.line())


def test_a_plugin_that_is_not_there_is_a_matter_of_usage(run: Run) -> None:
    assert 2 == run("plugins", "enable", "nobody", "--pin").code


# What the operator should know


def test_a_plugin_that_was_enabled_by_hand_works_and_three_commands_say_that_it_has_no_pin(run: Run, site: Path, tmp_path: Path) -> None:
    acme().install(site)
    settings(tmp_path).parent.mkdir()
    settings(tmp_path).write_text('[plugins]\nenabled = ["acme"]\n')
    said = "It is enabled without a pin, so changes are not noticed: veridical plugins enable acme"
    assert ("ok", "") == loaded(run)
    assert [f"acme: {said}"] == [line for line in run("plugins", "list").err.splitlines() if line.startswith("acme")]
    assert f"note:         {said}" in run("plugins", "show", "acme").out.splitlines()
    doctor = run("doctor")
    assert (0, [f"note: acme: {said}"]) == (doctor.code, doctor.err.splitlines())
    run("plugins", "enable", "acme")
    assert "note: " not in run("doctor").err + run("plugins", "show", "acme").out


def test_a_store_that_uses_what_is_deprecated_works_and_doctor_says_so_once_with_its_dates(run: Run, site: Path, tmp_path: Path) -> None:
    made = plugin("shelf", OLD_STORE, kind="storage", before="from veridical_sqlite import SqliteStorage")
    source = made.modules["veridical_shelf.py"].replace("class Plugin:", "class Plugin(SqliteStorage):")
    Distribution(made.name, made.version, {"veridical_shelf.py": source}, made.entry_points).install(site)
    assert 0 == run("plugins", "enable", "shelf").code
    settings(tmp_path).write_text(f'{settings(tmp_path).read_text()}\n[storage]\nname = "shelf"\n')
    (tmp_path / "notes.txt").write_text("The battery of the printer fails twice a day. Nobody knows why it does.\n")
    ran = run("research", "What fails twice a day?", "--from", "notes.txt")
    assert (0, True, False) == (ran.code, "battery" in ran.out, "deprecated" in ran.err)  # warnings are errors here
    doctor = run("doctor", "--store")
    (note,) = [line for line in doctor.err.splitlines() if line.startswith("note: ")]
    assert (0, True) == (doctor.code, "The argument check of the hook state (storage) is deprecated" in note)
    assert True is ("(2026-11-22)" in note and "not before 2027-05-22" in note)
    assert note.removeprefix("note: shelf: ") in run("plugins", "show", "shelf").out


# Frozen and restored


@pytest.fixture
def frozen(run: Run, site: Path, tmp_path: Path) -> Path:
    """The file of an installation with a pinned plugin and one that is not pinned exactly; one of the built-in ones does not run."""
    acme().install(site)
    acme(name="bolt").install(site)
    for command in (("enable", "acme", "--pin"), ("enable", "bolt"), ("disable", "hashing"), ("freeze", "-o", "frozen.toml")):
        assert 0 == run("plugins", *command).code
    return tmp_path / "frozen.toml"


def test_what_is_frozen_is_every_enabled_plugin_and_the_same_bytes_each_time(run: Run, frozen: Path) -> None:
    made = tomllib.loads(frozen.read_text())
    assert ["acme", "bolt", "extractive", "files", "mcp", "serve", "sqlite"] == list(made["plugins"])
    assert {"distribution", "version", "files", "wire"} == made["plugins"]["bolt"].keys()
    assert frozen.read_text() == run("plugins", "freeze").out == run("plugins", "freeze").out
    assert made["veridical"] == json.loads(run("plugins", "freeze", "--json").out)["veridical"]


def test_a_restored_installation_has_the_same_plugins_pins_and_frozen_file(run: Run, frozen: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "settings.toml").write_text('# mine\n[plugins]\nenabled = ["gone"]\nattested = ["files"]\n')
    ran = run("plugins", "restore", str(frozen), home=other)
    expected = [
        "Enabled, and pinned as they were frozen: acme, bolt, extractive, files, mcp, serve, sqlite.",
        "Not enabled any more: gone, hashing.",
    ]
    assert (0, expected) == (ran.code, ran.err.splitlines())
    plugins = tomllib.loads((other / "settings.toml").read_text())["plugins"]
    pins = tomllib.loads(frozen.read_text())["plugins"]
    assert (["acme", "bolt", "extractive", "files", "mcp", "serve", "sqlite"], ["hashing"], ["files"]) == (
        plugins["enabled"],
        plugins["disabled"],
        plugins["attested"],
    )
    assert (pins, True) == (plugins["pins"], (other / "settings.toml").read_text().startswith("# mine\n"))
    assert frozen.read_text() == run("plugins", "freeze", home=other).out
    assert ("ok", "") == loaded(lambda *words: run(*words, home=other), "bolt")


def _changed_version(site: Path) -> None:
    folder = site / "veridical_acme-1.0.dist-info"
    folder.rename(site / "veridical_acme-2.0.dist-info")


def _gone(site: Path) -> None:
    (site / "veridical_acme-1.0.dist-info" / "entry_points.txt").unlink()


def _another_owner(site: Path) -> None:
    _gone(site)
    plugin("acme", SEARCH, distribution="evil").install(site)


def _changed_file(site: Path) -> None:
    (site / "veridical_acme.py").write_text("raise SystemExit(9)")


def _twice(site: Path) -> None:
    plugin("acme", SEARCH, distribution="zeal").install(site)


@pytest.mark.parametrize(
    ("change", "said", "typed"),
    [
        (_changed_version, "veridical-acme is 2.0, and was 1.0 when it was frozen", "pip install veridical-acme==1.0"),
        (_gone, "veridical-acme 1.0 is not installed", "pip install veridical-acme==1.0"),
        (_another_owner, "veridical-acme 1.0 is not installed; this name is that of a plugin of evil", "pip install veridical-acme==1.0"),
        (
            _changed_file,
            "the files of veridical-acme 1.0 are not those that were frozen",
            "pip install --force-reinstall --no-deps veridical-acme==1.0",
        ),
        (
            _twice,
            f"veridical-acme 1.0 is refused: {TWICE}. Remove one: pip uninstall veridical-acme",
            "veridical plugins show acme",
        ),
    ],
)
def test_what_is_not_installed_as_it_was_frozen_is_named_with_what_to_type_and_nothing_is_changed(
    change: Callable[[Path], None], said: str, typed: str, run: Run, frozen: Path, site: Path, tmp_path: Path
) -> None:
    change(site)
    before = settings(tmp_path).read_bytes()
    ran = run("plugins", "restore", str(frozen))
    assert (6, [f"acme: {said}. Type: {typed}", "Nothing was changed."]) == (ran.code, ran.err.splitlines())
    ran = run("plugins", "restore", str(frozen), "--json")
    expected = {"differences": [{"name": "acme", "said": said, "type": typed}], "enabled": [], "ended": []}
    assert (6, expected) == (ran.code, json.loads(ran.out))
    assert before == settings(tmp_path).read_bytes()


def test_every_difference_is_named_and_veridical_itself_is_one(run: Run, frozen: Path, site: Path) -> None:
    _changed_file(site)
    (site / "veridical_bolt.py").unlink()
    frozen.write_text(frozen.read_text().replace('veridical = "', 'veridical = "9.', 1))
    ran = run("plugins", "restore", str(frozen))
    assert (6, ["veridical", "acme", "bolt"]) == (ran.code, [line.partition(":")[0] for line in ran.err.splitlines()[:-1]])
    assert True is ran.err.splitlines()[0].partition("Type: ")[2].startswith("pip install veridical==9.")


def test_neither_freezing_nor_restoring_imports_a_plugin(run: Run, site: Path, tmp_path: Path) -> None:
    mark = tmp_path / "imported"
    acme(mark).install(site)
    run("plugins", "enable", "acme", "--pin")
    mark.unlink()
    frozen = run("plugins", "freeze")
    (tmp_path / "frozen.toml").write_text(frozen.out)
    restored = run("plugins", "restore", "frozen.toml", home=tmp_path / "other")
    assert (0, 0, False) == (frozen.code, restored.code, mark.exists())


def test_what_was_enabled_without_a_pin_or_is_gone_or_changed_cannot_be_frozen(run: Run, site: Path, tmp_path: Path) -> None:
    for name in ("acme", "bolt"):
        acme(name=name).install(site)
    run("plugins", "enable", "bolt", "--pin")
    (site / "veridical_bolt.py").write_text("")
    text = settings(tmp_path).read_text().replace('["bolt"]', '["acme", "bolt", "gone"]')
    settings(tmp_path).write_text(text)
    ran = run("plugins", "freeze", "-o", "frozen.toml")
    said = ran.line()
    assert (6, True, False) == (ran.code, said.startswith("veridical: Nothing was frozen"), (tmp_path / "frozen.toml").exists())
    assert True is all(f"{name}: " in said for name in ("acme", "bolt", "gone"))
    assert True is (
        "veridical plugins enable acme" in said and "veridical plugins disable gone" in said and "--no-deps veridical-bolt==1.0" in said
    )


def test_a_plugin_of_the_same_name_that_somebody_else_brings_does_not_keep_a_pinned_one_from_being_frozen(run: Run, site: Path) -> None:
    acme().install(site)
    run("plugins", "enable", "acme", "--pin")
    before = run("plugins", "freeze")
    plugin("acme", kind="chat", distribution="acme-chat").install(site)
    assert (0, before.out) == (run("plugins", "freeze").code, run("plugins", "freeze").out)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"plugins = ", "it is not TOML"),
        (b"\xff", "it is not TOML"),
        (b'veridical = "0.1.0"\n', "plugins: field required"),
        (
            b'veridical = "0.1.0"\n[plugins.acme]\ndistribution = "x"\nversion = "1"\nfiles = "abc"\n',
            "plugins.acme.files: string should match",
        ),
        (b'veridical = "0.1.0"\nplugin = 1\n[plugins]\n', "plugin: this key is not known"),
    ],
)
def test_a_file_that_is_not_frozen_plugins_is_a_matter_of_configuration(content: bytes, said: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "frozen.toml").write_bytes(content)
    ran = run("plugins", "restore", "frozen.toml")
    assert (6, True) == (ran.code, said in ran.line())


def test_a_file_that_is_not_there_and_a_folder_that_is_not_are_matters_of_usage(run: Run) -> None:
    assert (2, 2) == (run("plugins", "restore", "frozen.toml").code, run("plugins", "freeze", "-o", "no/frozen.toml").code)


def test_what_a_plugin_said_and_what_to_do_are_two_sentences(run: Run, site: Path) -> None:
    acme().install(site)
    (entry_points,) = site.glob("*acme*.dist-info/entry_points.txt")
    entry_points.write_text(re.sub(r":\w+", ":Nowhere", entry_points.read_text("utf-8")), "utf-8")
    enabled, checked = run("plugins", "enable", "acme"), run("plugins", "check", "acme")
    assert "has no attribute 'Nowhere'. Then type this again" in enabled.err
    assert (4, True) == (checked.code, "has no attribute 'Nowhere'. In pyproject.toml" in checked.err)


def test_a_folder_of_cassettes_that_is_not_there_is_refused(run: Run, site: Path, tmp_path: Path) -> None:
    acme().install(site)
    done = run("plugins", "check", "acme", "--cassettes", str(tmp_path / "nowhere"))
    assert (2, True) == (done.code, "nowhere' does not exist" in done.err)
