"""What an embedding plugin returns: one vector for each text, in their order, of one model."""

from __future__ import annotations

import math

from veridical_contract import EmbeddingReply, EmbeddingRequest, PluginError
from veridical_contract.testing.judging import Judge
from veridical_contract.testing.registry import Violation, check
from veridical_contract.testing.subject import Live, Outcome, Subject

from .calls import TEXTS

_EMBEDDING = ("embedding",)
_SAME = 0.999
_ODD = ("!!! ... ???", "word " * 2000, "\N{FIRE EXTINGUISHER}\N{FIRE ENGINE}\N{ZERO WIDTH JOINER}", "x")
_MANY = tuple(f"Roof number {number} was measured on day {number * 7 % 365}." for number in range(300))


def _reply(outcome: Outcome, texts: tuple[str, ...]) -> EmbeddingReply:
    found = outcome.result()
    if type(found) is not EmbeddingReply:
        raise Violation(f"It returned {type(found).__name__}, expected EmbeddingReply.")
    if len(found.vectors) != len(texts):
        raise Violation(f"It was given {len(texts)} texts, and returned {len(found.vectors)} vectors.")
    return found


def _embedded(live: Live, scenario: str, texts: tuple[str, ...]) -> EmbeddingReply:
    return _reply(live.call("embed", scenario, request=EmbeddingRequest(texts=texts)), texts)


@check(
    "vector-each",
    "It returns an EmbeddingReply with one vector for each text.",
    "Return EmbeddingReply(vectors=..., identity=...), a vector for each of request.texts.",
    kinds=_EMBEDDING,
    needs=("answers",),
)
def vector_each(subject: Subject) -> None:
    with subject.live() as live:
        _embedded(live, "ordinary", TEXTS)


@check(
    "vector-whole",
    "Vectors are of one width, finite, and not zero.",
    "Say where the service left a text out: raise, and do not fill up with zeros.",
    kinds=_EMBEDDING,
    needs=("vector-each",),
)
def vector_whole(subject: Subject) -> None:
    with subject.live() as live:
        reply = _embedded(live, "ordinary", TEXTS)
        try:
            Judge(live).vectors(reply, TEXTS)
        except PluginError as error:
            raise Violation(error.message) from None


@check(
    "vector-order",
    "Each vector belongs to the text at its place.",
    "Put the vectors in the order of the texts: a service may number them and send them in another.",
    kinds=_EMBEDDING,
    needs=("vector-whole",),
)
def vector_order(subject: Subject) -> None:
    with subject.live() as live:
        together = _embedded(live, "ordinary", TEXTS).vectors
        for place, text in enumerate(TEXTS):
            (alone,) = _embedded(live, f"alone-{place}", (text,)).vectors
            near = max(range(len(TEXTS)), key=lambda other, alone=alone: _cosine(alone, together[other]))
            if near != place:
                raise Violation(f"The vector of text {place} stands at place {near}.")


@check(
    "batch-equal",
    "A text has the same vector alone as among others.",
    "Embed each text for itself: nothing of the others may go into its vector.",
    kinds=_EMBEDDING,
    needs=("vector-whole",),
)
def batch_equal(subject: Subject) -> None:
    with subject.live() as live:
        together = _embedded(live, "ordinary", TEXTS).vectors
        for place, text in enumerate(TEXTS):
            (alone,) = _embedded(live, f"alone-{place}", (text,)).vectors
            if len(alone) != len(together[0]) or max(_cosine(alone, other) for other in together) < _SAME:
                raise Violation(f"Alone, text {place} has a vector that it does not have among others.")


@check(
    "identity",
    "It names the model and its version, the same at every call.",
    "identity: what the vectors depend on, and nothing else: no time, no counter, no request id.",
    kinds=_EMBEDDING,
    needs=("vector-each",),
)
def identity(subject: Subject) -> None:
    with subject.live() as live, subject.live() as other:
        said = [_embedded(each, "ordinary", TEXTS).identity for each in (live, live, other)]
    if not said[0].strip():
        raise Violation("It names no model.")
    if len(set(said)) > 1:
        raise Violation(f"It named {said[0]!r}, then {next(one for one in said if one != said[0])!r}.")


@check(
    "dimension",
    "Vectors of queries are as wide as those of documents, and of the same model.",
    "Ask for both with the same model and the same width.",
    kinds=_EMBEDDING,
    needs=("vector-whole",),
)
def dimension(subject: Subject) -> None:
    with subject.live() as live:
        documents = _embedded(live, "ordinary", TEXTS)
        queries = _reply(live.call("embed", "queries", request=EmbeddingRequest(texts=TEXTS, purpose="query")), TEXTS)
    if len(documents.vectors[0]) != len(queries.vectors[0]) or documents.identity != queries.identity:
        wide = f"{len(documents.vectors[0])} numbers of {documents.identity}, queries {len(queries.vectors[0])} of {queries.identity}"
        raise Violation(f"Documents have {wide}.")


@check(
    "odd-texts",
    "Texts of a letter, of two thousand words, of signs and of pictures have vectors too.",
    "Cut a text where the model needs it; do not leave one out.",
    kinds=_EMBEDDING,
    needs=("vector-whole",),
)
def odd_texts(subject: Subject) -> None:
    with subject.live() as live:
        reply = _embedded(live, "odd-texts", _ODD)
        try:
            Judge(live).vectors(reply, _ODD)
        except PluginError as error:
            raise Violation(error.message) from None


@check(
    "many-texts",
    "Three hundred texts at once have three hundred vectors, each at its place.",
    "Divide what the service does not take at once, and put the parts together in order.",
    kinds=_EMBEDDING,
    needs=("vector-order",),
)
def many_texts(subject: Subject) -> None:
    with subject.live() as live:
        vectors = _embedded(live, "many-texts", _MANY).vectors
        for place in (0, 150, 299):
            (alone,) = _embedded(live, f"one-of-many-{place}", (_MANY[place],)).vectors
            if _cosine(alone, vectors[place]) < _SAME:
                raise Violation(f"The vector at place {place} of {len(_MANY)} is not that of the text there.")


def _cosine(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    lengths = math.sqrt(sum(each * each for each in one)) * math.sqrt(sum(each * each for each in other))
    return sum(a * b for a, b in zip(one, other, strict=False)) / lengths if lengths else 0.0
