"""Gemini's embeddings over a real connection: what is sent, what is taken from the reply, and what is refused."""

from __future__ import annotations

import json
from typing import Any, cast

import pluggy
import pytest
from veridical_contract import PROJECT, CancelledError, EmbeddingReply, EmbeddingRequest, EmbeddingSpec, MissingSecretError, ProviderError
from veridical_google import GoogleEmbedding

from plugins.google.tests.kit import KEY, Api, Context, Http, Script, api

WORDS = ("Radium glows.", "Whole beans keep longer.", "Radium glows in the dark.")


def vector(text: str, width: int) -> list[float]:
    return [float((len(text) * (number + 3) + ord(text[0])) % 17 + 1) / 16 for number in range(width)]


def sent_texts(body: dict[str, Any]) -> list[str]:
    return ["".join(part["text"] for part in each["content"]["parts"]) for each in body["requests"]]


def embedded(body: dict[str, Any]) -> Http:
    """Serve what `batchEmbedContents` answers."""
    texts = zip(sent_texts(body), body["requests"], strict=True)
    rows = [{"values": vector(text, each.get("outputDimensionality") or 4)} for text, each in texts]
    return Http(json.dumps({"embeddings": rows, "usageMetadata": {"promptTokenCount": 7}}).encode())


def plugin(server: Api, *, cancelled_after: int = 10**9, **table: Any) -> GoogleEmbedding:
    server.contexts.append(Context({"base_url": server.url, "retries": 0, **table}, cancelled_after=cancelled_after))
    return GoogleEmbedding(cast("Any", server.contexts[-1]))


def embed(script: Script, *texts: str, purpose: str = "document", **table: Any) -> tuple[EmbeddingReply, Api]:
    with api(script) as server:
        request = EmbeddingRequest.model_validate({"texts": texts, "purpose": purpose})
        return plugin(server, **table).embed(request), server


def refusal(script: Script, *texts: str, **table: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        embed(script, *(texts or WORDS), **table)
    assert (1, False) == (len(str(caught.value).splitlines()), KEY in str(caught.value))
    assert caught.value.hint
    return caught.value


def test_the_hook_is_reached_through_its_specification() -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(EmbeddingSpec)
    with api(embedded) as server:
        manager.register(plugin(server))
        manager.check_pending()
        (reply,) = cast("list[EmbeddingReply]", cast("Any", manager.hook).embed(request=EmbeddingRequest(texts=WORDS)))
    assert tuple(tuple(vector(text, 4)) for text in WORDS) == reply.vectors


@pytest.mark.parametrize("model", ["gemini-embedding-001", "gemini-embedding-2"])
def test_every_text_is_a_request_of_its_own(model: str) -> None:
    _, server = embed(embedded, *WORDS, embedding_model=model)
    (served,) = server.served
    assert f"/v1beta/models/{model}:batchEmbedContents" == served.path
    assert list(WORDS) == sent_texts(served.body)
    assert {"models/" + model} == {each["model"] for each in served.body["requests"]}
    assert KEY == {name.lower(): value for name, value in served.headers.items()}["x-goog-api-key"]


@pytest.mark.parametrize(("purpose", "task"), [("query", "RETRIEVAL_QUERY"), ("document", "RETRIEVAL_DOCUMENT")])
def test_what_is_searched_for_and_what_is_searched_in_have_their_own_tasks_and_one_identity(purpose: str, task: str) -> None:
    reply, server = embed(embedded, *WORDS, purpose=purpose)
    assert {task} == {each["taskType"] for each in server.served[0].body["requests"]}
    assert f"gemini-embedding-001/4 of {server.url}" == reply.identity


def test_dimensions_are_asked_for_and_are_part_of_the_identity() -> None:
    reply, server = embed(embedded, *WORDS, dimensions=8)
    assert {8} == {each["outputDimensionality"] for each in server.served[0].body["requests"]}
    assert ({8}, True) == ({len(each) for each in reply.vectors}, reply.identity.startswith("gemini-embedding-001/8 of "))


def test_no_request_has_more_texts_than_the_api_takes() -> None:
    texts = [f"text {number}" for number in range(230)]
    reply, server = embed(embedded, *texts)
    assert [100, 100, 30] == [len(served.body["requests"]) for served in server.served]
    assert [tuple(vector(text, 4)) for text in texts] == list(reply.vectors)


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_text_without_anything_to_embed_is_sent_as_one_that_the_api_takes(text: str) -> None:
    _, server = embed(embedded, text)
    assert ["."] == sent_texts(server.served[0].body)


def test_nothing_to_embed_asks_nothing() -> None:
    reply, server = embed(embedded)
    assert ((), []) == (reply.vectors, server.served)


def test_a_cancelled_call_sends_no_further_request() -> None:
    with api(embedded) as server:
        with pytest.raises(CancelledError):
            plugin(server, cancelled_after=1).embed(EmbeddingRequest(texts=("a",) * 101))
        assert 1 == len(server.served)


def test_without_its_key_there_is_no_plugin() -> None:
    with pytest.raises(MissingSecretError, match="GEMINI_API_KEY"):
        GoogleEmbedding(cast("Any", Context({}, secrets={})))


def error(status: int, name: str = "", said: str = "no", **headers: str) -> Http:
    body = {"error": {"code": status, "message": f"{said} {KEY}", "status": name}}
    return Http(json.dumps(body).encode(), status=status, headers={key.replace("_", "-"): value for key, value in headers.items()})


@pytest.mark.parametrize(
    ("served", "failure", "wait"),
    [
        (error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), "auth", None),
        (error(401, "UNAUTHENTICATED"), "auth", None),
        (error(403, "PERMISSION_DENIED"), "auth", None),
        (error(429, "RESOURCE_EXHAUSTED", retry_after="7"), "rate-limit", 7.0),
        (error(500, "INTERNAL"), "server", None),
        (error(503, "UNAVAILABLE", retry_after="2"), "server", 2.0),
        (error(504, "DEADLINE_EXCEEDED"), "timeout", None),
        (error(400, "INVALID_ARGUMENT"), "malformed", None),
        (error(404, "NOT_FOUND"), "malformed", None),
        (Http(b"<html>Bad gateway</html>", status=502, type="text/html"), "server", None),
    ],
)
def test_a_refusal_is_of_the_kind_that_its_status_says(served: Http, failure: str, wait: float | None) -> None:
    found = refusal([served])
    assert (failure, wait) == (found.failure, found.retry_after)


def test_a_service_that_is_slower_than_the_time_limit_is_a_timeout() -> None:
    whole = embedded({"requests": [{"content": {"parts": [{"text": "a"}]}}]})
    assert "timeout" == refusal([Http(whole.body, slow=True)], "a", timeout=0.3).failure


def test_a_service_that_is_not_there() -> None:
    with api(embedded) as server:
        gone = server.url
    assert "connection" == refusal(embedded, base_url=gone).failure


def rows(*values: object) -> Http:
    return Http(json.dumps({"embeddings": [{"values": each} for each in values]}).encode())


@pytest.mark.parametrize(
    "served",
    [
        Http(b"{"),
        Http(b"[]"),
        Http(b'"x"'),
        Http(b"{}"),
        Http(b'{"embeddings": null}'),
        Http(b'{"embeddings": "x"}'),
        Http(b'{"embeddings": [null, null]}'),
        rows(),
        rows([1.0]),
        rows([1.0], [1.0], [1.0]),
        rows([1.0], [1.0, 2.0]),
        rows([1.0], None),
        rows([1.0], []),
        rows([1.0], ["x"]),
        rows([1.0], [float("nan")]),
        rows([1.0], [float("inf")]),
    ],
)
def test_what_is_no_vector_for_each_text_is_malformed(served: Http) -> None:
    assert "malformed" == refusal([served], "one", "two").failure


def test_a_model_that_knows_no_dimensions_is_told_from_one_that_does() -> None:
    found = refusal([rows([1.0, 2.0])], "one", dimensions=8)
    assert ("malformed", True) == (found.failure, "2 numbers instead of 8" in found.message)
