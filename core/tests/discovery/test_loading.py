from __future__ import annotations

import contextlib
import json
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.context import Host, HostContext
from veridical.discovery import Allow, Listing, Loaded, Status, catalogue, describe, load, one_line
from veridical.homes import Home
from veridical_contract import HostFiles, MissingExtraError, SearchQuery

from tests.distributions import Distribution, plugin
from tests.distributions.broken import broken, good, good_search

Loading = Callable[..., Loaded | Status]


@pytest.fixture
def context(tmp_path: Path) -> HostContext:
    host = Host(home=Home.below(tmp_path), files=cast("HostFiles", None), environment={}, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    return HostContext("acme", host, cancelled=lambda: False)


@pytest.fixture
def loading(site: Path, context: HostContext) -> Loading:
    """Return a function that installs distributions, enables the first and loads it."""

    def run(*distributions: Distribution, **options: Callable[..., object]) -> Loaded | Status:
        for distribution in distributions:
            distribution.install(site)
        return load(_listing(site, distributions[0]), context, **options)  # type: ignore[arg-type]

    return run


def _listing(site: Path, distribution: Distribution) -> Listing:
    rows = catalogue(Allow(), path=[str(site)])
    row = next(row for row in rows if row.distribution == distribution.name)
    return next(row for row in catalogue(Allow(frozenset({row.name})), path=[str(site)]) if row.distribution == distribution.name)


def _search(body: str, **options: str) -> Distribution:
    return plugin("acme", f"def __init__(self, context): pass\n{body}", **options)


def test_a_loaded_plugin_can_be_called_through_its_relay(loading: Loading) -> None:
    loaded = loading(good_search())
    assert isinstance(loaded, Loaded)
    (items,) = loaded.relay.search(query=SearchQuery(text="x"))
    assert (frozenset({"search"}), "found x") == (loaded.hooks, items[0].text)


@pytest.mark.parametrize("kind", ["chat", "search", "embedding", "storage", "source"])
def test_a_plugin_of_every_kind_loads(kind: str, loading: Loading) -> None:
    assert isinstance(loading(good(kind)), Loaded)


@pytest.mark.parametrize(
    ("what", "status", "said"),
    [
        ("import error", "failed", "ModuleNotFoundError: No module named 'a_module_that_is_not_installed'"),
        ("assertion error", "failed", "AssertionError: the moon is in the wrong house"),
        ("system exit", "failed", "SystemExit: 3"),
        ("wrong argument", "refused", "Its hook search asks for the argument question, which veridical-contract"),
        ("unknown hook", "refused", "It implements the search hook summon, which veridical-contract"),
        ("wrapper", "refused", "Its hook search is marked wrapper, expected plain @hookimpl."),
        ("duplicate name", "refused", "Remove one: pip uninstall veridical-twin-one"),
        ("other generation", "refused", "is made for plugin API v2, this veridical has v1"),
    ],
)
def test_each_broken_plugin_becomes_a_row_that_says_what_is_wrong(what: str, status: str, said: str, loading: Loading) -> None:
    row = loading(*broken()[what])
    assert isinstance(row, Status)
    assert (status, True, False) == (row.status, said in row.reason, "\n" in row.reason)


@pytest.mark.parametrize("kind", ["chat", "embedding", "storage", "source"])
@pytest.mark.parametrize("what", list(broken()))
def test_the_broken_ones_are_found_in_every_kind(what: str, kind: str, loading: Loading) -> None:
    assert isinstance(loading(*broken(kind)[what]), Status)


@pytest.mark.parametrize("option", ["wrapper", "hookwrapper", "tryfirst", "trylast", "optionalhook"])
def test_a_hook_that_wants_a_special_place_is_refused(option: str, loading: Loading) -> None:
    row = loading(_search(f"@hookimpl({option}=True)\ndef search(self, query):\n    return (yield)"))
    assert ("refused", f"Its hook search is marked {option}, expected plain @hookimpl.") == (row.status, row.reason)


def test_a_hook_under_another_name_is_refused(loading: Loading) -> None:
    row = loading(_search('@hookimpl(specname="search")\ndef find(self, query):\n    return []'))
    assert ("refused", "Its hook search is marked specname, expected plain @hookimpl.") == (row.status, row.reason)


def test_an_optional_hook_does_not_hide_an_unknown_one(loading: Loading) -> None:
    body = "@hookimpl\ndef search(self, query):\n    return []\n@hookimpl(optionalhook=True)\ndef summon(self):\n    return []"
    assert "Its hook summon is marked optionalhook, expected plain @hookimpl." == loading(_search(body)).reason


@pytest.mark.parametrize(
    "body",
    [
        "def search(self, query):\n    return []",
        "search = property(hookimpl(lambda self, query: []))",
        "@hookimpl\nclass search:\n    pass",
    ],
    ids=["not marked", "a property", "a class"],
)
def test_a_plugin_without_a_hook_of_its_kind_is_refused_with_those_there_are(body: str, loading: Loading) -> None:
    row = loading(_search(body))
    assert ("refused", True) == (
        row.status,
        "implements no hook of its kind, expected one of these, marked with @hookimpl: search." in row.reason,
    )


def test_a_hook_of_another_kind_is_unknown(loading: Loading) -> None:
    row = loading(_search("@hookimpl\ndef chat(self, request):\n    return None"))
    assert ("refused", True) == (row.status, "It implements the search hook chat" in row.reason)


def test_an_implementation_may_declare_fewer_arguments_than_its_hook(loading: Loading) -> None:
    loaded = loading(_search("@hookimpl\ndef search(self):\n    return ['no query']"))
    assert isinstance(loaded, Loaded)
    assert [["no query"]] == loaded.relay.search(query=SearchQuery(text="x"))


@pytest.mark.parametrize(
    ("before", "name", "said"),
    [
        ("def make(context): return None", "make", "is of type function, expected a class that takes a PluginContext."),
        ("made = 3", "made", "is of type int, expected a class"),
    ],
)
def test_an_entry_point_that_is_no_class_is_refused(before: str, name: str, said: str, loading: Loading) -> None:
    row = loading(plugin("acme", before=before, class_name=name))
    assert ("refused", True) == (row.status, said in row.reason)


def test_an_entry_point_that_is_not_there_is_a_failure(loading: Loading) -> None:
    row = loading(plugin("acme", class_name="Missing"))
    assert ("failed", True) == (row.status, "AttributeError" in row.reason)


def test_a_command_has_no_hooks_to_load(loading: Loading) -> None:
    row = loading(plugin("acme", "def __init__(self, context): pass", kind="command"))
    assert ("refused", "A plugin of kind command has no hooks.") == (row.status, row.reason)


def test_what_was_not_enabled_is_not_imported(site: Path, context: HostContext) -> None:
    plugin("acme", before="raise SystemExit").install(site)
    (row,) = catalogue(path=[str(site)])
    assert ("disabled", False) == (cast("Status", load(row, context)).status, "veridical_acme" in sys.modules)


def test_an_error_of_the_contract_is_told_with_its_hint_and_without_its_class(loading: Loading) -> None:
    row = loading(
        plugin("acme", "def __init__(self, context): raise MissingExtraError('It needs acme-sdk.', hint='Type: pip install acme-sdk')")
    )
    assert "It needs acme-sdk. Type: pip install acme-sdk" == row.reason


def test_a_reason_holds_no_secret(loading: Loading) -> None:
    broken_key = plugin("acme", "def __init__(self, context): raise ValueError('bad key s3cr3t-value')")
    row = loading(broken_key, redact=lambda text: text.replace("s3cr3t-value", "[KEY]"))
    assert "ValueError: bad key [KEY]" == row.reason


def test_ctrl_c_passes(loading: Loading) -> None:
    with pytest.raises(KeyboardInterrupt):
        loading(plugin("acme", before="raise KeyboardInterrupt"))


def test_milliseconds_come_from_the_clock(loading: Loading) -> None:
    ticks = iter([10.0, 10.25])
    loaded = loading(good_search(), clock=lambda: next(ticks))
    assert isinstance(loaded, Loaded)
    assert 250.0 == loaded.milliseconds


def test_the_traceback_goes_to_the_plugins_log(loading: Loading, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="veridical.plugins")
    loading(*broken()["assertion error"])
    assert "wrong house" in caplog.text


@pytest.mark.parametrize("lie", ["__eq__", "__hash__", "__dir__", "__getattribute__", "__bool__", "__class__"])
def test_a_plugin_that_lies_about_itself_costs_only_itself(lie: str, site: Path, context: HostContext) -> None:
    body = (
        f"def __init__(self, context): pass\n@hookimpl\ndef search(self, query):\n    return []\ndef {lie}(self, *more): raise SystemExit"
    )
    liar, honest = plugin("liar", body), good_search()
    for distribution in (liar, honest):
        distribution.install(site)
    outcomes = [load(_listing(site, one), context) for one in (liar, honest)]
    assert isinstance(outcomes[1], Loaded)


def test_a_module_in_the_working_directory_does_not_stand_in_for_the_installed_one(
    site: Path, tmp_path: Path, context: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    good_search().install(site)
    here = tmp_path / "here"
    here.mkdir()
    (here / "veridical_good.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(str(here))
    row = load(_listing(site, good_search()), context)
    assert isinstance(row, Status)
    assert ("refused", True, False) == (row.status, "from the working directory" in row.reason, "veridical_good" in sys.modules)


@pytest.mark.parametrize("layout", ["module", "package"])
def test_a_project_installed_from_the_working_directory_in_editable_mode_is_loaded_from_there(
    layout: str, site: Path, tmp_path: Path, context: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    info = good_search().install(site)
    (info / "direct_url.json").write_text(json.dumps({"url": here.as_uri(), "dir_info": {"editable": True}}))
    target = here / "veridical_good.py" if layout == "module" else here / "veridical_good" / "__init__.py"
    target.parent.mkdir(parents=True)
    (site / "veridical_good.py").rename(target)
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(str(here))
    try:
        assert isinstance(load(_listing(site, good_search()), context), Loaded)
    finally:
        sys.modules.pop("veridical_good", None)


@pytest.mark.parametrize(
    "direct", ["", "[]", '{"url": "file:///", "dir_info": {"editable": "yes"}}', '{"url": 1, "dir_info": {"editable": true}}']
)
def test_a_record_that_does_not_say_editable_changes_nothing(
    direct: str, site: Path, tmp_path: Path, context: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (good_search().install(site) / "direct_url.json").write_text(direct)
    (site / "veridical_good.py").rename(here / "veridical_good.py")
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(str(here))
    assert "refused" == cast("Status", load(_listing(site, good_search()), context)).status


def test_a_missing_extra_is_told_as_it_is() -> None:
    assert "It needs x. Type: pip install x" == describe(MissingExtraError("It needs x.", hint="Type: pip install x"))


class _MuteError(Exception):
    def __str__(self) -> str:
        raise SystemExit


class _Loud(str):
    __slots__ = ()

    def __getitem__(self, _: object) -> str:
        return "a lie\n"

    def isprintable(self) -> bool:
        return True


def test_an_exception_that_cannot_be_shown_is_said_to_be_one() -> None:
    assert "an exception that cannot be shown" == describe(_MuteError())


def test_a_text_that_lies_about_itself_is_copied_first() -> None:
    shown = one_line(_Loud("the truth"))
    assert ("the truth", str) == (shown, type(shown))


@given(st.text(max_size=900), st.sampled_from([ValueError, KeyError, SystemExit, GeneratorExit, BaseException, UnicodeError]))
def test_whatever_was_raised_is_one_printable_line(text: str, kind: type[BaseException]) -> None:
    described = describe(kind(text))
    assert (True, True) == (described.isprintable(), len(described) <= 400)


@given(st.text())
def test_a_printable_line_is_kept_as_it_is(text: str) -> None:
    words = " ".join("".join(char for char in text if char.isprintable()).split())[:400]
    with contextlib.suppress(UnicodeEncodeError):
        assert words == one_line(words)
