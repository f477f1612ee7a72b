"""The chat plugin: a draft of copied sentences, and nothing else.

    request -> candidates -> per group: score, pick, name -> themes
                         `-> per must-address question: share of its words, score, pick -> answers

The same request gives the same reply, whatever the order of its passages: they are worked through in the order of their identifiers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

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
SENTENCE_SHARE, PASSAGE_SHARE = 0.6, 0.75
"""Shares of a must-address question's content words that a sentence, and its passage with the title, have to hold to answer it.

The sentence holds two where there are two, and one that the main question does not hold, where there is one: passages were selected for
the words of that one. Measured with 300 titles of questions against what was found for them: 38 % are addressed, 57 % of these from an
answer to that very question; without the passage's share it would be 62 % and 50 %. Of 200 titles about something else none is addressed.
"""
FALLBACK_NAME = 5
"""Words of its first quote that name a theme for which no phrase stands out."""


class ExtractiveChat:
    """Picks sentences that stand in the passages; it has no words of its own."""

    model = MODEL

    def __init__(self, context: PluginContext) -> None:
        self._context = context

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        """Answer `compose` with copied sentences; decline the other tasks, which ask for prose."""
        if request.task != "compose":
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
        asked = question_keys(question)
        pool = [sentence for sentence in self._pool if self._may_answer(asked, sentence)]
        return DraftAnswer(question=index, claims=_claims(pick(self._ranking, pool, self._scores(asked, pool), ANSWERS)))

    def _may_answer(self, asked: Collection[str], sentence: Sentence) -> bool:
        held = [key for key in asked if key in sentence.keys]
        own = [key for key in asked if key not in self._question] or asked
        return (
            not sentence.is_question
            and len(held) >= max(min(2, len(asked)), SENTENCE_SHARE * len(asked))
            and any(key in own for key in held)
            and self._ranking.share(asked, sentence.passage) >= PASSAGE_SHARE
        )

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
