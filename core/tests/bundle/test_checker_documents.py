"""The checker names the first lie in a document or in a key, in a bundle whose digests are all right."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from veridical.bundle import checker

from .cases import MAIL, MARKDOWN, NOTES, POINTERS, ROW, SHOWN, Case, answered, canonical, sha
from .changes import put

# ------------------------------------------------------------------------------------------------------------ lies in a document


def doc(letter: str, path: str, new: Any):
    return lambda case: put(path, new)(case.documents[letter])


def raw(letter: str, body: bytes, **derivation: Any):
    """Return a change of a record's bytes, and of what its document says of them."""

    def change(case: Case) -> None:
        case.raws[letter] = body
        case.documents[letter]["raw"] |= {"digest": sha(body), "size": len(body)}
        case.documents[letter]["derivation"] |= derivation

    return change


def pointer(letter: str, name: str, to: str):
    return doc(letter, f"derivation/pointers/{name}", to)


def run_of(index: int, *run: Any):
    return lambda case: case.maps["b"].__setitem__(index, list(run))


def published(letter: str, value: str, precision: str, zone_known: bool):
    return doc(letter, "published", {"value": value, "precision": precision, "zone_known": zone_known})


def url(new: str, site: str = "b.example"):
    """Give the attested document another URL."""

    def change(case: Case) -> None:
        case.documents["w"] |= {"url": new, "author": {"site": site, "id": "Dee", "name": None}}

    return change


DOCUMENT_LIES: dict[str, tuple[Any, str]] = {
    "words that the bytes have not": (doc("a", "text", lambda text: text + "More."), "documents/a/text/0"),
    "words that the bytes have and the text has not": (doc("a", "text", lambda text: text[:-1]), "documents/a/text/0"),
    "no words at a pointer": (pointer("c", "text", "9"), "documents/c/text/0"),
    "no words at all": (pointer("a", "text", "x"), "raw/a"),
    "another size": (doc("a", "raw/size", 1), "documents/a/raw/size"),
    "a larger size": (doc("a", "raw/size", 10**6), "documents/a/raw/size"),
    "another URL than the bytes": (doc("b", "url", "https://www.a.example/q/2"), "documents/b/url"),
    "another title": (raw("m", MAIL.replace(b"On layers", b"On power")), "documents/m/title"),
    "another author": (doc("m", "author/id", "eve@b.example"), "documents/m/author"),
    "another name": (doc("b", "author/name", "Eve"), "documents/b/author_name"),
    "another day": (published("c", "2026-01-03", "day", zone_known=False), "documents/c/published"),
    "another month": (published("c", "2026-02-02", "day", zone_known=False), "documents/c/published"),
    "another second": (published("b", "2026-01-01T00:00:01Z", "second", zone_known=True), "documents/b/published"),
    "a date where the bytes have none": (pointer("c", "published", "7"), "documents/c/published"),
    "held without a pointer": (lambda case: case.documents["m"]["derivation"]["pointers"].pop("title"), "documents/m/grades/title"),
    "a grade without a field": (doc("a", "grades/url", "held"), "documents/a/grades/url"),
    "a weaker grade without a field": (doc("a", "grades/url", "wire"), "documents/a/grades/url"),
    "a field without a grade": (doc("m", "grades/title", None), "documents/m/grades/title"),
    "bytes without a derivation": (
        lambda case: case.documents["a"].update(derivation=None, grades=case.documents["a"]["grades"] | {"text": "wire"}),
        "documents/a/derivation",
    ),
    "a derivation without bytes": (doc("a", "raw", None), "documents/a/derivation"),
    "read at no real time": (doc("a", "retrieved", "2026-02-30T00:00:00Z"), "documents/a/retrieved"),
    "published after it was read": (published("w", "2026-06-02T10:00:01Z", "second", zone_known=True), "documents/w/published"),
    "published after it was read, in the farthest east": (published("w", "2026-06-04", "day", zone_known=False), "documents/w/published"),
    "a date with another precision": (published("w", "2026-06", "year", zone_known=False), "documents/w/published"),
    "a date without its zone": (published("w", "2026-01-01T00:00:00Z", "second", zone_known=False), "documents/w/published"),
    "a date with a zone made up": (published("w", "2026-01-01T00:00:00", "second", zone_known=True), "documents/w/published"),
    "no such day": (published("w", "2026-02-30", "day", zone_known=False), "documents/w/published"),
    "no such zone": (published("w", "2026-01-01T00:00:00+99:00", "second", zone_known=True), "documents/w/published"),
    "a script for a URL": (url("javascript:alert(1)"), "documents/w/url"),
    "a file for a URL": (url("file:///etc/passwd"), "documents/w/url"),
    "a URL with user information": (url("https://b.example@evil.example/"), "documents/w/url"),
    "a URL with a space": (url("https://b.example/a b"), "documents/w/url"),
    "a URL with a control character": (url("https://b.example/\x1f"), "documents/w/url"),
    "a URL that reads backwards": (url("https://b.example/\u202e"), "documents/w/url"),
    "a URL without a host": (url("https:///w"), "documents/w/url"),
    "an author of another site": (url("https://c.example/w"), "documents/w/author/site"),
    "an author of another source": (doc("c", "author/site", "source:others"), "documents/c/author/site"),
    "bytes in an encoding that hides": (raw("a", NOTES.encode("utf-7"), encoding="utf-7"), "raw/a"),
    "bytes in an encoding that nobody knows": (raw("a", NOTES.encode(), encoding="nonsense"), "raw/a"),
    "bytes that are not in the encoding": (raw("a", b"\xff" + NOTES.encode()), "raw/a"),
    "JSON with a key twice": (raw("b", b'{"body":"x","body":"y"}'), "raw/b"),
    "JSON with NaN": (raw("b", b'{"body":"x","n":NaN}'), "raw/b"),
    "JSON that is none": (raw("b", b"{"), "raw/b"),
    "JSON that is nested too deeply": (raw("b", b"[" * 100_000), "raw/b"),
    "a pointer to an object": (pointer("b", "text", ""), "raw/b"),
    "a pointer into a list by name": (pointer("b", "text", "/tags/x"), "maps/b/0"),
    "a pointer past a list": (pointer("b", "text", "/tags/7"), "maps/b/0"),
    "a pointer into a string": (pointer("b", "text", "/body/x"), "maps/b/0"),
    "two rows": (raw("c", b"a,b\nc,d"), "raw/c"),
    "no row": (raw("c", b""), "raw/c"),
    "an open quotation mark": (raw("c", b'"a,b'), "raw/c"),
    "two characters for a delimiter": (doc("c", "derivation/delimiter", ";;"), "raw/c"),
    "no number for a column": (pointer("c", "text", "first"), "raw/c"),
    "a part that is not there": (pointer("m", "text", "part/2"), "documents/m/text/0"),
    "a part before the first": (pointer("m", "text", "part/0"), "documents/m/text/0"),
    "an address of what is none": (pointer("m", "title", "Subject/address"), "raw/m"),
    "a copy that is none": (run_of(1, 10, 16, 13, 19, "copy"), "maps/b/1"),
    "a copy of another length": (run_of(1, 10, 16, 12, 19, "copy"), "maps/b/1"),
    "a reference that is none": (run_of(3, 22, 23, 27, 31, "entity"), "maps/b/3"),
    "a reference to something else": (raw("b", json.dumps({"body": MARKDOWN.replace("&amp;", "&lt; ")}).encode()), "documents/b/url"),
    "a reference of plain characters": (run_of(0, 0, 10, 0, 10, "entity"), "maps/b/0"),
    "a reference to another character": (raw("b", json.dumps({**ROW, "body": MARKDOWN.replace("&amp;", "&#60;")}).encode()), "maps/b/3"),
    "an escape of another character": (raw("b", json.dumps({**ROW, "body": MARKDOWN.replace("\\*", "\\+")}).encode()), "maps/b/5"),
    "an escape that is none": (run_of(5, 40, 41, 49, 50, "escape"), "maps/b/5"),
    "words that were inserted": (run_of(1, 10, 16, 12, 12, "inserted"), "maps/b/1"),
    "an unknown kind": (run_of(1, 10, 16, 12, 18, "invented"), "maps/b/1"),
    "a run that goes back": (run_of(1, 10, 16, 9, 15, "copy"), "maps/b/1"),
    "a run that leaves text out": (run_of(1, 11, 16, 13, 18, "copy"), "maps/b/1"),
    "a map that ends behind the text": (run_of(6, 41, 52, 50, 60, "copy"), "maps/b"),
    "a run past the bytes": (run_of(6, 41, 51, 50, 61, "copy"), "maps/b/6"),
    "an empty run": (run_of(0, 0, 0, 0, 0, "copy"), "maps/b/0"),
    "a run of other types": (run_of(0, 0, 10, 0, True, "copy"), "maps/b/0"),
    "a run that is no list": (lambda case: case.maps.update(b=[{}]), "maps/b/0"),
    "a map that is no list": (lambda case: case.maps.update(b={}), "maps/b"),
    "a map that ends early": (lambda case: case.maps["b"].pop(), "maps/b"),
    "a map that is missing": (lambda case: case.maps.clear(), "maps/b"),
    "a map of what is not projected": (lambda case: case.maps.update(a=[]), "maps/a"),
    "a column before the first": (pointer("c", "url", "-1"), "raw/c"),
    "a column in another spelling": (pointer("c", "author", "01"), "raw/c"),
    "a place in a list from its end": (pointer("b", "title", "/tags/-1"), "documents/b/title"),
    "a pointer with a wrong escape": (pointer("b", "title", "/~2"), "raw/b"),
    "a name of a mailbox": (pointer("m", "author", "From/name"), "raw/m"),
    "a pointer of an unknown field": (pointer("a", "words", ""), "raw/a"),
    "a title that was left out": (
        lambda case: (put("title", None)(case.documents["b"]), put("grades/title", None)(case.documents["b"])),
        "documents/b/title",
    ),
    "a Message-ID that is not in the bytes": (doc("m", "locator/message", "<9@x.example>"), "documents/m/locator/message"),
    "pointers that are no strings": (pointer("a", "text", 0), "documents/a/derivation/pointers/text"),
}


@pytest.mark.parametrize("lie", DOCUMENT_LIES)
def test_a_lie_in_a_document_is_named(check, lie):
    change, where = DOCUMENT_LIES[lie]
    case = answered(change)
    folder, letter, *rest = where.split("/")
    name = sha(case.raws[letter]) if folder == "raw" else case.ids()[letter] + ".json"
    found = check(case.build())
    assert (found.code, found.where.split(" byte")[0]) == (4, "/".join([folder, name, *rest])), found


HONEST_VARIANTS: dict[str, Any] = {
    "a spaced date": published("w", "2026-06-02", "day", zone_known=False),
    "today in the farthest east": published("w", "2026-06-03", "day", zone_known=False),
    "a month": published("w", "2026-06", "month", zone_known=False),
    "a date in the bytes that was left out": lambda case: (
        put("published", None)(case.documents["b"]),
        put("grades/published", None)(case.documents["b"]),
    ),
    "a date that is not from the bytes": lambda case: (
        published("a", "2026-01-02", "day", zone_known=False)(case),
        put("grades/published", "attested")(case.documents["a"]),
    ),
    "fractions of a second": published("w", "2026-06-01T10:00:00.123456789Z", "second", zone_known=True),
    "white brackets in a URL": url("http://b.example/\u27e6x\u27e7"),
    "a port and a query": url("http://b.example:80?x"),
    "an international host": url("https://bücher.b.example/", "xn--bcher-kva.b.example"),
    "an international host as it is": url("https://bücher.b.example/", "bücher.b.example"),
    "milliseconds": raw("b", json.dumps({**ROW, "at": 1767225600123}).encode()),
    "a name of a header in small letters": pointer("m", "title", "subject"),
    "a URL in the bytes that is none": raw("m", b"X-Url: nowhere\r\n" + MAIL),
    "an integer as a title": lambda case: (
        raw("b", json.dumps({**ROW, "tags": [7]}).encode())(case),
        put("title", "7")(case.documents["b"]),
    ),
    "a name with a slash and a tilde": raw("b", json.dumps({**ROW, "b~/": MARKDOWN}).encode(), pointers={**POINTERS, "text": "/b~0~1"}),
    "tabs": raw("c", b"Nobody explains, why layers help.\tbob\t2 Jan 2026", delimiter="\t"),
    "no name": lambda case: put("author/name", None)(case.documents["b"]),
    "a mark of inserted space": lambda case: (
        put("text", SHOWN + "\n")(case.documents["b"]),
        case.maps["b"].append([51, 52, 60, 60, "inserted"]),
    ),
}


@pytest.mark.parametrize("variant", HONEST_VARIANTS)
def test_honest_evidence_of_every_kind_verifies(check, variant):
    found = check(answered(HONEST_VARIANTS[variant]).build())
    assert found.code == 0, found


def test_a_bundle_that_is_not_slim_holds_all_raw_bytes_and_a_slim_one_says_that_its_texts_are_as_recorded(check, tmp_path, capsys):
    case = answered()
    name = f"raw/{sha(case.raws['a'])}"
    found = check(case.build(members=lambda found: found.pop(name)))
    assert (found.code, found.where, found.why) == (4, name, "is missing")
    case.slim = True
    path = tmp_path / "report.zip"
    path.write_bytes(case.build())
    assert checker.main([str(path)]) == 0
    assert "6 documents: raw bytes not enclosed, or not recomputable: text as recorded" in capsys.readouterr().out


def test_raw_bytes_and_documents_that_were_exchanged_are_named(check):
    case = answered()
    name = f"raw/{sha(case.raws['a'])}"
    for body in (b"%d" % number for number in range(9)):
        found = check(case.build(members=put_member(name, body)))
        assert (found.where, found.why) == (name, "does not hash to its name")
    for letter, origin in itertools.product(case.documents, "0123"):
        name = f"documents/{case.ids()[letter]}.json"
        found = check(case.build(members=put_member(name, canonical({**case.documents[letter], "origin": origin}))))
        assert (found.where, found.why) == (name, "does not hash to its name")


def put_member(name: str, body: bytes):
    return lambda found: found.__setitem__(name, body)


@pytest.mark.parametrize("name", ["raw/" + "0" * 64, "maps/" + "0" * 64 + ".json", "documents/" + "0" * 64 + ".json"])
def test_what_belongs_to_nothing_is_refused(check, name):
    found = check(answered().build(members=put_member(name, b"{}")))
    assert (found.where, found.why) == (name, "belongs to nothing that is cited")


# ------------------------------------------------------------------------------------------------------------ equal things, equal keys


def test_one_account_under_two_keys_is_refused(check):
    def same(case: Case) -> None:
        case.documents["w"] |= {"url": "http://www.a.example/w", "author": {"site": "www.a.example", "id": "Ann", "name": None}}

    found = check(answered(same).build(report=put("citations/4/account_key", "www.a.example/Ann")))
    assert found.where == "report.json/citations/4/account_key"


def test_one_host_under_two_domains_is_refused(check):
    found = check(answered(url("http://www.a.example/w", "www.a.example")).build(report=put("citations/4/source_key", "www.a.example")))
    assert found.where == "report.json/citations/4/source_key"


def test_the_key_of_a_text_in_ascii_is_recomputed_and_that_of_another_is_carried(check):
    change = put("citations/5/origin_key", "x")
    assert check(answered().build(report=change)).where == "report.json/citations/5/origin_key"
    assert check(answered(doc("p", "text", "learning rates are für alle.")).build(report=change)).code == 0


def test_one_text_under_two_keys_is_refused(check):
    def same(case: Case) -> None:
        words = "Attested words are only as good as who says them."
        case.documents["w"]["text"] = case.documents["p"]["text"] = words + " learning rätes learning rates"

    assert check(answered(same).build()).code == 0
    assert check(answered(same).build(report=put("citations/5/origin_key", "x"))).where == "report.json/citations/5/origin_key"


def test_a_declared_bot_is_counted_as_no_account(check):
    def bot(report: Any) -> None:
        put("citations/3/account", "excluded")(report)
        put("citations/3/account_key", None)(report)
        put("themes/0/counts/accounts", 2)(report)

    assert check(answered().build(report=bot)).code == 0
