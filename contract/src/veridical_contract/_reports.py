"""What leaves: the report, leaf by leaf.

Every string in it is a span of an admitted document, a value of one, computed, a constant of the kernel, the operator's own
words, prose under the claim rule, or labelled untrusted. The type of each string field says which.

    Report
    |-- query, must_address        the operator's words
    |-- run                        which run, its seal, its policy
    |-- themes                     name, claims -> quotes -> spans; members; counts
    |-- answers                    per question that must be addressed
    |-- citations                  one row per document that is cited or counted
    |-- funnel, not_cited          what was looked at and what was left out
    |-- rejections, inputs, plugins
    `-- refusal                    instead of themes, when the evidence is thin
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from ._documents import Author, DocumentField, Grade, Grades, Locator, Moment
from ._model import (
    ComputedText,
    Count,
    Digest,
    KernelText,
    LedgerText,
    Model,
    PluginName,
    ProseText,
    SpanText,
    UntrustedText,
    UserText,
)

REPORT_FORMAT = "veridical.report/1"
MARKER = "veridical-export"
"""Every export carries it, so that a report that is read back in as a source is known as derived."""

Verdict = Literal["exact", "located", "clipped", "illustration"]
Wording = Literal["source", "kernel", "model"]


class Untrusted(Model):
    """Words of a plugin or provider: labelled, never linked, never evidence.

    Attributes:
        origin: the plugin or provider that said it.
        text: its words, at most 2,000 code points.
    """

    origin: ComputedText
    text: Annotated[UntrustedText, Field(max_length=2000)]


class Span(Model):
    """Characters of a document.

    Attributes:
        document: identifier of the document.
        field: of the document from which they are copied.
        start: first code point.
        end: one past the last.
        text: exactly the characters `start` to `end` of that field.
    """

    document: Digest
    field: DocumentField = "text"
    start: Count
    end: Count
    text: SpanText


class Reference(Model):
    """A place in a document, without its characters.

    Attributes:
        document: identifier of the document.
        start: first code point of its text.
        end: one past the last.
    """

    document: Digest
    start: Count
    end: Count


class Quote(Model):
    """A quote that the kernel confirmed, with what stands around it.

    Attributes:
        span: the quoted characters.
        verdict: how they were confirmed; `clipped` and `illustration` support nothing.
        folds: which differences between the proposed and the released characters were passed over.
        labels: what a reader should know (`quoted-not-authored`, `clipped-context:negation`, ...).
        sentence: the whole sentence or sentences that hold the span.
        before: the sentence before, in the same block.
        after: the sentence after, in the same block.
        headings: the headings above it, outermost first.
        line: in the file that holds the record, from 1, where the quoted characters start; None when that is not known.
    """

    span: Span
    verdict: Verdict
    folds: tuple[KernelText, ...] = ()
    labels: tuple[KernelText, ...] = ()
    sentence: Span
    before: Span | None = None
    after: Span | None = None
    headings: tuple[Span, ...] = ()
    line: int | None = Field(default=None, ge=1)


class Claim(Model):
    """A statement and the quotes it rests on.

    Attributes:
        id: in this report.
        wording: whose words `text` is. `source`: the sentence of the first quote. `model`: a model's, under the claim rule.
        support: `verbatim` when the words are the evidence; `attached` when quotes are attached to a model's words, which says that
            its numbers, names and dates stand together in one cited sentence and does not say that the statement follows.
        text: the statement.
        template: a model's words as they were before the kernel wrote counts into their `{count:SET}` places; None for wording `source`.
        quotes: never empty.
    """

    id: ComputedText
    wording: Wording
    support: Literal["verbatim", "attached"]
    text: ProseText
    template: ProseText | None = None
    quotes: Annotated[tuple[Quote, ...], Field(min_length=1)]


class Counts(Model):
    """Sizes of sets of documents: unions, never sums.

    Attributes:
        mentions: documents.
        accounts: distinct (site, account) of known authors; accounts, not people.
        unknown_accounts: documents whose author is not known.
        attested_accounts: accounts that only a plugin vouches for; not part of `accounts`.
        sources: distinct registrable domains; a local source counts as one.
        origins: documents after near-duplicate texts are taken as one.
    """

    mentions: Count
    accounts: Count
    unknown_accounts: Count
    attested_accounts: Count
    sources: Count
    origins: Count


class ThemeName(Model):
    """The name of a theme.

    Attributes:
        wording: whose words they are.
        text: the name.
        span: where the words stand, for wording `source`.
    """

    wording: Wording
    text: ProseText
    span: Span | None = None


class Theme(Model):
    """Passages that belong together. That they do is a judgement; the quotes and counts are not.

    Attributes:
        id: in this report.
        name: of the theme.
        claims: never empty.
        members: the passages that were grouped here, one per document at most; the counts are of them.
        counts: over the documents of `members`.
    """

    id: ComputedText
    name: ThemeName
    claims: Annotated[tuple[Claim, ...], Field(min_length=1)]
    members: tuple[Reference, ...]
    counts: Counts


class Answer(Model):
    """What was found for a question that must be addressed.

    Attributes:
        question: in the operator's words.
        status: `unaddressed` says that nothing verified answers it, not that there is no answer.
        claims: empty when unaddressed.
        reason: why it is unaddressed.
    """

    question: UserText
    status: Literal["answered", "unaddressed"]
    claims: tuple[Claim, ...] = ()
    reason: KernelText | None = None


class Citation(Model):
    """One document that is cited or counted.

    Attributes:
        number: in this report, from 1.
        document: its identifier.
        url: as admitted.
        title: as admitted.
        author: as admitted.
        published: as admitted.
        retrieved: when the host read it.
        locator: where a person finds it.
        origin: the source it came from.
        witness: its weakest grade.
        grades: of each field.
        source_key: registrable domain of the URL, or `source:ORIGIN`.
        account: how the author is counted; `excluded` is a declared bot.
        account_key: `SITE/ID` after the site's own case rule; None unless the author is known or attested.
        origin_key: equal for near-duplicate texts.
        snippet_hash: first 16 hexadecimal digits of the SHA-256 of its text.
        text_sha256: all of it.
    """

    number: Annotated[int, Field(ge=1)]
    document: Digest
    url: LedgerText | None
    title: LedgerText | None
    author: Author | None
    published: Moment | None
    retrieved: LedgerText
    locator: Locator
    origin: LedgerText
    witness: Grade
    grades: Grades
    source_key: ComputedText
    account: Literal["known", "attested", "unknown", "excluded"]
    account_key: ComputedText | None
    origin_key: ComputedText
    snippet_hash: ComputedText
    text_sha256: Digest


class Funnel(Model):
    """How many documents were left at each step.

    Attributes:
        in_scope: current documents of the sources that were asked.
        retrieved: that the store proposed.
        admitted: of these, whose bytes hash to their name.
        selected: that were grouped.
        shown: that were shown to the composer.
        cited: that a released quote stands in.
    """

    in_scope: Count
    retrieved: Count
    admitted: Count
    selected: Count
    shown: Count
    cited: Count


class Rejection(Model):
    """Something that was proposed and not released; its words stay in the operator's log.

    Attributes:
        rule: of the kernel that refused it.
        plugin: that proposed it.
        hook: through which.
        length: of the rejected words, in code points.
        digest: SHA-256 of the rejected words.
    """

    rule: KernelText
    plugin: PluginName
    hook: ComputedText
    length: Count
    digest: Digest


class InputRecord(Model):
    """One file that was enumerated.

    Attributes:
        path: as the operator gave it, or found below.
        sha256: of its bytes; None when they could not be read.
        size: in bytes.
        status: `omitted` means that the plugin was handed it and never spoke of it.
        documents: that it holds.
        reason: why it could not be read.
    """

    path: UserText
    sha256: Digest | None
    size: Count
    status: Literal["read", "unchanged", "unreadable", "unsupported", "omitted", "derived"]
    documents: Count = 0
    reason: Untrusted | None = None


class PluginRecord(Model):
    """One plugin that took part.

    Attributes:
        name: of its entry point.
        kind: which hooks it has.
        distribution: the package that brought it.
        version: of that package.
        status: `quarantined` after it passed a deadline.
        reason: what it raised, when it failed.
        isolated: it ran in a process of its own, `sandboxed` or with the rights of its user; left out of one that ran in the host's.
    """

    name: PluginName
    kind: ComputedText
    distribution: ComputedText
    version: ComputedText
    status: Literal["ok", "failed", "quarantined"]
    reason: Untrusted | None = None
    isolated: Literal["sandboxed", "unsandboxed"] | None = None

    @model_serializer(mode="wrap")
    def _without_what_was_not(self, serialize: SerializerFunctionWrapHandler) -> dict[str, object]:
        # Reports from before there was isolation have no such member, and are to keep their bytes.
        found: dict[str, object] = serialize(self)
        return found if self.isolated is not None else {name: value for name, value in found.items() if name != "isolated"}


class RunRecord(Model):
    """Which run this is.

    Attributes:
        id: of the run.
        created_at: ISO 8601 in UTC, to the second.
        seal: last hash of the chain of admitted documents.
        sealed: how many documents the chain holds.
        policy: name of the policy.
        policy_fingerprint: of its tables.
        seed: of the random quota in the selection.
        veridical: version of the program.
    """

    id: ComputedText
    created_at: ComputedText
    seal: Digest
    sealed: Count
    policy: ComputedText
    policy_fingerprint: Digest
    seed: int
    veridical: ComputedText


class Tried(Model):
    """A step that was taken before refusing, and what it gave.

    Attributes:
        what: the step.
        count: of what it gave.
    """

    what: KernelText
    count: Count


class Refusal(Model):
    """Why there is no answer, and what would help.

    Attributes:
        code: for a program.
        text: for a person, shown verbatim.
        tried: in order.
        help: what to do next, most promising first.
    """

    code: Literal[
        "no-evidence",
        "insufficient-evidence",
        "nothing-verified",
        "no-backend",
        "ambiguous-name",
        "providers-failed",
    ]
    text: KernelText
    tried: tuple[Tried, ...]
    help: tuple[KernelText, ...]


class Report(Model):
    """The result of a run. `themes` and `refusal` exclude each other.

    Attributes:
        format: `veridical.report/1`.
        marker: `veridical-export`.
        outcome: whether there is an answer.
        query: the question, verbatim.
        run: which run this is.
        themes: what was found.
        answers: one per question that must be addressed, in their order.
        citations: by number; every document that is quoted or counted.
        funnel: how many documents were left at each step.
        not_cited: documents that were shown to the composer and not cited.
        rejections: what was not released.
        inputs: files that were enumerated for this run.
        plugins: that took part.
        refusal: instead of themes.
    """

    format: Literal["veridical.report/1"] = REPORT_FORMAT
    marker: Literal["veridical-export"] = MARKER
    outcome: Literal["answered", "refused"]
    query: UserText
    run: RunRecord
    themes: tuple[Theme, ...] = ()
    answers: tuple[Answer, ...] = ()
    citations: tuple[Citation, ...] = ()
    funnel: Funnel
    not_cited: tuple[Digest, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    inputs: tuple[InputRecord, ...] = ()
    plugins: tuple[PluginRecord, ...] = ()
    refusal: Refusal | None = None
