"""Check: judge everything in some drafts that can be checked, against what the store holds.

    Draft --pieces--> judge_quote | judge_url | judge_number | judge_citation --Judged--> Finding (place, level, message, fix)

It proposes nothing and publishes nothing of its own: a finding shows the draft's words and characters of checked documents.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Literal

from veridical_contract import (
    CheckedDraft,
    CheckReport,
    CheckSummary,
    Edit,
    Finding,
    FindingVerdict,
    InputRecord,
    Rejection,
    UncheckedSentence,
)

from veridical.drafts import Draft, Piece
from veridical.gateway.verified import Gateway
from veridical.kernel.policy import Policy
from veridical.workflows.progress import Progress

from .evidence import Evidence
from .fixing import edit_for, fixed
from .judged import Judged
from .links import judge_citation, judge_url
from .numbers import judge_number
from .quotes import judge_quote
from .verdicts import level, message

__all__ = ["Checked", "DraftFile", "check"]

_BEFORE = 64
"""How many pieces may begin within a quotation that began before a sentence."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class DraftFile:
    """A draft as it was read.

    Attributes:
        draft: taken apart.
        data: its bytes.
    """

    draft: Draft
    data: bytes


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of some drafts.

    Attributes:
        report: the findings.
        drafts: in their order.
    """

    report: CheckReport
    drafts: tuple[DraftFile, ...]

    def fixed(self, number: int = 0) -> bytes:
        """Return a copy of a draft in which altered quotations have the evidence's words and other errors are marked.

        It is UTF-8, with a byte order mark when the draft had one or was in another encoding.

        Args:
            number: of the draft, from 0.
        """
        file = self.drafts[number]
        before = sum(_pieces(one.draft) for one in self.drafts[:number])
        text = fixed(file.draft, self.report.findings[before : before + _pieces(file.draft)])
        return (b"" if _is_plain_utf8(file.data) else _BOM) + text.encode("utf-8")


def check(
    gateway: Gateway,
    drafts: Sequence[DraftFile],
    *,
    policy: Policy,
    origins: Sequence[str],
    progress: Progress,
    strict: bool = False,
    inputs: Sequence[InputRecord] = (),
    rejections: Sequence[Rejection] = (),
) -> Checked:
    """Return what became of `drafts`.

    Args:
        gateway: to the store.
        drafts: to check; what the store holds of the same bytes is no evidence.
        policy: that judges.
        origins: names of sources to look in; all that the store holds when none is named.
        progress: who watches.
        strict: warnings are errors.
        inputs: files that were enumerated as evidence.
        rejections: what was refused on reading them.

    Raises:
        PluginError, StoreError: the storage plugin failed.
    """
    evidence = Evidence(gateway, policy, origins, frozenset(sha256(one.data).hexdigest() for one in drafts))
    total = sum(_pieces(one.draft) for one in drafts)
    findings: list[Finding] = []
    for one in drafts:
        for finding in _findings(one.draft, evidence, strict=strict):
            findings.append(finding)
            progress.step("checking", len(findings), total)
    rows = tuple(_row(one) for one in drafts)
    report = CheckReport(
        outcome=_outcome(findings),
        strict=strict,
        drafts=rows,
        findings=tuple(findings),
        summary=_summary(rows, findings, evidence.size()),
        policy=policy.name,
        policy_fingerprint=policy.fingerprint,
        veridical=version("veridical-core"),
        inputs=tuple(inputs),
        rejections=(*rejections, *evidence.rejections.values()),
        plugins=gateway.records(),
    )
    return Checked(report, tuple(drafts))


def _findings(draft: Draft, evidence: Evidence, *, strict: bool) -> Iterator[Finding]:
    known: dict[tuple[object, ...], Judged] = {}
    edits: list[Edit] = []
    for piece in draft.pieces:
        # A draft that says a thing twice asks once; a number depends on its sentence.
        asked = (piece.kind, piece.text, piece.targets, piece.speaker, piece.start if piece.kind == "number" else None)
        if asked not in known:
            known[asked] = _judged(draft, piece, evidence)
        finding = _finding(draft, piece, known[asked], strict=strict)
        if finding.fix is not None and any(_overlap(finding.fix, edit) for edit in edits):
            finding = finding.model_copy(update={"fix": None})
        edits += [finding.fix] if finding.fix is not None else []
        yield finding


def _overlap(one: Edit, other: Edit) -> bool:
    return one.start < other.end and other.start < one.end


def _judged(draft: Draft, piece: Piece, evidence: Evidence) -> Judged:
    if piece.kind == "url":
        return judge_url(piece, evidence)
    if piece.kind == "number":
        return judge_number(draft, piece, evidence)
    return judge_citation(piece, evidence) if piece.kind == "citation" else judge_quote(piece, evidence)


def _finding(draft: Draft, piece: Piece, judged: Judged, *, strict: bool) -> Finding:
    (line, column), (end_line, end_column) = draft.place(piece.start), draft.place(piece.end)
    grade = level(judged.verdict, judged.labels, strict=strict)
    return Finding(
        file=draft.name,
        kind=piece.kind,
        start=piece.start,
        end=piece.end,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        words=piece.text,
        verdict=judged.verdict,
        level=grade,
        rule=judged.rule,
        message=message(piece.kind, judged.verdict, judged.rule, judged.labels),
        folds=judged.folds,
        labels=judged.labels,
        passage=judged.passage,
        diff=judged.diff,
        parts=judged.parts,
        places=judged.places,
        speaker=piece.speaker,
        targets=piece.targets,
        fix=edit_for(draft, piece, judged.verdict, judged.instead) if grade == "error" else None,
    )


def _row(file: DraftFile) -> CheckedDraft:
    draft = file.draft
    ends = sorted((piece.start, piece.end) for piece in draft.pieces)
    unchecked = [sentence for sentence in draft.sentences if not _meets(ends, sentence.start, sentence.end)]
    rows = ((draft.place(sentence.start), sentence.text) for sentence in unchecked)
    return CheckedDraft(
        file=draft.name,
        format=draft.format,
        sha256=sha256(file.data).hexdigest(),
        sentences=len(draft.sentences),
        unchecked=tuple(UncheckedSentence(line=line, column=column, text=text) for (line, column), text in rows),
    )


def _meets(pieces: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of the pieces, in their order, shares a character with the sentence."""
    before = bisect_left(pieces, (end, 0))
    return any(stop > start for _, stop in pieces[max(0, before - _BEFORE) : before])


def _summary(drafts: Sequence[CheckedDraft], findings: Sequence[Finding], documents: int) -> CheckSummary:
    verdicts: Mapping[FindingVerdict, int] = Counter(finding.verdict for finding in findings)
    levels = Counter(finding.level for finding in findings)
    return CheckSummary(
        verdicts=dict(verdicts),
        errors=levels["error"],
        warnings=levels["warning"],
        sentences=sum(draft.sentences for draft in drafts),
        unchecked=sum(len(draft.unchecked) for draft in drafts),
        documents=documents,
    )


def _outcome(findings: Sequence[Finding]) -> Literal["confirmed", "not-in-evidence", "nothing-to-check"]:
    if not findings:
        return "nothing-to-check"
    return "not-in-evidence" if any(finding.level == "error" for finding in findings) else "confirmed"


def _pieces(draft: Draft) -> int:
    return len(draft.pieces)


def _is_plain_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not data.startswith(_BOM)
