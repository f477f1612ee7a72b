"""What the echo rule costs honest snippets, and what it catches, by the length of its run.

    python -m tests.benchmarks.echo

    a question of Stack Exchange --title, or title and beginning--> query --words in common--> ten other posts --window--> snippets, titles
    the same query --words changed, boilerplate around it--> echoes

The number that was chosen, and why: docs/decisions/echo.md.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log
from pathlib import Path
from random import Random

from veridical.kernel.policy import Policy
from veridical.kernel.wire import is_echo

from .error_rates.quotesum import rows
from .posts import SHARED, Post, read, sentences, window

__all__ = ["Case", "cases", "main", "measured", "table"]

RULES = (
    *({"run": run, "part": 1, "share": 101} for run in range(4, 13)),
    *({"run": 8, "part": part, "share": share} for part in (2, 3) for share in (40, 50, 60, 75)),
)
HITS = 10
_SAID = (
    'Results for "{}"',
    "You searched for {} - 10 results found",
    "No results found for {}. Try other words.",
    "Here is what I found about {} on the web.",
)


@dataclass(frozen=True, slots=True)
class Case:
    """Words that came back for a query.

    Attributes:
        echo: whether they are made of the query.
        kind: as it is printed.
        query: what was asked.
        words: what came back.
    """

    echo: bool
    kind: str
    query: str
    words: str


def cases(posts: Sequence[Post], quotesum: Iterable[dict[str, str]], seed: int = 1) -> Iterator[Case]:
    """Yield the cases of every question among `posts` and of every record of QuoteSum."""
    rng = Random(seed)
    common = sorted({word for post in posts for word in re.findall(r"\b[a-z]{3,}\b", post.text)})
    for site in sorted({post.site for post in posts}):
        index = _Index([post for post in posts if post.site == site and post.kind != "comment"])
        for question in (post for post in index.posts if post.kind == "question"):
            longer = " ".join([question.title, *islice(sentences(question.text), 2)])
            for name, query in (("title", question.title), ("title and beginning", longer)):
                yield from _honest(name, query, question, index)
                yield from _echoes(name, query, common, rng)
    for record in quotesum:
        yield from _of_record(record)


def _honest(name: str, query: str, question: Post, index: _Index) -> Iterator[Case]:
    words = re.findall(r"\w+", query.lower())
    for post in index.nearest(question, words):
        yield Case(False, f"snippet, asked with {name}", query, window(post.text, words))
        if post.title:
            yield Case(False, f"title, asked with {name}", query, post.title)
    if name == "title":
        yield Case(False, "snippet of the question's own page, asked with title", query, window(question.text, words))


def _echoes(name: str, query: str, common: Sequence[str], rng: Random) -> Iterator[Case]:
    yield Case(True, f"in other words, asked with {name}", query, rng.choice(_SAID).format(query))
    for changes in (1, 2, 3):
        changed = query.split()
        for at in rng.sample(range(len(changed)), min(changes, len(changed) - 1)):
            changed[at] = rng.choice(common)
        yield Case(True, f"{changes} changed, asked with {name}", query, rng.choice(("{}", *_SAID)).format(" ".join(changed)))


def _of_record(record: dict[str, str]) -> Iterator[Case]:
    query = record["question"]
    for number in range(1, 9):
        if text := record.get(f"source{number}"):
            yield Case(False, "snippet of Wikipedia, asked with a question", query, window(text, re.findall(r"\w+", query.lower())))
            yield Case(False, "title of Wikipedia, asked with a question", query, record[f"title{number}"])


class _Index:
    """Posts by the words that they share with a query, rare words first."""

    def __init__(self, posts: Sequence[Post]) -> None:
        self.posts = posts
        self._words = [set(re.findall(r"\w+", f"{post.title} {post.text}".lower())) for post in posts]
        self._often = Counter(word for words in self._words for word in words)
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for at, words in enumerate(self._words):
            for word in words:
                self._holders[word].append(at)

    def nearest(self, question: Post, words: Iterable[str]) -> list[Post]:
        """Return the posts that share most with the query, the question itself left out."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word in sorted({word for word in words if word in self._often}):
            for at in self._holders[word]:
                scores[at] += log(len(self.posts) / self._often[word])
        best = sorted(scores, key=lambda at: (-scores[at], at))
        return [post for post in map(self.posts.__getitem__, best[: HITS + 1]) if post.id != question.id][:HITS]


def measured(found: Iterable[Case]) -> dict[tuple[bool, str], tuple[int, list[int]]]:
    """Return, by kind, how many cases there are, and how many of them each rule takes for echoes."""
    policies = [Policy(f"rule-{number}", {"echo": dict(rule)}) for number, rule in enumerate(RULES)]
    counts: dict[tuple[bool, str], tuple[int, list[int]]] = {}
    for case in found:
        seen, caught = counts.get((case.echo, case.kind), (0, [0] * len(policies)))
        verdicts = [is_echo(case.words, (case.query,), policy=policy) for policy in policies]
        counts[case.echo, case.kind] = seen + 1, [before + verdict for before, verdict in zip(caught, verdicts, strict=True)]
    return counts


def table(counts: dict[tuple[bool, str], tuple[int, list[int]]], rules: Sequence[int], *, echo: bool) -> list[str]:
    """Return the rows of one kind as Markdown, in per cent, with a column for each of the numbered rules."""
    names = [str(rule["run"]) if rule["share"] > 100 else f"{rule['part']} words, {rule['share']} %" for rule in RULES]
    lines = [
        f"| {'caught' if echo else 'refused'}, % | cases | {' | '.join(names[rule] for rule in rules)} |",
        "|---|---|" + "---|" * len(rules),
    ]
    for (of, kind), (seen, caught) in counts.items():
        if of is echo:
            lines.append(f"| {kind} | {seen:,} | {' | '.join(f'{100 * caught[rule] / seen:.2f}' for rule in rules)} |")
    return lines


def main(folder: Path = SHARED) -> int:
    """Print both tables."""
    if not folder.is_dir():
        print("The test data is not at ../shared/data: nothing to measure.", file=sys.stderr)
        return 2
    records = rows((folder / "quotesum" / "dev_half.jsonl").read_text("utf-8"))
    counts = measured(cases(read(folder / "comments"), records))
    by_run = [number for number, rule in enumerate(RULES) if rule["share"] > 100]
    by_share = [number for number, rule in enumerate(RULES) if rule["share"] <= 100]
    for name, numbers in (
        ("By the length of the run alone", by_run),
        ("A run of eight words, or a share of the words in runs of", by_share),
    ):
        print(f"## {name}", "", *table(counts, numbers, echo=False), "", *table(counts, numbers, echo=True), "", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
