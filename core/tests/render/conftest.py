"""Reports by hand: enough of one to render, with the words that a test wants at the place it wants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from veridical.kernel.canonical import canonical_bytes
from veridical_contract import Report

DOCUMENT = "a" * 64
OTHER = "b" * 64


def span(text: str, start: int = 0, document: str = DOCUMENT) -> dict[str, Any]:
    return {"document": document, "field": "text", "start": start, "end": start + len(text), "text": text}


def quote(before: str = "", quoted: str = "the words", after: str = "", /, **more: Any) -> dict[str, Any]:
    sentence = before + quoted + after
    return {"span": span(quoted, 10 + len(before)), "verdict": "exact", "sentence": span(sentence, 10), "line": 12, **more}


def claim(*quotes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "c1", "wording": "source", "support": "verbatim", "text": quotes[0]["sentence"]["text"], "quotes": list(quotes), **more}


def citation(number: int = 1, document: str = DOCUMENT, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "document": document,
        "url": None,
        "title": None,
        "author": None,
        "published": None,
        "retrieved": "2026-06-02T10:00:00Z",
        "locator": {"container": "notes/a.md", "line": 3},
        "origin": "notes",
        "witness": "held",
        "grades": {"text": "held"},
        "source_key": "source:notes",
        "account": "unknown",
        "account_key": None,
        "origin_key": "o" * 16,
        "snippet_hash": "0" * 16,
        "text_sha256": "0" * 64,
        **more,
    }


def theme(*claims: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "t1",
        "name": {"wording": "kernel", "text": "Theme 1"},
        "claims": list(claims),
        "members": [{"document": DOCUMENT, "start": 0, "end": 5}],
        "counts": {"mentions": 12, "accounts": 9, "unknown_accounts": 3, "attested_accounts": 0, "sources": 2, "origins": 12},
        **more,
    }


def report(**more: Any) -> Report:
    fields: dict[str, Any] = {
        "outcome": "answered",
        "query": "What is hard?",
        "run": {
            "id": "run-1",
            "created_at": "2026-06-03T10:00:00Z",
            "seal": "c" * 64,
            "sealed": 20,
            "policy": "veridical-policy-1",
            "policy_fingerprint": "d" * 64,
            "seed": 7,
            "veridical": "0.1.0",
        },
        "themes": [theme(claim(quote()))],
        "citations": [citation()],
        "funnel": {"in_scope": 40, "retrieved": 30, "admitted": 20, "selected": 10, "shown": 5, "cited": 1},
        **more,
    }
    return Report.model_validate_json(canonical_bytes(fields))


@pytest.fixture(scope="session")
def make() -> Callable[..., Any]:
    """Build parts by name: `make("quote", before=...)`."""
    parts: dict[str, Callable[..., Any]] = {
        "report": report,
        "theme": theme,
        "claim": claim,
        "quote": quote,
        "span": span,
        "citation": citation,
    }
    return lambda part, *args, **more: parts[part](*args, **more)
