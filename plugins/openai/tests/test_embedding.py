"""Embeddings over a real connection: what is sent, what is taken from the reply, and what is refused."""

from __future__ import annotations

import json
import math
import struct
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import pluggy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import PROJECT, CancelledError, EmbeddingReply, EmbeddingRequest, EmbeddingSpec, MissingSecretError, ProviderError
from veridical_openai import OpenAIEmbedding

from plugins.openai.tests.kit import KEY, Asked, Context, Served, error, serving

WORDS = ("Radium glows.", "Whole beans keep longer.", "Radium glows in the dark.")


def vector(text: str, width: int) -> list[float]:
    """Return numbers that float32 holds exactly, made of the text."""
    return [float((len(text) * (number + 3) + ord(text[0])) % 17 + 1) / 16 for number in range(width)]


def packed(numbers: Sequence[float]) -> str:
    return b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()


def embedded(asked: Asked, *, width: int = 4, lists: bool = False, **more: Any) -> Served:
    """Serve what the API sends, backwards, since nothing promises an order."""
    width = asked.body.get("dimensions", width)
    rows = [
        {"object": "embedding", "index": index, "embedding": vector(text, width) if lists else packed(vector(text, width))}
        for index, text in enumerate(asked.body["input"])
    ]
    body = {"object": "list", "data": rows[::-1], "model": asked.body["model"], "usage": {"prompt_tokens": 2, "total_tokens": 2}, **more}
    return Served(json.dumps(body).encode())


@contextmanager
def plugin(base: str, *, cancelled_after: int = 10**9, **table: Any) -> Iterator[OpenAIEmbedding]:
    context = Context({"base_url": base, "retries": 0, "timeout": 20.0, **table}, cancelled_after=cancelled_after)
    try:
        yield OpenAIEmbedding(cast("Any", context))
    finally:
        for transport in context.transports:
            transport.close()


def embed(answer: Callable[[Asked], Served], *texts: str, **table: Any) -> tuple[EmbeddingReply, list[Asked]]:
    with serving(answer) as server, plugin(server.base, **table) as found:
        return found.embed(EmbeddingRequest(texts=texts)), server.asked


def refusal(answer: Callable[[Asked], Served], *texts: str, **table: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        embed(answer, *(texts or WORDS), **table)
    assert (1, False) == (len(str(caught.value).splitlines()), KEY in str(caught.value))
    assert caught.value.hint
    return caught.value


def test_the_hook_is_reached_through_its_specification() -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(EmbeddingSpec)
    with serving(embedded) as server, plugin(server.base) as found:
        manager.register(found)
        manager.check_pending()
        (reply,) = cast("list[EmbeddingReply]", cast("Any", manager.hook).embed(request=EmbeddingRequest(texts=WORDS)))
    assert tuple(tuple(vector(text, 4)) for text in WORDS) == reply.vectors


def test_the_request_is_what_the_api_documents() -> None:
    _, (asked,) = embed(embedded, *WORDS)
    assert {"model": "text-embedding-3-small", "input": list(WORDS), "encoding_format": "base64"} == asked.body
    assert ("/v1/embeddings", f"Bearer {KEY}") == (asked.path, asked.headers["authorization"])


@pytest.mark.parametrize("lists", [False, True], ids=["base64", "lists"])
def test_vectors_come_in_the_order_of_the_texts_in_either_form(lists: bool) -> None:
    reply, _ = embed(lambda asked: embedded(asked, lists=lists), *WORDS)
    assert tuple(tuple(vector(text, 4)) for text in WORDS) == reply.vectors


def test_a_server_that_needs_no_key_gets_none() -> None:
    _, (asked,) = embed(embedded, "a", key="")
    assert "authorization" not in asked.headers


def test_without_its_key_there_is_no_plugin() -> None:
    with pytest.raises(MissingSecretError, match="OPENAI_API_KEY"):
        OpenAIEmbedding(cast("Any", Context({}, secrets={})))


def test_dimensions_are_asked_for_and_are_part_of_the_identity() -> None:
    reply, (asked,) = embed(embedded, "a", dimensions=8)
    assert (8, 8) == (asked.body["dimensions"], len(reply.vectors[0]))
    assert "/8 of " in reply.identity


def test_the_identity_is_model_width_and_service() -> None:
    first, _ = embed(embedded, "a")
    assert first.identity.startswith("text-embedding-3-small/4 of http://127.0.0.1:")
    other, _ = embed(embedded, "a", embedding_model="nomic-embed-text")
    assert other.identity.startswith("nomic-embed-text/4 of ")
    revised, _ = embed(lambda asked: embedded(asked, model="text-embedding-3-small-0125"), "a")
    assert revised.identity.startswith("text-embedding-3-small-0125/4 of ")


def test_no_request_passes_the_limits_and_every_text_gets_its_vector() -> None:
    texts = [f"{number} " + "x" * 8_000 for number in range(80)]
    reply, asked = embed(embedded, *texts)
    assert texts == [text for each in asked for text in each.body["input"]]
    assert all(sum(len(text) for text in each.body["input"]) <= 300_000 for each in asked)
    assert len(asked) == 3
    assert [tuple(vector(text, 4)) for text in texts] == list(reply.vectors)


def test_no_request_has_more_texts_than_the_api_takes() -> None:
    reply, asked = embed(embedded, *["a"] * 2_050)
    assert [2_048, 2] == [len(each.body["input"]) for each in asked]
    assert 2_050 == len(reply.vectors)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("", "."),
        (" \n", "."),
        ("x" * 9_000, "x" * 8_192),
        ("\u00e4" * 5_000, "\u00e4" * 4_096),
        ("a" + "\u20ac" * 3_000, "a" + "\u20ac" * 2_730),
    ],
)
def test_a_text_that_the_api_would_refuse_is_sent_as_one_that_it_takes(text: str, sent: str) -> None:
    _, (asked,) = embed(embedded, text)
    assert [sent] == asked.body["input"]


def test_nothing_to_embed_asks_nothing() -> None:
    reply, asked = embed(embedded)
    assert ((), []) == (reply.vectors, asked)


def test_a_cancelled_call_sends_no_further_request() -> None:
    with serving(embedded) as server, plugin(server.base, cancelled_after=1) as found:
        with pytest.raises(CancelledError):
            found.embed(EmbeddingRequest(texts=("x" * 8_000,) * 80))
        assert 1 == len(server.asked)


@pytest.mark.parametrize(
    ("served", "failure", "wait"),
    [
        (error(401, "invalid_api_key"), "auth", None),
        (error(403), "auth", None),
        (error(402), "quota", None),
        (error(429, "insufficient_quota"), "quota", None),
        (error(429, "rate_limit_exceeded", retry_after="7"), "rate-limit", 7.0),
        (error(408), "timeout", None),
        (error(500), "server", None),
        (error(503, retry_after="2"), "server", 2.0),
        (error(400, "context_length_exceeded"), "malformed", None),
        (error(404, "model_not_found"), "malformed", None),
        (Served(b"<html>Bad gateway</html>", 502, kind="text/html"), "server", None),
    ],
)
def test_a_refusal_is_of_the_kind_that_its_status_says(served: Served, failure: str, wait: float | None) -> None:
    found = refusal(lambda _: served)
    assert (failure, wait) == (found.failure, found.retry_after)


def test_a_service_that_does_not_answer_in_time() -> None:
    held = threading.Event()
    try:
        assert "timeout" == refusal(lambda _: Served(wait=held), timeout=0.2).failure
    finally:
        held.set()


def test_a_service_that_is_not_there_and_one_that_breaks_off() -> None:
    with serving(embedded) as server:
        gone = server.base
    with plugin(gone) as found, pytest.raises(ProviderError) as caught:
        found.embed(EmbeddingRequest(texts=("a",)))
    assert "connection" == caught.value.failure
    assert "connection" == refusal(lambda asked: Served(embedded(asked).body, sent=20)).failure


def rows(*data: dict[str, Any]) -> Served:
    return Served(json.dumps({"object": "list", "model": "m", "data": list(data)}).encode())


@pytest.mark.parametrize(
    "served",
    [
        Served(b""),
        Served(b"{"),
        Served(b"[]"),
        Served(b'{"data": null}'),
        Served(b'{"error": {"message": "overloaded"}}'),
        Served(b'{"object": "list", "data": [{"index": 0, "embedding": "AAAAAA=="}'),
        rows(),
        rows({"index": 0, "embedding": [1.0]}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 2, "embedding": [1.0]}),
        rows({"index": 0, "embedding": [1.0]}, {"index": True, "embedding": [1.0]}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": None}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": ["1.0"]}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [math.nan]}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [math.inf]}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": "!!!!"}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": "AAA="}),
        rows({"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": packed([math.nan])}),
    ],
)
def test_what_is_no_vector_for_each_text_is_malformed(served: Served) -> None:
    assert "malformed" == refusal(lambda _: served, "one", "two").failure


def test_a_server_that_knows_no_dimensions_is_told_from_one_that_does() -> None:
    def deaf(asked: Asked) -> Served:
        return rows(*({"index": index, "embedding": [1.0, 2.0]} for index in range(len(asked.body["input"]))))

    found = refusal(deaf, dimensions=8)
    assert ("malformed", True) == (found.failure, "2 numbers instead of 8" in found.message)


def test_a_model_that_changes_between_two_requests_is_refused() -> None:
    replies = iter(["m-1", "m-2"])
    assert "malformed" == refusal(lambda asked: embedded(asked, model=next(replies)), *["x" * 8_000] * 40).failure


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_every_number_of_32_bits_comes_through_base64_unchanged(numbers: list[float]) -> None:
    from veridical_openai._embedding import _decoded

    assert tuple(numbers) == _decoded(packed(numbers))
