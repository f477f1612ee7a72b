"""Replies that providers really gave are recorded byte for byte, and are whole."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from veridical.wire.recording.events import ends

from core.tests.wire.recording.clients import CLIENTS, Ask
from core.tests.wire.recording.serving import chunked, serving

yaml = pytest.importorskip("yaml")

CAPTURED = Path(__file__).resolve().parents[5] / "shared" / "data" / "wire"


def _streams() -> Iterator[tuple[str, bytes]]:
    for path in sorted(CAPTURED.glob("*.yaml")):
        for interaction in yaml.safe_load(path.read_text("utf-8"))["interactions"]:
            said: Any = interaction["response"].get("body", {}).get("string", "")
            body = said if isinstance(said, bytes) else said.encode()
            if body.startswith((b"data:", b"event:")):
                yield path.stem, body


STREAMS = [pytest.param(body, id=name) for name, body in _streams()] or [
    pytest.param(b"", marks=pytest.mark.skip(reason=f"no captured replies in {CAPTURED.parent.name}/{CAPTURED.name}"))
]


@pytest.mark.parametrize("body", STREAMS)
@pytest.mark.parametrize("ask", CLIENTS.values(), ids=CLIENTS)
def test_a_captured_stream_is_recorded_whole(ask: Ask, body: bytes) -> None:
    press = zlib.compressobj(wbits=31)
    pieces = [press.compress(body[at : at + 777]) + press.flush(zlib.Z_SYNC_FLUSH) for at in range(0, len(body), 777)]
    with serving(lambda _: chunked([*pieces, press.flush()], "Content-Encoding: gzip", kind="text/event-stream")) as served:
        outcome = ask(served.base)
    (record,) = outcome.records
    assert body == record.body == outcome.content
    assert (True, None, True) == (record.whole, record.failure, record.ended)


@pytest.mark.parametrize("body", STREAMS)
def test_a_captured_stream_that_is_cut_never_ends_as_its_provider_ends_it(body: bytes) -> None:
    known = ends(body, None)
    assert known in (True, None)
    assert {None} == {ends(body[:cut], None) for cut in range(0, len(body.rstrip()), 997)}
