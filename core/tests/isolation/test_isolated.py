"""A plugin in a process of its own is a plugin like any other: same hooks, same errors, same rows."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import textwrap
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from veridical_contract import (
    ChatDelta,
    ChatReply,
    ChatRequest,
    ConfigurationError,
    EmbeddingReply,
    EmbeddingRequest,
    InputFile,
    Message,
    PluginError,
    ProviderError,
    SourceBatch,
    SourceRequest,
)

from tests.distributions import plugin

from .conftest import QUERY, Making, row


def test_it_runs_in_another_process_and_its_row_says_so(isolate: Making) -> None:
    one = isolate("return texts(os.getpid(), query.text)")
    number, text = one.search("red printers")
    assert (str(one.number), "red printers") == (number, text)
    assert number != str(os.getpid())
    (status,) = one.calls.statuses()
    assert ("ok", "sandboxed") == (status.status, status.isolated)
    (record,) = one.calls.records()
    assert "sandboxed" == record.isolated


def test_nothing_of_it_is_imported_here(isolate: Making) -> None:
    isolate("return []").search()
    assert "veridical_acme" not in sys.modules


def test_its_context_is_what_the_host_says(isolate: Making, caplog: pytest.LogCaptureFixture) -> None:
    before = """
    class Settings(Model):
        region: str = "none"
        url: str = Field(default="", json_schema_extra={"variable": "ACME_URL"})
    """
    one = isolate(
        """
        self.context.logger.warning("asked for %s with %s", query.text, self.key)
        print("to standard output")
        (self.context.cache_dir / "kept").write_text("x")
        settings = self.context.settings(Settings)
        made = [self.context.name, self.context.now().isoformat(), settings.region, settings.url, self.key, self.context.cancelled()]
        return texts(*made, os.getcwd() == str(self.context.cache_dir), attempt(lambda: self.context.data_dir))
        """,
        before=f"from pydantic import Field\n{textwrap.dedent(before)}",
        start="self.context, self.key = context, context.secret('ACME_KEY')",
        environment={"ACME_KEY": "the-key-of-acme", "ACME_URL": "https://acme.example"},
        table={"region": "eu"},
        secrets=("ACME_KEY", "ACME_URL"),
    )
    with caplog.at_level(logging.INFO, "veridical.plugins"):
        found = one.search()
        one.calls.close()
    assert [
        "acme",
        "2026-01-02T03:04:05+00:00",
        "eu",
        "https://acme.example",
        "the-key-of-acme",
        "False",
        "True",
        "ConfigurationError",
    ] == found
    assert "asked for printers with [ACME_KEY]" in caplog.text
    assert "to standard output" in caplog.text
    assert "x" == (one.home.cache / "plugins/acme/kept").read_text()


@pytest.mark.parametrize(
    ("raised", "kind", "said"),
    [
        ("raise KeyError('moon')", PluginError, "acme (search): KeyError: 'moon'"),
        ("raise SystemExit(3)", PluginError, "acme (search): SystemExit: 3"),
        ("raise ProviderError('busy', failure='rate-limit', retry_after=7.0)", ProviderError, "acme (search): busy"),
        ("return {'moon': 'cheese'}", PluginError, "acme (search): it returned what it may not: expected a list, got dict."),
        ("return [type('Lie', (Item,), {})(locator=Locator(container='x'))]", PluginError, "expected Item, got Lie"),
    ],
)
def test_what_it_raises_is_raised_here_in_its_name(raised: str, kind: type[PluginError], said: str, isolate: Making) -> None:
    one = isolate(raised)
    with pytest.raises(kind) as error:
        one.search()
    assert kind is type(error.value)
    assert said in error.value.message
    assert ("acme", "search") == (error.value.plugin, error.value.hook)
    if isinstance(error.value, ProviderError):
        assert ("rate-limit", 7.0) == (error.value.failure, error.value.retry_after)


def test_a_hook_may_be_a_coroutine_and_its_loop_goes_on(isolate: Making) -> None:
    one = isolate(
        """
        import asyncio
        self.loops = {*getattr(self, "loops", ()), id(asyncio.get_running_loop())}
        return texts(len(self.loops), *await asyncio.gather(*(asyncio.sleep(0, n) for n in range(3))))
        """,
        marker="async def",
    )
    assert [["1", "0", "1", "2"]] * 2 == [one.search(), one.search()]


def test_none_is_no_result_as_it_is_of_any_plugin(isolate: Making) -> None:
    assert isolate("return None").calls.call("search", "acme", "search", query=QUERY) is None


def test_embeddings_come_as_they_are(isolate: Making) -> None:
    one = isolate("return EmbeddingReply(vectors=tuple((float(len(text)), 0.1) for text in request.texts), identity='a')", kind="embedding")
    reply = one.calls.call("embedding", "acme", "embed", request=EmbeddingRequest(texts=("a", "bb")))
    assert EmbeddingReply(vectors=((1.0, 0.1), (2.0, 0.1)), identity="a") == reply


STREAM = """
def __init__(self, context):
    self.context = context
    self.model = "acme-1"
    self.left = False

@hookimpl
def chat(self, request):
    return ChatReply(text=f"{request.messages[0].text} {self.left}", structured={"a": [1, None, 0.5]}, model="acme-1")

@hookimpl
{marker} stream(self, request):
    try:
        for word in request.messages[0].text.split():
            yield ChatDelta(text=word)
        yield ChatDelta(reply=ChatReply(text=request.messages[0].text, model="acme-1"))
    finally:
        self.left = True
"""


@pytest.mark.parametrize("marker", ["def", "async def"])
def test_a_stream_comes_piece_by_piece_and_is_left_early(marker: str, isolate: Making) -> None:
    one = isolate.of(plugin("acme", STREAM.replace("{marker}", marker), kind="chat"), kind="chat")
    request = ChatRequest(task="complete", messages=(Message(role="user", text="one two three"),))
    assert "acme-1" == one.calls.model("chat", "acme")
    deltas = list(one.calls.iterate("chat", "acme", "stream", request=request))
    reply = ChatReply(text="one two three", model="acme-1")
    assert [ChatDelta(text="one"), ChatDelta(text="two"), ChatDelta(text="three"), ChatDelta(reply=reply)] == deltas
    started: Any = one.calls.iterate("chat", "acme", "stream", request=request)
    assert [ChatDelta(text="one")] == list(islice(started, 1))
    started.close()
    said = one.calls.call("chat", "acme", "chat", request=request)
    assert ChatReply(text="one two three True", structured={"a": [1, None, 0.5]}, model="acme-1") == said


READ = """
for file in request.inputs:
    for record in self.context.files.records(file, format="json"):
        atoms = self.context.files.atoms(record, record.names)
        derivation = Derivation(format="json", encoding=record.encoding, pointers={"text": record.names["body"]})
        item = Item(text=atoms["body"], locator=record.locator, raw=record.raw, derivation=derivation)
        yield SourceBatch(container=file.path, items=(item,))
    yield SourceBatch(container=file.path, done=True)
"""


def _input(path: Path, rows: int) -> InputFile:
    path.write_text("".join(f'{{"body": "row {number}"}}\n' for number in range(rows)), "utf-8")
    data = path.read_bytes()
    return InputFile(path=str(path), sha256=hashlib.sha256(data).hexdigest(), size=len(data))


def test_files_are_read_by_the_host_record_by_record(isolate: Making, tmp_path: Path) -> None:
    one = isolate(READ, kind="source")
    request = SourceRequest(origin="notes", inputs=(_input(tmp_path / "rows.jsonl", 200),))
    batches: list[Any] = list(one.calls.iterate("source", "acme", "read", request=request))
    assert [f"row {number}" for number in range(200)] == [item.text for batch in batches for item in batch.items]
    assert SourceBatch(container=request.inputs[0].path, done=True) == batches[-1]
    held = batches[0].items[0]
    assert b'{"body": "row 0"}' == isolate.files.held(held.raw.digest).rstrip(b"\n")


def test_a_file_that_is_no_input_of_the_call_is_not_read_for_it(isolate: Making, tmp_path: Path) -> None:
    other = _input(tmp_path / "other.jsonl", 1)
    one = isolate(
        f"""
        file = InputFile.model_validate_json({other.model_dump_json()!r})
        yield SourceBatch(container="x", problem=attempt(lambda: list(self.context.files.records(file, format="json"))))
        """,
        kind="source",
    )
    (batch,) = one.calls.iterate("source", "acme", "read", request=SourceRequest(origin="notes", inputs=()))
    assert SourceBatch(container="x", problem="UnreadableError") == batch


def test_an_unreadable_file_is_said_to_be_after_the_records_before_it(isolate: Making, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"body": "row 0"}\n{"body": \n')
    data = path.read_bytes()
    request = SourceRequest(origin="n", inputs=(InputFile(path=str(path), sha256=hashlib.sha256(data).hexdigest(), size=len(data)),))
    one = isolate(READ, kind="source")
    found: list[Any] = []
    with pytest.raises(PluginError, match="acme \\(read\\)"):
        found.extend(one.calls.iterate("source", "acme", "read", request=request))


@pytest.mark.parametrize(
    ("before", "start", "status", "reason"),
    [
        ("import a_module_that_is_not_there", "pass", "failed", "No module named"),
        ("raise SystemExit(3)", "pass", "failed", "SystemExit"),
        ("os._exit(7)", "pass", "failed", "Its process ended with exit code 7"),
        ("", "raise ValueError('moon')", "failed", "moon"),
        ("", "context.secret('ACME_KEY')", "disabled", 'secrets = ["ACME_KEY"]'),
        ("", "self.wire = 7", "refused", "WireMap"),
    ],
)
def test_one_that_cannot_be_loaded_has_a_row_that_says_why(before: str, start: str, status: str, reason: str, isolate: Making) -> None:
    one = isolate(before=before, start=start, environment={"ACME_KEY": "x"})
    one.calls.check()
    found = row(one.calls)
    assert status == found[0]
    assert reason in found[1]
    with pytest.raises(ConfigurationError):
        one.search()


def test_a_wrapper_is_refused_there_too(isolate: Making) -> None:
    body = "def __init__(self, context): pass\n@hookimpl(wrapper=True)\ndef search(self, query):\n    return (yield)"
    one = isolate.of(plugin("acme", body))
    one.calls.check()
    assert "refused" == row(one.calls)[0]


def test_a_variable_that_is_set_and_not_listed_is_not_missed_in_silence(isolate: Making) -> None:
    before = """
    from pydantic import Field
    class Settings(Model):
        url: str = Field(default='', json_schema_extra={'variable': 'ACME_URL'})
    """
    start = "self.url = context.settings(Settings).url"
    one = isolate("return texts(self.url)", before=before, start=start, environment={"ACME_URL": "https://acme.example"})
    one.calls.check()
    assert 'secrets = ["ACME_URL"]' in row(one.calls)[1]
    assert ["https://mine"] == isolate("return texts(self.url)", before=before, start=start, table={"url": "https://mine"}).search()


def test_a_storage_plugin_cannot_be_isolated(isolate: Making) -> None:
    one = isolate("return None", kind="storage")
    with pytest.raises(ConfigurationError, match="owns the store's file and cannot be isolated"):
        one.calls.call("storage", "acme", "put", batch=None)


BESIDE = """
def __init__(self, context):
    self.context = context

@hookimpl
def read(self, request):
    for file in request.inputs:
        for record in self.context.files.records(file, format="json"):
            yield SourceBatch(container=file.path, problem=self.context.files.atoms(record, record.names)["body"])
"""


def test_iterators_that_are_open_beside_each_other_keep_apart(isolate: Making, tmp_path: Path) -> None:
    one = isolate.of(plugin("acme", BESIDE, kind="source"), kind="source")
    files = [_input(tmp_path / name, 100) for name in ("a.jsonl", "b.jsonl")]
    requests = [SourceRequest(origin=file.path, inputs=(file,)) for file in files]
    first, second = [one.calls.iterate("source", "acme", "read", request=request) for request in requests]
    pairs: list[Any] = list(zip(first, second, strict=True))
    assert [(f"row {n}", f"row {n}") for n in range(100)] == [(a.problem, b.problem) for a, b in pairs]
    assert {(files[0].path, files[1].path)} == {(a.container, b.container) for a, b in pairs}


def test_a_process_that_cannot_be_started_is_a_row_that_says_so(isolate: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    one = isolate()
    one.calls.check()
    status, reason = row(one.calls)
    assert ("failed", True) == (status, "/nowhere/python" in reason)


def test_a_record_that_somebody_else_was_given_is_not_read_for_it(isolate: Making, tmp_path: Path) -> None:
    other = _input(tmp_path / "other.jsonl", 1)
    (record,) = isolate.files.records(other, format="json")
    assert {"body": "row 0"} == isolate.files.atoms(record, record.names)
    one = isolate(
        f"""
        record = Record.model_validate_json({record.model_dump_json()!r})
        yield SourceBatch(container="x", problem=str(attempt(lambda: self.context.files.atoms(record, record.names))))
        """,
        kind="source",
    )
    (batch,) = one.calls.iterate("source", "acme", "read", request=SourceRequest(origin="notes", inputs=()))
    assert SourceBatch(container="x", problem="UnreadableError") == batch


def test_a_record_of_an_earlier_batch_is_not_looked_at_any_more(isolate: Making, tmp_path: Path) -> None:
    code = """
    (file,) = request.inputs
    records = list(self.context.files.records(file, format="json"))
    look = lambda: str(attempt(lambda: self.context.files.atoms(records[0], records[0].names)["body"]))
    yield SourceBatch(container="before", problem=look())
    yield SourceBatch(container="after", problem=look())
    """
    request = SourceRequest(origin="notes", inputs=(_input(tmp_path / "rows.jsonl", 3),))
    batches: list[Any] = list(isolate(code, kind="source").calls.iterate("source", "acme", "read", request=request))
    assert [("before", "row 0"), ("after", "UnreadableError")] == [(batch.container, batch.problem) for batch in batches]
