"""Comments that are made up, the same every time: words as often, and comments as long, as in real ones where those are at hand.

Words are drawn one by one, so no comment says anything; what an index and a scan cost depends on how often each word occurs and on how
long the texts are, and that is kept. A word after the end of a sentence gets its capital, so that sentences are as long as real ones.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

__all__ = ["Comments", "absent", "cut", "real"]

_WORDS, _LONGEST = 60_000, 400
_BEGINNING = re.compile(r"(?<=[.!?] )[a-z]")
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


@dataclass(frozen=True)
class Comments:
    """Where comments come from.

    Attributes:
        words: the vocabulary, most frequent first, with the marks that stand beside a word.
        sums: running sum of how often each occurs.
        lengths: of comments, in words, one for each that was seen.
        source: in words, for the page.
    """

    words: Sequence[str]
    sums: Sequence[float]
    lengths: Sequence[int]
    source: str

    @classmethod
    def modelled(cls, data: Path | None) -> Comments:
        """Return the model of the real comments in `data`, or one by Zipf's law when there are none."""
        texts = real(data) if data is not None else []
        if not texts:
            rng = random.Random(1)
            lengths = [max(3, min(_LONGEST, int(rng.lognormvariate(3.7, 0.9)))) for _ in range(5_000)]
            return cls(_made_up(_WORDS), list(accumulate(1 / rank for rank in range(1, _WORDS + 1))), lengths, "words by Zipf's law")
        split = [text.split() for text in texts]
        counted = Counter(word for words in split for word in words).most_common(_WORDS)
        sums = list(accumulate(count for _, count in counted))
        size = sum(len(text.encode()) for text in texts) // len(texts)
        source = f"modelled on {len(split):,} real comments, questions and answers, {size} bytes on average"
        return cls([word for word, _ in counted], sums, [len(words) for words in split if words], source)

    def texts(self, number: int, *, seed: int = 0) -> Iterator[str]:
        """Yield `number` comments."""
        rng = random.Random(seed)
        for _ in range(number):
            text = " ".join(rng.choices(self.words, cum_weights=self.sums, k=rng.choice(self.lengths)))
            yield _BEGINNING.sub(lambda found: found[0].upper(), text)

    def text(self, characters: int, *, seed: int = 0) -> str:
        """Return one text of at least so many characters, in paragraphs."""
        parts: list[str] = []
        size = 0
        for part in self.texts(characters, seed=seed):
            parts.append(part)
            size += len(part) + 2
            if size >= characters:
                break
        return "\n\n".join(parts)


def real(data: Path) -> list[str]:
    """Return the texts of real comments, and of the questions and answers that they are about."""
    files = sorted((data / "comments").glob("*.jsonl.gz"))
    rows = [json.loads(line) for file in files for line in gzip.decompress(file.read_bytes()).splitlines()]
    return [row["text"] for row in rows]


def cut(text: str, words: int, rng: random.Random) -> str | None:
    """Return `words` consecutive words of `text`, as they stand there; None when it has too few."""
    starts = [0, *(at + 1 for at, char in enumerate(text) if char == " ")]
    if len(starts) < words:
        return None
    first = rng.randrange(len(starts) - words + 1)
    end = starts[first + words] - 1 if first + words < len(starts) else len(text)
    return text[starts[first] : end]


def absent(quote: str, rng: random.Random) -> str:
    """Return `quote` with one of its inner words changed to one that is nowhere: what an index has the most work with."""
    words = quote.split(" ")
    words[rng.randrange(1, len(words) - 1)] = "".join(rng.choices("qxjz", k=9))
    return " ".join(words)


def _made_up(number: int) -> list[str]:
    """Words of two to four syllables, all different; every ninth ends a sentence."""
    rng = random.Random(2)
    words: dict[str, None] = {}
    while len(words) < number:
        words["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4)))] = None
    return [f"{word}." if index % 9 == 8 else word for index, word in enumerate(words)]
