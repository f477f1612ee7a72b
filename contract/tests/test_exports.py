from __future__ import annotations

import types

import veridical_contract

SUBPACKAGES = {"testing"}
REWRITTEN = ("_", "@")  # what pytest puts into the modules of its plugins begins with an @


def test_the_public_names_are_sorted_and_there() -> None:
    names = veridical_contract.__all__
    assert sorted(set(names), key=_like_imports) == names
    assert [] == [name for name in names if not hasattr(veridical_contract, name)]


def test_everything_else_is_private() -> None:
    public = {name for name in vars(veridical_contract) if not name.startswith(REWRITTEN)} - SUBPACKAGES
    assert public - {"annotations"} == {name for name in veridical_contract.__all__ if not name.startswith("_")}


def test_every_module_is_private() -> None:
    modules = {name for name, thing in vars(veridical_contract).items() if isinstance(thing, types.ModuleType)} - SUBPACKAGES
    assert [] == [name for name in modules if not name.startswith(REWRITTEN)]


def _like_imports(name: str) -> tuple[int, str]:
    """Constants, then classes and aliases, then functions: the order that the linter keeps."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)
