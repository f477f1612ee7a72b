"""A bundle judged by the kernel: taken apart, admitted again, put through the exit, written again, and compared byte for byte.

    archive -> members -> admission of each document -> Run, as the chain and the report say -> exit (re-check) -> the same bytes?

What a bundle cannot hold (the question as it was asked, what was proposed and dropped, in which order passages were shown) is taken from
the report itself: neither the kernel nor the checker can know better. Nothing here is shared with the checker.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from veridical.bundle import write_bundle
from veridical.kernel.admission import AdmissionRefused, Bytes, Trust, admission_tag, admit
from veridical.kernel.canonical import canonical_bytes, digest, parse
from veridical.kernel.exit import Published, Reread, Store, publish
from veridical.kernel.policy import load_policy
from veridical.kernel.recheck import recheck
from veridical.kernel.report import Evidence, QuoteRefused, citations, counts, quote, quoted
from veridical.kernel.run import Run
from veridical_contract import Document, Item, NotPublishableError, Quote, Reference, Report, VeridicalError

from tests.proof.bundles import KEY, reread

__all__ = ["Refusal", "by_kernel"]


@dataclass(frozen=True)
class Refusal:
    """Why the kernel does not let a bundle out.

    Attributes:
        part: `archive`, `document`, `quote`, `prose`, `citation`, `counts`, `pages` or `report`.
        details: the fields or rules that differ, sorted.
        message: for a person.
    """

    part: str
    details: tuple[str, ...]
    message: str


class _RefusedError(Exception):
    pass


@dataclass(frozen=True)
class _Parts:
    members: Mapping[str, bytes]
    report: Report
    run: Run
    documents: Mapping[str, Document]
    slim: bool


def by_kernel(data: bytes) -> Refusal | None:
    """Return None when the kernel would have let out exactly this bundle."""
    try:
        parts = _parts(data)
        for name, document in parts.documents.items():
            _admitted(name, document, parts)
        published = _published(parts)
        _compare(data, published, parts)
    except _RefusedError as error:
        return error.args[0]
    return None


def _fail(part: str, message: str, *details: str) -> _RefusedError:
    return _RefusedError(Refusal(part, tuple(sorted(details)), message))


def _parts(data: bytes) -> _Parts:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
            members = {name: archive.read(name) for name in names}
        report = Report.model_validate_json(members["report.json"])
        for name in ("report.json", "chain.json", "MANIFEST.json"):
            parse(members[name])
        slim = json.loads(members["MANIFEST.json"])["slim"]
        documents = {row.document: _document(row.document, members) for row in report.citations}
        run = _run(json.loads(members["chain.json"]), report)
    except Exception as error:  # noqa: BLE001 - whatever cannot be read is refused, whichever part stumbles
        raise _fail("archive", f"{type(error).__name__}: {str(error)[:200]}") from None
    return _Parts(members, report, run, documents, slim)


def _document(name: str, members: Mapping[str, bytes]) -> Document:
    body = members[f"documents/{name}.json"]
    if digest(body) != name:
        raise ValueError("a document that is not what its name says")
    parse(body)
    document = Document.model_validate_json(body)
    if canonical_bytes(document.model_dump(mode="json")) != body:
        raise ValueError("a document that is not spelled canonically")
    return document


def _run(chain: Any, report: Report) -> Run:
    run = Run(
        run=chain["run"],
        created_at=report.run.created_at,
        query=report.query,
        must_address=tuple(answer.question for answer in report.answers),
        policy=load_policy(chain["policy"]),
        seed=report.run.seed,
        version=report.run.veridical,
    )
    for name in chain["documents"]:
        if re.fullmatch("[0-9a-f]{64}", name) is None:
            raise ValueError("a document whose name is no digest")
    if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", report.run.created_at, re.ASCII) is None:
        raise ValueError("a run whose time is not as the host writes it")
    for name in chain["documents"]:
        run.admit(name)
    run.inputs, run.plugins, run.rejections = report.inputs, report.plugins, list(report.rejections)
    run.in_scope, run.retrieved, run.selected = report.funnel.in_scope, report.funnel.retrieved, report.funnel.selected
    claims = [claim for part in (*report.themes, *report.answers) for claim in part.claims]
    run.shown = (*quoted(claims), *report.not_cited)
    if not {*report.not_cited} <= {*chain["documents"]}:
        raise ValueError("something was shown that was not admitted")
    run.seal()
    return run


def _admitted(name: str, document: Document, parts: _Parts) -> None:
    """Admit the document again from its bytes and what is said of it, and compare."""
    raw = parts.members.get(f"raw/{document.raw.digest}") if document.raw is not None else None
    if document.raw is not None and raw is None:
        _from_digests(name, document)
        return
    held = None
    if raw is not None and document.derivation is not None:
        held = Bytes(raw, document.text, _runs(name, document, parts.members))
    try:
        again = _again(document, _item(document), held)
    except (AdmissionRefused, ValueError, OverflowError) as error:
        raise _fail("document", f"document {name} is not admitted: {error}", str(getattr(error, "rule", "form"))) from None
    differ = _differences(document, again)
    if differ:
        raise _fail("document", f"document {name} is admitted as another: {', '.join(differ)}", *differ)


def _again(document: Document, item: Item, held: Bytes | None) -> Document:
    return admit(
        item,
        plugin=document.plugin,
        origin=document.origin,
        extractor=document.extractor,
        retrieved=datetime.strptime(document.retrieved, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC),
        held=held,
        trust=Trust(attested=True),
        policy=load_policy(),
    ).document


def _from_digests(name: str, document: Document) -> None:
    """A slim bundle has nothing to admit a document from; each field must still have a grade, and be held from some bytes."""
    pointed = document.derivation.pointers if document.derivation is not None else {}
    grades = document.grades.model_dump()
    wrong = [field for field, grade in grades.items() if (grade is None) != (getattr(document, field) is None)]
    wrong += [field for field, grade in grades.items() if grade == "held" and field not in pointed]
    fields = ("url", "title", "author", "published")
    told = document.model_copy(update={"raw": None, "derivation": None})
    try:
        again = _again(told, _item(told).model_copy(update={"text": document.text}), None)
    except (AdmissionRefused, ValueError, OverflowError) as error:
        raise _fail("document", f"document {name} is not admitted: {error}", str(getattr(error, "rule", "form"))) from None
    differ = [field for field in fields if getattr(document, field) != getattr(again, field)]
    if differ:
        raise _fail("document", f"document {name} is admitted as another: {', '.join(differ)}", *differ)
    if wrong:
        raise _fail("slim", f"document {name} has a {wrong[0]} of no grade, or from no bytes", *wrong)


def _item(document: Document) -> Item:
    """What a plugin would have handed in: values only for what is attested."""
    grades, author = document.grades, document.author
    pointed = document.derivation.pointers if document.derivation is not None else {}
    return Item(
        text=document.text if grades.text != "held" else None,
        url=document.url if "url" not in pointed else None,
        title=document.title if "title" not in pointed else None,
        author=author.id if author is not None and "author" not in pointed else None,
        author_name=author.name if author is not None and "author_name" not in pointed else None,
        published=document.published.value if document.published is not None and "published" not in pointed else None,
        locator=document.locator,
        raw=document.raw,
        derivation=document.derivation,
    )


def _runs(name: str, document: Document, members: Mapping[str, bytes]) -> Sequence[Any]:
    if document.derivation is None or document.derivation.projection == "plain":
        return ()
    try:
        return [tuple(run) for run in json.loads(members[f"maps/{name}.json"])]
    except (KeyError, ValueError, TypeError):
        raise _fail("document", f"document {name} has no map", "map") from None


def _published(parts: _Parts) -> Published:
    report, evidence = parts.report, Evidence(parts.run, parts.documents)
    try:
        if parts.slim:
            recheck(report, evidence)
            return _slim(parts)
        return publish(parts.run.release(report), parts.run, _store(parts))
    except NotPublishableError as error:
        raise _why(error.message, report, evidence) from None
    except (VeridicalError, ValueError, TypeError, KeyError) as error:
        raise _fail("report", f"{type(error).__name__}: {error}") from None


def _slim(parts: _Parts) -> Published:
    bodies = {name: parts.members[f"documents/{name}.json"] for name in parts.documents}
    projected = [name for name, each in parts.documents.items() if each.derivation is not None and each.derivation.projection != "plain"]
    maps = {name: parts.members[f"maps/{name}.json"] for name in projected}
    data = canonical_bytes(parts.report.model_dump(mode="json"))
    return Published(parts.report, data, parts.run.chain_bytes(), bodies, {}, maps)


def _store(parts: _Parts) -> Store:
    def again(document: Document, raw: bytes) -> Reread:
        name = digest(canonical_bytes(document.model_dump(mode="json")))
        found = reread(document, raw)
        # Of several maps that hold any will do; which of the visible words to take is the reader's, not the kernel's.
        return Reread(document.text, _runs(name, document, parts.members), found.line, found.headings)

    return Store(
        documents=lambda names: [(parts.members[f"documents/{name}.json"], admission_tag(name, KEY)) for name in names],
        raws=lambda names: [parts.members.get(f"raw/{name}") for name in names],
        reread=again,
        key=KEY,
    )


def _compare(data: bytes, published: Published, parts: _Parts) -> None:
    written = BytesIO()
    write_bundle(published, written, slim=parts.slim)
    if written.getvalue() == data:
        return
    with zipfile.ZipFile(written) as archive:
        due = {name: archive.read(name) for name in archive.namelist()}
    differ = [name for name in due.keys() | parts.members.keys() if due.get(name) != parts.members.get(name)]
    differ = [name for name in differ if name != "MANIFEST.json"] or ["archive"]
    pages = set(differ) <= {"report.html", "report.md"} and _listed(parts.members) and _respelled(parts.members) == data
    raise _fail("pages" if pages else "archive", f"members that differ: {', '.join(sorted(differ))}", *differ)


def _listed(members: Mapping[str, bytes]) -> bool:
    rows = [{"name": name, "sha256": digest(body), "size": len(body)} for name, body in sorted(members.items()) if name != "MANIFEST.json"]
    slim = json.loads(members["MANIFEST.json"])["slim"]
    return canonical_bytes({"format": "veridical.bundle/1", "members": rows, "slim": slim}) == members["MANIFEST.json"]  # type: ignore[dict-item]


def _respelled(members: Mapping[str, bytes]) -> bytes:
    from tests.proof.tampering import spelled

    return spelled(members)


# Why, field by field


def _why(message: str, report: Report, evidence: Evidence) -> _RefusedError:
    if "under other headings" in message:
        return _fail("quote", message, "headings")
    if "to stand in line" in message:
        return _fail("quote", message, "line")
    where = re.search(r" at (\S+): (.*)\.\Z", message, re.DOTALL)
    place, why = (where[1], where[2]) if where is not None else ("", message)
    found = re.fullmatch(r"(themes|answers)/(\d+)/claims/(\d+)/quotes/(\d+)", place)
    if found is not None:
        part = getattr(report, found[1])[int(found[2])]
        return _fail("quote", message, *_quote(part.claims[int(found[3])].quotes[int(found[4])], evidence))
    if re.fullmatch(r"(themes|answers)/\d+/claims/\d+", place) or place.endswith("/name"):
        return _fail("prose" if "-" in why or why.isalpha() else "claim", message, why)
    if place == "citations" or place.endswith("/counts"):
        return _fail("citation", message, *_citations(report, evidence))
    return _fail("report", message, re.sub(r"\d+", "N", place))


def _quote(found: Quote, evidence: Evidence) -> list[str]:
    """The fields in which the kernel's own quote of the place differs, or the rule by which it quotes nothing there."""
    try:
        headings = [Reference(document=each.document, start=each.start, end=each.end) for each in found.headings]
        again = quote(evidence, found.span, found.span.text, headings=headings, line=found.line)
    except QuoteRefused as error:
        return [f"rule {error.rule}"]
    differ = _differences(found, again)
    labels = {*found.labels} ^ {*again.labels}
    return [*(name for name in differ if name != "labels"), *(f"label {label}" for label in labels)] or ["headings"]


def _citations(report: Report, evidence: Evidence) -> list[str]:
    answered = [claim for answer in report.answers for claim in answer.claims]
    try:
        due = {row.document: row for row in citations(evidence, report.themes, answered)}
    except QuoteRefused as error:
        return [f"rule {error.rule}"]
    said = {row.document: row for row in report.citations}
    differ = {name for document in due.keys() & said.keys() for name in _differences(said[document], due[document])}
    if due.keys() != said.keys():
        differ.add("documents")
    if not differ and [*due] == [*said]:
        wrong = [theme for theme in report.themes if theme.counts != counts(evidence, theme.members)]
        return ["counts"] if wrong else ["order"]
    return sorted(differ) or ["order"]


def _differences(one: Any, other: Any) -> list[str]:
    return [name for name in type(one).model_fields if getattr(one, name) != getattr(other, name)]
