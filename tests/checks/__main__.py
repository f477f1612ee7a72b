"""Options -> drafts -> findings -> mistakes, table, page."""

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
from tests.checks.score import mistakes, scores, table

COMMENTS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "comments"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.checks", description=(__doc__ or "").strip())
    parser.add_argument("--draft", default="", metavar="NAME", help="only drafts whose name contains this")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write docs/reference/check-quality.md")
    options = parser.parse_args(arguments)
    drafts = [draft for draft in gathered() if options.draft in draft.name]
    if not COMMENTS.is_dir():
        print("The test data is not at ../shared/data: only drafts that were written by hand are checked.", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        done = checked(drafts, Path(folder))
    print(*mistakes(done), "", *table(scores(done)), sep="\n")
    if options.write:
        options.write.write_text(_page(done), "utf-8")
    return 0


def gathered() -> list[LabelledDraft]:
    """Return all labelled drafts that can be made here."""
    return [*by_hand(), *(by_rules(COMMENTS) if COMMENTS.is_dir() else ())]


def _page(done: Checked) -> str:
    hand = sum(not draft.name.startswith("rules/") for draft, _ in done)
    labels = sum(len(draft.expected) for draft, _ in done)
    found = list(mistakes(done))
    return _PAGE.format(
        date=datetime.now(UTC).date().isoformat(),
        drafts=len(done),
        hand=hand,
        rules=len(done) - hand,
        labels=labels,
        table="\n".join(table(scores(done))),
        mistakes="\n".join(f"- {each}" for each in found) if found else "None.",
    )


_PAGE = """\
# How well a draft is checked

Precision and recall of `veridical check`, by verdict, on drafts whose every quotation, address, number and citation carries a label.

```console
$ uv run python -m tests.checks --write docs/reference/check-quality.md
```

- Date: {date}
- Drafts: {drafts}: {hand} written by hand (English, German, French, Japanese; Markdown, HTML and plain text), {rules} made by rules from
  real comments (Stack Exchange, CC BY-SA) with frames in three languages
- Labels: {labels}

{table}

**Precision**: of the findings with this verdict, the share that a label allows and that name the source the label names. **Recall**: of the
labels with this verdict, the share that was met. Labels are complete: a finding without a label is wrong. Where two verdicts are equally
right (`exact` and `located` for a quotation that ends with a comma inside its marks), a label names both.

The drafts were labelled before the first run, and the ones written by hand are meant to be hard: nested quotations, quotations over
markup, in headings, tables, lists and captions, apostrophes, footnotes, near copies of one article, attributions to the wrong author,
links to the wrong page, numbers in words. They are few, and say what kinds of mistakes there are rather than how often they are made.

## What is judged otherwise

{mistakes}
"""


if __name__ == "__main__":
    sys.exit(main())
