"""Precision and recall by verdict: findings matched with labels by kind and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from veridical_contract import Finding

from tests.checks.labelled import Expected, LabelledDraft

__all__ = ["Mistake", "Score", "mistakes", "scores", "table"]

_EDGES = " \t.,;:"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A label that was not met, or a finding without a label.

    Attributes:
        draft: name of the draft.
        expected: the label; None: there is no such thing to be found.
        found: what was found; None: nothing of that kind and those words.
    """

    draft: str
    expected: Expected | None
    found: Finding | None

    def __str__(self) -> str:
        due = f"{'|'.join(self.expected.verdicts)} {self.expected.source or ''}".strip() if self.expected else "nothing"
        got = f"{self.found.verdict} ({self.found.rule})" if self.found else "nothing"
        place = self.found.passage.url if self.found and self.found.passage else None
        kind, words = (
            (self.expected.kind, self.expected.words) if self.expected else (self.found.kind, self.found.words) if self.found else ("", "")
        )
        return f"{self.draft}: {kind} {words!r}: expected {due}, found {got}{f' in {place}' if place else ''}"


@dataclass(frozen=True, slots=True)
class Score:
    """How a verdict fared.

    Attributes:
        verdict: the verdict.
        due: labels with it.
        found: findings with it.
        right: findings with it that a label allows, with the right source where one is named.
    """

    verdict: str
    due: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        """Share of findings that are right; 1 when there are none."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of labels that were met; 1 when there are none."""
        return self.right / self.due if self.due else 1.0


_Pair = tuple[Expected | None, Finding | None]


def _pairs(draft: LabelledDraft, findings: Sequence[Finding]) -> Iterator[_Pair]:
    left = list(findings)
    for label in draft.expected:
        found = next((each for each in left if _is_meant(label, each)), None)
        if found is not None:
            left.remove(found)
        yield label, found
    yield from ((None, each) for each in left)


def _is_meant(label: Expected, finding: Finding) -> bool:
    one, other = (" ".join(words.replace("\u00ad", "").split()).strip(_EDGES) for words in (label.words, finding.words))
    # A number is followed by what it counts, and a label need not say how far that goes.
    same = one == other or (label.kind == "number" and (f"{other} ".startswith(f"{one} ") or f"{one} ".startswith(f"{other} ")))
    return label.kind == finding.kind and same


def _is_right(label: Expected | None, finding: Finding | None, draft: LabelledDraft) -> bool:
    if label is None or finding is None or finding.verdict not in label.verdicts:
        return False
    due = next((source.url for source in draft.evidence if source.id == label.source), None)
    named = finding.parts or ([finding.passage] if finding.passage else [])
    return due is None or (bool(named) and all(passage.url == due for passage in named))


def mistakes(checked: Iterable[tuple[LabelledDraft, Sequence[Finding]]]) -> Iterator[Mistake]:
    """Yield each label that was not met, and each finding without a label."""
    for draft, findings in checked:
        for label, finding in _pairs(draft, findings):
            if not _is_right(label, finding, draft):
                yield Mistake(draft.name, label, finding)


def scores(checked: Iterable[tuple[LabelledDraft, Sequence[Finding]]]) -> list[Score]:
    """Return a score for each verdict that is due or found, in order of their names.

    A label that allows several verdicts is due under the one that was found, when that is right, else under its first.
    """
    due, got, right = Counter[str](), Counter[str](), Counter[str]()
    for draft, findings in checked:
        for label, finding in _pairs(draft, findings):
            met = _is_right(label, finding, draft)
            if finding is not None:
                got[finding.verdict] += 1
                right[finding.verdict] += met
            if label is not None:
                due[finding.verdict if met and finding is not None else label.verdicts[0]] += 1
    return [Score(verdict, due[verdict], got[verdict], right[verdict]) for verdict in sorted({*due, *got})]


def table(found: Sequence[Score]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| verdict        | labels | findings | right | precision | recall |"
    yield "| ---            | --:    | --:      | --:   | --:       | --:    |"
    every = Score("**all**", *(sum(getattr(each, name) for each in found) for name in ("due", "found", "right")))
    for each in [*found, every]:
        shares = f"{each.precision:<9.1%} | {each.recall:<6.1%}"
        yield f"| {each.verdict:<14} | {each.due:<6} | {each.found:<8} | {each.right:<5} | {shares} |"
