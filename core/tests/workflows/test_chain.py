"""Selection, grouping and composing together, with the plugins of the default install, on real comments."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from veridical.workflows.cluster import cluster
from veridical.workflows.select import COVERAGE_MINIMUM, FOCUS_MINIMUM, SelectionInput, coverage, focus, select
from veridical.workflows.terms import query_terms, terms
from veridical_contract import ChatRequest, Draft, EmbeddingRequest, Passage, PassageGroup, PluginContext
from veridical_extractive import ExtractiveChat
from veridical_hashing import HashingEmbedding

QUESTION = "What do beginners find hard about neural networks?"
CONTEXT = cast("PluginContext", SimpleNamespace(cancelled=lambda: False))
SITE = "comments/stackexchange.{}.stackexchange.com.jsonl.gz"


def comments(path: Path) -> dict[str, str]:
    """Return the texts of the file, links and tags taken off."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return {record["id"]: re.sub(r"</?(?:p|li|ul|ol|pre|blockquote)>", "\n\n", record["text"]) for record in records}


def candidates(texts: dict[str, str], question: str) -> list[SelectionInput]:
    """Return the first paragraphs of the 400 texts that hold the most words of the question."""
    asked = set(query_terms(question))
    found = [
        SelectionInput(
            name, 0, len(text[:800]), text[:800], sum(term in asked for term in terms(text[:800])) / (20 + len(text[:800]) ** 0.5)
        )
        for name, text in texts.items()
    ]
    return sorted((passage for passage in found if passage.score > 0), key=lambda passage: -passage.score)[:400]


def chain(texts: dict[str, str], question: str) -> tuple[dict[str, SelectionInput], tuple[tuple[str, ...], ...], Draft]:
    found = candidates(texts, question)
    vectors = HashingEmbedding(CONTEXT).embed(EmbeddingRequest(texts=(question, *(passage.text for passage in found)))).vectors
    embedded = [
        SelectionInput(passage.document, passage.start, passage.end, passage.text, passage.score, vector)
        for passage, vector in zip(found, vectors[1:], strict=True)
    ]
    selection = select(embedded, query_terms(question), vectors[0], limit=80, seed=7)
    passages = {f"p{number:03d}": passage for number, passage in enumerate(selection.selected)}
    groups = cluster([(name, passage.vector, terms(passage.text)) for name, passage in passages.items()])
    request = ChatRequest(
        task="compose",
        messages=(),
        question=question,
        must_address=("What is the capital of Mongolia?",),
        passages=tuple(Passage(id=name, text=passage.text) for name, passage in passages.items()),
        groups=tuple(PassageGroup(id=f"g{number}", passages=group) for number, group in enumerate(groups)),
    )
    draft = ExtractiveChat(CONTEXT).chat(request).draft
    assert draft is not None
    return passages, groups, draft


def test_real_comments_give_themes_whose_every_word_stands_in_its_passage(shared_data: Callable[[str], Path]) -> None:
    passages, groups, draft = chain(comments(shared_data(SITE.format("ai"))), QUESTION)
    assert 3 <= len(draft.themes) == len(groups) <= 8
    assert all(theme.claims for theme in draft.themes)
    names = [theme.name_quote for theme in draft.themes if theme.name_quote is not None]
    quotes = [quote for theme in draft.themes for claim in theme.claims for quote in claim.quotes]
    assert len(draft.themes) == len({name.quote.casefold() for name in names})
    assert all(quote.quote in passages[quote.passage].text for quote in (*names, *quotes))
    assert len(quotes) == len({quote.quote for quote in quotes})
    assert [()] == [answer.claims for answer in draft.answers]


def test_most_quotes_speak_of_what_was_asked(shared_data: Callable[[str], Path]) -> None:
    _, _, draft = chain(comments(shared_data(SITE.format("ai"))), QUESTION)
    quotes = [quote.quote for theme in draft.themes for claim in theme.claims for quote in claim.quotes]
    assert 2 * sum(focus(query_terms(QUESTION), (quote,)) > 0 for quote in quotes) > len(quotes)


def test_the_same_evidence_gives_the_same_draft(shared_data: Callable[[str], Path]) -> None:
    texts = comments(shared_data(SITE.format("coffee")))
    backwards = dict(reversed(texts.items()))
    assert chain(texts, "How should I store coffee beans?") == chain(backwards, "How should I store coffee beans?")


def test_a_question_about_something_else_finds_thin_evidence(shared_data: Callable[[str], Path]) -> None:
    texts = comments(shared_data(SITE.format("coffee")))
    verdicts: list[bool] = []
    for question in (QUESTION, "How should I store coffee beans?"):
        shown = [passage.text for passage in select(candidates(texts, question), query_terms(question), None, limit=80, seed=7).selected]
        asked = query_terms(question)
        verdicts.append(coverage(asked, shown) >= COVERAGE_MINIMUM and focus(asked, shown) >= FOCUS_MINIMUM)
    assert [False, True] == verdicts
