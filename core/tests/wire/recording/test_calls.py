"""A request belongs to the hook call that made it, or it is not sent."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx
import httpx2
import pytest
from veridical.wire.recording import Call, Recorded, Recorder, async_transport, recording_session, transport
from veridical_contract import PluginError

from core.tests.wire.recording.clients import CLIENTS, Ask, gathered, recorder
from core.tests.wire.recording.serving import Asked, reply, serving

WAY_OUT = "Make the request in a hook call: in its thread, in an asyncio task, or in a thread started with contextvars.copy_context().run."


def _echo(asked: Asked) -> bytes:
    return reply(asked.path.encode(), kind="text/plain")


def _urls(records: list[Recorded]) -> list[str]:
    return [record.url for record in records]


def test_calls_of_many_threads_with_one_client_never_mix() -> None:
    recording = recorder()
    with serving(_echo) as served, httpx.Client(transport=transport(httpx, recording), base_url=served.base, timeout=30) as client:

        def hook(number: int) -> bool:
            with recording.call() as records:
                for step in range(5):
                    client.get(f"/{number}/{step}")
            return [f"{served.base}/{number}/{step}" for step in range(5)] == _urls(records)

        with ThreadPoolExecutor(8) as pool:
            assert [True] * 16 == [*pool.map(hook, range(16))]


def test_calls_of_many_tasks_with_one_client_never_mix() -> None:
    """... and the tasks that a call starts belong to it."""
    recording = recorder()

    async def hooks(base: str) -> list[bool]:
        async with httpx2.AsyncClient(transport=async_transport(httpx2, recording), base_url=base, timeout=30) as client:

            async def hook(number: int) -> bool:
                with recording.call() as records:
                    await gathered(*(client.get(f"/{number}/{step}") for step in range(5)))
                return {f"{base}/{number}/{step}" for step in range(5)} == {*_urls(records)} and len(records) == 5

            return await gathered(*map(hook, range(12)))

    with serving(_echo) as served:
        assert [True] * 12 == asyncio.run(hooks(served.base))


def test_calls_of_several_plugins_in_one_thread_never_mix() -> None:
    recorders = [recorder(), recorder()]
    with serving(_echo) as served:
        clients = [httpx.Client(transport=transport(httpx, recording), base_url=served.base, timeout=30) for recording in recorders]
        with clients[0], clients[1], recorders[0].call() as outer:
            clients[0].get("/a")
            with recorders[1].call() as inner:
                clients[1].get("/b")
            clients[0].get("/c")
    assert ([f"{served.base}/a", f"{served.base}/c"], [f"{served.base}/b"]) == (_urls(outer), _urls(inner))


def test_a_call_may_take_several_steps() -> None:
    """A hook that yields is left and entered again, with other calls in between."""
    recording = recorder()
    calls, contexts = [Call(recording), Call(recording)], [contextvars.copy_context(), contextvars.copy_context()]
    for call, context in zip(calls, contexts, strict=True):
        call.enter(context)
    with serving(_echo) as served, httpx.Client(transport=transport(httpx, recording), base_url=served.base, timeout=30) as client:
        for step in range(2):
            for number, context in enumerate(contexts):
                context.run(client.get, f"/{number}/{step}")
    for call in calls:
        call.close()
    assert [[f"{served.base}/{number}/{step}" for step in range(2)] for number in range(2)] == [_urls(call.records) for call in calls]


def test_what_is_over_may_be_taken_out_of_a_call_that_goes_on() -> None:
    """What was taken is forgotten, whatever its client does later; what still goes on is left."""
    recording = recorder()
    call, context = Call(recording), contextvars.copy_context()
    call.enter(context)
    with serving(_echo) as served, httpx.Client(transport=transport(httpx, recording), base_url=served.base, timeout=30) as client:
        replies = [context.run(client.get, "/a")]
        stream = client.stream("GET", "/b")
        open_reply = context.run(stream.__enter__)
        assert [f"{served.base}/a"] == _urls(call.take())
        assert ([], []) == (call.take(), call.records)
        replies[0].close()
        context.run(open_reply.read)
        context.run(stream.__exit__, None, None, None)
        context.run(client.get, "/c")
        assert [f"{served.base}/b", f"{served.base}/c"] == _urls(call.take())
        context.run(client.get, "/d")
    call.close()
    assert [f"{served.base}/d"] == _urls(call.records)


# Refused


@pytest.fixture(params=["no call", "another plugin's call", "a call that is over", "a thread without a copy of the context"])
def outside(request: pytest.FixtureRequest) -> Callable[[Recorder, Callable[[], Any]], str]:
    """Run a function where nothing may be sent, and return why not."""

    def run(recording: Recorder, function: Callable[[], Any]) -> str:
        match request.param:
            case "no call":
                function()
                return "every reply is recorded for the hook call that asked for it, and here there is none"
            case "another plugin's call":
                with recorder().call():
                    function()
                return "the client belongs to another plugin than the hook call"
            case "a call that is over":
                with recording.call():
                    context = contextvars.copy_context()
                context.run(function)
                return "the hook call that it belongs to is over"
            case _:
                with recording.call() as records:
                    thread = threading.Thread(target=function)
                    thread.start()
                    thread.join()
                assert [] == records
                return "every reply is recorded for the hook call that asked for it, and here there is none"

    return run


def _clients(recording: Recorder) -> list[Callable[[str], Any]]:
    """Return a function for each kind of client that is made here, and asks when it is called."""

    def sync(library: Any) -> Callable[[str], Any]:
        def ask(url: str) -> None:
            with library.Client(transport=transport(library, recording), timeout=30) as client:
                client.get(url)

        return ask

    def asynchronous(library: Any) -> Callable[[str], Any]:
        async def fetch(url: str) -> None:
            async with library.AsyncClient(transport=async_transport(library, recording), timeout=30) as client:
                await client.get(url)

        return lambda url: asyncio.run(fetch(url))

    def session(url: str) -> None:
        with closing(recording_session(recording, timeout=30)) as client:
            client.get(url)

    return [sync(httpx), sync(httpx2), asynchronous(httpx), asynchronous(httpx2), session]


@pytest.mark.parametrize("number", range(5), ids=["httpx", "httpx2", "httpx async", "httpx2 async", "requests"])
def test_a_request_that_belongs_to_no_call_is_not_sent(number: int, outside: Callable[[Recorder, Callable[[], Any]], str]) -> None:
    recording, said = recorder(), list[str]()
    client = _clients(recording)[number]
    with serving(_echo) as served:

        def ask() -> None:
            with pytest.raises(PluginError) as caught:
                client(f"{served.base}/private?key=k")
            said.append(str(caught.value))

        why = outside(recording, ask)
    assert ([f"A request to {served.base} was not sent: {why}. {WAY_OUT}"], []) == (said, served.asked)


def test_a_thread_with_a_copy_of_the_context_belongs_to_the_call() -> None:
    recording = recorder()
    with serving(_echo) as served, httpx.Client(transport=transport(httpx, recording), base_url=served.base, timeout=30) as client:
        with recording.call() as records:
            thread = threading.Thread(target=contextvars.copy_context().run, args=(client.get, "/a"))
            thread.start()
            thread.join()
        assert [f"{served.base}/a"] == _urls(records)


def test_a_client_of_the_plugins_own_is_not_recorded() -> None:
    """... so that nothing it brings can be proved."""
    with serving(_echo) as served, recorder().call() as records:
        assert "/a" == httpx.get(f"{served.base}/a").text
    assert [] == records


@pytest.mark.parametrize("ask", CLIENTS.values(), ids=CLIENTS)
def test_one_recorder_records_call_after_call(ask: Ask) -> None:
    recording = recorder()
    with serving(_echo) as served:
        calls = [_urls(ask(f"{served.base}/{number}", recording=recording).records) for number in range(3)]
    assert [[f"{served.base}/{number}"] for number in range(3)] == calls
