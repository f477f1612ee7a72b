"""The contracts of an old and a new host, and the new plugin."""

from __future__ import annotations

import re
import shutil
import zipfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import veridical_contract

from tests.distributions import Distribution

__all__ = ["ADDED", "CONTRACT", "HERON", "NEXT", "Hook", "new_contract", "new_plugin", "unpack"]

HERON = Path(__file__).parent / "wheels" / "veridical_heron-1.0-py3-none-any.whl"
CONTRACT = version("veridical-contract")
NEXT = "{}.{}.{}".format(*CONTRACT.split(".")[:2], int(CONTRACT.split(".")[2]) + 1)
"""The last number adds, and takes nothing away: docs/explanation/compatibility.md."""


@dataclass(frozen=True)
class Hook:
    """A hook to which the new contract adds an argument.

    Attributes:
        name: of it.
        given: the argument that it has.
        added: the argument that it gets.
        default: what it is where a host says nothing.
        told: what the new host says once.
    """

    name: str
    given: str
    added: str
    default: str
    told: str


ADDED = {
    "search": Hook("search", "query", "dialect", "any", "alpine"),
    "source": Hook("read", "request", "pace", "steady", "slow"),
    "chat": Hook("chat", "request", "mood", "plain", "solemn"),
}
"""Kind to the hook that gets an argument."""


def new_contract(folder: Path) -> Path:
    """Make a copy of the contract, of version `NEXT`, whose hooks have an argument more; return the folder to import it from."""
    source = Path(veridical_contract.__file__).parent
    shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    hooks = folder / source.name / "_hooks.py"
    text = hooks.read_text("utf-8")
    for hook in ADDED.values():
        text, found = re.subn(rf"(def {hook.name}\(self, {hook.given}: \w+)\)", rf'\1, {hook.added}: str = "{hook.default}")', text)
        assert 1 == found, hook
    hooks.write_text(text, "utf-8")
    info = folder / f"veridical_contract-{NEXT}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: veridical-contract\nVersion: {NEXT}\n")
    return folder


def unpack(wheel: Path, site: Path) -> None:
    """Install a pure wheel without scripts: all that an installer does is to unpack it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)


def new_plugin(requires: str, own: str = "") -> Distribution:
    """Return a plugin of the three kinds that asks for the arguments that only the new contract has; otherwise it is the old one.

    Args:
        requires: what its distribution says that it needs.
        own: default that it gives those arguments itself; none where it is empty.
    """
    with zipfile.ZipFile(HERON) as archive:
        text = archive.read("veridical_heron/__init__.py").decode()
        points = archive.read("veridical_heron-1.0.dist-info/entry_points.txt").decode()
    for hook in ADDED.values():
        signature = rf"(    def {hook.name}\(self, {hook.given}: \w+)(\) -> [^:]+:\n)"
        asked = f'{hook.added}: str = "{own}"' if own else f"{hook.added}: str"
        text, found = re.subn(signature, rf'\1, {asked}\2        _keep(self._context, "{hook.added}", {hook.added})\n', text)
        assert 1 == found, hook
    text = text.replace("context: PluginContext) -> None:\n", "context: PluginContext) -> None:\n        self._context = context\n")
    keep = '\n\ndef _keep(context: PluginContext, name: str, value: str) -> None:\n    with (context.cache_dir / name).open("a") as file:\n'
    module = text.replace("heron", "egret").replace("Heron", "Egret") + keep + '        file.write(f"{value}\\n")\n'
    groups = re.findall(r"\[(.+)\]\nheron = veridical_heron:Heron(\w+)", points)
    entry_points = {group: {"egret": f"veridical_egret:Egret{name}"} for group, name in groups}
    return Distribution("veridical-egret", "2.0", {"veridical_egret.py": module}, entry_points, (requires,))
