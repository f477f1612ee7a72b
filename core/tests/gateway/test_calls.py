from __future__ import annotations

import decimal
import sys
import threading
import warnings
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veridical.gateway import Calls
from veridical.gateway.failures import MissingHookError
from veridical_contract import (
    ConfigurationError,
    PluginError,
    PluginTimeoutError,
    ProviderError,
    SearchQuery,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    VeridicalError,
)

from core.tests.gateway.plugins import acme, read, search
from tests.distributions import plugin
from tests.distributions.broken import broken, good_search, junk

Gate = Callable[..., Calls]
QUERY = SearchQuery(text="x")


def test_a_hook_answers(gate: Gate) -> None:
    (item,) = gate(good_search()).call("search", "good", "search", query=QUERY)
    assert "found x" == item.text


def test_a_coroutine_is_awaited(gate: Gate) -> None:
    calls = gate(search("await asyncio.sleep(0); return [query.text]", marker="async def"))
    assert [["x"], ["x"]] == [calls.call("search", "acme", "search", query=QUERY) for _ in range(2)]


def test_what_a_coroutine_leaves_open_is_found_by_the_next(gate: Gate) -> None:
    code = "loop = asyncio.get_running_loop(); first = getattr(self, 'loop', loop); self.loop = loop; return first is loop"
    calls = gate(search(code, marker="async def"))
    assert [True, True] == [calls.call("search", "acme", "search", query=QUERY) for _ in range(2)]


def test_only_the_arguments_that_the_implementation_declares_are_passed(gate: Gate) -> None:
    calls = gate(acme("@hookimpl\ndef runs(self, limit):\n    return limit", kind="storage"))
    assert 7 == calls.call("storage", "acme", "runs", run=None, limit=7)


@pytest.mark.parametrize("value", ["None", "0", "()", "{'moon': 'cheese'}", "object"])
def test_what_was_returned_comes_back_as_it_is(value: str, gate: Gate) -> None:
    calls = gate(search(f"return {value}"))
    assert eval(value) == calls.call("search", "acme", "search", query=QUERY)


def test_constructor_hooks_and_steps_run_in_one_thread_that_is_not_the_callers(gate: Gate) -> None:
    body = "@hookimpl\ndef read(self, request):\n    yield self.thread\n    yield threading.get_ident()"
    calls = gate(acme(body, kind="source", start="self.thread = threading.get_ident()"))
    first, second = calls.iterate("source", "acme", "read", request=None)
    assert (True, False) == (first == second, first == threading.get_ident())


def test_the_callers_context_variables_are_seen_and_cannot_be_changed(gate: Gate) -> None:
    calls = gate(
        search("seen = decimal.getcontext().prec\ndecimal.setcontext(decimal.Context(prec=3))\nreturn seen", before="import decimal")
    )
    with decimal.localcontext() as context:
        context.prec = 7
        assert (7, 7) == (calls.call("search", "acme", "search", query=QUERY), decimal.getcontext().prec)


def test_two_plugins_of_one_name_in_two_kinds_are_told_apart(gate: Gate) -> None:
    chat = acme("@hookimpl\ndef chat(self, request): return 'chat'", kind="chat")
    body = "def __init__(self, context): pass\n@hookimpl\ndef search(self, query): return 'search'"
    calls = gate(chat, plugin("acme", body, distribution="acme-search"))
    assert ("chat", "search") == (calls.call("chat", "acme", "chat", request=None), calls.call("search", "acme", "search", query=QUERY))


# What a plugin raises


@pytest.mark.parametrize("marker", ["def", "async def"])
@pytest.mark.parametrize("raising", ["ValueError('no')", "SystemExit(3)", "KeyboardInterrupt()", "GeneratorExit()", "BaseException('no')"])
def test_whatever_a_hook_raises_is_an_error_of_the_plugin(raising: str, marker: str, gate: Gate) -> None:
    calls = gate(search(f"raise {raising}", marker=marker))
    with pytest.raises(PluginError) as caught:
        calls.call("search", "acme", "search", query=QUERY)
    assert ("acme", "search", True) == (caught.value.plugin, caught.value.hook, caught.value.message.startswith("acme (search): "))


ERRORS = st.one_of(
    st.builds(
        "class Own({}): pass\nraise Own({!r})".format,
        st.sampled_from(["Exception", "BaseException", "SystemExit", "VeridicalError", "PluginError", "StoreError", "CancelledError"]),
        st.text(max_size=50),
    ),
    st.builds(
        "raise type('Own', (Exception,), {{{!r}: {}}})()".format,
        st.sampled_from(["__str__", "__repr__", "__traceback__", "__cause__", "args", "message"]),
        st.sampled_from(["lambda *a: 1/0", "lambda *a: 3", "property(lambda *a: exit())", "None"]),
    ),
    st.builds(
        "error = ProviderError('x', failure='auth')\nerror.{} = {}\nraise error".format,
        st.sampled_from(["failure", "retry_after", "message", "hint", "plugin", "hook"]),
        st.sampled_from(["None", "[]", "float('nan')", "10**400", "'evil\\n\\x1b[2J'", "object()"]),
    ),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(codes=st.lists(ERRORS, min_size=1, max_size=20))
def test_any_error_leaves_as_one_line_of_the_plugins_own(codes: list[str], gate: Gate) -> None:
    calls = gate(search("exec(query.text, globals())"))
    for code in codes:
        with pytest.raises(PluginError) as caught:
            calls.call("search", "acme", "search", query=SearchQuery(text=code))
        shown = str(caught.value)
        assert ("acme", "search", True, True) == (caught.value.plugin, caught.value.hook, shown.isprintable(), len(shown) < 900)
        assert (None, None) == (caught.value.__cause__, caught.value.__context__)


def test_the_failure_of_a_service_keeps_its_kind_and_is_attributed_by_the_gateway(gate: Gate) -> None:
    calls = gate(search("raise ProviderError('slow down', failure='rate-limit', retry_after=3, plugin='somebody else')"))
    with pytest.raises(ProviderError) as caught:
        calls.call("search", "acme", "search", query=QUERY)
    error = caught.value
    assert ("acme (search): slow down", "rate-limit", 3.0, "acme", "search") == (
        error.message,
        error.failure,
        error.retry_after,
        error.plugin,
        error.hook,
    )


@pytest.mark.parametrize("kind", [StoreError, StoreCorruptError, StoreFullError, ConfigurationError])
def test_errors_of_the_store_pass_from_storage_and_from_nothing_else(kind: type[VeridicalError], gate: Gate) -> None:
    raising = f"raise {kind.__name__}('it is full', hint='Make room.')"
    storage = acme(f"@hookimpl\ndef migrate(self):\n    {raising}", kind="storage", name="store")
    calls = gate(storage, search(raising))
    with pytest.raises(kind) as caught:
        calls.call("storage", "store", "migrate")
    assert ("it is full", "Make room.") == (caught.value.message, caught.value.hint)
    with pytest.raises(PluginError, match=r"it is full Make room"):
        calls.call("search", "acme", "search", query=QUERY)


def test_a_secret_does_not_leave_in_an_error(gate: Gate) -> None:
    body = "@hookimpl\ndef search(self, query):\n    raise ValueError('401 for ' + self.context.secret('ACME_API_KEY'))"
    calls = gate(acme(body), environment={"ACME_API_KEY": "s3cr3t-value"})
    with pytest.raises(PluginError, match=r"ValueError: 401 for \[ACME_API_KEY\]$"):
        calls.call("search", "acme", "search", query=QUERY)


def test_a_missing_secret_is_said_with_how_to_set_it(gate: Gate) -> None:
    calls = gate(search("self.context.secret('ACME_API_KEY')"))
    with pytest.raises(PluginError, match=r"acme needs ACME_API_KEY, which is not set. Set it \(export ACME_API_KEY=...\)"):
        calls.call("search", "acme", "search", query=QUERY)


def test_a_plugin_that_failed_may_be_called_again_and_its_row_says_how_often(gate: Gate) -> None:
    calls = gate(search("return 1 / int(query.text)"))
    for _ in range(2):
        with pytest.raises(PluginError):
            calls.call("search", "acme", "search", query=SearchQuery(text="0"))
    assert 1.0 == calls.call("search", "acme", "search", query=SearchQuery(text="1"))
    (row,) = calls.statuses()
    assert ("failed", "acme (search): ZeroDivisionError: division by zero (2 calls failed, this is the last)") == (row.status, row.reason)


def test_a_hook_that_the_plugin_does_not_have_is_its_error(gate: Gate) -> None:
    calls = gate(acme("@hookimpl\ndef migrate(self): pass", kind="storage"))
    with pytest.raises(MissingHookError, match=r"acme does not implement put. It is veridical-acme 1.0: a newer one may have it."):
        calls.call("storage", "acme", "put", batch=None)


# Iterators


@pytest.mark.parametrize(
    ("marker", "code"),
    [("def", "yield 1\nyield 2"), ("async def", "yield 1\nyield 2"), ("def", "return [1, 2]"), ("async def", "return iter([1, 2])")],
)
def test_an_iterator_is_walked(marker: str, code: str, gate: Gate) -> None:
    assert [1, 2] == list(gate(read(code, marker=marker)).iterate("source", "acme", "read", request=None))


@pytest.mark.parametrize("marker", ["def", "async def"])
def test_an_iterator_that_is_left_early_is_closed_in_the_plugins_thread(marker: str, gate: Gate) -> None:
    code = "try:\n    yield threading.get_ident()\n    yield 2\nfinally:\n    closed.append(threading.get_ident())"
    calls = gate(read(code, marker=marker, before="closed = []"))
    steps = calls.iterate("source", "acme", "read", request=None)
    thread = next(steps)
    steps.close()
    module = sys.modules["veridical_acme"]

    assert [thread] == module.closed


@pytest.mark.parametrize("marker", ["def", "async def"])
def test_an_error_in_a_later_step_costs_only_what_comes_after(marker: str, gate: Gate) -> None:
    calls = gate(read("yield 1\nraise SystemExit", marker=marker))
    seen: list[object] = []
    with pytest.raises(PluginError):
        seen.extend(calls.iterate("source", "acme", "read", request=None))
    assert [1] == seen


def test_an_error_while_closing_is_in_the_row_and_nowhere_else(gate: Gate) -> None:
    calls = gate(read("try:\n    yield 1\nfinally:\n    raise ValueError('stuck')"))
    steps = calls.iterate("source", "acme", "read", request=None)
    next(steps)
    steps.close()
    assert "acme (read): ValueError: stuck" == calls.statuses()[0].reason


@pytest.mark.parametrize("value", ["3", "None", "object()"])
def test_what_is_no_iterator_is_an_error_of_the_plugin(value: str, gate: Gate) -> None:
    with pytest.raises(PluginError, match=r"expected an iterator"):
        list(gate(read(f"return {value}")).iterate("source", "acme", "read", request=None))


def test_a_step_that_hangs_ends_the_walk(gate: Gate) -> None:
    calls = gate(read("yield 1\nrelease.wait()\nyield 2"), source=0.05)
    seen: list[object] = []
    with pytest.raises(PluginTimeoutError):
        seen.extend(calls.iterate("source", "acme", "read", request=None))
    assert [1] == seen


# Names and rows


def test_a_name_that_is_not_there_is_answered_with_the_nearest(gate: Gate) -> None:
    with pytest.raises(ConfigurationError, match=r"There is no search plugin called 'god'. Did you mean good?"):
        gate(good_search()).open("search", "god")


def test_a_name_that_is_like_no_other_is_answered_with_the_list(gate: Gate) -> None:
    with pytest.raises(ConfigurationError, match=r"There is no chat plugin called 'good'. See: veridical plugins list"):
        gate(good_search()).open("chat", "good")


@pytest.mark.parametrize("what", list(broken()))
def test_a_plugin_that_cannot_be_used_says_why(what: str, gate: Gate) -> None:
    distributions = broken()[what]
    calls = gate(*distributions)
    (name,) = {name for one in distributions for group in one.entry_points.values() for name in group}
    with pytest.raises(ConfigurationError, match=f"The search plugin {name} cannot be used: ."):
        calls.open("search", name)


def test_a_plugin_that_failed_to_load_is_not_tried_again(gate: Gate) -> None:
    calls = gate(plugin("acme", before="import builtins\nbuiltins.tries = getattr(builtins, 'tries', 0) + 1\nraise ValueError"))
    for _ in range(2):
        with pytest.raises(ConfigurationError):
            calls.open("search", "acme")
    import builtins

    assert 1 == vars(builtins).pop("tries")


def test_checking_gives_every_plugin_a_row(gate: Gate) -> None:
    distributions = [one for several in broken().values() for one in several]
    states = [row.status for row in gate(*distributions, good_search(), junk()).check()]
    assert {"failed": 3, "refused": 6, "ok": 2} == dict(Counter(states))


def test_one_plugin_is_loaded_alone_and_its_row_returned(gate: Gate) -> None:
    calls = gate(good_search(), search("return []"), *broken()["system exit"], *broken()["other generation"])
    statuses = {name: calls.load("search", name).status for name in ("good", "system-exit", "from-tomorrow")}
    assert {"good": "ok", "system-exit": "failed", "from-tomorrow": "refused"} == statuses
    assert "acme" not in {row.name for row in calls.statuses()}


def test_rows_for_the_report_are_of_those_that_were_tried(gate: Gate) -> None:
    calls = gate(good_search(), search("raise ValueError('no')"), *broken()["other generation"], junk())
    calls.call("search", "good", "search", query=QUERY)
    with pytest.raises(PluginError):
        calls.call("search", "acme", "search", query=QUERY)
    rows = [(row.name, row.distribution, row.version, row.status, row.reason.text if row.reason else None) for row in calls.records()]
    expected = [
        ("acme", "veridical-acme", "1.0", "failed", "acme (search): ValueError: no"),
        ("good", "veridical-good", "1.0", "ok", None),
    ]
    assert expected == rows


def test_the_version_of_a_plugin_is_known_without_loading_it(gate: Gate) -> None:
    calls = gate(plugin("acme", before="raise SystemExit", version="2.5"))
    assert "veridical-acme 2.5" == calls.version("search", "acme")


def test_a_plugin_that_warns_does_not_break_the_call(gate: Gate) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [] == gate(search("import warnings; warnings.warn('old'); return []")).call("search", "acme", "search", query=QUERY)
