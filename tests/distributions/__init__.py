"""Throw-away distributions: real wheels with real metadata, built and installed in milliseconds and without a network.

Distribution       a package to publish: modules, entry points
|-- wheel(folder)  builds `NAME-VERSION-py3-none-any.whl`, as any installer takes it
`-- install(site)  puts it into a folder that is, or will be, on `sys.path`
plugin(...)        a distribution with one plugin, from the body of its class
`broken`           the plugins that go wrong, one per way
`installing`       a folder of them on `sys.path`
"""

from __future__ import annotations

import base64
import hashlib
import re
import textwrap
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["HOOKS", "Distribution", "plugin"]

HOOKS = {
    "chat": ("chat", "request"),
    "search": ("search", "query"),
    "embedding": ("embed", "request"),
    "storage": ("put", "batch"),
    "source": ("read", "request"),
}
"""Kind to one of its hooks and that hook's argument."""


@dataclass(frozen=True)
class Distribution:
    """A package that somebody publishes.

    Attributes:
        name: of the distribution.
        version: of the distribution.
        modules: file name to source code.
        entry_points: group to name to value.
        requires: what it needs, as its metadata says it: `veridical-contract>=0.1,<0.2`.
    """

    name: str
    version: str = "1.0"
    modules: Mapping[str, str] = field(default_factory=dict[str, str])
    entry_points: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    requires: tuple[str, ...] = ()

    @property
    def _stem(self) -> str:
        return f"{re.sub(r'[-_.]+', '_', self.name)}-{self.version}"

    def files(self) -> dict[str, bytes]:
        """Return what the wheel holds: modules and metadata, with its record last."""
        info = f"{self._stem}.dist-info"
        groups = (
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in rows.items()) for group, rows in self.entry_points.items()
        )
        needs = "".join(f"Requires-Dist: {one}\n" for one in self.requires)
        texts = {
            **self.modules,
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {self.name}\nVersion: {self.version}\n{needs}",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/entry_points.txt": "\n".join(groups),
        }
        files = {path: text.encode() for path, text in texts.items()}
        record = "".join(f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in files.items())
        return {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()}

    def wheel(self, folder: Path) -> Path:
        """Build the wheel in `folder` and return its path."""
        path = folder / f"{self._stem}-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in self.files().items():
                archive.writestr(name, content)
        return path

    def install(self, site: Path) -> Path:
        """Put what the wheel holds into `site` and return its metadata folder."""
        for name, content in self.files().items():
            target = site / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return site / f"{self._stem}.dist-info"


def plugin(
    name: str,
    body: str = "",
    *,
    kind: str = "search",
    generation: str = "v1",
    distribution: str | None = None,
    version: str = "1.0",
    before: str = "",
    class_name: str = "Plugin",
) -> Distribution:
    """Return a distribution with one plugin.

    Args:
        name: of the entry point.
        body: of the plugin's class, at any indentation; the contract's names, `hookimpl` and `time` are there.
        kind: of the plugin.
        generation: of the plugin API.
        distribution: its name; `veridical-NAME` when it is not given.
        version: of the distribution.
        before: code of the module that runs at import, before the class.
        class_name: what the entry point names.
    """
    owner = distribution or f"veridical-{name}"
    module = re.sub(r"\W+", "_", owner)
    indented = textwrap.indent(textwrap.dedent(body), "    ").rstrip() or "    pass"
    source = f"from veridical_contract import *\nimport time\n{textwrap.dedent(before)}\n\nclass Plugin:\n{indented}\n"
    return Distribution(owner, version, {f"{module}.py": source}, {f"veridical.{generation}.{kind}": {name: f"{module}:{class_name}"}})


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
