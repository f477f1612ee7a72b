"""A deprecation is dated, leaves a version in which both work, and is kept."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from typing import cast

import pluggy
import pytest
from veridical_contract import DEPRECATED, PROJECT, SPECS, Deprecated, Kind, StateDepth, deprecated_arguments, hookimpl

every = pytest.mark.parametrize("row", DEPRECATED, ids=lambda row: f"{row.kind}.{row.hook}.{row.argument}")
(CHECK,) = (row for row in DEPRECATED if (row.kind, row.hook, row.argument) == ("storage", "state", "check"))


class Old:
    @hookimpl
    def state(self, check: bool) -> bool:
        return check


class Both:
    @hookimpl
    def state(self, depth: StateDepth = "counts", check: bool = False) -> tuple[StateDepth, bool]:
        return depth, check


class New:
    @hookimpl
    def state(self, depth: StateDepth) -> StateDepth:
        return depth


class NotAHook:
    def state(self, check: bool) -> bool:
        return check


def _registered(plugin: object, kind: Kind = "storage") -> pluggy.PluginManager:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(SPECS[kind])
    manager.register(plugin)
    return manager


def _numbers(of: str) -> tuple[int, ...]:
    return tuple(map(int, of.split(".")))


@every
def test_what_is_deprecated_is_still_there_with_a_default_and_so_is_another_argument(row: Deprecated) -> None:
    parameters = inspect.signature(getattr(SPECS[row.kind], row.hook)).parameters
    assert inspect.Parameter.empty is not parameters[row.argument].default
    assert 1 <= sum(f"{name}," in row.instead or name == row.instead for name in parameters)


@every
def test_it_goes_with_a_later_minor_version_that_is_not_here_yet(row: Deprecated) -> None:
    assert _numbers(row.since)[:2] < _numbers(row.removed)[:2]
    assert _numbers(version("veridical-contract")) < _numbers(row.removed), "remove the argument and its row: the date was kept"


@every
def test_whoever_needs_to_change_a_plugin_has_half_a_year(row: Deprecated) -> None:
    assert 180 <= (row.not_before - row.announced).days


@every
def test_the_marker_of_the_hook_warns_with_the_same_words(row: Deprecated) -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(SPECS[row.kind])
    warned = getattr(manager.hook, row.hook).spec.warn_on_impl_args[row.argument]
    assert (DeprecationWarning, str(row)) == (type(warned), str(warned))


def test_no_hook_warns_of_anything_else() -> None:
    rows = {(row.kind, row.hook, row.argument) for row in DEPRECATED}
    warned: set[tuple[str, str, str]] = set()
    for kind, spec in SPECS.items():
        manager = pluggy.PluginManager(PROJECT)
        manager.add_hookspecs(spec)
        for name, caller in vars(manager.hook).items():
            assert caller.spec.warn_on_impl is None
            warned |= {(kind, name, argument) for argument in cast("dict[str, Warning]", caller.spec.warn_on_impl_args or {})}
    assert rows == warned


@pytest.mark.parametrize("plugin", [Old, Both])
def test_pluggy_says_it_to_whoever_registers_a_plugin_that_asks_for_it(plugin: Callable[[], object]) -> None:
    with pytest.warns(DeprecationWarning, match=r"check .* deprecated since veridical-contract 0.1.0 \(2026-11-22\)"):
        _registered(plugin())


def test_pluggy_says_nothing_of_a_plugin_that_does_not() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _registered(New())


@pytest.mark.filterwarnings("ignore:The argument check:DeprecationWarning")
@pytest.mark.parametrize(("plugin", "answer"), [(Old, True), (Both, ("whole", True)), (New, "whole")])
def test_each_plugin_gets_what_it_asks_for(plugin: Callable[[], object], answer: object) -> None:
    assert [answer] == _registered(plugin()).hook.state(depth="whole", check=True)


def test_a_host_that_knows_the_new_one_alone_still_calls_an_old_plugin() -> None:
    with pytest.warns(DeprecationWarning, match="check"):
        manager = _registered(Old())
    assert [False] == manager.hook.state(depth="counts")


@pytest.mark.parametrize(("plugin", "found"), [(Old, (CHECK,)), (Both, (CHECK,)), (New, ()), (NotAHook, ()), (object, ())])
def test_the_arguments_that_a_plugin_asks_for_are_named(plugin: type[object], found: tuple[Deprecated, ...]) -> None:
    assert found == deprecated_arguments(plugin, "storage")


def test_a_plugin_of_another_kind_may_call_its_arguments_as_it_likes() -> None:
    assert () == deprecated_arguments(Old, "search")


def test_the_words_say_what_since_when_until_when_and_what_instead() -> None:
    row = replace(CHECK, since="1.2.0", announced=date(2030, 1, 2), removed="1.3.0", not_before=date(2031, 3, 4), instead="depth")
    assert str(row) == (
        "The argument check of the hook state (storage) is deprecated since veridical-contract 1.2.0 (2030-01-02) "
        "and gone in 1.3.0 (not before 2031-03-04): use depth."
    )
