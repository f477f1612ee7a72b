"""Drafts made by rules from real comments: frames in three languages and three formats, around quotes that are true or were made false.

A rule knows what it did, so it knows the verdict. The same seed gives the same drafts.
"""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Iterator, Sequence
from itertools import count, product
from pathlib import Path
from random import Random

from tests.benchmarks.error_rates.alterations import ALTERATIONS, Sample
from tests.benchmarks.error_rates.cases import stands
from tests.checks.labelled import Expected, LabelledDraft, Source

__all__ = ["by_rules"]

_SENTENCE = re.compile(r"(?:(?<=[.!?] )|\A)[A-Z][^\W\d_]*[ ',;:](?:[^\W\d_]|[',;: ]|\b-\b){30,160}[.](?= [A-Z]|\Z)")
_AUTHOR = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)")
_ALTERED = ("negation dropped or inserted", "word replaced", "word inserted", "word deleted", "name swapped", "hedge removed")
_MARKS = {"english": "\u201c{}\u201d", "german": "\u201e{}\u201c", "french": "\u00ab\u00a0{}\u00a0\u00bb"}
_SAID = {
    "english": ("{author} wrote: {quote}", "{quote}, said {author}.", "According to {author}, {quote}."),
    "german": ("{author} schrieb: {quote}", "{quote}, sagte {author}.", "Laut {author} gilt: {quote}."),
    "french": ("{author} a \u00e9crit : {quote}", "{quote}, a dit {author}.", "Selon {author}, {quote}."),
}
_LINKED = {"english": "It is written here: {link}.", "german": "Es steht hier: {link}.", "french": "C\u2019est \u00e9crit ici : {link}."}
_TRUE, _FALSE = ("said", "linked", "block"), ("altered", "spliced", "elsewhere", "invented")
_EVIDENCE = 60


def by_rules(folder: Path, seed: int = 1) -> Iterator[LabelledDraft]:
    """Yield 27 drafts: three languages by three formats by true, mixed and false."""
    rng = Random(seed)
    evidence = _evidence(folder, rng)
    pool = sorted({word for source in evidence for word in re.findall(r"\b[a-z]{5,}\b", source.text)})
    names = sorted({word for source in evidence for word in re.findall(r"(?<=[a-z] )[A-Z][a-z]{3,}\b", source.text)})
    maker = _Maker(rng, evidence, pool, names)
    number = count(1)
    for language, suffix, truth in product(_MARKS, ("md", "html", "txt"), ("true", "mixed", "false")):
        rules = {"true": _TRUE, "false": _FALSE, "mixed": (*_TRUE[:2], *rng.sample(_FALSE, 2))}[truth]
        parts = [maker.part(rule, language, suffix) for rule in rules]
        expected = tuple(each for _, found in parts for each in found)
        text = "\n\n".join(text for text, _ in parts) + "\n"
        yield LabelledDraft(f"rules/{next(number):02}-{language}-{truth}", truth, suffix, text, tuple(evidence), expected)


def _evidence(folder: Path, rng: Random) -> list[Source]:
    with gzip.open(folder / "stackexchange.ai.stackexchange.com.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["kind"] == "comment" and _AUTHOR.fullmatch(row["author"] or "")]
    found = [Source(row["id"], row["url"], None, row["author"], row["text"]) for row in rows if len(_SENTENCE.findall(row["text"])) > 1]
    return sorted(rng.sample(found, min(_EVIDENCE, len(found))), key=lambda source: source.id)


class _Maker:
    """Makes parts of drafts, each of a source that was not used before as long as there are any."""

    def __init__(self, rng: Random, evidence: Sequence[Source], pool: Sequence[str], names: Sequence[str]) -> None:
        self._rng, self._evidence, self._pool, self._names = rng, evidence, pool, names
        self._left: list[Source] = []

    def part(self, rule: str, language: str, suffix: str) -> tuple[str, list[Expected]]:
        """Return a paragraph, and what ought to be found in it."""
        source = self._source()
        quote = self._rng.choice(_SENTENCE.findall(source.text))
        match rule:
            case "said" | "altered" | "elsewhere":
                return self._said(rule, language, suffix, source, quote)
            case "linked":
                return self._linked(language, suffix, source, quote)
            case "block":
                return _block(suffix, quote), [Expected("block-quote", ("exact", "located"), quote, source.id)]
            case "spliced":
                first, *_, last = _SENTENCE.findall(source.text)
                quote = f"{' '.join(first.split()[:6])} [\u2026] {' '.join(last.split()[-6:])}"
                return _shown(_MARKS[language].format(quote), suffix), [Expected("quote", ("stitched",), quote, source.id)]
            case _:
                address = f"{source.url}99999"
                return _shown(_LINKED[language].replace("{link}", address), suffix), [Expected("url", ("not-found",), address)]

    def _source(self) -> Source:
        if not self._left:
            self._left = self._rng.sample(self._evidence, len(self._evidence))
        return self._left.pop()

    def _said(self, rule: str, language: str, suffix: str, source: Source, quote: str) -> tuple[str, list[Expected]]:
        author, verdicts = source.author, ("exact", "located")
        if rule == "altered":
            quote, verdicts = self._altered(quote), ("altered",)
        elif rule == "elsewhere":
            author, verdicts = self._rng.choice([other.author for other in self._evidence if other.author != author]), ("misattributed",)
        frame = self._rng.choice(_SAID[language])
        text = frame.format(author=author, quote=_MARKS[language].format(quote))
        return _shown(text, suffix), [Expected("quote", verdicts, quote, source.id)]

    def _altered(self, quote: str) -> str:
        texts = [source.text for source in self._evidence]
        for kind in self._rng.sample(_ALTERED, len(_ALTERED)):
            changed = ALTERATIONS[kind](self._rng, Sample(quote, (), self._names, self._pool, ""))
            if changed is not None and not stands(texts, changed):
                return changed
        raise ValueError(f"No alteration changes {quote!r}; choose another seed.")

    def _linked(self, language: str, suffix: str, source: Source, quote: str) -> tuple[str, list[Expected]]:
        marked, address = _MARKS[language].format(quote), source.url
        text = {
            "md": f"{marked} ([{language}]({address}))",
            "html": f'<p>{html.escape(marked)} (<a href="{address}">{language}</a>)</p>',
            "txt": f"{marked} ({address})",
        }[suffix]
        return text, [Expected("quote", ("exact", "located"), quote, source.id), Expected("url", ("exact",), address, source.id)]


def _shown(text: str, suffix: str) -> str:
    return f"<p>{html.escape(text)}</p>" if suffix == "html" else text


def _block(suffix: str, quote: str) -> str:
    if suffix == "html":
        return f"<blockquote>{html.escape(quote)}</blockquote>"
    middle = quote.index(" ", len(quote) // 2)
    return f"> {quote[:middle]}\n> {quote[middle + 1 :]}"
