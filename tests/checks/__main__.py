"""Options -> drafts -> findings -> mistakes, tables, page."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.checks.labelled import LabelledDraft, by_hand
from tests.checks.rules import by_rules
from tests.checks.run import Checked, checked
from tests.checks.score import Mistake, mistakes, scores, table

COMMENTS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "comments"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.checks", description=(__doc__ or "").strip())
    parser.add_argument("--draft", default="", metavar="NAME", help="only drafts whose name contains this")
    parser.add_argument("--sets", type=int, default=1, metavar="N", help="sets of drafts made by rules (default: %(default)s)")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write docs/reference/check-quality.md")
    options = parser.parse_args(arguments)
    if not COMMENTS.is_dir():
        print("The test data is not at ../shared/data: only drafts that were written by hand are checked.", file=sys.stderr)
    sets = [list(by_hand()), *(list(by_rules(COMMENTS, seed)) for seed in range(1, options.sets + 1) if COMMENTS.is_dir())]
    done = [_done([draft for draft in drafts if options.draft in draft.name]) for drafts in sets]
    hand, rules = done[0], [row for part in done[1:] for row in part]
    for name, part in (("by hand", hand), ("by rules", rules)):
        print(f"\n{len(part)} drafts {name}", "", *mistakes(part), "", *table(scores(part)), sep="\n")
    if options.write:
        options.write.write_text(_page(hand, rules), "utf-8")
    return 0


def _done(drafts: Sequence[LabelledDraft]) -> Checked:
    with tempfile.TemporaryDirectory() as folder:
        return checked(drafts, Path(folder))


def _page(hand: Checked, rules: Checked) -> str:
    found = list(mistakes([*hand, *rules]))
    return _PAGE.format(
        date=datetime.now(UTC).date().isoformat(),
        hand=_size(hand),
        rules=_size(rules),
        by_hand="\n".join(table(scores(hand))),
        by_rules="\n".join(table(scores(rules))),
        mistakes="\n".join(f"- {_told(each)}" for each in found) if found else "None.",
    )


def _size(done: Checked) -> str:
    return f"{len(done)} drafts with {sum(len(draft.expected) for draft, _ in done)} labels"


def _told(mistake: Mistake) -> str:
    """A line of the page: the words of a draft are code, so that nothing in them is markup or a link."""
    return f"`{str(mistake).replace('`', chr(39))}`"


_PAGE = """\
# How well a draft is checked

Precision and recall of `veridical check`, by verdict, on drafts whose every quotation, address, number and citation carries a label.

<!-- not run: it takes minutes to hours -->
```console
$ uv run python -m tests.checks --sets 10 --write docs/reference/check-quality.md
```

**Precision**: of the findings with this verdict, the share that a label allows and that name the source the label names. **Recall**: of the
labels with this verdict, the share that was met. Labels are complete: a finding without a label is wrong. Where two verdicts are equally
right (`exact` and `located` for a quotation that ends with a comma inside its marks), a label names both.

Date: {date}

## Written by hand

{hand}, in English, German, French, Japanese and Chinese; Markdown, HTML and plain text. They are meant to be hard: nested quotations,
quotations over markup, in headings, tables, lists and captions, apostrophes, footnotes, near copies of one article, attributions to the
wrong author, links to the wrong page, numbers in words.
They say what kinds of mistakes there are rather than how often they are made.

{by_hand}

They were written and labelled in three batches, each before a draft of it was checked. Of the labels, 7 of 111, 3 of 64 and 1 of 34 were
not met at first. Most of that was mended since, so the table says what is left, and the first figures say what to expect of other
drafts. A few labels were wrong themselves (a figure that does stand in the evidence, an address counted twice) and were corrected.

## Made by rules

{rules}: quotations from real comments (Stack Exchange, CC BY-SA), as they are, altered in six ways, spliced, under another
author, and invented addresses, within English, German and French frames.

{by_rules}

## What is judged otherwise

{mistakes}
"""


if __name__ == "__main__":
    sys.exit(main())
