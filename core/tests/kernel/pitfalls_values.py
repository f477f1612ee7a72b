"""Judge of the pitfall cases about URLs, indices, counts, times and answers: the kernel's own functions, and glue for the case format.

`judge(case)` gives what the kernel would do with `proposed` when the evidence is what the case says: a verdict (`keep`,
`keep-with-label`, `drop`, `refuse`), the labels in the kernel's names, and the rule or value that decided.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, cast

from pydantic import ValidationError
from veridical.kernel.counts import CountRefused, account_of, check_count, check_percent, count_set, origin_of
from veridical.kernel.domains import registrable_domain
from veridical.kernel.indices import IndexRefused, admit_ids, admit_indices
from veridical.kernel.policy import load_policy
from veridical.kernel.prose import EvidenceSentence, ProseRefused, check_prose
from veridical.kernel.times import TimeRefused, admit_time
from veridical.kernel.urls import UrlRefused, resolve, url_host
from veridical_contract import Author, Citation, Counts, Document, Grades, Locator

Judgement = tuple[str, list[str], str]
KINDS = ("url", "index", "count", "time", "answer")

# Catalogue's name of a label -> ours. Names that are the same are not listed.
LABELS: dict[str, str] = {}

# Cases that we think are wrong, with the reason.
EXCEPTIONS: dict[str, str] = {}

_POLICY = load_policy()
_RECORD_FIELDS = {"id", "author", "text", "site", "url", "edited", "score", "created"}
_COUNTS = {
    "mentions": "mentions",
    "distinct_authors": "accounts",
    "accounts": "accounts",
    "unknown_authors": "unknown_accounts",
    "unknown": "unknown_accounts",
    "distinct_sources": "sources",
    "distinct_domains": "sources",
    "sources": "sources",
    "origins": "origins",
    "distinct_texts": "origins",
}
_UNITS = dict.fromkeys(("s", "seconds", "epoch-s"), "epoch-s") | dict.fromkeys(("ms", "milliseconds", "epoch-ms"), "epoch-ms")


def judge(case: dict[str, Any]) -> Judgement:
    points = case.get("proposed_codepoints")
    proposed = "".join(map(chr, points)) if points is not None else case.get("proposed")
    try:
        return _JUDGES[case["kind"]](proposed, case)
    except (UrlRefused, IndexRefused, CountRefused, TimeRefused) as refused:
        return "drop", [], refused.rule
    except ValidationError as error:
        return "drop", [], f"a field is not of its type: {error.errors()[0]['loc']}"


def _kept(labels: Iterable[str], reason: object) -> Judgement:
    found = sorted(labels)
    return ("keep-with-label" if found else "keep"), found, str(reason)


def _url(proposed: object, case: dict[str, Any]) -> Judgement:
    ledger = [*case.get("urls", []), *case.get("ledger", [])]
    recorded = _redirected(ledger, case.get("redirects"))
    found = resolve(proposed, [*ledger, *recorded], _POLICY)
    return _kept(found.labels | ({"redirect-recorded"} if found.url in recorded else frozenset[str]()), found.url)


def _redirected(ledger: list[str], redirects: object) -> list[str]:
    """Where the host itself saw ledger URLs lead, step by step."""
    found = cast("Any", redirects)
    pairs: list[Any] = list(found.items()) if isinstance(redirects, dict) else found if isinstance(redirects, list) else []
    steps: dict[str, str] = {pair[0]: pair[1] for pair in pairs if _is_step(pair)}
    reached = dict.fromkeys(ledger)
    for _step in steps:
        reached |= {steps[url]: None for url in reached if url in steps}
    return [url for url in reached if url not in ledger]


def _is_step(pair: Any) -> bool:
    return type(pair) in (list, tuple) and [type(url) for url in cast("list[object]", pair)] == [str, str]


def _index(proposed: object, case: dict[str, Any]) -> Judgement:
    if "shown" in case["sources"]:
        ids = admit_ids(proposed, frozenset(case["sources"]["shown"]))
        return _kept(ids.labels, ids.kept)
    base, size = case["sources"].get("base", 1), case["sources"]["n_sources"]
    found = admit_indices(proposed, range(base, base + size), frozenset(case.get("tombstoned", ())))
    if "count" in case:
        assert len(found.kept) == case["count"]
    return _kept(found.labels, found.kept)


def row(record: dict[str, Any], grade: Any = "held") -> Citation:
    """The citation row of one record of a case, made from a real document."""
    unknown = set(record) - _RECORD_FIELDS
    if unknown:
        raise CountRefused(f"record-field:{min(unknown)}")
    url = record.get("url")
    host = record.get("site") or (url_host(url, _POLICY) if url else None)
    author = Author(site=host or "source:case", id=record["author"]) if record.get("author") is not None else None
    document = Document(
        text=record["text"],
        url=url,
        author=author,
        retrieved="2026-11-21T00:00:00Z",
        locator=Locator(container="case"),
        origin="case",
        plugin="case",
        extractor="plugin",
        grades=Grades(text="held", url="held" if url else None, author=grade if author else None),
    )
    account, key = account_of(document, _POLICY)
    name = hashlib.sha256(record["id"].encode()).hexdigest()
    return Citation(
        number=1,
        document=name,
        url=url,
        title=None,
        author=author,
        published=None,
        retrieved=document.retrieved,
        locator=document.locator,
        origin=document.origin,
        grades=document.grades,
        witness="held",
        source_key=registrable_domain(host, _POLICY) if host else "source:case",
        account=account,
        account_key=key,
        origin_key=origin_of(document.text),
        snippet_hash=name[:16],
        text_sha256=name,
    )


def _count(proposed: object, case: dict[str, Any]) -> Judgement:
    records = case["sources"]["records"]
    sizes = count_set(map(row, records))
    labels = {"edited" for record in records if record.get("edited") is True}
    labels |= {"duplicate-text"} if sizes.origins < sizes.mentions else set[str]()
    if type(proposed) is not dict:
        raise CountRefused("count-shape")
    proposed = cast("dict[str, object]", proposed)
    if set(proposed) == {"percent", "numerator_ids", "denominator_ids"}:
        known = frozenset(record["id"] for record in records)
        numerator, denominator = (admit_ids(proposed[name], known) for name in ("numerator_ids", "denominator_ids"))
        if "invalid-index-removed" in numerator.labels | denominator.labels:
            raise CountRefused("percent-sets")
        percent, rounded = check_percent(proposed["percent"], frozenset(numerator.kept), frozenset(denominator.kept))
        return _kept(labels - {"duplicate-text"} | rounded, percent)
    if len(proposed) != 1 or not set(proposed) <= set(_COUNTS):
        raise CountRefused("count-shape")
    ((name, number),) = proposed.items()
    return _kept(labels, check_count(number, _size(sizes, name)))


def _size(sizes: Counts, name: str) -> int:
    return getattr(sizes, _COUNTS[name])


def _time(proposed: object, case: dict[str, Any]) -> Judgement:
    sources = case["sources"]
    retrieved = datetime.fromisoformat(sources["retrieved"])
    unit: Any = _UNITS[sources["unit"]] if "unit" in sources else None
    try:
        found = admit_time(proposed, retrieved=retrieved, unit=unit)
        source = admit_time(sources.get("published"), retrieved=retrieved, unit=unit)
    except TimeRefused as refused:
        if refused.rule == "date-unknown" and proposed is None and sources.get("published") is None:
            return _kept({"date-unknown"}, "no date")
        raise
    if found != source:
        raise TimeRefused("time-differs")
    return _kept(found.labels, found.value)


def _answer(_: object, case: dict[str, Any]) -> Judgement:
    claims = case["sources"]["claims"]
    supported = [claim for claim in claims if "ok" in claim["evidence"]]
    if not supported:
        return "refuse", [], "no claim with evidence"
    if any(claim.get("entity") == "ambiguous" for claim in supported):
        return "refuse", [], "ambiguous-name"
    released: list[str] = []
    dropped: list[str] = []
    for claim in supported:
        try:
            # The evidence says what the claim says: what is dropped here is dropped for what the claim is.
            released.append(check_prose(claim["text"], [EvidenceSentence("d", claim["text"], None, None)], {}, _POLICY).text)
        except ProseRefused as refused:
            dropped.append(refused.rule)
    if not released:
        return "drop", [], dropped[0]
    labels = {
        "deduplicated": len(set(released)) < len(released),
        "unsupported-removed": len(supported) < len(claims) or bool(dropped),
        "invalid-index-removed": any(set(claim["evidence"]) != {"ok"} for claim in supported),
        "provider-failed": bool(case.get("errors")),
    }
    return _kept((label for label, true in labels.items() if true), len(set(released)))


_JUDGES: dict[str, Callable[[object, dict[str, Any]], Judgement]] = {
    "url": _url,
    "index": _index,
    "count": _count,
    "time": _time,
    "answer": _answer,
}
