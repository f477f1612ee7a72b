"""Sentences of real comments and posts: as they are, cut between words, altered in twelve ways, and varied in six harmless ones."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from veridical.locate.projection import project

from .alterations import ALTERATIONS, Alteration, Sample
from .cases import Case, stands, words
from .variations import VARIATIONS, Variation

__all__ = ["read"]

_SENTENCE = re.compile(r"(?<!\S)[\w@#+$\"'\u201c\u2018(][^.!?\n\x1e]*(?:[.](?=\w)[^.!?\n\x1e]*)*[.!?]+[\"'\u201d\u2019)]*(?=\s|\Z)")
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]{3,}\b")
_COMMON = re.compile(r"\b[a-z]{4,}\b")
_LEAST = 5


@dataclass(frozen=True, slots=True)
class _Text:
    id: str
    text: str
    sentences: tuple[str, ...]


def read(folder: Path, size: int, seed: int) -> Iterator[Case]:
    """Yield `size` cases of each kind, or as many as there are; the same ones for the same seed."""
    rng = Random(seed)
    texts = list(_texts(folder))
    rng.shuffle(texts)
    names, common = (sorted({word for each in texts for word in kind.findall(each.text)}) for kind in (_NAME, _COMMON))
    yield from _true(texts, size, seed)
    for kind, change in VARIATIONS.items():
        yield from islice(_varied(texts, kind, change, Random(f"{seed}{kind}")), size)
    for kind, change in ALTERATIONS.items():
        yield from islice(_altered(texts, kind, change, Random(f"{seed}{kind}"), names, common), size)


def _texts(folder: Path) -> Iterator[_Text]:
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                text = project(row["text"], "html" if row["text_format"] == "html" else "markdown").text
                sentences = tuple(found[0] for found in _SENTENCE.finditer(text) if len(words(found[0])) >= _LEAST)
                if sentences:
                    yield _Text(f"{row['site']}/{row['id']}", text, sentences)


def _case(text: _Text, group: str, kind: str, quote: str, shown: str | None = None) -> Case:
    return Case(f"{text.id}/{kind}", group, kind, quote, (text.text if shown is None else shown,), group != "alterations")


def _true(texts: Sequence[_Text], size: int, seed: int) -> Iterator[Case]:
    rng = Random(f"{seed}true")
    for text in texts[:size]:
        yield _case(text, "comments", "whole sentence", rng.choice(text.sentences))
    for text in texts[:size]:
        parts = rng.choice(text.sentences).split(" ")
        start = rng.randrange(len(parts) - 3)
        yield _case(text, "comments", "cut between words", " ".join(parts[start : rng.randrange(start + 4, len(parts) + 1)]))


def _varied(texts: Sequence[_Text], kind: str, change: Variation, rng: Random) -> Iterator[Case]:
    for text in texts:
        tried = ((quote, change(rng, quote, text.text)) for quote in rng.sample(text.sentences, len(text.sentences)))
        varied = next((each for quote, each in tried if each is not None and each != (quote, text.text)), None)
        if varied is not None:
            yield _case(text, "variations", kind, varied[0], varied[1])


def _altered(
    texts: Sequence[_Text], kind: str, change: Alteration, rng: Random, names: Sequence[str], common: Sequence[str]
) -> Iterator[Case]:
    for at, text in enumerate(texts):
        stranger = rng.choice(texts[at - 1].sentences)
        places = rng.sample(range(len(text.sentences)), len(text.sentences))
        tried = (change(rng, Sample(text.sentences[place], _apart(text.sentences, place), names, common, stranger)) for place in places)
        altered = next((each for each in tried if each is not None and not stands([text.text], each)), None)
        if altered is not None:
            yield _case(text, "alterations", kind, altered)


def _apart(sentences: Sequence[str], place: int) -> list[str]:
    return [each for at, each in enumerate(sentences) if abs(at - place) > 1]
