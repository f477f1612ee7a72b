"""What the judges of quotations, addresses, numbers and citations give back, before it is written down as a finding."""

from __future__ import annotations

from dataclasses import dataclass

from veridical_contract import DiffPart, EvidencePassage, FindingVerdict, Span

__all__ = ["Judged", "diff_parts"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict and what goes with it; see `veridical_contract.Finding`.

    Attributes:
        verdict: what became of it.
        rule: the kernel's rule for the nearest place, or the name of the reason.
        folds: differences in spelling that were passed over.
        labels: what a reader must be told.
        passage: where it stands, or the nearest passage.
        diff: from the evidence to the draft.
        parts: of what was put together.
        places: in how many it stands.
        instead: the evidence's words that may be put in place of the draft's.
    """

    verdict: FindingVerdict
    rule: str
    folds: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    passage: EvidencePassage | None = None
    diff: tuple[DiffPart, ...] = ()
    parts: tuple[EvidencePassage, ...] = ()
    places: int = 0
    instead: Span | None = None


def diff_parts(diff: tuple[tuple[str, str], ...]) -> tuple[DiffPart, ...]:
    """Return a word diff as the contract has it."""
    rows = ({"op": op, "draft" if op == "added" else "source": words} for op, words in diff)
    return tuple(DiffPart.model_validate(row) for row in rows)
