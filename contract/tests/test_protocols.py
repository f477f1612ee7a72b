"""Type checkers see the Protocols, pluggy sees the specifications: both say the same."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import get_args, get_type_hints

import pluggy
import pytest
import veridical_contract
from veridical_contract import DEPRECATED, KINDS, PROJECT, SPECS, Kind


def _methods(of: type[object]) -> dict[str, FunctionType]:
    return {name: method for name, method in vars(of).items() if inspect.isfunction(method) and not name.startswith("_")}


def _protocol(kind: str) -> type[object]:
    return getattr(veridical_contract, f"{kind.capitalize()}Plugin")


def test_every_kind_has_a_specification_and_nothing_else_has() -> None:
    assert (set(KINDS), set(get_args(Kind))) == (set(SPECS), set(KINDS))


@pytest.mark.parametrize("kind", KINDS)
def test_protocol_and_specification_have_the_same_methods(kind: Kind) -> None:
    assert sorted(_methods(SPECS[kind])) == sorted(_methods(_protocol(kind)))


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in _methods(SPECS[kind])])
def test_protocol_and_specification_of_a_hook_agree_but_for_defaults_and_what_is_deprecated(kind: Kind, name: str) -> None:
    specified, promised = _methods(SPECS[kind])[name], _methods(_protocol(kind))[name]
    gone = {row.argument for row in DEPRECATED if (row.kind, row.hook) == (kind, name)}
    assert [one for one in inspect.signature(specified).parameters if one not in gone] == [*inspect.signature(promised).parameters]
    assert {one: hint for one, hint in get_type_hints(specified).items() if one not in gone} == get_type_hints(promised)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in _methods(SPECS[kind])])
def test_every_hook_is_known_to_pluggy_with_every_argument(kind: Kind, name: str) -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(SPECS[kind])
    spec = getattr(manager.hook, name).spec
    declared = [argument for argument in inspect.signature(_methods(SPECS[kind])[name]).parameters if argument != "self"]
    assert declared == [*spec.argnames, *spec.kwargnames]


@pytest.mark.parametrize("kind", KINDS)
def test_every_hook_and_every_protocol_method_is_documented(kind: Kind) -> None:
    assert [] == [name for of in (SPECS[kind], _protocol(kind)) for name, method in _methods(of).items() if not method.__doc__]


def test_no_hook_takes_an_argument_that_the_gateway_needs_itself() -> None:
    taken = {argument for kind in KINDS for hook in _methods(SPECS[kind]).values() for argument in inspect.signature(hook).parameters}
    assert set() == taken & {"kind", "name", "hook"}
