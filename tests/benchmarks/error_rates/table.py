"""Counts of wrong accepts and wrong rejects, side by side, as text and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .cases import Case

__all__ = ["Row", "counted", "page", "table", "totals"]

_SETS = {
    "catalogue": "Pitfall catalogue",
    "quotesum": "QuoteSum spans",
    "comments": "Real comments",
    "variations": "Harmless variations",
    "alterations": "Alterations",
}


@dataclass(frozen=True, slots=True)
class Row:
    """How many cases of one kind there are, and how many of them each tool judged wrongly.

    Attributes:
        set: the set of cases.
        kind: within the set.
        true: whether the quotes are true: then `wrong` counts rejects, otherwise accepts.
        cases: how many.
        wrong: by tool.
    """

    set: str
    kind: str
    true: bool
    cases: int
    wrong: dict[str, int]


def counted(cases: Sequence[Case], verdicts: Sequence[Mapping[str, bool]]) -> list[Row]:
    """Return a row for each kind of each set, in the order of the cases."""
    sizes = Counter((case.set, case.kind, case.keep) for case in cases)
    wrong = Counter(
        (case.set, case.kind, case.keep, tool)
        for case, kept in zip(cases, verdicts, strict=True)
        for tool in kept
        if kept[tool] != case.keep
    )
    tools = list(verdicts[0]) if verdicts else []
    return [Row(*group, size, {tool: wrong[*group, tool] for tool in tools}) for group, size in sizes.items()]


def totals(rows: Sequence[Row]) -> list[Row]:
    """Return a row for each set, and one for all."""
    named = [(name, [row for row in rows if row.set == name]) for name in dict.fromkeys(row.set for row in rows)]
    return [_sum(name, part) for name, part in [*named, ("all", list(rows))] if part]


def _sum(name: str, rows: Sequence[Row]) -> Row:
    wrong = {tool: sum(row.wrong[tool] for row in rows) for tool in rows[0].wrong}
    return Row(name, "all", rows[0].true, sum(row.cases for row in rows), wrong)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a Markdown table: counts, and in the totals shares as well."""
    tools = list(rows[0].wrong)
    widths = [20, 32, 6, *(max(16, len(tool)) for tool in tools)]
    cells = [["set", "kind", "cases", *tools], ["---", "---", "--:", *["--:"] * len(tools)]]
    for row in [*rows, *totals(rows)]:
        whole = row.kind == "all"
        counts = [f"{row.wrong[tool]} ({row.wrong[tool] / row.cases:.2%})" if whole else str(row.wrong[tool]) for tool in tools]
        cells.append([_SETS.get(row.set, "All"), "**all**" if whole else row.kind, str(row.cases), *counts])
    for line in cells:
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"


def page(rows: Sequence[Row], facts: Mapping[str, str], clipped: tuple[int, int]) -> str:
    """Return the whole page; `facts`: date, sizes, versions; `clipped`: how many of how many kept true quotes carry that warning."""
    false, true = ([row for row in rows if row.true is side] for side in (False, True))
    known = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    return _PAGE.format(
        facts=known, accepts="\n".join(table(false)), rejects="\n".join(table(true)), clipped=f"{clipped[0]:,} of the {clipped[1]:,}"
    )


_PAGE = """\
# Error rates

How often a quote that is false is accepted, and one that is true rejected: by veridical, and by three other ways to verify a quote, on
the same cases in one run.

<!-- not run: it takes minutes to hours -->
```console
$ uv run python -m tests.benchmarks.error_rates --write docs/reference/error-rates.md
```

{facts}

## False quotes that were accepted

{accepts}

## True quotes that were rejected

{rejects}

veridical kept {clipped} true quotes with the verdict `clipped`: the words are the source's, and the cut leaves out a negation, a
condition, a question or who said it. Such a quote is shown with its sentence and supports nothing. A **wrong accept** counts every
verdict under which veridical keeps a quote, `clipped` and `illustration` included.

## What the cases are

- **Pitfall catalogue**: hand-made cases, each with the reason for its verdict. Cases that are settled before words are compared (a
  document that was not shown, another author) are left out, since only veridical has a notion of them. The rules behind the verdicts
  are ours, and so are some of the rejects: at least three words (six characters in scripts without spaces), whole words and figures, no
  struck-out text. Who does not share a rule counts it as wrong here; read this part as a comparison of rules.
- **QuoteSum spans**: spans of three words or more that people copied out of a source for an answer. True when the span's characters
  stand in the source or in its title between words, white space aside; false when its words do not stand there in a row. One that is
  neither is left out.
- **Real comments**: sentences of comments, questions and answers (Stack Exchange, CC BY-SA), chosen by a fixed seed. *Whole sentence*
  and *cut between words* are characters of the text. *Harmless variations* change white space, quotation marks and dashes, the normal
  form, the case of a sentence's first letter, put ellipses around the quote, or break a word at the end of a line of the source as a
  typesetter does, with the quote written whole. *Alterations* change words: an alteration counts as false only when its words stand
  nowhere in the document in a row, by an oracle that shares no code with veridical.

Where veridical rejects a word that is broken at a line's end, its first half is a word or a prefix of its own (`con-`, `over-`), after
which the hyphen may be the author's: `re-sign` is not `resign`. A cut between words that it rejects falls into a range of figures (`5 or`,
`6 mm`).

A wrong reject is a true quote that was not kept; a wrong accept is a false one that was. All tools are given the same words and the
same text: what a reader sees of the document, and only the document that the quote is said to stand in.

## How the others are used

- **metalworks** 0.4: `metalworks.research.grounding.verbatim_match`, the check behind its "no cite, no claim" rule, with its least
  number of words set to three as ours (its default of four would count against it here). It compares substrings after white space and
  quotation marks are folded, and does not look at word boundaries.
- **gtrex** 1.1: `Verifier(text, Policy()).verify(quote).grounded`: the default policy, which accepts the tiers that it declares sound.
  Its repair is not used: it replaces the quote by another one.
- **rapidfuzz** 3.14: `fuzz.partial_ratio(quote, text) >= 90`, the threshold that pipelines with fuzzy matching commonly use. Where the
  quote is longer than the text `fuzz.ratio` is used, since `partial_ratio` would look for the text in the quote.

An exception counts as a reject. The peers' source says what they are for: rapidfuzz measures likeness and promises nothing about a
changed word, and metalworks checks that a fragment was copied, not that it was copied whole.
"""
