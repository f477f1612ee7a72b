"""Prints the confusion matrix of each set, and the prompts whose kind differs from their label."""

from __future__ import annotations

import sys

from tests.topics.sets import SETS, measured, read


def main() -> int:
    for path in SETS:
        score = measured(read(path))
        print(f"\n{path.name}\n", *score.table(), "", sep="\n")
        for labelled, topic in score.errors():
            slips = "slips  " if labelled.label != "workspace" and not topic.requires_grounding else "differs"
            print(f"{slips} {labelled.label} -> {topic.kind} [{labelled.language} {labelled.sort}] {labelled.prompt!r}: {topic.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
