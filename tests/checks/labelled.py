"""A draft with its evidence and what ought to be found in it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Expected", "LabelledDraft", "Source", "by_hand"]

_HAND = Path(__file__).with_name("hand")


@dataclass(frozen=True, slots=True)
class Source:
    """A document of the evidence.

    Attributes:
        id: as labels name it.
        url: its address.
        title: its title; None when it has none.
        author: its author's name.
        text: plain text.
        published: its date, ISO 8601; None when it has none.
    """

    id: str
    url: str
    title: str | None
    author: str
    text: str
    published: str | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """A finding that ought to be made.

    Attributes:
        kind: of the finding.
        verdicts: those that are equally right.
        words: of the draft, as a reader sees them.
        source: the document that has to be named; None: whichever.
    """

    kind: str
    verdicts: tuple[str, ...]
    words: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledDraft:
    """A draft, and all that ought to be found in it.

    Attributes:
        name: unlike that of any other draft.
        truth: `true`, `mixed` or `false`: whether all, some or none of it stands in the evidence.
        format: suffix of its file: md, html or txt.
        text: the draft.
        evidence: what it is checked against.
        expected: complete: what else is found is wrong.
    """

    name: str
    truth: str
    format: str
    text: str
    evidence: tuple[Source, ...]
    expected: tuple[Expected, ...]


def by_hand() -> Iterator[LabelledDraft]:
    """Yield the drafts that were written by hand."""
    for path in sorted(_HAND.glob("*.toml")):
        table = tomllib.loads(path.read_text("utf-8"))
        evidence = tuple(Source(**document) for document in table["document"])
        for draft in table["draft"]:
            expected = tuple(
                Expected(kind, tuple(verdict.split("|")), words, *source) for kind, verdict, words, *source in draft.pop("expected")
            )
            yield LabelledDraft(**{**draft, "name": f"{path.stem}/{draft['name']}"}, evidence=evidence, expected=expected)
