"""Plugins that are broken in one way each: an honest one, and what is changed in it.

everywhere   packaging, import, secrets, failures: in the honest search plugin
search, chat, source, embedding, storage   what only plugins of that kind can do wrong
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from veridical_contract import Kind

from tests.distributions import Distribution

__all__ = ["Broken", "Honest", "broken"]


@dataclass(frozen=True)
class Honest:
    """An honest plugin.

    Attributes:
        kind: of it.
        source: of its only module.
        options: what the kit is told.
        skipped: ids of checks that have nothing to look at in it.
        requires: what its distribution needs.
        files: of its package, besides its module.
    """

    kind: Kind
    source: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    skipped: frozenset[str] = frozenset()
    requires: tuple[str, ...] = ("veridical-contract>=0.1,<0.2",)
    files: Mapping[str, str] = field(default_factory=lambda: {"py.typed": ""})

    def distribution(self) -> Distribution:
        """Return what is published."""
        package = f"acme_{self.kind}"
        modules = {f"{package}/__init__.py": self.source, **{f"{package}/{name}": text for name, text in self.files.items()}}
        entry_points = {f"veridical.v1.{self.kind}": {"acme": f"{package}:Acme"}}
        return Distribution(f"veridical-acme-{self.kind}", "1.0", modules, entry_points, self.requires)


@dataclass(frozen=True)
class Broken:
    """A plugin that is broken in one way.

    Attributes:
        check: that finds it, and no other does.
        does: what it does, in words.
        distribution: what is published.
        kind: of the plugin.
        options: what the kit is told.
    """

    check: str
    does: str
    distribution: Distribution
    kind: Kind
    options: Mapping[str, Any]


def broken(honest: Honest, check: str, does: str, *changes: tuple[str, str], **others: Any) -> Broken:
    """Return `honest` with the first of each pair replaced by the second; `others` are fields of `Honest` that are exchanged.

    Raises:
        ValueError: what is to be changed does not stand in the honest plugin exactly once.
    """
    from dataclasses import replace

    source = honest.source
    for old, new in changes:
        if source.count(old) != 1:
            raise ValueError(f"{check}: {old!r} stands {source.count(old)} times in the honest plugin")
        source = source.replace(old, new)
    made = replace(honest, source=source, **others)
    return Broken(check, does, made.distribution(), made.kind, made.options)
