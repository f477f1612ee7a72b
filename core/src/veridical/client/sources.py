"""The verbs about sources: name, read, list, remove."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from veridical_contract import ConfigurationError, FieldMap, PluginError, UsageError, VeridicalError

from veridical.discovery import catalogue
from veridical.installation import Installation
from veridical.settings import Source
from veridical.wire.inputs import Inputs
from veridical.workflows.following import follow
from veridical.workflows.ingest import Synced, sync
from veridical.workflows.progress import Progress

from .inputs import enumerated, followed, source_of
from .rows import SourceRow

__all__ = ["SourceVerbs"]

_SOURCE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class SourceVerbs:
    """What `Veridical` does with sources."""

    _installation: Installation
    _base: Path
    _progress: Progress

    def add_source(
        self,
        name: str,
        paths: Sequence[Path | str] = (),
        *,
        field_map: FieldMap | None = None,
        plugin: str = "files",
        locations: Sequence[str] = (),
    ) -> Synced:
        """Name a source, save how it is read, and read it. A name that is taken is replaced.

        Args:
            name: of the source.
            paths: files, folders and globs; none for a source that reads something else.
            field_map: for tabular data.
            plugin: that reads it. One that reads no files finds what else it needs in its own settings, `[plugin.PLUGIN.sources.NAME]`.
            locations: what such a plugin is told to read, verbatim.

        Raises:
            UsageError: a path that is not there, or a name that is not one.
            ConfigurationError: there is no such plugin, or it may not be used.
            PluginError: it failed before anything was kept.
        """
        if _SOURCE_NAME.fullmatch(name) is None:
            raise UsageError(
                f"{name!r} is no name for a source.", hint="Expected letters, digits, dots, hyphens and underscores, at most 64."
            )
        if not paths and plugin == "files":
            raise UsageError(f"Nothing is named that {name} is read from.", hint=f"Type: veridical sources add {name} PATH")
        if not any((listing.kind, listing.name) == ("source", plugin) for listing in catalogue(self._installation.settings().allow())):
            raise ConfigurationError(f"There is no source plugin called {plugin!r}.", hint="See: veridical plugins list")
        mapped = field_map.fields if field_map is not None else {}
        projection = field_map.projection if field_map is not None else None
        source = source_of([os.path.normpath(self._base / path) for path in paths], mapped, projection, plugin, locations)
        inputs = enumerated(source) if paths else None
        before = self._installation.settings().sources.get(name)
        self._installation.file.put_source(name, source)
        try:
            return self._sync(name, source, inputs)
        except (ConfigurationError, PluginError):
            if inputs is None:  # it could not be read at all: it is not added, or stays what it was
                self._put_back(name, before)
            raise

    def _put_back(self, name: str, source: Source | None) -> None:
        if source is not None:
            self._installation.file.put_source(name, source)
        else:
            self._installation.file.remove_source(name)

    def sync_sources(self, names: Sequence[str] = (), *, full: bool = False, forgotten: bool = False) -> dict[str, Synced]:
        """Read what changed in the named sources; in all of them when none is named.

        A source that fails keeps no other from being read.

        Args:
            names: of sources.
            full: read everything again of sources that have no files, and drop what is gone there. Of files that is always done.
            forgotten: read everything again, and take back what was forgotten.

        Raises:
            UsageError: there is no such source, or what it was read from is gone.
            ConfigurationError, PluginError: a source that has no files could not be read at all.
        """
        done: dict[str, Synced] = {}
        gone: list[str] = []
        failures: list[VeridicalError] = []
        for name, source in self._chosen(names).items():
            try:
                inputs = enumerated(source) if source.paths else None
            except UsageError:
                gone.append(name)
                continue
            try:
                done[name] = self._sync(name, source, inputs, full=full, forgotten=forgotten)
            except (ConfigurationError, PluginError) as error:
                if inputs is not None:
                    raise
                failures.append(error)
        if failures:
            raise failures[0]
        if gone:
            raise UsageError(
                f"What {', '.join(gone)} was read from is gone; {len(done)} other sources were read, and nothing was forgotten.",
                hint=f"Put it back, or type: veridical sources remove {gone[0]}",
            )
        return done

    def sources(self) -> tuple[SourceRow, ...]:
        """Every named source."""
        settings = self._installation.settings()
        held = self._installation.gateway().state().origins if settings.sources else {}
        return tuple(SourceRow(name, source, held.get(name, 0)) for name, source in sorted(settings.sources.items()))

    def remove_source(self, name: str) -> int:
        """Forget a source and return how many documents it held; they stay readable to reports that cite them.

        Raises:
            UsageError: there is no source of that name.
        """
        self._installation.file.remove_source(name)
        gateway = self._installation.gateway()
        containers = gateway.containers(name)
        for container in containers:
            gateway.drop_container(name, container.container)
        return sum(container.documents for container in containers)

    def _chosen(self, names: Sequence[str]) -> dict[str, Source]:
        known = self._installation.settings().sources
        for name in names:
            if name not in known:
                raise UsageError(f"There is no source called {name!r}.", hint="See: veridical sources list")
        if not known:
            raise UsageError(
                "There is no evidence to look in: no path was named and no source was added.",
                hint="Name files with --from PATH, or add a source: veridical sources add NAME PATH",
            )
        return {name: known[name] for name in (names or sorted(known))}

    def _sync(self, name: str, source: Source, named: tuple[Path, Inputs] | None, *, full: bool = False, forgotten: bool = False) -> Synced:
        gateway = self._installation.gateway()
        if named is None:
            return follow(gateway, followed(name, self._installation.settings()), self._progress, full=full, forgotten=forgotten)
        base, inputs = named
        self._installation.read_below(base)
        return sync(
            gateway,
            plugin=source.plugin,
            origin=name,
            inputs=inputs,
            field_map=source.field_map(),
            progress=self._progress,
            forgotten=forgotten,
        )
