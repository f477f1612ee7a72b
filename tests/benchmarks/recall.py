"""How many of the relevant texts are among the first k: full text alone, and with an embedding, as the research selection takes them.

    python -m tests.benchmarks.recall [--questions 400]

A question of Stack Exchange is asked with its title; relevant are its own answers, among all answers of the site, or its own comments,
among all comments. Of the site of which only comments are here, a thread is asked with its first comment; relevant are the others. Many
comments are about something else than the question, so these are weaker labels.

    texts of a site -> a real store -> candidates (full text) -> order by score | selection without vectors | selection with an embedding

What was decided from it: docs/decisions/embedding.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from pathlib import Path
from random import Random
from statistics import fmean
from types import SimpleNamespace
from typing import Any, Protocol, cast

from veridical.kernel.vectors import admit_vectors
from veridical.workflows.select import SelectionInput, select
from veridical.workflows.terms import query_terms, query_words
from veridical_contract import EmbeddingReply, EmbeddingRequest, TextQuery
from veridical_hashing import HashingEmbedding

from .posts import SHARED, Post, read
from .store import World, batches, made, opened

__all__ = ["Asked", "Site", "main", "measured", "sites", "table"]

CANDIDATES = 400
"""As many as the research workflow asks the store for."""
PLACES = (10, 20, 50)
_LEAST = 8
"""Words of a comment that is asked with."""


class Embedding(Protocol):
    """A plugin that embeds."""

    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        """Return a vector for each text."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A question.

    Attributes:
        text: that is asked.
        relevant: places in the texts of the site.
        itself: place of the question's own text, which is no answer; None where it is none of the texts.
    """

    text: str
    relevant: frozenset[int]
    itself: int | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """Texts, and questions of which it is known what answers them."""

    name: str
    texts: tuple[str, ...]
    asked: tuple[Asked, ...]


def sites(posts: Sequence[Post], questions: int, seed: int = 1) -> list[Site]:
    """Return the sites of `posts`, once for each kind of texts that they have, with at most so many questions of each."""
    found = [
        _of(f"{name}, {kind}s", [post for post in posts if post.site == name], kind)
        for name in sorted({post.site for post in posts})
        for kind in ("answer", "comment")
    ]
    return [replace(site, asked=tuple(_sample(site.asked, questions, seed))) for site in found if site.asked]


def _of(name: str, posts: Sequence[Post], kind: str) -> Site:
    titles = {post.id: post.title for post in posts if post.kind == "question"}
    texts = [post for post in posts if post.kind == kind and post.text.strip()]
    threads: defaultdict[str, list[int]] = defaultdict(list)
    for at, post in enumerate(texts):
        threads[post.parent].append(at)
    if titles:
        asked = [Asked(title, frozenset(threads[question])) for question, title in titles.items() if question in threads]
    else:
        first = [(texts[at].text, at, rest) for at, *rest in threads.values() if rest and len(texts[at].text.split()) >= _LEAST]
        asked = [Asked(text, frozenset(rest), at) for text, at, rest in first]
    return Site(name, tuple(post.text for post in texts), tuple(asked))


def _sample(asked: Sequence[Asked], most: int, seed: int) -> list[Asked]:
    return Random(seed).sample(asked, min(most, len(asked)))


class _Vectors:
    """Vectors of one plugin, each text embedded once, and what that took."""

    def __init__(self, plugin: Embedding) -> None:
        self._plugin = plugin
        self._known: dict[str, tuple[float, ...]] = {}
        self.seconds = 0.0

    def of(self, texts: Iterable[str]) -> list[tuple[float, ...]]:
        wanted = list(texts)
        new = [text for text in dict.fromkeys(wanted) if text not in self._known]
        began = time.process_time()
        reply = self._plugin.embed(EmbeddingRequest(texts=tuple(new)))
        self.seconds += time.process_time() - began
        self._known |= zip(new, admit_vectors(reply.vectors, len(new)), strict=True)
        return [self._known[text] for text in wanted]

    def __len__(self) -> int:
        return len(self._known)


Found = Mapping[str, Sequence[float]]
"""Way of ordering -> recall at each of `PLACES`."""


def measured(site: Site, folder: Path, plugins: Mapping[str, Embedding]) -> tuple[Found, list[str]]:
    """Return the mean recall of every way over the questions of `site`, and a line about each plugin."""
    world = opened(folder)
    names = _stored(world, site.texts)
    vectors = {name: _Vectors(plugin) for name, plugin in plugins.items()}
    for each in vectors.values():
        each.of(["The first text is what the model is loaded for."])
        each.seconds = 0.0
    recalls: defaultdict[str, list[list[float]]] = defaultdict(list)
    for asked in site.asked:
        found = _candidates(world, asked, names, site.texts)
        for way, order in _orders(asked, found, vectors).items():
            recalls[way].append([_recall(asked, order(places), names) for places in PLACES])
    world.calls.close()
    said = [
        f"{name}: {len(each):,} texts, {1e3 * each.seconds / max(1, len(each)):.2f} ms of processor each" for name, each in vectors.items()
    ]
    return {way: [fmean(column) for column in zip(*rows, strict=True)] for way, rows in recalls.items()}, said


def _stored(world: World, texts: Sequence[str]) -> dict[str, int]:
    names: dict[str, int] = {}
    for batch in batches(made(texts)):
        for document in batch.documents:
            names[document.id] = len(names)
        world.inline.put(batch)
    return names


def _candidates(world: World, asked: Asked, names: Mapping[str, int], texts: Sequence[str]) -> list[SelectionInput]:
    words = " ".join(query_words(asked.text)) or asked.text
    proposed = world.inline.candidates(TextQuery(text=words, limit=CANDIDATES))
    return [
        SelectionInput(one.document, one.start, one.end, texts[names[one.document]][one.start : one.end], one.score)
        for one in proposed
        if names[one.document] != asked.itself
    ]


def _orders(asked: Asked, found: Sequence[SelectionInput], vectors: Mapping[str, _Vectors]) -> dict[str, Any]:
    """Return, by way, the function from a number of places to the documents that take them."""
    ways: dict[str, Any] = {
        "all candidates": lambda places: [one.document for one in found],
        "full text alone": lambda places: _by_score(found)[:places],
        "selection, no embedding": lambda places: _selected(asked, found, None, places),
    }
    for name, each in vectors.items():
        held = [replace(one, vector=vector) for one, vector in zip(found, each.of(one.text for one in found), strict=True)]
        (query,) = each.of([asked.text])
        ways[f"selection, {name}"] = lambda places, held=held, query=query: _selected(asked, held, query, places)
        near = _nearest(held, query)
        ways[f"{name} alone"] = lambda places, near=near: near[:places]
    return ways


def _by_score(found: Sequence[SelectionInput]) -> list[str]:
    return list(dict.fromkeys(one.document for one in sorted(found, key=lambda one: (-one.score, one.key))))


def _nearest(found: Sequence[SelectionInput], query: tuple[float, ...]) -> list[str]:
    def distance(one: SelectionInput) -> float:
        return dist(query, one.vector or ())

    return list(dict.fromkeys(one.document for one in sorted(found, key=distance)))


def _selected(asked: Asked, found: Sequence[SelectionInput], query: tuple[float, ...] | None, places: int) -> list[str]:
    return [one.document for one in select(found, query_terms(asked.text), query, limit=places, seed=0).selected] if found else []


def _recall(asked: Asked, order: Sequence[str], names: Mapping[str, int]) -> float:
    return len(asked.relevant.intersection(names[document] for document in order)) / len(asked.relevant)


def table(site: Site, found: Found) -> list[str]:
    """Return the rows of one site as Markdown, in per cent."""
    lines = [f"| {site.name}: {len(site.asked)} questions, {len(site.texts):,} texts | {' | '.join(f'@{places}' for places in PLACES)} |"]
    lines.append("|---|" + "---|" * len(PLACES))
    return lines + [f"| {way} | {' | '.join(f'{100 * value:.1f}' for value in values)} |" for way, values in found.items()]


def _plugins() -> dict[str, Embedding]:
    """Return the embedding plugins that need no network; the one of `wordllama` where that package is installed."""
    context = cast("Any", SimpleNamespace(cancelled=lambda: False))
    found: dict[str, Embedding] = {"hashing": HashingEmbedding(context)}
    try:
        from veridical_wordllama import WordLlamaEmbedding

        found["wordllama"] = WordLlamaEmbedding(context)
    except ImportError:
        print("veridical-wordllama is not installed: it is left out.", file=sys.stderr)
    return found


def main(arguments: Sequence[str] | None = None, folder: Path = SHARED) -> int:
    """Print a table for each site."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.recall", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--questions", type=int, default=400, help="of each site at most (default: %(default)s)")
    asked = parser.parse_args(arguments)
    if not folder.is_dir():
        print("The test data is not at ../shared/data: nothing to measure.", file=sys.stderr)
        return 2
    for site in sites(read(folder / "comments"), asked.questions):
        with tempfile.TemporaryDirectory(prefix="recall-") as home:
            found, said = measured(site, Path(home), _plugins())
        print(*table(site, found), "", *said, "", sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
