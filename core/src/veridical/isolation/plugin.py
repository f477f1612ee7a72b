"""A plugin that runs in a process of its own, as the gateway calls it: the same hooks, iterators and errors as of one that runs here.

    load    may it be isolated? -> Process -> Start -> the child imports and constructs it -> Ready -> wire maps approved here -> Loaded
    hook    Call -> what the child asks meanwhile is answered (answering.py) -> Returned, or Began and then Step by Step

Everything happens in the plugin's thread of the gateway, in the context of the hook call, so that what the child asks over HTTP is recorded
for that call. A line that is not of the protocol, comes at the wrong time or twice ends the process; it does not start again in this run.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, cast

from pydantic import ConfigDict, JsonValue, TypeAdapter, ValidationError
from veridical_contract import ChatDelta, ChatReply, EmbeddingReply, Item, PluginError, SourceBatch, VeridicalError

from veridical.context import HostContext
from veridical.discovery import Listing, Loaded, Status, astray, loaded, one_line
from veridical.homes import Home
from veridical.settings import Isolation

from .answering import Answering
from .faults import MEMORY, error_of
from .messages import (
    Answer,
    Began,
    Call,
    Failed,
    Fault,
    Leave,
    NotReady,
    Outcome,
    Over,
    Ready,
    Returned,
    Start,
    Step,
    WrongLineError,
    Yielded,
)
from .places import confined, import_path
from .process import EndedError, Process
from .sandbox import unsupported

__all__ = ["Isolated"]

_VALUES: dict[str, TypeAdapter[object]] = {
    "chat": TypeAdapter(ChatReply | None),
    "stream": TypeAdapter(ChatDelta),
    "search": TypeAdapter(list[Item] | None),
    "embed": TypeAdapter(EmbeddingReply | None),
    "read": TypeAdapter(SourceBatch),
}
"""What each hook that can be isolated returns or yields; a plugin that has nothing to say returns None."""


class Isolated:
    """See the module. Called in one thread; `kill` may be called in any.

    Args:
        listing: of the plugin.
        context: what it would be given in this process.
        rule: how it is isolated.
        home: of the operator, of which the process is kept out.
    """

    def __init__(self, listing: Listing, context: HostContext, rule: Isolation, home: Home) -> None:
        self._listing = listing
        self._context = context
        self._rule = rule
        self._home = home
        self._process: Process | None = None
        self._killed = False
        self._answering = Answering(context, rule, self._send_answer)
        self._numbers = itertools.count(1)

    def load(
        self, *, approved: str | None, redact: Callable[[str], str], clock: Callable[[], float] = time.perf_counter
    ) -> Loaded | Status:
        """Start the process and let it load the plugin; see `veridical.discovery.load`."""
        started, listing = clock(), self._listing
        if why := self._refusal() or astray(listing):
            return Status.of(listing, "refused", why)
        try:
            said = self._started()
        except (VeridicalError, OSError) as error:
            said = NotReady(status="failed", reason=str(error))
        milliseconds = round((clock() - started) * 1000, 3)
        if isinstance(said, NotReady):
            self.kill()
            return Status.of(listing, said.status, redact(one_line(said.reason)), milliseconds, code=said.code)
        relay = _Relay(self._call)
        found = loaded(
            listing, said.hooks, relay, said.wire, said.model, said.notes, approved=approved, redact=redact, milliseconds=milliseconds
        )
        if isinstance(found, Status):
            self.kill()
        return found

    def kill(self, why: str = "") -> None:
        """End the process, and all that it started, now; one that is not started yet ends as soon as it is."""
        self._killed = True
        if self._process is not None:
            self._process.kill(why)
            self._answering.close()

    @property
    def word(self) -> Literal["", "sandboxed", "unsandboxed"]:
        """What a report says of it; nothing where there was no process."""
        if self._process is None:
            return ""
        return "unsandboxed" if self._rule.without_sandbox else "sandboxed"

    @property
    def is_over(self) -> bool:
        """Whether there was a process, and is no more: the plugin has to be loaded again."""
        return self._process is not None and self._process.is_over

    @property
    def number(self) -> int:
        """The process's number in the system; 0 where there is none."""
        return self._process.number if self._process is not None else 0

    def _refusal(self) -> str:
        listing = self._listing
        if listing.kind == "storage":
            return (
                f"A storage plugin owns the store's file and cannot be isolated: take [isolation.{listing.name}] out of the settings file."
            )
        if not self._rule.without_sandbox and (why := unsupported()):
            return (
                f"It cannot be kept from the store's file: {why}. To run it in a process of its own all the same, with your rights, write "
                f"under [isolation.{listing.name}] in the settings file: without_sandbox = true"
            )
        return ""

    def _started(self) -> Ready | NotReady:
        listing, rule = self._listing, self._rule
        folder, path = self._context.cache_dir, import_path(listing)
        sandbox = confined(listing, self._home, folder, path=path, read=rule.read, network=rule.network)
        self._process = Process(path=path, folder=folder, logger=self._context.logger)
        if self._killed:
            self.kill("it took too long to be started")
        fields = {name: value for name, value in listing._asdict().items() if isinstance(value, str | bool)}
        start = Start(
            listing=fields,
            table=cast("dict[str, JsonValue]", dict(self._context.table)),
            settings_file=str(self._home.settings),
            cache=str(folder),
            level=self._context.logger.getEffectiveLevel(),
            memory_megabytes=rule.memory_megabytes,
            confine=None if rule.without_sandbox else sandbox,
        )
        said = self._told(0, partial(self._process.send, start))
        if not isinstance(said, Ready | NotReady):
            raise self._wrong("it answered something else than was asked")
        return said

    # Hooks

    def _call(self, hook: str, arguments: dict[str, object]) -> list[object]:
        """Call `hook`, and return its result in a list, as pluggy does, which leaves None out."""
        number = next(self._numbers)
        self._answering.begin(number, arguments)
        given = {name: cast("JsonValue", _ANY.dump_python(value, mode="json")) for name, value in arguments.items()}
        try:
            said = self._asked(number, Call(number=number, hook=hook, arguments=given))
        except BaseException:
            self._answering.end(number)
            raise
        if isinstance(said, Began):
            return [self._steps(number, hook)]
        self._answering.end(number)
        if not isinstance(said, Returned):
            raise self._wrong("it answered something else than was asked")
        value = self._value(hook, said.value)
        return [] if value is None else [value]

    def _steps(self, call: int, hook: str) -> Iterator[object]:
        done = False
        try:
            while True:
                number = next(self._numbers)
                self._answering.step(call)
                said = self._asked(number, Step(number=number, call=call))
                if isinstance(said, Over):
                    done = True
                    return
                if not isinstance(said, Yielded):
                    raise self._wrong("it answered something else than was asked")
                yield self._value(hook, said.value)
        except GeneratorExit:
            if not done:
                number = next(self._numbers)
                self._asked(number, Leave(number=number, call=call))
            raise
        finally:
            self._answering.end(call)

    def _value(self, hook: str, value: JsonValue) -> object:
        try:
            return _VALUES[hook].validate_json(_ANY.dump_json(value))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise PluginError(f"it returned what it may not: {where}: {first['msg']}") from None

    def _asked(self, number: int, message: Call | Step | Leave) -> Outcome:
        """Send a command, and return what comes of it."""
        if self._process is None:
            raise PluginError("It has no process.")
        said = self._told(number, partial(self._process.send, message))
        if isinstance(said, Failed):
            raise self._error(said.fault)
        return said

    def _told(self, number: int, send: Callable[[], None]) -> Outcome:
        """Send, and answer what the child asks until it says what came of it: once, and of what was sent last."""
        process = self._process
        if process is None:
            raise PluginError("It has no process.")
        try:
            send()
            while not isinstance(said := process.receive(), Outcome):
                self._answering.answer(said)
        except EndedError as error:
            self.kill()
            raise PluginError(f"{self._lately(str(error))} It is started again in the next run.") from None
        except WrongLineError as error:
            raise self._wrong(f"it sent {error}") from None
        if (0 if isinstance(said, Ready | NotReady) else said.number) != number:
            raise self._wrong("it answered twice, or what was not asked")
        return said

    def _lately(self, why: str) -> str:
        return f"{why[:1].upper()}{why[1:]}."

    def _wrong(self, what: str) -> PluginError:
        """End the process for what it said."""
        why = f"its process was ended, since {what}"
        self.kill(why)
        return PluginError(f"{self._lately(why)} It is started again in the next run.")

    def _error(self, fault: Fault) -> VeridicalError:
        if fault.code == MEMORY:
            megabytes, name = self._rule.memory_megabytes, self._listing.name
            return PluginError(
                f"It needs more than the {megabytes} MB that it may have.",
                hint=f"Allow it more under [isolation.{name}] in the settings file: memory_megabytes = {2 * megabytes}",
            )
        return error_of(fault)

    def _send_answer(self, answer: Answer) -> None:
        process = self._process
        if process is None:
            return
        try:
            process.send(answer)
        except EndedError:
            return  # whoever waits for what the process says is told


_ANY: TypeAdapter[object] = TypeAdapter(object, config=ConfigDict(ser_json_inf_nan="constants"))
"""No number becomes null, which is a value too: what JSON has no name for, no hook may return."""


class _Relay:
    """The hooks, each by its name, as pluggy's relay has them."""

    def __init__(self, call: Callable[[str, dict[str, object]], list[object]]) -> None:
        self._call = call

    def __getattr__(self, hook: str) -> Callable[..., list[object]]:
        def caller(**arguments: object) -> list[object]:
            return self._call(hook, arguments)

        return caller
