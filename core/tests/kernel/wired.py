"""What a host does with a place that a plugin names: prove, derive, admit. And maps and replies of providers, made up in their shapes."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from veridical.kernel.admission import Admission, AdmissionRefused, Bytes, Trust, admit
from veridical.kernel.derivation import atoms
from veridical.kernel.policy import load_policy
from veridical.kernel.wire import Exchange, WireRefused, prove
from veridical.wire.reading.derived import Derived
from veridical_contract import Item, Locator, Raw, WireMap, WirePlace

__all__ = ["ANTHROPIC", "BRAVE", "DDG", "EXA", "HN", "PAYLOADS", "TAVILY", "admitted", "exchange", "outcome", "proved", "refusal", "reply"]

PAYLOADS = Path(__file__).resolve().parents[4] / "shared" / "wire" / "payloads"
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)

EXA = WireMap(
    base_url="https://api.exa.ai", item="/results/*", url="url", title="title", text=("text", "highlights/*"), published="publishedDate"
)
TAVILY = WireMap(base_url="https://api.tavily.com", item="/results/*", url="url", title="title", text=("content", "raw_content"))
BRAVE = WireMap(
    base_url="https://api.search.brave.com/res/v1",
    item="/web/results/*",
    url="url",
    title="title",
    text=("description", "extra_snippets/*"),
    projection="html",
)
ANTHROPIC = WireMap(base_url="https://api.anthropic.com/v1", item="/content/*/citations/*", url="url", title="title", text=("cited_text",))
DDG = WireMap(
    base_url="https://html.duckduckgo.com/html",
    layout="html",
    item="div.web-result",
    url="?uddg={a.result__a@href}",
    title="a.result__a",
    text=("a.result__snippet",),
    projection="html",
)
HN = WireMap(
    base_url="https://hn.algolia.com/api/v1",
    item="/hits/*",
    url="https://news.ycombinator.com/item?id={objectID}",
    text=("comment_text",),
    author="author",
    projection="html",
)


def reply(**members: object) -> bytes:
    return json.dumps(members).encode()


def exchange(
    body: bytes,
    url: str = "https://api.exa.ai/search",
    *,
    asked: tuple[str, ...] = (),
    status: int | None = 200,
    whole: bool = True,
    encoding: str = "utf-8",
) -> Exchange:
    return Exchange(url=url, asked=asked, status=status, whole=whole, body=body, encoding=encoding)


def proved(wire: WireMap, place: WirePlace, made: Exchange) -> dict[str, str]:
    """Return every atom that the kernel derives for the hit at `place`."""
    return atoms(made.body, prove(wire, place, made))


def refusal(wire: WireMap, place: WirePlace, made: Exchange) -> str:
    with pytest.raises(WireRefused) as caught:
        prove(wire, place, made)
    return caught.value.rule


def admitted(wire: WireMap, place: WirePlace, made: Exchange, **said: str) -> Admission:
    """Return what the hit at `place` is admitted as; `said` are the values that the plugin gives besides."""
    derivation = prove(wire, place, made)
    derived = Derived(made.body, derivation)
    name = hashlib.sha256(made.body).hexdigest()
    return admit(
        Item(
            locator=Locator(container=made.url),
            raw=Raw(digest=name, size=len(made.body), container=name, offset=0),
            derivation=derivation,
            **said,  # pyright: ignore[reportArgumentType]
        ),
        plugin="acme",
        origin="web",
        extractor="wire/1",
        retrieved=NOW,
        held=Bytes(made.body, derived.text, derived.runs, grade="wire", asked=made.asked),
        trust=Trust(),
        policy=load_policy(),
    )


def outcome(wire: WireMap, place: WirePlace, made: Exchange, **said: str) -> str:
    """Return the rule that refuses the hit at `place`, or `admitted`."""
    try:
        admitted(wire, place, made, **said)
    except (WireRefused, AdmissionRefused) as error:
        return error.rule
    return "admitted"
