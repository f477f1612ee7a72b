"""Whatever the process writes, the host takes a line of the protocol at its time, and nothing else."""

from __future__ import annotations

import logging
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.isolation import messages
from veridical.isolation.faults import error_of, fault_of
from veridical.isolation.messages import Answer, Call, Failed, Fault, Returned, WrongLineError, line, ordered, told
from veridical_contract import ConfigurationError, MissingSecretError, PluginError, ProviderError, UnreadableError, VeridicalError

from .conftest import Making, row

ITEM = {"text": "forged", "locator": {"container": "acme"}}
WRITE = """
def write(context, text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(context._pipe._outgoing, data):]
"""
WRONG = {
    "no JSON": "moon\n",
    "an unknown line": '{"do": "approve", "number": 1}\n',
    "a forged record": '{"do": "recorded", "url": "https://a.example", "status": 200, "body": "e30="}\n',
    "a field too many": '{"do": "returned", "number": 1, "value": [], "recorded": []}\n',
    "a number that is none": '{"do": "returned", "number": true, "value": []}\n',
    "no text": b"\xff\xfe\n",
    "an answer to nothing": '{"do": "returned", "number": 99, "value": []}\n',
    "another kind of answer": '{"do": "over", "number": 1}\n',
    "ready again": '{"do": "ready", "hooks": ["search"], "wire": {}, "model": ""}\n',
    "deep": '{"do": "returned", "number": 1, "value": ' + "[" * 100_000 + "\n",
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_line_that_is_none_of_the_protocol_ends_the_process(wrong: str | bytes, isolate: Making) -> None:
    one = isolate(f"write(self.context, {wrong!r})\nreturn []", before=WRITE)
    with pytest.raises(PluginError, match="acme \\(search\\): Its process was ended, since it"):
        one.search()
    with pytest.raises(PluginError, match="started again in the next run"):
        one.search()
    assert "failed" == row(one.calls)[0]


def test_it_is_started_again_in_the_next_run(isolate: Making) -> None:
    one = isolate("write(self.context, 'moon\\n') if query.text == 'bad' else None\nreturn texts(os.getpid())", before=WRITE)
    (first,) = one.search()
    with pytest.raises(PluginError):
        one.search("bad")
    one.calls.begin_run()
    (second,) = one.search()
    assert first != second
    assert ("ok", "") == row(one.calls)


def test_a_second_answer_counts_for_nothing(isolate: Making) -> None:
    """It lies in the pipe when the next call begins, and is not that call's."""
    code = """
    if query.text == "twice":
        write(self.context, '{"do": "returned", "number": 1, "value": []}\\n')
    return texts("honest")
    """
    one = isolate(code, before=WRITE)
    assert [] == one.search("twice")
    with pytest.raises(PluginError, match="twice"):
        one.search()


def test_what_it_returns_is_still_what_the_hook_allows(isolate: Making) -> None:
    values: dict[str, Any] = {
        "n": float("nan"),
        "m": [float("inf")],
        "a": [{"text": 1, "locator": {"container": "x"}}],
        "b": {"x": 1},
        "c": [{**ITEM, "witness": "held"}],
        "d": [ITEM, 7],
    }
    code = "write(self.context, json.dumps({'do': 'returned', 'number': int(query.text[1:]), 'value': VALUES[query.text[0]]}) + '\\n')\n"
    for name in values:
        one = isolate(f"{code}time.sleep(60)", before=f"{WRITE}\nnan, inf = float('nan'), float('inf')\nVALUES = {values!r}")
        with pytest.raises(PluginError, match="it returned what it may not"):
            one.search(f"{name}1")


def test_a_line_without_an_end_is_not_kept(isolate: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.isolation.process.LONGEST_LINE", 4 << 20)
    one = isolate("while True:\n    write(self.context, b'x' * (1 << 20))", before=WRITE)
    with pytest.raises(PluginError, match="a line of more than 4 MiB"):
        one.search()


def test_a_line_of_too_many_parts_is_refused_before_it_is_built() -> None:
    few, many = (b'{"do": "returned", "number": 1, "value": [' + b"[]," * count + b"[]]}" for count in (10, 2_100_000))
    assert Returned(number=1, value=[[]] * 11) == told(few)
    with pytest.raises(WrongLineError, match="parts"):
        told(many)


def test_closing_the_pipes_is_ending(isolate: Making) -> None:
    one = isolate("os.close(self.context._pipe._outgoing)\ntime.sleep(60)")
    with pytest.raises(PluginError, match="It closed its pipes"):
        one.search()


def test_closing_the_pipe_that_it_is_asked_by_is_ending_too(isolate: Making) -> None:
    code = """
    os.dup2(os.pipe()[0], self.context._pipe._incoming.fileno())
    return []
    """
    one = isolate(code)
    with pytest.raises(PluginError, match="It closed its pipes"):
        [one.search() for _ in range(3)]  # who reads already, reads one more


def test_not_reading_is_no_way_to_hold_the_host(isolate: Making) -> None:
    """It asks and asks and takes no answer: the pipe is full, and the deadline ends it."""
    code = """
    incoming = self.context._pipe._incoming.fileno()
    kept = os.dup(incoming)
    os.dup2(os.pipe()[0], incoming)
    ask = '{"do": "variables", "ask": 1, "names": []}\\n' * 1000
    while True:
        write(self.context, ask)
    """
    one = isolate(code, before=WRITE, limits={"search": 1.5})
    with pytest.raises(PluginError, match=r"it took longer than 1\.5 s"):
        one.search()


def test_what_it_prints_is_no_line_of_the_protocol_and_not_endless(isolate: Making, caplog: pytest.LogCaptureFixture) -> None:
    code = """
    print('{"do": "returned", "number": 1, "value": []}', flush=True)
    os.write(1, b'{"do": "returned", "number": 1, "value": []}\\n')
    for _ in range(3000):
        os.write(2, b"x" * 999 + b"\\n")
    return texts("honest")
    """
    with caplog.at_level(logging.INFO, "veridical.plugins"):
        one = isolate(code)
        assert ["honest"] == one.search()
        one.calls.close()
        isolated = one.calls._records["search", "acme"].isolated
        assert isolated is not None
        assert isolated._process is not None
        isolated._process._saying.join(10)
    assert "the rest is left out" in caplog.text
    assert len(caplog.text) < 2 << 20


def test_a_question_for_another_call_is_refused(isolate: Making) -> None:
    code = """
    from veridical.isolation.messages import AskAtoms, AskFiles, AskHttp, AskPiece, AskRecord
    file = InputFile(path="/etc/passwd", sha256="0" * 64, size=1)
    record = Record(raw=Raw(digest="0" * 64, size=1, container="0" * 64, offset=0), format="text", locator=Locator(container="x"))
    ask = lambda make: attempt(lambda: self.context._pipe.ask(make))
    return texts(
        ask(lambda n: AskHttp(ask=n, call=99, method="GET", url="http://127.0.0.1:9/", headers=(), body="", seconds=1.0)),
        ask(lambda n: AskPiece(ask=n, exchange=1)), ask(lambda n: AskFiles(ask=n, call=99, file=file, format="text")),
        ask(lambda n: AskRecord(ask=n, call=1, files=1)), ask(lambda n: AskAtoms(ask=n, call=1, record=record, pointers={"text": ""})),
        ask(lambda n: AskHttp(ask=n, call=1, method="GET", url="http://127.0.0.1:9/", headers=(), body="no base64", seconds=1.0)),
        ask(lambda n: AskHttp(ask=n, call=1, method="GET", url="\\x00://", headers=(), body="", seconds=1.0)),
    )
    """
    found = isolate(code).search()
    refused = ["PluginError", "PluginError", "UnreadableError", "UnreadableError", "UnreadableError", "PluginError"]
    assert refused == found[:6]
    assert found[6] in ("PluginError", "TransportFailedError")


# What crosses the pipe is what was sent

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, st.integers(0, 2**31))
def test_a_value_crosses_unchanged(value: Any, number: int) -> None:
    assert Returned(number=number, value=value) == told(line(Returned(number=number, value=value)))
    assert Answer(ask=number, value=value) == ordered(line(Answer(ask=number, value=value)))
    call = Call(number=number, hook="search", arguments={"query": value})
    assert call == ordered(line(call))
    assert 1 == line(call).count(b"\n")


@given(st.binary(max_size=200))
def test_junk_is_refused_whatever_it_is(data: bytes) -> None:
    with pytest.raises(WrongLineError):
        told(data)


@given(st.text(string.printable, max_size=50), st.text(string.printable, max_size=50))
def test_an_error_crosses_as_what_it_is(message: str, hint: str) -> None:
    for kind in (ConfigurationError, MissingSecretError, UnreadableError, PluginError):
        again = error_of(told_fault(fault_of(kind(message, hint=hint))))
        assert (kind, message, hint) == (type(again), again.message, again.hint)
    again = error_of(told_fault(fault_of(ProviderError(message, failure="quota", retry_after=1.5, hint=hint))))
    assert isinstance(again, ProviderError)
    assert ("quota", 1.5, message) == (again.failure, again.retry_after, again.message)


def told_fault(fault: Fault) -> Fault:
    said = told(line(Failed(number=1, fault=fault)))
    assert isinstance(said, Failed)
    return said.fault


def test_an_error_of_a_code_that_nobody_knows_is_the_plugins() -> None:
    assert PluginError is type(error_of(Fault(code="moon", message="x")))
    assert VeridicalError is type(error_of(Fault(code="error", message="x")))


def test_every_line_has_a_name_of_its_own() -> None:
    names = [model.model_fields["do"].default for model in vars(messages).values() if "do" in getattr(model, "model_fields", {})]
    assert len(names) == len(set(names))
