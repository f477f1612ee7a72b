"""Re-check: does this report follow from the documents as they stand in the store now?

Types guard against accident; this is the guarantee. Nothing of the report is believed: every part is derived again from the run's
own record and the documents, and compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NoReturn

from veridical_contract import Answer, Claim, NotPublishableError, Quote, Reference, Report, Theme

from .prose import EvidenceSentence, ProseRefused, check_prose
from .report import Evidence, QuoteRefused, citations, counts, funnel, quote, quoted, span, supports
from .run import SealError
from .texts import UNADDRESSED, known_label, known_rule, refusal, theme_name

__all__ = ["prose", "recheck"]


def recheck(report: Report, evidence: Evidence) -> None:
    """Return when `report` follows from `evidence`.

    Raises:
        NotPublishableError: naming the first place that does not, and why.
    """
    run = evidence.run
    try:
        _same("run", report.run, run.record())
    except SealError as error:
        _fail("run", str(error))
    _same("query", report.query, run.query)
    _same("inputs", report.inputs, run.inputs)
    _same("plugins", report.plugins, run.plugins)
    _same("rejections", report.rejections, tuple(run.rejections))
    for number, theme in enumerate(report.themes, 1):
        _theme(f"themes/{number - 1}", number, theme, evidence)
    _answers(report, evidence)
    _identifiers(report)
    answered = [claim for answer in report.answers for claim in answer.claims]
    try:
        _same("citations", report.citations, citations(evidence, report.themes, answered))
    except QuoteRefused as error:
        _fail("citations", error.rule)
    cited = quoted(chain((claim for theme in report.themes for claim in theme.claims), answered))
    _same("funnel", report.funnel, funnel(run, len(cited)))
    steps = [len(cited), len(run.shown), run.selected, len(run.documents), run.retrieved]
    if steps != sorted(steps):
        _fail("funnel", "a later step has more documents than the one before it")
    _same("not_cited", report.not_cited, tuple(name for name in run.shown if name not in set(cited)))
    _outcome(report, evidence)


def prose(evidence: Evidence, text: str, quotes: Iterable[Quote], sizes: dict[str, int]) -> str:
    """Return `text`, a model's words, as the claim rule releases it on top of `quotes`.

    Raises:
        ProseRefused: it says something that the cited sentences do not hold together.
    """
    sentences = [
        EvidenceSentence(document=found.span.document, text=found.sentence.text, title=document.title, url=document.url)
        for found in quotes
        if supports(found)
        for document in (evidence.document(found.span.document),)
    ]
    return check_prose(text, sentences, sizes, policy=evidence.policy).text


def _outcome(report: Report, evidence: Evidence) -> None:
    _same("outcome", report.outcome, "answered" if report.themes else "refused")
    if report.themes:
        _same("refusal", report.refusal, None)
        return
    if report.refusal is None or report.refusal.code not in ("no-evidence", "insufficient-evidence", "nothing-verified"):
        _fail("refusal", "a report without themes must refuse")
    run = evidence.run
    _same("refusal", report.refusal, refusal(report.refusal.code, (run.in_scope, run.retrieved, len(run.documents), len(run.shown))))
    if any(answer.claims for answer in report.answers):
        _fail("answers", "a refusal makes no claim")


def _theme(where: str, number: int, theme: Theme, evidence: Evidence) -> None:
    members = {place.document for place in theme.members}
    if len(members) != len(theme.members):
        _fail(f"{where}/members", "a document is counted twice")
    missing = [name for name in quoted(theme.claims) if name not in members]
    if missing:
        _fail(f"{where}/members", f"document {missing[0]} is quoted and not counted")
    try:
        for place in theme.members:
            span(evidence, place.document, place.start, place.end)
        sizes = counts(evidence, theme.members)
    except QuoteRefused as error:
        _fail(f"{where}/members", error.rule)
    _same(f"{where}/counts", theme.counts, sizes)
    _claims(where, theme.claims, theme.counts.model_dump(), evidence)
    _name(f"{where}/name", number, theme, evidence)


def _name(where: str, number: int, theme: Theme, evidence: Evidence) -> None:
    name = theme.name
    if name.wording == "kernel":
        _same(where, (name.text, name.span), (theme_name(number), None))
    elif name.wording == "source":
        if name.span is None or name.span.text != name.text:
            _fail(where, "words of a source without the place they stand in")
        try:
            again = quote(evidence, name.span, name.text, illustration=True)
        except QuoteRefused as error:
            _fail(where, error.rule)
        _same(where, name.span, again.span)
    else:
        _same(where, name.span, None)
        every = [found for claim in theme.claims for found in claim.quotes]
        _released_prose(where, name.text, name.text, every, {}, evidence)


def _answers(report: Report, evidence: Evidence) -> None:
    _same("answers", tuple(answer.question for answer in report.answers), evidence.run.must_address)
    for index, answer in enumerate(report.answers):
        where = f"answers/{index}"
        _claims(where, answer.claims, {}, evidence)
        _same(where, (answer.status, answer.reason), _status(answer))


def _status(answer: Answer) -> tuple[str, str | None]:
    return ("answered", None) if answer.claims else ("unaddressed", UNADDRESSED)


def _claims(where: str, claims: tuple[Claim, ...], sizes: dict[str, int], evidence: Evidence) -> None:
    for index, claim in enumerate(claims):
        place = f"{where}/claims/{index}"
        for number, found in enumerate(claim.quotes):
            _quote(f"{place}/quotes/{number}", found, evidence)
        spans = [found.span for found in claim.quotes]
        if len({(span.document, span.field, span.start, span.end) for span in spans}) != len(spans):
            _fail(place, "a place is quoted twice")
        if not any(supports(found) for found in claim.quotes):
            _fail(place, "no quote supports it")
        if claim.wording == "source":
            due = ("verbatim", claim.quotes[0].sentence.text, None)
            _same(place, (claim.support, claim.text, claim.template), due)
            if not supports(claim.quotes[0]):
                _fail(place, "its own words do not support it")
        elif claim.wording == "model":
            _same(place, claim.support, "attached")
            _released_prose(place, claim.text, claim.template or "", claim.quotes, sizes, evidence)
        else:
            _fail(place, f"wording {claim.wording!r} makes no claims")


def _released_prose(where: str, text: str, template: str, quotes: Iterable[Quote], sizes: dict[str, int], evidence: Evidence) -> None:
    try:
        _same(where, text, prose(evidence, template, quotes, sizes))
    except ProseRefused as error:
        _fail(where, error.rule)


def _quote(where: str, found: Quote, evidence: Evidence) -> None:
    try:
        again = quote(
            evidence,
            found.span,
            found.span.text,
            occurrences=2 if "ambiguous-occurrence" in found.labels else 1,
            headings=_headings(where, found),
            line=found.line,
        )
    except QuoteRefused as error:
        _fail(where, error.rule)
    verdict = "located" if again.verdict == "exact" and found.folds else again.verdict
    # What was folded away was in the proposed words, which are gone; that a fold is a known one is all that can be asked.
    labels = tuple(sorted({*again.labels, *(label for label in found.labels if label in found.folds)}))
    _same(where, found, again.model_copy(update={"verdict": verdict, "folds": found.folds, "labels": labels}))
    if found.folds != tuple(sorted({*found.folds})):
        _fail(where, "folds that are twice there, or out of order")
    for label in (*found.folds, *found.labels):
        if not known_label(label):
            _fail(where, f"unknown label {label!r}")


def _headings(where: str, found: Quote) -> list[Reference]:
    for heading in found.headings:
        if heading.document != found.span.document or heading.field != "text" or heading.end > found.span.start:
            _fail(where, "a heading that does not stand above the quote")
    return [Reference(document=heading.document, start=heading.start, end=heading.end) for heading in found.headings]


def _identifiers(report: Report) -> None:
    _same("themes", tuple(theme.id for theme in report.themes), tuple(f"t{n}" for n in range(1, len(report.themes) + 1)))
    claims = [claim for theme in report.themes for claim in theme.claims]
    claims += [claim for answer in report.answers for claim in answer.claims]
    _same("claims", tuple(claim.id for claim in claims), tuple(f"c{n}" for n in range(1, len(claims) + 1)))
    for index, rejection in enumerate(report.rejections):
        if not known_rule(rejection.rule):
            _fail(f"rejections/{index}", "not the name of a rule")


def _same(where: str, came: object, due: object) -> None:
    if came != due:
        _fail(where, "is not what the evidence gives")


def _fail(where: str, why: str) -> NoReturn:
    raise NotPublishableError(f"the report does not follow from its evidence at {where}: {why}.")
