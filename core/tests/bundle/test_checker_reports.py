"""The checker names the first lie in a report or in its chain, in a bundle whose digests are all right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from veridical.kernel.texts import refusal

from .cases import NOTES, Case, answered, counts, refused, sha
from .changes import at, put

REFUSED = refused().build()


# ------------------------------------------------------------------------------------------------------------ lies in a report


def _cut(path: str, front: int, back: int):
    """Return a change that takes characters away from the front and the back of a span."""

    def change(report: Any) -> None:
        holder, last = at(report, path)
        span = holder[last]
        text = span["text"][front : len(span["text"]) - back]
        holder[last] = span | {"start": span["start"] + front, "end": span["end"] - back, "text": text}

    return change


def _move(path: str, source: str, target: str):
    """Return a change that puts what stands at one place below `path` at another too."""

    def change(report: Any) -> None:
        holder, last = at(report, f"{path}/{source}")
        put(f"{path}/{target}", holder[last])(report)

    return change


def _hard(report: Any) -> Any:
    """Return a span of the notes that begins with the hard boundary in them."""
    start = NOTES.index("\x1e")
    span = report["themes"][1]["claims"][1]["quotes"][0]["span"]
    return span | {"start": start, "end": start + 12, "text": NOTES[start : start + 12]}


LIES: dict[str, tuple[Any, str]] = {
    "another format": (put("format", "veridical.report/2"), "format"),
    "no marker": (put("marker", "x"), "marker"),
    "an unknown policy": (put("run/policy", "veridical-policy-2"), "run/policy"),
    "another run": (put("run/id", "run-2"), "chain.json/run"),
    "another fingerprint": (put("run/policy_fingerprint", "0" * 64), "run/policy_fingerprint"),
    "another seal": (put("run/seal", "0" * 64), "chain.json/seal"),
    "more evidence than was sealed": (put("run/sealed", 9), "run/sealed"),
    "a report older than its evidence": (put("run/created_at", "2026-06-01T00:00:00Z"), "citations/0/retrieved"),
    "a quote that is not there": (put("themes/0/claims/0/quotes/0/span/text", "need no data"), "themes/0/claims/0/quotes/0/span/text"),
    "less evidence than was sealed": (put("run/sealed", 7), "run/sealed"),
    "a theme before the first": (put("themes/0/id", "t0"), "themes/0/id"),
    "a known author as attested": (put("citations/3/account", "attested"), "citations/3/account"),
    "a quote that ends sooner than its place": (
        put("themes/0/claims/0/quotes/0/span/text", "need"),
        "themes/0/claims/0/quotes/0/span/text",
    ),
    "a model's name with a place": (
        lambda report: put("themes/1/name/span", report["themes"][0]["name"]["span"])(report),
        "themes/1/name/span",
    ),
    "a quote at another place": (put("themes/0/claims/0/quotes/0/span/start", 1), "themes/0/claims/0/quotes/0/span"),
    "an empty quote": (put("themes/0/claims/0/quotes/0/span/end", 0), "themes/0/claims/0/quotes/0/span"),
    "a quote past the end": (put("themes/0/claims/0/quotes/0/sentence/end", 999), "themes/0/claims/0/quotes/0/sentence"),
    "a quote of an uncited document": (
        put("themes/0/claims/0/quotes/0/sentence/document", sha(b"x")),
        "themes/0/claims/0/quotes/0/sentence",
    ),
    "a quote of a field that is not there": (
        put("themes/0/claims/0/quotes/0/sentence/field", "title"),
        "themes/0/claims/0/quotes/0/sentence",
    ),
    "a sentence that begins later": (_cut("themes/0/claims/0/quotes/0/sentence", 7, 0), "themes/0/claims/0/quotes/0/sentence"),
    "a sentence that ends earlier": (_cut("themes/1/claims/0/quotes/0/sentence", 0, 8), "themes/1/claims/0/quotes/0/sentence"),
    "a sentence without its quote": (_cut("themes/1/claims/0/quotes/0/sentence", 14, 0), "themes/1/claims/0/quotes/0/span"),
    "a quote cut within a word": (_cut("themes/1/claims/0/quotes/0/span", 1, 0), "themes/1/claims/0/quotes/0/span"),
    "a quote cut at the end within a word": (_cut("themes/1/claims/0/quotes/0/span", 0, 1), "themes/1/claims/0/quotes/0/span"),
    "a neighbour after, before": (_move("themes/1/claims/0/quotes/0", "after", "before"), "themes/1/claims/0/quotes/0/before"),
    "a neighbour before, after": (_move("themes/1/claims/0/quotes/0", "before", "after"), "themes/1/claims/0/quotes/0/after"),
    "a neighbour behind a hard boundary": (
        lambda report: put("themes/1/claims/1/quotes/0/after", _hard(report))(report),
        "themes/1/claims/1/quotes/0/after/text",
    ),
    "a heading below": (_move("themes/1/claims/0/quotes/0", "after", "headings/0"), "themes/1/claims/0/quotes/0/headings/0"),
    "a sentence of another document": (
        _move("themes/0/claims", "1/quotes/0/sentence", "0/quotes/0/sentence"),
        "themes/0/claims/0/quotes/0/sentence",
    ),
    "a neighbour in another field": (
        _move("themes", "2/claims/0/quotes/0/span", "0/claims/0/quotes/1/after"),
        "themes/0/claims/0/quotes/1/after",
    ),
    "another line": (put("themes/1/claims/0/quotes/0/line", 4), "themes/1/claims/0/quotes/0/line"),
    "another line of JSON": (put("themes/1/claims/0/quotes/1/line", 4), "themes/1/claims/0/quotes/1/line"),
    "a line of mail": (put("themes/0/claims/0/quotes/1/line", 1), "themes/0/claims/0/quotes/1/line"),
    "a line of a title": (put("themes/2/claims/0/quotes/0/line", 1), "themes/2/claims/0/quotes/0/line"),
    "an unknown verdict": (put("themes/0/claims/0/quotes/0/verdict", "true"), "themes/0/claims/0/quotes/0/verdict"),
    "an unknown label": (put("themes/0/claims/0/quotes/0/labels", ["proven"]), "themes/0/claims/0/quotes/0/labels/0"),
    "an unknown fold": (put("themes/0/claims/0/quotes/0/folds", ["synonym"]), "themes/0/claims/0/quotes/0/folds/0"),
    "a clipped quote alone": (put("themes/0/claims/0/quotes/0/verdict", "clipped"), "themes/0/claims/0/quotes"),
    "an illustration alone": (put("themes/0/claims/0/quotes/0/verdict", "illustration"), "themes/0/claims/0/quotes"),
    "somebody else's words alone": (put("themes/0/claims/1/quotes", lambda quotes: quotes[1:2]), "themes/0/claims/1/quotes"),
    "somebody else's words as the author's": (put("themes/0/claims/1/quotes/1/labels", []), "themes/0/claims/1/quotes/1/labels"),
    "the author's words as somebody else's": (
        put("themes/0/claims/0/quotes/0/labels", ["quoted-not-authored"]),
        "themes/0/claims/0/quotes/0/labels",
    ),
    "folds of an exact quote": (put("themes/0/claims/0/quotes/0/folds", ["case"]), "themes/0/claims/0/quotes/0/folds"),
    "a located quote without folds": (put("themes/0/claims/0/quotes/0/verdict", "located"), "themes/0/claims/0/quotes/0/folds"),
    "a claim in words that support nothing": (put("themes/0/claims/0/quotes", lambda quotes: quotes[::-1]), "themes/0/claims/0/quotes/0"),
    "a claim that is not its sentence": (put("themes/0/claims/0/text", "Networks need no data."), "themes/0/claims/0/text"),
    "a claim without quotes": (put("themes/0/claims/0/quotes", []), "themes/0/claims/0/quotes"),
    "a source claim that is attached": (put("themes/0/claims/0/support", "attached"), "themes/0/claims/0/support"),
    "a source claim with a template": (put("themes/0/claims/0/template", "x"), "themes/0/claims/0/template"),
    "a model's claim that is verbatim": (put("themes/1/claims/0/support", "verbatim"), "themes/1/claims/0/support"),
    "a model's claim without a template": (put("themes/1/claims/0/template", None), "themes/1/claims/0/text"),
    "a kernel's claim": (put("themes/1/claims/0/wording", "kernel"), "themes/1/claims/0/wording"),
    "another count in prose": (
        put("themes/1/claims/0/text", lambda text: text.replace("2 accounts", "200 accounts")),
        "themes/1/claims/0/text",
    ),
    "another noun in prose": (
        put("themes/1/claims/0/text", lambda text: text.replace("2 accounts", "2 experts")),
        "themes/1/claims/0/text",
    ),
    "words that the template has not": (put("themes/1/claims/0/text", lambda text: text + " Surely."), "themes/1/claims/0/text"),
    "a URL of nobody": (put("themes/1/claims/0/text", lambda text: text.replace("www.a", "evil.a")), "themes/1/claims/0/text"),
    "a longer URL": (put("themes/1/claims/0/text", lambda text: text.replace("#top", "#top/x")), "themes/1/claims/0/text"),
    "themes in another order": (put("themes", lambda themes: themes[::-1]), "themes/0/id"),
    "claims in another order": (put("themes/0/claims", lambda claims: claims[::-1]), "themes/0/claims/0/id"),
    "a theme without a claim": (put("themes/0/claims", []), "themes/0/claims"),
    "a name that is not there": (put("themes/0/name/text", "learning rats"), "themes/0/name/text"),
    "a name without its place": (put("themes/0/name/span", None), "themes/0/name/span"),
    "a kernel's name of somebody else": (put("themes/2/name/text", "The truth"), "themes/2/name/text"),
    "a model's name with a number": (put("themes/1/name/text", "Training takes 9 days"), "themes/1/name/text"),
    "a count in a name": (put("themes/1/name/text", "{count:accounts}"), "themes/1/name/text"),
    "a member twice": (put("themes/0/members", lambda members: [*members, members[0]]), "themes/0/members"),
    "a member that nobody knows": (put("themes/0/members/0/document", sha(b"x")), "themes/0/members/0"),
    "a member past the end": (put("themes/0/members/0/end", 999), "themes/0/members/0"),
    "an empty member": (put("themes/0/members/0/start", lambda _: len(NOTES)), "themes/0/members/0"),
    "a quoted document that is not counted": (
        lambda report: (put("themes/2/members", [])(report), put("themes/2/counts", counts(0, 0, 0, 0, 0, 0))(report)),
        "themes/2/members",
    ),
    "mentions": (put("themes/0/counts/mentions", 6), "themes/0/counts/mentions"),
    "accounts": (put("themes/0/counts/accounts", 4), "themes/0/counts/accounts"),
    "attested accounts": (put("themes/0/counts/attested_accounts", 0), "themes/0/counts/attested_accounts"),
    "unknown accounts": (put("themes/0/counts/unknown_accounts", 0), "themes/0/counts/unknown_accounts"),
    "sources": (put("themes/0/counts/sources", 5), "themes/0/counts/sources"),
    "origins": (put("themes/0/counts/origins", 1), "themes/0/counts/origins"),
    "an answer without claims": (put("answers/0/claims", []), "answers/0/status"),
    "an unaddressed question that is answered": (put("answers/0/status", "unaddressed"), "answers/0/status"),
    "an excuse of somebody else": (put("answers/1/reason", "There is no answer."), "answers/1/reason"),
    "numbers of citations": (put("citations/0/number", 2), "citations/0/number"),
    "a document cited twice": (lambda report: report["citations"].append(report["citations"][0] | {"number": 7}), "citations/6/document"),
    "a document that was not sealed": (put("citations/0/document", sha(b"z")), "citations/0/document"),
    "a document for nothing": (put("themes/0/name", {"wording": "kernel", "text": "Theme 1", "span": None}), "citations/5"),
    "another URL": (put("citations/2/url", "https://www.a.example/q/2"), "citations/2/url"),
    "another title": (put("citations/2/title", "T"), "citations/2/title"),
    "another author": (put("citations/2/author/name", "Bob"), "citations/2/author"),
    "another date": (put("citations/2/published/value", "2020-01-01T00:00:00Z"), "citations/2/published"),
    "another time of reading": (put("citations/2/retrieved", "2026-06-02T10:00:01Z"), "citations/2/retrieved"),
    "another place": (put("citations/2/locator/container", "x"), "citations/2/locator"),
    "another origin": (put("citations/2/origin", "x"), "citations/2/origin"),
    "another witness": (put("citations/4/witness", "held"), "citations/4/witness"),
    "other grades": (put("citations/4/grades/url", "held"), "citations/4/grades"),
    "another snippet hash": (put("citations/0/snippet_hash", "0" * 16), "citations/0/snippet_hash"),
    "another text hash": (put("citations/0/text_sha256", "0" * 64), "citations/0/text_sha256"),
    "a known author who is attested": (put("citations/4/account", "known"), "citations/4/account"),
    "an author hidden as unknown": (put("citations/3/account", "unknown"), "citations/3/account"),
    "an author made up": (put("citations/0/account", "known"), "citations/0/account"),
    "a bot without an author": (put("citations/0/account", "excluded"), "citations/0/account"),
    "a bot with a key": (put("citations/3/account", "excluded"), "citations/3/account_key"),
    "a key of nobody": (put("citations/0/account_key", "source:notes/x"), "citations/0/account_key"),
    "no key": (put("citations/3/account_key", None), "citations/3/account_key"),
    "a key of somebody else": (put("citations/3/account_key", "source:notes/ann"), "citations/3/account_key"),
    "a key on another site": (put("citations/3/account_key", "elsewhere/bob"), "citations/3/account_key"),
    "a domain of somebody else": (put("citations/2/source_key", "b.example"), "citations/2/source_key"),
    "a domain cut within a label": (put("citations/2/source_key", "xample"), "citations/2/source_key"),
    "a source of somebody else": (put("citations/0/source_key", "source:other"), "citations/0/source_key"),
    "a local source under a domain": (put("citations/0/source_key", "notes"), "citations/0/source_key"),
    "cited": (put("funnel/cited", 4), "funnel/cited"),
    "admitted": (put("funnel/admitted", 9), "funnel/admitted"),
    "shown beyond selected": (put("funnel/shown", 9), "funnel"),
    "selected beyond admitted": (put("funnel/selected", 9), "funnel"),
    "retrieved below admitted": (put("funnel/retrieved", 7), "funnel"),
    "left out of what was not cited": (put("not_cited", []), "not_cited"),
    "counted and not among what was shown": (put("not_cited", [sha(b"x")]), "not_cited"),
    "not cited twice": (lambda report: (put("not_cited", lambda rest: rest * 2)(report), put("funnel/shown", 7)(report)), "not_cited"),
    "cited and not cited": (lambda report: report["not_cited"].__setitem__(0, report["citations"][0]["document"]), "not_cited"),
    "not cited and not sealed": (put("not_cited", [sha(b"z")]), "not_cited"),
    "refused with themes": (put("outcome", "refused"), "outcome"),
    "a refusal beside themes": (
        put("refusal", refusal("no-evidence", (40, 30, 8, 6)).model_dump(mode="json")),
        "outcome",
    ),
    "a place that is quoted twice": (
        put("themes/1/claims/1/quotes", lambda quotes: [*quotes, quotes[0]]),
        "themes/1/claims/1/quotes",
    ),
    "labels out of order": (
        put("themes/0/claims/0/quotes/1/labels", ["invisible", "clipped-context:unit"]),
        "themes/0/claims/0/quotes/1/folds",
    ),
    "a fold twice": (put("themes/0/claims/1/quotes/0/folds", ["case", "case"]), "themes/0/claims/1/quotes/0/folds"),
    "a fold twice before another": (put("themes/0/claims/1/quotes/0/folds", ["case", "case", "width"]), "themes/0/claims/1/quotes/0/folds"),
    "less that is not cited than was shown": (put("funnel/shown", 7), "not_cited"),
    "more that is not cited than was shown": (put("not_cited", lambda rest: [*rest, sha(b"x")]), "not_cited"),
    "a label of a fold that was not used": (
        put("themes/0/claims/1/quotes/0/labels", ["case", "typography"]),
        "themes/0/claims/1/quotes/0/labels",
    ),
    "a soft hyphen that is not there": (put("themes/1/claims/0/quotes/0/labels", ["soft-hyphen"]), "themes/1/claims/0/quotes/0/labels"),
    "a title that is not said to be one": (put("themes/2/claims/0/quotes/0/labels", []), "themes/2/claims/0/quotes/0/labels"),
    "a text that is said to be a title": (put("themes/1/claims/0/quotes/0/labels", ["field:title"]), "themes/1/claims/0/quotes/0/labels"),
    "a line of a document without bytes": (put("answers/0/claims/0/quotes/0/line", 1), "answers/0/claims/0/quotes/0/line"),
    "a snippet as a whole text": (put("answers/0/claims/0/quotes/0/labels", []), "answers/0/claims/0/quotes/0/labels"),
    "a name that is cut within a word": (
        put("themes/0/name/span", lambda span: span | {"end": span["end"] - 1, "text": span["text"][:-1]}),
        "themes/0/name/span",
    ),
    "citations in another order": (
        lambda report: report["citations"].__setitem__(
            slice(0, 2), [{**row, "number": at} for at, row in enumerate(report["citations"][1::-1], 1)]
        ),
        "citations/0",
    ),
    "a rule in words": (put("rejections/0/rule", "The author lied"), "rejections/0/rule"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_in_a_report_is_named(check, lie):
    change, where = LIES[lie]
    found = check(answered().build(report=change))
    assert (found.code, found.where) == (4, where if where.startswith("chain.json") else f"report.json/{where}"), found


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (put("refusal/text", "The company went bankrupt."), "refusal"),
        (put("refusal/help/0", "Send money."), "refusal"),
        (put("refusal/tried/0/what", "documents read"), "refusal"),
        (put("refusal/code", "no-evidence"), "refusal"),
        (put("refusal/tried/0/count", 41), "refusal/tried"),
        (put("refusal/tried/0/count", 39), "refusal/tried"),
        (put("refusal", None), "outcome"),
        (put("outcome", "answered"), "outcome"),
        (put("answers/0/status", "answered"), "answers/0/status"),
        (put("funnel/cited", 1), "funnel/cited"),
    ],
)
def test_a_lie_in_a_refusal_is_named(check, change, where):
    assert check(REFUSED).code == 0
    found = check(refused().build(report=change))
    assert (found.code, found.where) == (4, f"report.json/{where}")


def test_a_refusal_that_claims_something_is_refused(check):
    def claims(report: Any) -> None:
        report["themes"] = []
        report["outcome"] = "refused"
        report["refusal"] = refusal("no-evidence", (40, 30, 8, 6)).model_dump(mode="json")
        report["answers"] = report["answers"][:1]
        report["answers"][0]["claims"][0]["id"] = "c1"
        report["citations"] = [report["citations"][4] | {"number": 1}]
        report["funnel"]["cited"], report["funnel"]["shown"] = 1, 2

    def members(found: dict[str, bytes]) -> None:
        cited = json.loads(found["report.json"])["citations"][0]["document"]
        for name in [name for name in found if "/" in name and name != f"documents/{cited}.json"]:
            del found[name]

    found = check(answered().build(report=claims, members=members))
    assert (found.code, found.where) == (4, "report.json/answers")


# ------------------------------------------------------------------------------------------------------------ the chain


CHAIN_LIES: dict[str, tuple[Any, str]] = {
    "another format": (put("format", "veridical.chain/2"), "chain.json/format"),
    "another run": (put("run", "run-2"), "chain.json/run"),
    "another seal": (put("seal", "0" * 64), "chain.json/seal"),
    "documents in another order": (put("documents", lambda documents: documents[::-1]), "chain.json/seal"),
    "a document less": (put("documents", lambda documents: documents[1:]), "chain.json/seal"),
}


@pytest.mark.parametrize("lie", CHAIN_LIES)
def test_a_lie_in_the_chain_is_named(check, lie):
    change, where = CHAIN_LIES[lie]
    found = check(answered().build(chain=change))
    assert (found.code, found.where) == (4, where)


def test_a_chain_that_was_sealed_otherwise_is_named(check):
    def twice(case: Case) -> None:
        case.sealed_only = ["x", "y", "y"]

    case = answered()
    twice(case)
    found = check(case.build())
    assert (found.code, found.where) == (4, "report.json/run/sealed")
    case.sealed_only = ["y"]
    assert check(case.build()).where == "report.json/funnel/admitted"
