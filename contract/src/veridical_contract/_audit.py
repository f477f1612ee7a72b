"""What became of the citations of a saved `ResearchOutcome`, read again.

    Audit
    |-- outcome      same | differs | incomplete | nothing
    |-- citations    one row for each row of the outcome, in its order
    `-- misplaced    claims and candidates whose words are not in the citation that they name

The outcome is somebody's file and may have been edited: what is repeated from it is the user's own.
"""

from __future__ import annotations

from typing import Literal

from ._model import ComputedText, Count, Model, UntrustedText, UserText
from ._reports import MARKER

__all__ = ["AUDIT_FORMAT", "Audit", "AuditOutcome", "AuditState", "AuditedCitation", "MisplacedClaim"]

AUDIT_FORMAT = "veridical.audit/1"

AuditState = Literal["same", "changed", "gone", "altered", "unreadable"]
"""What became of a citation: its words stand there; the page is there and its words are not; there is no such page or document any more;
the file was edited, since the words and their digests do not agree; it could not be read, which says nothing about it."""
AuditOutcome = Literal["same", "differs", "incomplete", "nothing"]
"""`same`: every row is, and every claim stands in its citation. `differs`: a row is changed, gone or altered, or a claim is misplaced.
`incomplete`: none of that, and a row could not be read. `nothing`: there is no citation to look for."""


class AuditedCitation(Model):
    """One row of the outcome, and what became of it.

    Attributes:
        citation_index: of the row, from 0.
        url: as the row says; None for a local document.
        state: what became of it.
        reason: why, where it is not `same`, or where the page moved; empty otherwise.
        found: the URL that was read, or the identifier of the document in the store; None when there is neither.
        nearest: of a row that changed, the passage that is most like it now, copied from the page, which is no evidence.
    """

    citation_index: Count
    url: UserText | None
    state: AuditState
    reason: ComputedText = ""
    found: ComputedText | None = None
    nearest: UntrustedText | None = None


class MisplacedClaim(Model):
    """A claim or the passage of a candidate that does not stand in the citation that it names.

    Attributes:
        text: of it, as the outcome has it.
        citation_index: of the row that it names, from 0.
    """

    text: UserText
    citation_index: Count


class Audit(Model):
    """What became of an outcome.

    Attributes:
        format: `veridical.audit/1`.
        marker: `veridical-export`: it repeats words that may be made up, so it is no evidence when it is read back in.
        outcome: of the whole.
        query: the question, as the outcome has it.
        refusal_reason: why the outcome says nothing, as it has it; None where it is an answer.
        citations: one row for each of the outcome, in its order.
        misplaced: claims and candidates whose words are not in the citation that they name.
    """

    format: Literal["veridical.audit/1"] = AUDIT_FORMAT
    marker: Literal["veridical-export"] = MARKER
    outcome: AuditOutcome
    query: UserText
    refusal_reason: UserText | None = None
    citations: tuple[AuditedCitation, ...] = ()
    misplaced: tuple[MisplacedClaim, ...] = ()
