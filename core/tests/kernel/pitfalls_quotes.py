"""Judge of the pitfall cases about quotes and spans: the locator, the kernel and the projection, and glue for the case format.

`judge(case)` gives what would be done with `proposed` when the evidence is what the case says: a verdict (`keep`, `keep-with-label`,
`drop`), the labels in the kernel's names, and the rule or the words that decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast

from veridical.kernel.policy import load_policy
from veridical.kernel.spans import SpanError, overlap, to_codepoints, union
from veridical.locate.diagnose import diagnose
from veridical.locate.find import Located, locate

Judgement = tuple[str, list[str], str]
KINDS = ("quote", "quote-type", "span")

# Catalogue's name of a label -> ours. Names that are the same are not listed.
LABELS: dict[str, str] = {}

# Cases that we think are wrong, with the reason.
EXCEPTIONS: dict[str, str] = {}

# Differences that lie between the recorded markup and the visible text: a quote of that text is exact.
RESOLVED = frozenset({"markup", "entity"})

_POLICY = load_policy()
_BLOCK_QUOTE = re.compile(r"^ {0,3}> ", re.MULTILINE)
_SPAN_FIELDS = {"span", "spans", "unit", "text", "claim_span", "shifted_by"}


def judge(case: dict[str, Any]) -> Judgement:
    points = case.get("proposed_codepoints")
    proposed: Any = "".join(map(chr, points)) if points is not None else case.get("proposed")
    if case["kind"] != "span":
        return _quote(proposed, case)
    try:
        return _span(proposed, case["source_text"])
    except SpanError as refused:
        return "drop", [], refused.rule


def _kept(labels: Iterable[str], reason: object) -> Judgement:
    found = sorted(labels)
    return ("keep-with-label" if found else "keep"), found, str(reason)


def _visible(source: str, case: dict[str, Any]) -> str:
    if case["area"] != "markup" and _BLOCK_QUOTE.search(source) is None:
        return source
    from veridical.locate.projection import project

    return project(source, "markdown").text


def _documents(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The records that were shown, each with an identifier."""
    if case.get("sealed"):
        return []
    if "sources" in case:
        return list(case["sources"])
    return [{"id": name, "text": case["source_text"]} for name in case.get("available", [case.get("cited", "only")])]


def _quote(proposed: Any, case: dict[str, Any]) -> Judgement:
    documents = _documents(case)
    cited, _, part = str(case.get("cited", documents[0]["id"] if documents else "")).partition("#")
    record = next((document for document in documents if str(document["id"]) == cited), None)
    if record is None:
        return "drop", [], "not-shown"
    if case.get("attributed_to", record.get("author")) != record.get("author"):
        return "drop", [], "misattributed"
    fields = [part] if part else [name for name in ("text", "page", "title") if isinstance(record.get(name), str)] or ["snippet"]
    for field in fields:
        source = record.get(field, "")
        found = locate(_visible(source, case), proposed, policy=_POLICY, snippet=field == "snippet")
        if isinstance(found, Located):
            return _located(found, proposed, source, field)
    texts = [
        (str(document["id"]), document.get("author"), document["text"])
        for document in documents
        if document is not record and "text" in document
    ]
    diagnosis = diagnose(proposed, _visible(record.get(fields[0], ""), case), texts, policy=_POLICY)
    return "drop", [], f"{diagnosis.verdict} ({diagnosis.rule})"


def _located(found: Located, proposed: str, source: str, field: str) -> Judgement:
    labels = {*found.confirmed.folds, *found.confirmed.labels}
    if proposed in source:
        # The recorded bytes hold the very words, references and all.
        labels.discard("entity")
    if found.occurrences > 1:
        labels.add("ambiguous-occurrence")
    if field == "title":
        labels.add("field:title")
    return _kept(labels, found.confirmed.verdict)


def _span(proposed: dict[str, Any], text: str) -> Judgement:
    unknown = set(proposed) - _SPAN_FIELDS
    if unknown:
        raise SpanError(f"span-field-{min(unknown)}")
    if "shifted_by" in proposed:
        # Said to be counted on another text than the one that is stored: a span is never adjusted.
        raise SpanError("span-of-another-text")
    unit = proposed.get("unit")
    spans = [_converted(text, span, unit, proposed.get("text")) for span in proposed.get("spans", [proposed.get("span")])]
    labels = {f"converted:{unit}"} if unit != "codepoint" else set[str]()
    if "claim_span" in proposed:
        claim = _converted(text, proposed["claim_span"], unit)
        if not any(overlap(span, claim) for span in spans):
            raise SpanError("span-beside-the-claim")
    distinct, notes = union(spans)
    return _kept(labels | notes, distinct)


def _converted(text: str, span: Any, unit: object, expected: object = None) -> tuple[int, int]:
    if type(span) is not list or len(pair := cast("list[Any]", span)) != 2:
        raise SpanError("span-shape")
    return to_codepoints(text, pair[0], pair[1], unit, policy=_POLICY, expected=expected)
