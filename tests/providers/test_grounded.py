"""Research that rests on the search of a chat provider: its excerpts are evidence of what it asserts, its model's words of nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from veridical import Veridical
from veridical.kernel.exit import Published

from .service import Answer, Asked, Service, as_json, service

QUESTION = "how was radium discovered"
CURIE, SHED = "https://one.example/curie", "https://two.example/shed"
EXCERPT = "Marie and Pierre Curie discovered radium in December 1898, in a shed in Paris..."
OTHER = "Radium was found by boiling tons of pitchblende, and Marie Curie did the boiling..."
CLAIM = "Marie and Pierre Curie discovered radium in December 1898."
REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIx"
LIE = "Radium was discovered in 1906 by Otto Hahn, says https://invented.example/hahn."


def anthropic(asked: Asked, *, excerpt: str = EXCERPT, cited: str = CURIE) -> Answer:
    """A search when one may be made, else a draft without anything in it."""
    usage = {"input_tokens": 10, "output_tokens": 5, "server_tool_use": {"web_search_requests": 1}}
    head: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "usage": usage}
    ended = head | {"stop_reason": "end_turn", "stop_sequence": None}
    if "tools" not in asked.json:
        return as_json(ended | {"content": [{"type": "text", "text": '{"themes": [], "answers": []}'}]})
    hits = [
        {"type": "web_search_result", "url": url, "title": url[-5:], "encrypted_content": "E", "page_age": None} for url in (CURIE, SHED)
    ]
    location = {"type": "web_search_result_location", "title": "curie", "encrypted_index": "E"}
    content = [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": QUESTION}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": hits},
        {"type": "text", "text": CLAIM, "citations": [location | {"url": cited, "cited_text": excerpt}]},
        {"type": "text", "text": LIE},
        {"type": "text", "text": "It took much boiling.", "citations": [location | {"url": SHED, "cited_text": OTHER}]},
    ]
    return as_json(ended | {"content": content})


@contextmanager
def asking(name: str, variable: str, folder: Path, answer: Callable[[Asked], Answer]) -> Generator[tuple[Veridical, Service]]:
    with service(answer) as running:
        home = folder / "home"
        home.mkdir()
        (home / "settings.toml").write_text(
            f'[plugins]\nenabled = ["{name}"]\n[plugins.hosts]\n{name} = ["127.0.0.1"]\nfetch = ["127.0.0.1"]\n'
            f'[plugin.{name}]\nbase_url = "{running.url}"\n',
            "utf-8",
        )
        with Veridical(home=home, base=folder, environment={variable: "key-of-this-test"}) as veridical:
            yield veridical, running


def ask_anthropic(folder: Path, answer: Callable[[Asked], Answer] = anthropic) -> tuple[Published, dict[str, bytes]]:
    with asking("anthropic", "ANTHROPIC_API_KEY", folder, answer) as (veridical, _):
        published = veridical.research(QUESTION, web=True)
        return published, {reply.digest: reply.body for reply in veridical.store.wire(published.report.run.id)}


def claims(published: Published) -> list[tuple[str, list[str]]]:
    return [(claim.text, [quote.span.text for quote in claim.quotes]) for theme in published.report.themes for claim in theme.claims]


def test_a_finding_is_a_claim_that_rests_on_the_excerpts_that_its_provider_gave(tmp_path: Path) -> None:
    published, bodies = ask_anthropic(tmp_path)
    assert (CLAIM, ["Marie and Pierre Curie discovered radium in December 1898, in a shed in"]) in claims(published)
    for body in published.documents.values():
        document = json.loads(body)
        assert document["grades"]["text"] == "wire"
        reply = json.loads(bodies[document["raw"]["digest"]])
        _, _, part, _, number, _ = document["derivation"]["pointers"]["text"].split("/")
        citation = reply["content"][int(part)]["citations"][int(number)]
        assert (citation["cited_text"], citation["url"]) == (document["text"], document["url"])


def test_what_a_model_says_without_a_citation_is_not_released(tmp_path: Path) -> None:
    published, _ = ask_anthropic(tmp_path)
    assert published.report.outcome == "answered"
    assert b"Hahn" not in published.report_bytes
    assert b"invented.example" not in published.report_bytes


def test_a_number_that_the_excerpt_does_not_have_is_not_released(tmp_path: Path) -> None:
    changed = EXCERPT.replace("December 1898", "the winter")
    published, _ = ask_anthropic(tmp_path, lambda asked: anthropic(asked, excerpt=changed))
    assert "1898" not in json.dumps(claims(published))


def test_a_citation_of_a_page_that_was_no_hit_is_dropped(tmp_path: Path) -> None:
    published, _ = ask_anthropic(tmp_path, lambda asked: anthropic(asked, cited="https://invented.example/never-found"))
    assert b"invented.example" not in published.report_bytes


def google(asked: Asked) -> Answer:
    """Gemini: a redirect and offsets in bytes; the words are its model's own, so that nothing of them is evidence."""
    text = "Étienne: Marie and Pierre Curie discovered radium in 1898. It glowed."
    end = len("Étienne: Marie and Pierre Curie discovered radium in 1898.".encode())
    segment = {"startIndex": 0, "endIndex": end, "text": "Étienne: Marie and Pierre Curie discovered radium in 1898."}
    grounding = {
        "webSearchQueries": [QUESTION],
        "groundingChunks": [
            {"web": {"uri": "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIx", "title": "one.example"}}
        ],
        "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0]}],
    }
    is_search = "tools" in asked.json
    parts = [{"text": text if is_search else '{"themes": [], "answers": []}'}]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 5, "totalTokenCount": 10}
    return as_json({"candidates": [candidate | ({"groundingMetadata": grounding} if is_search else {})], "usageMetadata": usage})


def test_words_of_a_model_with_links_alone_are_refused_for_want_of_evidence(tmp_path: Path) -> None:
    with asking("google", "GEMINI_API_KEY", tmp_path, google) as (veridical, _):
        published = veridical.research(QUESTION, web=True)
    assert published.report.outcome == "refused"
    assert b"Curie" not in published.report_bytes
