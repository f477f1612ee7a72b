"""A home in which several search providers are set up, each a service on loopback that answers, or fails, as a test says."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridical import Veridical

from .service import Answer, Asked, Service, service
from .test_research import PROVIDERS, Hit, Provider, _words

__all__ = ["Behaviour", "Several", "several"]

Behaviour = Sequence[Hit] | Callable[[Asked], Answer | None]
"""The hits that a service finds, or its answer to each request."""


@dataclass(slots=True)
class Several:
    """What was set up.

    Attributes:
        home: with its settings file.
        base: folder that relative paths are below.
        environment: the keys of the providers.
        services: running ones, by name of the provider.
        waited: seconds that the program was asked to wait.
    """

    home: Path
    base: Path
    environment: dict[str, str]
    services: dict[str, Service]
    waited: list[float] = field(default_factory=list[float])

    def open(self, **arguments: Any) -> Veridical:
        """Return a new facade of this home."""
        return Veridical(home=self.home, base=self.base, environment=self.environment, wait=self.waited.append, **arguments)

    def asked(self) -> list[str]:
        """The providers that were asked, in the order of their names in the chain."""
        return [name for name, running in self.services.items() if running.asked]


@contextmanager
def several(folder: Path, behaviours: Mapping[str, Behaviour], *, settings: str = "", seconds: float = 5.0) -> Generator[Several]:
    """Set up the providers of `behaviours` until the end of the block.

    Args:
        folder: for the home.
        behaviours: what the service of each provider does.
        settings: more lines of the settings file, with tables of their own.
        seconds: that a search may take.
    """
    known = {provider.name: provider for provider in PROVIDERS}
    home = folder / "home"
    home.mkdir(exist_ok=True)
    with ExitStack() as stack:
        running = {name: stack.enter_context(service(_answer(known[name], what))) for name, what in behaviours.items()}
        hosts = "".join(f'{name} = ["127.0.0.1"]\n' for name in running)
        tables = "".join(_table(known[name], one.url) for name, one in running.items())
        enabled = json.dumps(list(running))
        limits = f"[limits]\nsearch = {seconds}\n"
        (home / "settings.toml").write_text(f"[plugins]\nenabled = {enabled}\n[plugins.hosts]\n{hosts}{tables}{limits}{settings}", "utf-8")
        keys = {known[name].key: f"key-of-{name}" for name in running if known[name].key}
        if "searxng" in running:
            keys["SEARXNG_INSTANCE_URL"] = running["searxng"].url
        yield Several(home, folder, keys, running)


def _answer(provider: Provider, behaviour: Behaviour) -> Callable[[Asked], Answer | None]:
    if callable(behaviour):
        return behaviour
    return lambda asked: provider.reply(behaviour, _words(asked))


def _table(provider: Provider, url: str) -> str:
    table = {"base_url": url, **provider.settings}
    return f"[plugin.{provider.name}]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items())
