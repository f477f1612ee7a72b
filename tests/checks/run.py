"""Check labelled drafts as an application would: evidence in a file, a home of its own, the facade."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from veridical import Veridical
from veridical_contract import Finding

from tests.checks.labelled import LabelledDraft, Source

__all__ = ["Checked", "checked"]

Checked = list[tuple[LabelledDraft, Sequence[Finding]]]


def checked(drafts: Iterable[LabelledDraft], folder: Path) -> Checked:
    """Return the findings of each draft; drafts with the same evidence are checked in one call.

    Args:
        drafts: those with the same evidence in a row.
        folder: an empty one, for evidence and stores.
    """
    found: Checked = []
    for number, (evidence, group) in enumerate(groupby(drafts, key=lambda draft: draft.evidence)):
        place = folder / str(number)
        place.mkdir()
        found.extend(_together(list(group), evidence, place))
    return found


def _together(drafts: Sequence[LabelledDraft], evidence: Sequence[Source], place: Path) -> Checked:
    file = place / "evidence.jsonl"
    file.write_text("".join(f"{json.dumps(_record(source))}\n" for source in evidence), "utf-8")
    named = {f"{draft.name}.{draft.format}": draft for draft in drafts}
    with Veridical(home=place / "home") as veridical:
        report = veridical.check([(name, draft.text.encode()) for name, draft in named.items()], against=[file]).report
    return [(draft, [each for each in report.findings if each.file == name]) for name, draft in named.items()]


def _record(source: Source) -> dict[str, str]:
    record = {
        "id": source.id,
        "url": source.url,
        "title": source.title,
        "author": source.author.lower().replace(" ", "-"),
        "author_name": source.author,
        "published": source.published,
        "text": source.text,
        "text_format": "plain",
    }
    return {name: value for name, value in record.items() if value is not None}
