"""What every way of asking a plugin shares: the record of what went over the wire, limits, the budget, and exact copies of replies."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeVar

from veridical_contract import Kind, Model, PluginError, PluginRecord, ProviderError, Rejection

from veridical.kernel.canonical import digest
from veridical.kernel.exact import NotExactError, rebuild
from veridical.kernel.policy import Policy
from veridical.spending import Budget, Deadline
from veridical.wire.recording import Recorded

from .shapes import Host

__all__ = ["Asking"]

_M = TypeVar("_M", bound=Model)


class Asking:
    """The part of the gateway below its methods."""

    def __init__(self, host: Host, policy: Policy) -> None:
        self._host = host
        self._policy = policy
        self._wire: list[tuple[str, Recorded]] = []
        self._budget: Budget | None = None
        self._deadline = Deadline(None)

    def records(self) -> tuple[PluginRecord, ...]:
        """One row per plugin that took part."""
        return self._host.plugins.records()

    def take_wire(self) -> tuple[tuple[str, Recorded], ...]:
        """Return what went over the wire since the last call of this, with the plugin that it belongs to, and let go of it."""
        taken, self._wire = tuple(self._wire), []
        return taken

    def spend(self, budget: Budget, deadline: Deadline) -> None:
        """Let what follows cost no more, and end no later; what it costs is counted in `budget`."""
        self._budget, self._deadline = budget, deadline
        self._host.plugins.end_by(deadline)

    def _over_the_wire(self, kind: Kind, plugin: str, hook: str, wire: list[Recorded], /, **arguments: object) -> object:
        with self._limited(plugin):
            try:
                return self._host.plugins.recorded(kind, plugin, hook, wire, **arguments)
            finally:
                self._wire.extend((plugin, exchange) for exchange in wire)

    def _bit_by_bit(self, kind: Kind, plugin: str, hook: str, wire: list[Recorded], /, **arguments: object) -> Iterator[object]:
        """Do what `_over_the_wire` does with a hook that returns an iterator; to the limits of a provider all of it is one call."""
        with self._limited(plugin):
            try:
                yield from self._host.plugins.iterate(kind, plugin, hook, wire, **arguments)
            finally:
                self._wire.extend((plugin, exchange) for exchange in wire)

    @contextmanager
    def _limited(self, plugin: str) -> Generator[None]:
        """Wait until the plugin may ask its service again; what the service says about waiting is heeded from then on."""
        limits = self._host.limits.get(plugin)
        with limits.slot(self._deadline) if limits is not None else nullcontext():
            try:
                yield
            except ProviderError as error:
                if limits is not None and error.retry_after is not None:
                    limits.hold(error.retry_after)
                raise

    def _exact(self, plugin: str, hook: str, value: object, model: type[_M]) -> _M:
        try:
            return rebuild(value, model)
        except NotExactError as error:
            raise self._junk(plugin, hook, str(error)) from None

    def _junk(self, plugin: str, hook: str, what: str) -> PluginError:
        return PluginError(
            f"plugin {plugin}: {hook} returned what it may not: {what}.", plugin=plugin, hook=hook, hint=f"veridical plugins show {plugin}"
        )

    def _rejection(self, plugin: str, hook: str, rule: str, words: str) -> Rejection:
        data = words.encode("utf-8", "surrogatepass")
        return Rejection(rule=rule, plugin=plugin, hook=hook, length=len(words), digest=digest(data))
