"""The other end: a process that runs one plugin and has nothing but three pipes. Started by `process.py`, with Python's `-I`.

    standard input    commands and answers, read by a thread of its own, whose end is the end of the process
    standard output   what `messages.py` allows; for the plugin, standard output is standard error

    Start -> memory limited, confined -> the plugin imported, constructed and looked at, as `veridical.discovery.load` does -> Ready
    Call, Step, Leave -> in this, the main thread; each call in a context of its own, in which its steps go on

Nothing here protects the host: a plugin can change all of it. What protects the host is on the other side, and in the kernel of the system.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import os
import sys
import threading
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import NoReturn, cast, get_args

from pydantic import JsonValue, TypeAdapter
from veridical_contract import (
    ChatDelta,
    ChatReply,
    ChatRequest,
    EmbeddingReply,
    EmbeddingRequest,
    Item,
    Model,
    PluginError,
    SearchQuery,
    SourceBatch,
    SourceRequest,
)

from veridical.discovery import Listing, Loaded, Status, load, log_traceback, speaking
from veridical.kernel.exact import NotExactError, rebuild, type_name

from .child_context import ChildContext
from .faults import error_of, fault_of
from .messages import (
    Answer,
    Began,
    Call,
    Failed,
    Fault,
    Leave,
    NotReady,
    Over,
    Ready,
    Returned,
    Start,
    Step,
    Yielded,
    line,
    ordered,
)
from .sandbox import SandboxError, confine, die_with_parent, limit_memory

__all__ = ["main"]

_ASKED: dict[str, tuple[str, type[Model]]] = {
    "chat": ("request", ChatRequest),
    "stream": ("request", ChatRequest),
    "search": ("query", SearchQuery),
    "embed": ("request", EmbeddingRequest),
    "read": ("request", SourceRequest),
}
_MADE: dict[str, type[Model]] = {"chat": ChatReply, "stream": ChatDelta, "search": Item, "embed": EmbeddingReply, "read": SourceBatch}
_SEVERAL = ("stream", "read")
_END = object()
_ANY: TypeAdapter[object] = TypeAdapter(object)


def main(parent: int) -> NoReturn:
    """Run the plugin that the host names, until the host wants no more of it.

    Args:
        parent: number of the host's process.
    """
    die_with_parent(parent)
    pipe = Pipe(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what a plugin prints is no line of ours
    sys.stdout = sys.stderr
    start = pipe.first()
    os.chdir(start.cache)
    limit_memory(start.memory_megabytes)
    if (rule := start.confine) is not None:
        try:
            confine(read=rule.read, listed=rule.listed, write=rule.write, network=rule.network)
        except SandboxError as error:
            pipe.send(NotReady(status="refused", reason=f"Its sandbox cannot be set up: {error}."))
            sys.exit(1)
    pipe.listen()
    Runner(pipe, start).run()


class Pipe:
    """The two pipes to the host: commands come out of `commands`, and `ask` waits for the answer that belongs to it."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = os.fdopen(incoming, "rb", buffering=1 << 16)
        self._outgoing = outgoing
        self._writing = threading.Lock()
        self._waiting: dict[int, SimpleQueue[Answer]] = {}
        self._asked = 0
        self.commands: SimpleQueue[Call | Step | Leave] = SimpleQueue()

    def first(self) -> Start:
        """Return what the host says first."""
        said = ordered(self._incoming.readline())
        if not isinstance(said, Start):
            raise TypeError("the host said something else first")
        return said

    def listen(self) -> None:
        """Read what comes from now on, in a thread; when nothing comes any more, the process ends."""
        threading.Thread(target=self._listen, name="veridical host", daemon=True).start()

    def send(self, message: Model) -> None:
        """Write a line."""
        rest = memoryview(line(message))
        with self._writing:
            while rest:
                rest = rest[os.write(self._outgoing, rest) :]

    def ask(self, make: Callable[[int], Model]) -> JsonValue:
        """Ask what `make` makes of a number, and return the answer.

        Raises:
            VeridicalError: the answer is one.
            TransportFailedError: the host's HTTP client raised.
        """
        with self._writing:
            self._asked += 1
            number = self._asked
            answered = self._waiting[number] = SimpleQueue[Answer]()
        try:
            self.send(make(number))
            answer = answered.get()
        finally:
            del self._waiting[number]
        if answer.fault is not None:
            raise _raised(answer.fault)
        return answer.value

    def _listen(self) -> None:
        while data := self._incoming.readline():
            said = ordered(data)
            if isinstance(said, Answer):
                if waiting := self._waiting.get(said.ask):
                    waiting.put(said)
            elif not isinstance(said, Start):
                self.commands.put(said)
        os._exit(0)


def _raised(fault: Fault) -> Exception:
    from .child_http import TransportFailedError

    return TransportFailedError(fault.kind, fault.message) if fault.kind else error_of(fault)


class Runner:
    """Loads the plugin and does what the host commands, in the main thread."""

    def __init__(self, pipe: Pipe, start: Start) -> None:
        self._pipe = pipe
        self._start = start
        self._calls: dict[int, _Calling] = {}
        self._runner: asyncio.Runner | None = None

    def run(self) -> NoReturn:
        """Do one command after the other."""
        listing = Listing(**self._start.listing)  # pyright: ignore[reportArgumentType] - the host's own fields
        self._context = ChildContext(listing.name, self._start, self._pipe)
        found = load(listing, self._context)
        if isinstance(found, Status):
            status = found.status if found.status in get_args(NotReady.model_fields["status"].annotation) else "failed"
            self._pipe.send(NotReady.model_validate({"status": status, "reason": found.reason, "code": found.code}))
        else:
            wire: dict[str, JsonValue] = {name: each.model_dump(mode="json") for name, each in found.wire.items()}
            self._pipe.send(Ready(hooks=tuple(found.hooks), wire=wire, model=found.model, notes=found.notes))
        while True:
            command = self._pipe.commands.get()
            self._pipe.send(self._done(command, found))

    def _done(self, command: Call | Step | Leave, found: Loaded | Status) -> Model:
        if isinstance(found, Status):
            return Failed(number=command.number, fault=Fault(code=PluginError.code, message="The plugin was not loaded."))
        try:
            if isinstance(command, Call):
                self._calls[command.number] = _Calling(command, found, self._settle)
                return self._called(command)
            return self._stepped(command)
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, SystemExit too
            return Failed(number=command.number, fault=self._fault(error, command))

    def _called(self, command: Call) -> Model:
        calling = self._calls[command.number]
        if command.hook in _SEVERAL:
            calling.context.run(calling.begin)
            return Began(number=command.number)
        try:
            return Returned(number=command.number, value=_several(command.hook, calling.context.run(calling.whole)))
        finally:
            del self._calls[command.number]

    def _stepped(self, command: Step | Leave) -> Model:
        calling = self._calls[command.call]
        if isinstance(command, Leave):
            del self._calls[command.call]
            calling.context.run(calling.leave)
            return Over(number=command.number)
        item = calling.context.run(calling.next)
        if item is _END:
            del self._calls[command.call]
            return Over(number=command.number)
        return Yielded(number=command.number, value=_exact(calling.hook, item))

    def _fault(self, error: BaseException, command: Call | Step | Leave) -> Fault:
        if isinstance(error, MemoryError):
            return fault_of(error)
        log_traceback(self._context.logger, command.hook if isinstance(command, Call) else "a step", error)
        try:
            return fault_of(speaking(error))
        except BaseException:  # noqa: BLE001 - the attributes of an exception are code of the plugin
            return Fault(code=PluginError.code, message="an exception that cannot be shown")

    def _settle(self, value: object) -> object:
        if not inspect.isawaitable(value):
            return value
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(_awaited(cast("Awaitable[object]", value)), context=contextvars.copy_context())


async def _awaited(value: Awaitable[object]) -> object:
    return await value


class _Calling:
    """One call of a hook, and the iterator that it returned; all of it runs in `context`."""

    def __init__(self, command: Call, found: Loaded, settle: Callable[[object], object]) -> None:
        from .child_context import CALL

        self.hook = command.hook
        self.context = contextvars.copy_context()
        self.context.run(CALL.set, command.number)
        self._settle = settle
        self._relay = found.relay
        name, model = _ASKED[command.hook]
        self._arguments = {name: model.model_validate_json(_ANY.dump_json(command.arguments[name]))}
        self._iterator: Iterator[object] | AsyncIterator[object] = iter(())

    def whole(self) -> object:
        """Return what the hook returns."""
        results = cast("list[object]", getattr(self._relay, self.hook)(**self._arguments))
        return self._settle(results[0]) if results else None

    def begin(self) -> None:
        """Call the hook, and ask what it returns for its iterator."""
        returned = self.whole()
        if not isinstance(returned, Iterable | AsyncIterable):
            raise TypeError(f"it returned {type_name(returned)}, expected an iterator")
        several = cast("Iterable[object] | AsyncIterable[object]", returned)
        self._iterator = aiter(several) if isinstance(several, AsyncIterable) else iter(several)

    def next(self) -> object:
        """Return the next item, or `_END`."""
        iterator = self._iterator
        return self._settle(anext(iterator, _END)) if isinstance(iterator, AsyncIterator) else next(iterator, _END)

    def leave(self) -> None:
        """Let a generator run its clean-up."""
        close = getattr(self._iterator, "aclose", None) or getattr(self._iterator, "close", None)
        if close is not None:
            self._settle(close())


def _several(hook: str, value: object) -> JsonValue:
    if hook != "search":
        return None if value is None else _exact(hook, value)
    if value is None:
        return None
    if type(value) is not list:
        raise PluginError(f"it returned what it may not: expected a list, got {type_name(value)}.")
    return [_exact(hook, item) for item in cast("list[object]", value)]


def _exact(hook: str, value: object) -> JsonValue:
    """Return the parts of what the plugin made: the host looks at them again, this is so that it is told here what is wrong."""
    try:
        return cast("JsonValue", rebuild(value, _MADE[hook]).model_dump(mode="json"))
    except NotExactError as error:
        raise PluginError(f"it returned what it may not: {error}.") from None
