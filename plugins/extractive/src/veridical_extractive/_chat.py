"""The chat plugin: a draft of copied sentences, and nothing else.

    request -> candidates -> per group: score, pick, name -> themes
                         `-> per must-address question: share of its words, score, pick -> answers

The same request gives the same reply, whatever the order of its passages: they are worked through in the order of their identifiers.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridical_contract import (
    ChatReply,
    ChatRequest,
    Draft,
    DraftAnswer,
    DraftClaim,
    DraftQuote,
    DraftTheme,
    PassageGroup,
    PluginContext,
    hookimpl,
)

from ._candidates import Sentence, candidates
from ._names import Namer
from ._ranking import CENTRALITY, Ranking, pick
from ._words import question_keys, words

__all__ = ["ExtractiveChat"]

MODEL = "veridical-extractive/1"
ANSWERS = 3
"""Sentences for one must-address question."""
SHARED_WORDS = 0.6
"""Share of a must-address question's content words that one sentence has to hold, and never fewer than two where there are two. One of
them has to be a word that the main question does not hold, where there is one: passages were selected for the words of that one.
Measured with 200 titles of another subject, which the passages cannot answer: 1 was addressed at 0.5, none at 0.6."""
FALLBACK_NAME = 5
"""Words of its first quote that name a theme for which no phrase stands out."""


class ExtractiveChat:
    """Picks sentences that stand in the passages; it has no words of its own."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        """Answer `compose` with copied sentences; decline `complete`, which asks for prose."""
        if request.task == "complete":
            return ChatReply(stop="refusal", model=MODEL)
        return ChatReply(draft=_Composer(request).draft(), model=MODEL)


class _Composer:
    def __init__(self, request: ChatRequest) -> None:
        self._request = request
        self._passages = sorted({passage.id: passage for passage in request.passages}.values(), key=lambda passage: passage.id)
        self._ranking = Ranking(self._passages)
        self._pool = candidates(self._passages)
        self._question = question_keys(request.question)
        self._namer = Namer(self._passages, self._question)
        self._taken: list[Sentence] = []

    def draft(self) -> Draft:
        themes = [theme for group in self._request.groups for theme in self._themes(group)]
        answers = [self._answer(index, question) for index, question in enumerate(self._request.must_address)]
        return Draft(themes=tuple(themes), answers=tuple(answers))

    def _themes(self, group: PassageGroup) -> Sequence[DraftTheme]:
        """Return the theme of `group`, or nothing where no sentence of it can be quoted."""
        members = set(group.passages)
        pool = [sentence for sentence in self._pool if sentence.passage in members]
        scores = self._scores(self._question, pool)
        chosen = pick(self._ranking, pool, scores, self._request.max_quotes, self._taken)
        if not chosen:
            return ()
        self._taken.extend(chosen)
        name = self._namer.name([passage.id for passage in self._passages if passage.id in members]) or _opening_words(chosen[0])
        return (DraftTheme(group=group.id, name_quote=name, claims=_claims(chosen)),)

    def _answer(self, index: int, question: str) -> DraftAnswer:
        asked = frozenset(question_keys(question))
        own = asked - set(self._question) or asked
        least = max(min(2, len(asked)), SHARED_WORDS * len(asked))
        pool = [
            sentence
            for sentence in self._pool
            if not sentence.is_question and sum(key in sentence.keys for key in asked) >= least and any(key in sentence.keys for key in own)
        ]
        return DraftAnswer(question=index, claims=_claims(pick(self._ranking, pool, self._scores(tuple(asked), pool), ANSWERS)))

    def _scores(self, question: Sequence[str], pool: Sequence[Sentence]) -> list[float]:
        relevance = self._ranking.relevance(question, pool)
        centrality = self._ranking.centrality(pool)
        return [
            sentence.quality * ((1 - CENTRALITY) * relevant + CENTRALITY * central)
            for sentence, relevant, central in zip(pool, relevance, centrality, strict=True)
        ]


def _claims(chosen: Sequence[Sentence]) -> tuple[DraftClaim, ...]:
    return tuple(DraftClaim(quotes=(DraftQuote(passage=sentence.passage, quote=sentence.text),)) for sentence in chosen)


def _opening_words(sentence: Sentence) -> DraftQuote:
    found = words(sentence.text)[:FALLBACK_NAME]
    return DraftQuote(passage=sentence.passage, quote=sentence.text[found[0].start : found[-1].end])
