"""The events of an assistant's replies: made in a thread, followed by whoever asked, and kept for who comes back.

    facade, in a thread --chunk--> Stream.add --> events, each with an id --follow--> the client, now
                                                       `--Last-Event-ID--> the client again: what comes after that event

A reply goes on when its client is gone: who comes back within some minutes gets the rest, and no model is asked twice. What is kept is
bounded in time, number and bytes.

An event is named after the type of its chunk, and its data is the chunk, as JSON. Its id is that of the stream, which nobody can guess, and
its place in it: `STREAM-PLACE`, places from 1.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import closing
from typing import Final, NamedTuple

from veridical.client import Veridical
from veridical_contract import AgentChunk, DoneChunk, FailedChunk, Turn, Untrusted, VeridicalError

from .places import Places
from .problems import KINDS, Refused, of_error

__all__ = ["EVENT_ID", "Event", "Following", "Stream", "Streams"]

_LAST: Final = (DoneChunk, FailedChunk)
EVENT_ID: Final = "^[0-9a-f]{32}-[1-9][0-9]{0,6}$"
_BREAKS: Final = re.compile("[\x85\u2028\u2029]")
_LONGEST: Final = 4 << 20
"""Bytes of one stream."""
_MOST_BYTES: Final = 64 << 20
_MOST_STREAMS: Final = 256
"""Of streams that ended, at most."""
_LOGGER = logging.getLogger("veridical_http")


class Event(NamedTuple):
    """An event of a stream.

    Attributes:
        id: of it.
        name: type of the chunk.
        data: the chunk, as JSON.
    """

    id: str
    name: str
    data: str


class Stream:
    """The events of one reply so far.

    Attributes:
        id: of the stream.
        events: in their order.
        size: bytes of their data.
        ended: whether no more come.
    """

    def __init__(self) -> None:
        self.id = secrets.token_hex(16)
        self.events: list[Event] = []
        self.size = 0
        self.ended = False
        self._changed = asyncio.Event()

    def add(self, chunk: AgentChunk) -> None:
        """Add a chunk; after the last one, and after one that is too much, nothing is added any more."""
        if self.ended:
            return
        # Many readers of events take these for ends of lines, which the HTML standard does not; in JSON they can be written otherwise.
        data = _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", chunk.model_dump_json())
        if self.size + len(data) > _LONGEST and not isinstance(chunk, _LAST):
            self.add(_failed("too-large", f"The reply is longer than {_LONGEST} bytes."))
            return
        self.events.append(Event(f"{self.id}-{len(self.events) + 1}", chunk.type, data))
        self.size += len(data)
        self.ended = isinstance(chunk, _LAST)
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def began(self) -> None:
        """Wait for the first event."""
        while not self.events:
            await self._changed.wait()

    async def follow(self, after: int) -> AsyncGenerator[Event]:
        """Yield the events after the first `after` ones, as they come, up to the last."""
        at = after
        while True:
            for event in self.events[at:]:
                at += 1
                yield event
            if self.ended and at >= len(self.events):
                return
            if at >= len(self.events):
                await self._changed.wait()


class Following(NamedTuple):
    """What a client gets of a stream.

    Attributes:
        stream: that is followed.
        after: how many of its events the client has.
    """

    stream: Stream
    after: int


class Streams:
    """All streams of a service. To be used from one event loop.

    Args:
        places: where replies are made.
        keep_seconds: for which a stream is kept after its end.
    """

    def __init__(self, places: Places, *, keep_seconds: float) -> None:
        self._places = places
        self._keep_seconds = keep_seconds
        self._streams: dict[str, Stream] = {}

    async def begin(self, turns: Sequence[Turn], *, gone: Callable[[], Awaitable[bool]] | None = None) -> Following:
        """Let the assistant reply to `turns`, and return when its first chunk is there.

        Args:
            turns: of the conversation.
            gone: whether nobody waits for it any more; asked once, when its turn comes.

        Raises:
            Refused: too many wait, or the time passed before there was a chunk.
            VeridicalError: it failed before there was one.
        """
        loop, stream = asyncio.get_running_loop(), Stream()
        deadline = loop.time() + self._places.seconds

        def reply(veridical: Veridical) -> None:
            with closing(veridical.agent(turns)) as chunks:
                for chunk in chunks:
                    if stream.ended:  # the time passed, or it is too long: nobody gets the rest
                        break
                    loop.call_soon_threadsafe(stream.add, chunk)

        future = asyncio.wrap_future(await self._places.start("veridical.agent", reply, deadline, gone=gone))
        future.add_done_callback(lambda done: self._finish(stream, done))
        await _first(future, stream, deadline)
        if not stream.events:
            stream.ended = True
            if not future.done():
                raise Refused("timeout")
            future.result()
            raise Refused("error")
        self._streams[stream.id] = stream
        self._trim()
        overdue = loop.call_at(deadline, stream.add, _failed("timeout", KINDS["timeout"].meaning))
        future.add_done_callback(lambda _: overdue.cancel())
        return Following(stream, 0)

    def resume(self, last_event_id: str) -> Following:
        """Return what comes after the event that a client had last.

        Args:
            last_event_id: that matches `EVENT_ID`.

        Raises:
            Refused: its stream is not kept any more.
        """
        self._trim()
        name, _, place = last_event_id.partition("-")
        stream, after = self._streams.get(name), int(place)
        if stream is None or after > len(stream.events):
            raise Refused("stream-gone")
        return Following(stream, after)

    def _finish(self, stream: Stream, done: asyncio.Future[None]) -> None:
        """Say in a stream that began how its work ended, where the work did not; keep the stream for a while."""
        if (error := done.exception()) is not None:
            _LOGGER.warning("a reply broke off: %s", error.message if isinstance(error, VeridicalError) else type(error).__name__)
        if stream.events and not stream.ended:
            refused = of_error(error or RuntimeError())
            stream.add(_failed(refused.code, refused.detail))
        asyncio.get_running_loop().call_later(self._keep_seconds, self._streams.pop, stream.id, None)
        self._trim()

    def _trim(self) -> None:
        """Drop the oldest streams that ended, as far as there are too many, or too many bytes."""
        ended = [stream for stream in self._streams.values() if stream.ended]
        number, size = len(ended), sum(stream.size for stream in ended)
        for stream in ended:
            if number <= _MOST_STREAMS and size <= _MOST_BYTES:
                return
            number, size = number - 1, size - stream.size
            del self._streams[stream.id]


async def _first(future: asyncio.Future[None], stream: Stream, deadline: float) -> None:
    """Wait until the stream began, or its work is done, or the deadline."""
    loop = asyncio.get_running_loop()
    began = loop.create_task(stream.began())
    try:
        await asyncio.wait({future, began}, timeout=deadline - loop.time(), return_when=asyncio.FIRST_COMPLETED)
    finally:
        began.cancel()


def _failed(code: str, text: str) -> FailedChunk:
    return FailedChunk(code=code, detail=Untrusted(origin="veridical-http", text=text))
