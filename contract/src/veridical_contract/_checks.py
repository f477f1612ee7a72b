"""What `check` says of somebody's draft: one finding per quotation, address, number and citation.

    CheckReport
    |-- drafts      what was read: sentences, and those with nothing that could be checked
    |-- findings    in the order of the drafts: the draft's words, a verdict, what the evidence says instead
    |-- summary     how many of each
    `-- inputs, rejections, plugins

The draft's words are its author's own and may be wrong; whatever is shown as the evidence's words is copied from a document that was
read again and checked.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ._documents import Author, Locator
from ._model import ComputedText, Count, Digest, KernelText, LedgerText, Model, SpanText, UserText
from ._reports import MARKER, InputRecord, PluginRecord, Rejection, Span

CHECK_FORMAT = "veridical.check/1"

FindingKind = Literal["quote", "block-quote", "url", "number", "citation"]
FindingVerdict = Literal[
    "exact",
    "located",
    "clipped",
    "illustration",
    "altered",
    "misattributed",
    "stitched",
    "too-short",
    "not-found",
    "needs-document",
    "not-shown",
]
"""What became of it. In the evidence:

- `exact`: character for character (a number: with the words that follow it; an address: the same string);
- `located`: but for differences in spelling that the policy passes over (`folds`);
- `clipped`: it stands there, and the cut left out a negation, condition, question or attribution;
- `illustration`: it stands there and is too short to say something.

Not in the evidence:

- `altered`: a passage is nearly the same, and `diff` says what differs (a number: the nearest sentence has another one);
- `misattributed`: it stands in another document, or under another author, than the draft says;
- `stitched`: its parts stand apart, the whole does not.

Not confirmed, which is not refuted:

- `not-found`: it stands nowhere in the evidence that was named;
- `needs-document`: too few words to be sure that it stands nowhere: no document that was looked into holds it;
- `not-shown`: the document that the draft cites for it is not in the evidence, and nothing else there holds it;
- `too-short`: too few words to be looked for, and not met.
"""
FindingLevel = Literal["ok", "warning", "error"]
_Line = Annotated[int, Field(ge=1)]


class EvidencePassage(Model):
    """A document of the evidence, and a place in it.

    Attributes:
        document: its identifier.
        span: the characters, copied from the store; None when the document as a whole is meant.
        sentence: the whole sentences that hold the span.
        url: as admitted.
        title: as admitted.
        author: as admitted.
        locator: where a person finds the record.
        line: in its file, from 1, where the span starts; None when that is not known.
        origin: the source it came from.
    """

    document: Digest
    span: Span | None = None
    sentence: Span | None = None
    url: LedgerText | None = None
    title: LedgerText | None = None
    author: Author | None = None
    locator: Locator
    line: int | None = Field(default=None, ge=1)
    origin: LedgerText


class DiffPart(Model):
    """A run of words in which evidence and draft agree or differ. The parts in order give both.

    Attributes:
        op: `same`; `missing`: only in the evidence; `added`: only in the draft.
        source: the evidence's words; None for `added`.
        draft: the draft's words; None unless `added`.
    """

    op: Literal["same", "missing", "added"]
    source: SpanText | None = None
    draft: UserText | None = None


class Edit(Model):
    """A change to a draft: the evidence's own words in place of altered ones, or a visible mark behind what is not in the evidence.

    Attributes:
        start: first code point that is replaced.
        end: one past the last; equal to `start` where nothing is replaced.
        line: of `start`, from 1.
        column: of `start` in code points, from 1.
        end_line: of `end`, from 1.
        end_column: of `end` in code points, from 1.
        text: what is written there, encoded for the draft's format.
        replaces: whether it puts the evidence's words in; else it is a mark.
    """

    start: Count
    end: Count
    line: _Line
    column: _Line
    end_line: _Line
    end_column: _Line
    text: ComputedText
    replaces: bool


class Finding(Model):
    """What became of one thing in a draft that can be checked.

    Attributes:
        file: name of the draft; `-` is standard input.
        kind: what it is.
        start: first code point in the draft as it was decoded; of a quotation the first inside its quotation marks.
        end: one past the last.
        line: of `start`, from 1.
        column: of `start` in code points, from 1.
        end_line: of `end`, from 1.
        end_column: of `end` in code points, from 1: one past the last.
        words: of the draft, as a reader sees them.
        verdict: what became of it.
        level: `error` when it is not in the evidence; `warning` when it is and misleads, or was too short to be looked for.
        rule: the kernel's rule for the nearest place, or the name of the reason.
        message: the verdict in plain words.
        folds: differences in spelling that were passed over.
        labels: what a reader must be told of the place: the kernel's, and `speaker-unknown` (nobody of that name is an author of the
            evidence), `speaker-in-source` (the sentence there names the speaker), `author-unknown` (whoever wrote what was found is not
            known), `inner-marks` (quotation marks inside of it are written another way), `cited-not-shown` (the document that the draft
            cites is not in the evidence), `address-in-text` (an address that a document mentions).
        passage: where it stands, the right source when it is misattributed, else the nearest passage.
        diff: for `altered`: word for word, from the evidence to the draft.
        parts: for `stitched`: where its parts stand, in their order.
        places: how many places of the evidence it stands in.
        speaker: whom the draft says that it is by.
        targets: addresses that the draft ties to it.
        fix: what `--fix` does about it; None: nothing.
    """

    file: UserText
    kind: FindingKind
    start: Count
    end: Count
    line: _Line
    column: _Line
    end_line: _Line
    end_column: _Line
    words: UserText
    verdict: FindingVerdict
    level: FindingLevel
    rule: KernelText
    message: KernelText
    folds: tuple[KernelText, ...] = ()
    labels: tuple[KernelText, ...] = ()
    passage: EvidencePassage | None = None
    diff: tuple[DiffPart, ...] = ()
    parts: tuple[EvidencePassage, ...] = ()
    places: Count = 0
    speaker: UserText | None = None
    targets: tuple[UserText, ...] = ()
    fix: Edit | None = None


class UncheckedSentence(Model):
    """A sentence of a draft in which there is nothing to check.

    Attributes:
        line: from 1.
        column: in code points, from 1.
        text: its visible words.
    """

    line: _Line
    column: _Line
    text: UserText


class CheckedDraft(Model):
    """A draft that was read.

    Attributes:
        file: its name; `-` is standard input.
        format: how it was read.
        sha256: of its bytes.
        sentences: of its prose.
        unchecked: sentences in which there is nothing to check.
    """

    file: UserText
    format: Literal["markdown", "html", "text"]
    sha256: Digest
    sentences: Count
    unchecked: tuple[UncheckedSentence, ...]


class CheckSummary(Model):
    """How many of each.

    Attributes:
        verdicts: verdict to number of findings; only those that there are.
        errors: findings of level `error`.
        warnings: findings of level `warning`.
        sentences: of all drafts.
        unchecked: of these, with nothing to check.
        documents: of the evidence that was looked into.
    """

    verdicts: dict[FindingVerdict, int]
    errors: Count
    warnings: Count
    sentences: Count
    unchecked: Count
    documents: Count


class CheckReport(Model):
    """What became of some drafts.

    Attributes:
        format: `veridical.check/1`.
        marker: `veridical-export`: it repeats words that may be made up, so it is no evidence when it is read back in.
        outcome: `confirmed`: no finding is an error; `not-in-evidence`: one is; `nothing-to-check`: there are no findings.
        strict: whether warnings count as errors.
        drafts: in their order.
        findings: in the order of the drafts and of their places.
        summary: how many of each.
        policy: that judged.
        policy_fingerprint: of its tables.
        veridical: version of the program.
        inputs: files that were enumerated as evidence.
        rejections: what the store did not give back as it was admitted, and what was refused on reading.
        plugins: that took part.
    """

    format: Literal["veridical.check/1"] = CHECK_FORMAT
    marker: Literal["veridical-export"] = MARKER
    outcome: Literal["confirmed", "not-in-evidence", "nothing-to-check"]
    strict: bool = False
    drafts: tuple[CheckedDraft, ...]
    findings: tuple[Finding, ...]
    summary: CheckSummary
    policy: ComputedText
    policy_fingerprint: Digest
    veridical: ComputedText
    inputs: tuple[InputRecord, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    plugins: tuple[PluginRecord, ...] = ()
