from __future__ import annotations

import multiprocessing
import os
import re
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.discovery import Allow, Pinned, read_allow
from veridical.settings import Limits, Pin, Settings, SettingsFile, Source, checked
from veridical_contract import ConfigurationError, FieldMap, Model, UsageError

WHOLE = """
# what I use
[plugins]
enabled = ["brave"]  # for the web
disabled = ["hashing"]
attested = ["brave"]

[plugins.pins.brave]
distribution = "veridical-brave"

[storage]
name = "sqlite"

[chat]
name = "extractive"

[sources.Notes]
plugin = "files"
paths = ["/notes/*.jsonl"]
map = { text = "body", url = "permalink" }
projection = "markdown"

[plugin.brave]
country = "AT"
safe = true

[limits]
search = 10
"""

PINNED = f"""
[plugins.pins.brave]
distribution = "veridical-brave"
version = "1.0"
files = "{"0" * 64}"
wire = {{ search = "{"1" * 64}" }}
"""


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "settings.toml")


def _refusal(file: SettingsFile, text: str) -> ConfigurationError:
    file.path.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        file.read()
    assert True is caught.value.message.startswith(f"{file.path}: ")
    assert None is re.search(r"\n", str(caught.value))
    return caught.value


def test_no_file_means_the_defaults_and_makes_none(file: SettingsFile) -> None:
    assert (Settings(), False) == (file.read(), file.path.exists())


def test_everything_that_the_file_says_is_read(file: SettingsFile) -> None:
    file.path.write_text(WHOLE)
    settings = file.read()
    assert Allow(frozenset({"brave"}), frozenset({"hashing"}), {"brave": Pinned("veridical-brave")}) == settings.allow()
    assert ("sqlite", "extractive", None) == (settings.storage.name, settings.chat.name, settings.search.name)
    assert ("brave",) == settings.plugins.attested
    assert {"country": "AT", "safe": True} == settings.plugin["brave"]
    assert (10.0, Limits().chat) == (settings.limits.search, settings.limits.chat)
    source = settings.sources["Notes"]
    assert FieldMap(fields={"text": "body", "url": "permalink"}, projection="markdown") == source.field_map()


def test_a_source_without_a_map_has_none() -> None:
    assert None is Source(paths=("/notes",)).field_map()


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[plugin]\nbrave = 3\n", "plugin.brave: input should be an object.", "Correct it, or remove it."),
        ("[plugnis]\n", "plugnis: this key is not known.", "Did you mean 'plugins'?"),
        ("[plugins]\nenable = []\n", "plugins.enable: this key is not known.", "Did you mean 'enabled'?"),
        ("[sources.a]\npath = ['/x']\n", "sources.a.path: this key is not known.", "Did you mean 'paths'?"),
        ("[plugins.pins.a]\ndist = 'x'\n", "plugins.pins.a.distribution: field required (1 more like this).", "Correct it, or remove it."),
        ("[storage]\nzzz = 1\n", "storage.zzz: this key is not known.", "Known here: name."),
        ("[limits]\nsearch = -1\n", "limits.search: input should be greater than 0.", "Correct it, or remove it."),
        ("[limits]\nsearch = '10'\n", "limits.search: input should be a valid number.", "Correct it, or remove it."),
        ("[limits]\nsearch = nan\n", "limits.search: ", "Correct it, or remove it."),
        ("[plugins]\nenabled = 'brave'\n", "plugins.enabled: input should be a valid array.", "Correct it, or remove it."),
        ("[plugins]\nenabled = ['Bad Name']\n", "plugins.enabled.0: string should match pattern", "Correct it, or remove it."),
        (
            "[plugins]\nenabled = ['a']\ndisabled = ['a']\n",
            "plugins: value error, 'a' is both enabled and disabled.",
            "Correct it, or remove it.",
        ),
        ("[sources.a]\nmap = {body = 'text'}\n", "sources.a.map.body.", "Correct it, or remove it."),
    ],
)
def test_what_is_off_is_named_with_file_key_and_way_out(text: str, message: str, hint: str, file: SettingsFile) -> None:
    error = _refusal(file, text)
    assert (message, hint) == (error.message.removeprefix(f"{file.path}: ")[: len(message)], error.hint)


def test_a_wrong_value_is_not_repeated(file: SettingsFile) -> None:
    assert "s3cr3t" not in str(_refusal(file, "[limits]\nsearch = 's3cr3t'\n"))


def test_toml_that_is_broken_is_named_with_its_line(file: SettingsFile) -> None:
    error = _refusal(file, "[plugins]\nenabled = = []\n")
    assert ("Correct that line.", True) == (error.hint, "line 2" in error.message)


def test_bytes_that_are_no_text_are_named(file: SettingsFile) -> None:
    file.path.write_bytes(b"# \xff\n")
    with pytest.raises(ConfigurationError, match=r"it is not UTF-8 \(byte 2\). Save it as UTF-8."):
        file.read()


def test_a_folder_in_its_place_is_named(file: SettingsFile) -> None:
    file.path.mkdir()
    with pytest.raises(ConfigurationError, match=r"it cannot be read: Is a directory. Choose another place with --home DIR"):
        file.read()


def test_enabling_pins_the_distribution_and_undoes_disabling(file: SettingsFile) -> None:
    file.disable("acme")
    expected = Allow(frozenset({"acme"}), frozenset(), {"acme": Pinned("veridical-acme")})
    assert expected == file.enable("acme", Pin(distribution="veridical-acme")).allow()


def test_enabling_again_leaves_nothing_of_the_pin_that_was_there(file: SettingsFile) -> None:
    file.enable("acme", Pin(distribution="veridical-acme", version="1.0", files="0" * 64, wire={"search": "1" * 64}))
    assert {"acme": Pin(distribution="acme")} == file.enable("acme", Pin(distribution="acme")).plugins.pins
    assert "1.0" not in file.path.read_text()


def test_enabling_exactly_leaves_no_other_plugin_enabled_and_keeps_the_rest_of_the_file(file: SettingsFile) -> None:
    file.path.write_text(WHOLE)
    pin = Pin(distribution="veridical-acme", version="1.0", files="0" * 64, wire={"search": "1" * 64})
    plugins = file.enable_exactly({"acme": pin, "hashing": Pin(distribution="x")}, disabled=("files",)).plugins
    assert (("acme", "hashing"), ("files",), ("brave",)) == (plugins.enabled, plugins.disabled, plugins.attested)
    assert {"acme": pin, "hashing": Pin(distribution="x")} == plugins.pins
    assert "# what I use" in file.path.read_text()


def test_disabling_undoes_enabling_and_forgets_the_pin(file: SettingsFile) -> None:
    file.enable("acme", Pin(distribution="veridical-acme"))
    assert Allow(frozenset(), frozenset({"acme"}), {}) == file.disable("acme").allow()


def test_doing_it_twice_changes_nothing(file: SettingsFile) -> None:
    first = file.enable("acme", Pin(distribution="veridical-acme"))
    text = file.path.read_text()
    assert (first, text) == (file.enable("acme", Pin(distribution="veridical-acme")), file.path.read_text())


def test_an_edit_keeps_comments_and_everything_else(file: SettingsFile) -> None:
    file.path.write_text(WHOLE)
    file.enable("tavily", Pin(distribution="veridical-tavily"))
    after = file.path.read_text()
    expected = WHOLE.replace('["brave"]', '["brave", "tavily"]', 1)
    assert [] == [line for line in expected.splitlines() if line not in after.splitlines()]
    assert "veridical-tavily" == tomllib.loads(after)["plugins"]["pins"]["tavily"]["distribution"]


def test_a_source_is_saved_replaced_and_removed(file: SettingsFile) -> None:
    first = Source(paths=("/a",), map={"text": "body"})
    second = Source(plugin="mail", paths=("/b", "/c"), projection="html")
    assert {"notes": first} == file.put_source("notes", first).sources
    assert {"notes": second} == file.put_source("notes", second).sources
    assert {"notes": second} == file.read().sources
    assert {} == file.remove_source("notes").sources


def test_removing_a_source_that_is_not_there_is_a_mistake_of_the_caller(file: SettingsFile) -> None:
    with pytest.raises(UsageError, match=r"There is no source called 'notes'. See: veridical sources list"):
        file.remove_source("notes")


@pytest.mark.parametrize("name", ["", "a b", "-a", "ä", "a" * 65, 'a"b'])
def test_a_name_that_is_none_is_refused_and_nothing_is_written(name: str, file: SettingsFile) -> None:
    with pytest.raises(ConfigurationError):
        file.put_source(name, Source(paths=("/a",)))
    assert False is file.path.exists()


def test_a_file_that_cannot_be_read_is_not_edited(file: SettingsFile) -> None:
    file.path.write_text("[plugnis]\n")
    with pytest.raises(ConfigurationError, match=r"plugnis"):
        file.enable("acme")
    assert "[plugnis]\n" == file.path.read_text()


def test_the_file_is_its_owners_alone_and_its_folder_too(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "new" / "settings.toml")
    file.enable("acme")
    assert (0o600, 0o700) == tuple(stat.S_IMODE(path.stat().st_mode) for path in (file.path, file.path.parent))


def test_a_write_that_fails_leaves_what_was_there_and_nothing_beside_it(file: SettingsFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.enable("acme")
    before = file.path.read_bytes()

    def refuse(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(ConfigurationError, match=r"it cannot be written: No space left on device"):
        file.enable("other")
    assert (before, [file.path]) == (file.path.read_bytes(), list(file.path.parent.iterdir()))


def test_a_symbolic_link_stays_one(file: SettingsFile, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.toml"
    target.write_text("# mine\n")
    file.path.symlink_to(target)
    file.enable("acme")
    assert (True, True) == (file.path.is_symlink(), "# mine" in target.read_text())


def _enable_several(path: Path, start: int) -> None:
    for number in range(start, start + 10):
        SettingsFile(path).enable(f"p{number}")


def test_edits_of_two_processes_do_not_lose_each_other(file: SettingsFile) -> None:
    forked = multiprocessing.get_context("fork")
    processes = [forked.Process(target=_enable_several, args=(file.path, start)) for start in (0, 10, 20)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert {f"p{number}" for number in range(30)} == set(file.read().plugins.enabled)


@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,8}", fullmatch=True), st.lists(st.text(max_size=20), max_size=3), max_size=4
    )
)
def test_what_is_saved_is_what_is_read_again(tmp_path_factory: pytest.TempPathFactory, sources: dict[str, list[str]]) -> None:
    file = SettingsFile(tmp_path_factory.mktemp("home") / "settings.toml")
    for name, paths in sources.items():
        file.put_source(name, Source(paths=tuple(paths)))
    assert {name: tuple(paths) for name, paths in sources.items()} == {name: one.paths for name, one in file.read().sources.items()}


class _Own(Model):
    country: str = "US"
    sites: tuple[str, ...] = ()
    limit: int = 3


def test_a_plugins_table_fits_its_own_model(tmp_path: Path) -> None:
    assert _Own(country="AT", sites=("a", "b")) == checked(
        _Own, {"country": "AT", "sites": ["a", "b"]}, file=tmp_path, within="plugin.acme"
    )


def test_a_plugins_table_that_does_not_fit_is_named_in_full(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r": plugin.acme.countri: this key is not known. Did you mean 'country'\?"):
        checked(_Own, {"countri": "AT"}, file=tmp_path, within="plugin.acme")


# The same table, read without pydantic


@pytest.mark.parametrize(
    "text", ["", "[limits]\nsearch = 3\n", WHOLE, "[plugins]\nenabled = ['a']\n", "[plugins]\n", "# plugins\n", PINNED]
)
def test_the_light_reader_agrees_with_the_strict_one(text: str, file: SettingsFile) -> None:
    file.path.write_text(text)
    assert file.read().allow() == read_allow(file.path)


def test_the_light_reader_of_no_file_allows_nothing(file: SettingsFile) -> None:
    assert Allow() == read_allow(file.path)


@pytest.mark.parametrize(
    "text",
    [
        "[plugins",
        "plugins = 3",
        "[plugins]\nenabled = 'a'",
        "[plugins]\ndisabled = [1]",
        "[plugins]\nenable = []",
        "[plugins.pins]\na = 1",
        "[plugins.pins.a]\n",
        "[plugins.pins.a]\ndistribution = 1",
        "[plugins.pins.a]\ndistribution = 'a'\nversion = 1",
        "[plugins.pins.a]\ndistribution = 'a'\nfiles = ['a']",
    ],
)
def test_what_the_light_reader_does_not_understand_is_told_as_the_strict_one_tells_it(text: str, file: SettingsFile) -> None:
    strict = str(_refusal(file, text))
    with pytest.raises(ConfigurationError) as caught:
        read_allow(file.path)
    assert strict == str(caught.value)


@pytest.mark.parametrize("content", [b"plugins = \xff", None])
def test_a_file_that_the_light_reader_cannot_read_is_told_too(content: bytes | None, file: SettingsFile) -> None:
    if content is None:
        file.path.mkdir()
    else:
        file.path.write_bytes(content)
    with pytest.raises(ConfigurationError):
        read_allow(file.path)
