"""Plugins that go wrong, one per way, for each kind of plugin; and one that is as it should be.

`broken(kind)` are the eight that never come to be called; two more hang, and one answers with junk. All fit into one folder.
"""

from __future__ import annotations

from . import HOOKS, Distribution, plugin

__all__ = ["broken", "constructor_hangs", "everything", "good", "good_search", "hook_hangs", "junk"]


def _methods(kind: str, *, marker: str = "@hookimpl", argument: str = "", body: str = "return None", start: str = "pass") -> str:
    hook, parameter = HOOKS[kind]
    return f"""
    def __init__(self, context):
        {start}

    {marker}
    def {hook}(self, {argument or parameter}):
        {body}
    """


def broken(kind: str = "search") -> dict[str, tuple[Distribution, ...]]:
    """Return what is wrong to the distributions that show it: the eight kinds that are refused, or fail to load."""
    fine = _methods(kind)
    return {
        "import error": (plugin("import-error", fine, kind=kind, before="import a_module_that_is_not_installed"),),
        "assertion error": (plugin("assertion-error", fine, kind=kind, before="assert False, 'the moon is in the wrong house'"),),
        "system exit": (plugin("system-exit", fine, kind=kind, before="raise SystemExit(3)"),),
        "wrong argument": (plugin("wrong-argument", _methods(kind, argument="question"), kind=kind),),
        "unknown hook": (plugin("unknown-hook", f"{fine}\n    @hookimpl\n    def summon(self):\n        return None\n", kind=kind),),
        "wrapper": (plugin("wrapper", _methods(kind, marker="@hookimpl(wrapper=True)", body="return (yield)"), kind=kind),),
        "duplicate name": tuple(plugin("twin", fine, kind=kind, distribution=f"veridical-twin-{which}") for which in ("one", "two")),
        "other generation": (plugin("from-tomorrow", fine, kind=kind, generation="v2"),),
    }


def hook_hangs(kind: str = "search") -> Distribution:
    """Return a plugin whose hook never comes back."""
    return plugin("hook-hangs", _methods(kind, body="time.sleep(3600)"), kind=kind)


def constructor_hangs(kind: str = "search") -> Distribution:
    """Return a plugin whose constructor never comes back."""
    return plugin("constructor-hangs", _methods(kind, start="time.sleep(3600)"), kind=kind)


def junk(kind: str = "search") -> Distribution:
    """Return a plugin whose hook answers with something that no hook allows."""
    return plugin("junk", _methods(kind, body="return {'moon': 'cheese'}"), kind=kind)


def good_search(name: str = "good") -> Distribution:
    """Return a search plugin that finds one page."""
    found = 'Item(text=f"found {query.text}", url="https://good.example/1", locator=Locator(container="https://good.example"))'
    return plugin(name, _methods("search", body=f"return [{found}]"))


def good(kind: str, name: str = "good") -> Distribution:
    """Return a plugin of `kind` that implements a hook and has nothing to say."""
    return plugin(name, _methods(kind), kind=kind)


def everything(kind: str = "search") -> tuple[Distribution, ...]:
    """Return every one that goes wrong: the eight, the two that hang, and the one that answers with junk."""
    refused = [distribution for distributions in broken(kind).values() for distribution in distributions]
    return (*refused, hook_hangs(kind), constructor_hangs(kind), junk(kind))
