from __future__ import annotations

import asyncio
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable

import pytest
from veridical.gateway import Calls
from veridical_contract import (
    CancelledError,
    ConfigurationError,
    PluginError,
    PluginTimeoutError,
    SearchQuery,
)

from core.tests.gateway.plugins import acme, read, search
from tests.distributions.broken import good_search

Gate = Callable[..., Calls]
QUERY = SearchQuery(text="x")


# Deadlines


@pytest.mark.parametrize(
    ("marker", "code"), [("def", "release.wait()"), ("async def", "release.wait()"), ("async def", "await asyncio.sleep(3600)")]
)
def test_a_plugin_that_hangs_is_quarantined_and_costs_nobody_else(marker: str, code: str, gate: Gate) -> None:
    calls = gate(search(code, marker=marker), good_search(), search=0.05)
    with pytest.raises(PluginTimeoutError, match=r"acme \(search\): it took longer than 0.05 s and is not called again in this run"):
        calls.call("search", "acme", "search", query=QUERY)
    with pytest.raises(PluginError, match=r"it is not called again in this run"):
        calls.call("search", "acme", "search", query=QUERY)
    assert 1 == len(calls.call("search", "good", "search", query=QUERY))
    assert ["quarantined", "ok"] == [row.status for row in calls.statuses()]


def test_a_plugin_that_passed_its_deadline_can_see_it(gate: Gate) -> None:
    body = "@hookimpl\ndef search(self, query):\n    while not self.context.cancelled(): time.sleep(0.001)\n    seen.append(True)"
    calls = gate(acme(body, before="seen = []"), search=0.05)
    with pytest.raises(PluginTimeoutError):
        calls.call("search", "acme", "search", query=QUERY)
    module = sys.modules["veridical_acme"]

    while not module.seen:
        time.sleep(0.001)
    assert [True] == module.seen


def test_a_coroutine_that_passed_its_deadline_is_cancelled_and_its_thread_ends(gate: Gate) -> None:
    calls = gate(search("await asyncio.sleep(3600)", marker="async def"), search=0.05)
    with pytest.raises(PluginTimeoutError):
        calls.call("search", "acme", "search", query=QUERY)
    for thread in threading.enumerate():
        if thread.name.endswith("acme"):
            thread.join(10)
    assert [] == [thread for thread in threading.enumerate() if thread.name.endswith("acme")]


def test_a_constructor_that_hangs_is_quarantined(gate: Gate) -> None:
    calls = gate(acme("@hookimpl\ndef search(self, query): pass", start="release.wait()"), load=0.05)
    with pytest.raises(ConfigurationError, match=r"The search plugin acme cannot be used: It did not load within 0.05 s"):
        calls.open("search", "acme")
    assert ["quarantined"] == [row.status for row in calls.statuses()]


def test_no_further_plugin_is_loaded_when_too_many_threads_were_left_behind(gate: Gate) -> None:
    calls = gate(search("release.wait()"), good_search(), search=0.05, leaked=1)
    with pytest.raises(PluginTimeoutError):
        calls.call("search", "acme", "search", query=QUERY)
    with pytest.raises(PluginError, match=r"good is not loaded: 1 threads of plugins that hang are still running in this process"):
        calls.call("search", "good", "search", query=QUERY)


def test_a_thread_that_was_left_behind_counts_until_it_ends(gate: Gate) -> None:
    calls = gate(search("release.wait()"), good_search(), search=0.05, leaked=1)
    with pytest.raises(PluginTimeoutError):
        calls.call("search", "acme", "search", query=QUERY)
    module = sys.modules["veridical_acme"]

    module.release.set()
    for thread in threading.enumerate():
        if thread.name.endswith("acme"):
            thread.join(10)
    assert 1 == len(calls.call("search", "good", "search", query=QUERY))


def test_callers_of_one_plugin_take_turns(gate: Gate) -> None:
    code = "inside.append(1); most.append(len(inside)); time.sleep(0.002); inside.pop(); return max(most)"
    calls = gate(search(code, before="inside, most = [], []"))
    seen: list[object] = []
    callers = [threading.Thread(target=lambda: seen.append(calls.call("search", "acme", "search", query=QUERY))) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert [1] * 8 == seen


# Cancelling and closing


def test_a_caller_that_waits_is_let_go_by_cancel(gate: Gate) -> None:
    calls = gate(search("started.set(); release.wait()", before="started = threading.Event()"))
    calls.open("search", "acme")
    module = sys.modules["veridical_acme"]

    def cancel() -> None:
        module.started.wait()
        calls.cancel()

    threading.Thread(target=cancel).start()
    with pytest.raises(CancelledError):
        calls.call("search", "acme", "search", query=QUERY)
    module.release.set()


def test_after_cancel_nothing_is_called_or_loaded(gate: Gate) -> None:
    calls = gate(good_search(), search("return []"))
    calls.open("search", "good")
    calls.cancel()
    for name in ("good", "acme"):
        with pytest.raises(CancelledError):
            calls.call("search", name, "search", query=QUERY)


def test_ctrl_c_passes_tells_the_plugin_and_leaves_it_usable(gate: Gate) -> None:
    body = """
@hookimpl
def search(self, query):
    if query.text == "wait":
        threading.Timer(0.05, interrupt).start()
        while not self.context.cancelled(): time.sleep(0.001)
        seen.append("cancelled")
    return list(seen)
"""
    before = f"seen = []\nimport signal\ndef interrupt(): signal.pthread_kill({threading.main_thread().ident}, signal.SIGINT)"
    calls = gate(acme(body, before=before))
    calls.open("search", "acme")
    with pytest.raises(KeyboardInterrupt):
        calls.call("search", "acme", "search", query=SearchQuery(text="wait"))
    assert ["cancelled"] == calls.call("search", "acme", "search", query=QUERY)
    assert signal.default_int_handler is signal.getsignal(signal.SIGINT)


def test_closing_ends_every_thread_and_may_be_done_twice(gate: Gate) -> None:
    with gate(good_search(), search("return []", marker="async def")) as calls:
        for name in ("good", "acme"):
            calls.call("search", name, "search", query=QUERY)
    calls.close()
    assert [] == [thread.name for thread in threading.enumerate() if "veridical" in thread.name]


def test_a_closed_gateway_calls_nothing(gate: Gate) -> None:
    calls = gate(good_search())
    calls.close()
    with pytest.raises(RuntimeError, match=r"the gateway is closed"):
        calls.call("search", "good", "search", query=QUERY)


def test_an_iterator_that_outlives_its_gateway_says_so(gate: Gate) -> None:
    calls = gate(read("yield 1\nyield 2"))
    left, walked = (calls.iterate("source", "acme", "read", request=None) for _ in range(2))
    next(left), next(walked)
    calls.close()
    with pytest.raises(RuntimeError, match="the gateway is closed"):
        next(walked)
    left.close()
    assert ["ok"] == [row.status for row in calls.statuses()]


def test_closing_closes_the_http_clients_of_both_sorts(gate: Gate) -> None:
    start = "clients.extend([context.http(), context.ahttp()])"
    calls = gate(acme("@hookimpl\ndef search(self, query): return []", start=start, before="clients = []"))
    calls.open("search", "acme")
    module = sys.modules["veridical_acme"]

    calls.close()
    assert [True, True] == [client.is_closed for client in module.clients]


def test_a_plugin_that_was_interrupted_and_hangs_does_not_keep_the_gateway_from_closing(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veridical.gateway.records.GRACE", 0.05)
    calls = gate(search("started.set(); release.wait()", before="started = threading.Event()"))
    calls.open("search", "acme")
    module = sys.modules["veridical_acme"]

    def cancel() -> None:
        module.started.wait()
        calls.cancel()

    threading.Thread(target=cancel).start()
    with pytest.raises(CancelledError):
        calls.call("search", "acme", "search", query=QUERY)
    calls.close()
    module.release.set()


def test_nothing_that_was_returned_is_held_on_to(gate: Gate) -> None:
    calls = gate(search("return Big()", before="class Big: pass"))
    calls.call("search", "acme", "search", query=QUERY)
    module = sys.modules["veridical_acme"]

    calls.close()
    gc.collect()
    assert [] == [one for one in gc.get_objects() if isinstance(one, module.Big)]


def test_a_gateway_serves_asynchronous_callers_through_threads(gate: Gate) -> None:
    calls = gate(good_search(), search("return []"))

    async def both() -> list[object]:
        return await asyncio.gather(*(asyncio.to_thread(calls.call, "search", name, "search", query=QUERY) for name in ("good", "acme")))

    assert [1, 0] == [len(found) for found in asyncio.run(both())]
