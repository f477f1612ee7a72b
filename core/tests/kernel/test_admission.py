"""What is evidence, and what is not: each rule of admission, and what goes when a field fails alone."""

import hashlib
import hmac
import json
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.admission import (
    Admission,
    AdmissionRefused,
    Bytes,
    Trust,
    admission_tag,
    admit,
    admit_link,
    admit_stored,
    admitted_url,
    weakest,
)
from veridical.kernel.canonical import canonical_bytes
from veridical.kernel.policy import load_policy
from veridical_contract import Derivation, Document, Grade, Grades, Item, Locator, Raw

from core.tests.kernel.lying import LyingBytes

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=timezone(timedelta(hours=2)))
KEY = bytes(32)
ROW = {"body": "The battery died after a week.", "link": "https://a.example/1", "user": "7", "when": "2026-06-01", "name": "Ann"}
POINTERS = {"text": "/body", "url": "/link", "author": "/user", "published": "/when", "author_name": "/name"}


def held(row: dict[str, object], pointers: dict[str, str] = POINTERS) -> tuple[Item, Bytes]:
    raw = json.dumps(row).encode()
    name = hashlib.sha256(raw).hexdigest()
    item = Item(
        locator=Locator(container="c.jsonl", row=1),
        raw=Raw(digest=name, size=len(raw), container=name, offset=0),
        derivation=Derivation(format="json", pointers=pointers),
    )
    return item, Bytes(raw, str(row.get("body", "")), ())


def admitted(item: Item, record: Bytes | None, **changes: object) -> Admission:
    facts: dict[str, object] = {
        "plugin": "files",
        "origin": "notes",
        "extractor": "json/plain/1",
        "retrieved": NOW,
        "held": record,
        "trust": Trust(),
        "policy": load_policy(),
    }
    return admit(item, **(facts | changes))  # pyright: ignore[reportArgumentType]


def refused(item: Item, record: Bytes | None, **changes: object) -> str:
    with pytest.raises(AdmissionRefused) as caught:
        admitted(item, record, **changes)
    return caught.value.rule


def test_a_held_record_becomes_a_document_whose_every_field_is_held() -> None:
    document = admitted(*held(ROW)).document
    assert document.text == ROW["body"]
    assert document.url == ROW["link"]
    assert document.author is not None
    assert (document.author.site, document.author.id, document.author.name) == ("a.example", "7", "Ann")
    assert document.published is not None
    assert document.published.value == "2026-06-01"
    assert document.retrieved == "2026-11-21T10:00:00Z"
    assert document.grades == Grades(text="held", url="held", author="held", published="held")


def test_a_document_is_named_by_the_canonical_bytes_of_every_field() -> None:
    admission = admitted(*held(ROW))
    assert admission.body == canonical_bytes(admission.document.model_dump(mode="json"))
    assert admission.id == hashlib.sha256(admission.body).hexdigest()


@pytest.mark.parametrize(
    "changed",
    [
        ROW | {"body": "The battery died after a year."},
        ROW | {"link": "https://a.example/2"},
        ROW | {"user": "8"},
        ROW | {"when": "2026-06-02"},
        ROW | {"name": "Bob"},
    ],
)
def test_a_change_of_any_field_gives_another_name(changed: dict[str, object]) -> None:
    assert admitted(*held(changed)).id != admitted(*held(ROW)).id


def test_where_and_when_and_by_whom_it_was_read_are_part_of_the_name() -> None:
    item, record = held(ROW)
    other = [{"plugin": "other"}, {"origin": "other"}, {"extractor": "x/y/2"}, {"retrieved": NOW + timedelta(seconds=1)}]
    assert len({admitted(item, record, **change).id for change in ({}, *other)}) == 5


def test_without_a_url_the_account_belongs_to_the_source() -> None:
    author = admitted(*held({"body": "Some words here.", "user": "7"})).document.author
    assert author is not None
    assert (author.site, author.name) == ("source:notes", None)


@pytest.mark.parametrize("user", [None, "[deleted]", ""])
def test_a_deleted_author_is_no_author(user: str | None) -> None:
    assert admitted(*held(ROW | {"user": user})).document.author is None


@pytest.mark.parametrize(
    ("field", "value"),
    [("link", "javascript:alert(1)"), ("link", "http://127.0.0.1/x"), ("when", "2027-01-01"), ("when", "04/05/2025")],
)
def test_a_url_or_date_that_fails_goes_alone_and_is_reported(field: str, value: str) -> None:
    admission = admitted(*held(ROW | {field: value}))
    assert [words for _, words in admission.dropped] == [value]
    assert admission.document.text == ROW["body"]
    assert (admission.document.url is None) == (field == "link")
    assert (admission.document.published is None) == (field == "when")
    assert (admission.document.grades.url is None) == (field == "link")
    assert (admission.document.grades.published is None) == (field == "when")


def test_a_private_host_is_evidence_only_where_the_operator_lists_it() -> None:
    record = held(ROW | {"link": "http://wiki.local/x"})
    assert admitted(*record).document.url is None
    assert admitted(*record, trust=Trust(hosts=frozenset({"wiki.local"}))).document.url == "http://wiki.local/x"


@pytest.mark.parametrize(("when", "value"), [(1761955200, "2025-11-01T00:00:00Z"), (1761955200000, "2025-11-01T00:00:00Z")])
def test_a_number_of_ten_or_thirteen_digits_is_an_epoch(when: int, value: str) -> None:
    published = admitted(*held(ROW | {"when": when})).document.published
    assert published is not None
    assert published.value == value


@pytest.mark.parametrize("body", ["", "   \n", None])
def test_a_record_without_text_is_a_link_and_no_evidence(body: str | None) -> None:
    item, record = held(ROW | {"body": body})
    assert refused(item, Bytes(record.raw, body or "", ())) == "no-text"


def test_bytes_that_are_not_the_named_ones_are_refused() -> None:
    item, record = held(ROW)
    assert refused(item, Bytes(record.raw + b" ", record.text, ())) == "bytes-differ"


@pytest.mark.parametrize("change", [{"digest": "0" * 64}, {"digest": "f" * 64}, {"size": 1}, {"size": 1000}])
def test_bytes_are_named_by_digest_and_size(change: dict[str, object]) -> None:
    item, record = held(ROW)
    assert item.raw is not None
    assert refused(item.model_copy(update={"raw": item.raw.model_copy(update=change)}), record) == "bytes-differ"


def test_an_empty_url_date_or_name_is_none_and_nothing_is_reported() -> None:
    admission = admitted(*held(ROW | {"link": "", "when": "", "name": ""}))
    assert (admission.document.url, admission.document.published, admission.dropped) == (None, None, ())
    assert admission.document.author is not None
    assert admission.document.author.name is None


def test_a_number_is_a_date_on_the_word_of_a_plugin_too() -> None:
    item = Item(text="Some words here.", locator=Locator(container="x"), published=1761955200)
    published = admitted(item, None, trust=Trust(attested=True)).document.published
    assert published is not None
    assert published.value == "2025-11-01T00:00:00Z"


def test_a_text_that_is_the_whole_record_follows_from_its_bytes() -> None:
    raw = b"It is slow."
    name = hashlib.sha256(raw).hexdigest()
    item = Item(
        locator=Locator(container="a.txt"),
        raw=Raw(digest=name, size=len(raw), container=name, offset=0),
        derivation=Derivation(format="text", pointers={"text": ""}),
    )
    assert admitted(item, Bytes(raw, "It is slow.", ())).document.text == "It is slow."
    assert refused(item, Bytes(raw, "It is fast.", ())) == "map-not-plain"


def test_bytes_without_a_derivation_are_refused() -> None:
    item, record = held(ROW)
    assert refused(item.model_copy(update={"derivation": None}), record) == "bytes-without-derivation"


def test_a_text_that_does_not_follow_from_the_bytes_is_refused() -> None:
    item, record = held(ROW)
    for text in ("The battery never died.", record.text[:-1], record.text + " "):
        assert refused(item, Bytes(record.raw, text, ())) == "map-not-plain"


@pytest.mark.parametrize("field", ["text", "url", "author", "author_name", "published"])
def test_a_plugin_that_says_something_else_than_the_bytes_is_refused(field: str) -> None:
    item, record = held(ROW)
    for said in ("!", "something else", "~"):
        assert refused(item.model_copy(update={field: said}), record) == "differs-from-bytes"


def test_a_plugin_that_says_the_same_as_the_bytes_changes_nothing() -> None:
    item, record = held(ROW)
    assert admitted(item.model_copy(update={"url": ROW["link"]}), record).id == admitted(item, record).id


@given(st.sampled_from(["text", "url", "title", "author", "author_name", "published"]))
def test_a_plugins_word_alone_is_no_evidence_unless_the_operator_named_the_plugin(field: str) -> None:
    item, record = held(ROW | {"body": "Some words here."}, {"text": "/body"})
    said = "https://a.example/9" if field == "url" else "2026-01-01" if field == "published" else "Some other words."
    if field == "text":
        item, record = Item(locator=item.locator), None
    changed = item.model_copy(update={field: said})
    assert refused(changed, record) == "attested-not-allowed"
    grades = admitted(changed, record, trust=Trust(attested=True)).document.grades
    named = "author" if field == "author_name" else field
    # A display name is part of the author, and without an account there is none.
    assert getattr(grades, named) == (None if field == "author_name" else "attested")


def test_bytes_lend_no_look_of_proof_to_a_text_that_does_not_follow_from_them() -> None:
    item, record = held({"x": "y"}, {"title": "/x"})
    said = item.model_copy(update={"text": "Some other words."})
    assert refused(said, record, trust=Trust(attested=True)) == "text-not-in-bytes"


@pytest.mark.parametrize("message", ["see https://evil.example/", "<a b@c>", "<not-there@a.example>"])
def test_a_message_identifier_is_no_place_for_other_words(message: str) -> None:
    item, record = held(ROW)
    said = item.model_copy(update={"locator": Locator(container="x", message=message)})
    assert refused(said, record) == "locator-differs"


def test_a_message_identifier_stands_in_the_bytes_or_is_attested() -> None:
    item, record = held(ROW | {"body": "Some words of <1@a.example> here."})
    said = item.model_copy(update={"locator": Locator(container="x", message="<1@a.example>")})
    assert admitted(said, record).document.locator.message == "<1@a.example>"
    alone = Item(text="Some words here.", locator=said.locator)
    assert admitted(alone, None, trust=Trust(attested=True)).document.locator.message == "<1@a.example>"
    assert refused(alone, None) == "locator-differs"


def test_text_that_the_host_never_read_carries_no_bytes() -> None:
    item = Item(text="Some words here.", locator=Locator(container="ticket 7"))
    document = admitted(item, None, trust=Trust(attested=True), extractor="plugin").document
    assert (document.raw, document.derivation, document.grades.text) == (None, None, "attested")


def test_text_that_the_host_read_says_where_its_bytes_are_and_how_it_follows_from_them() -> None:
    item, record = held(ROW)
    document = admitted(item, record).document
    assert item.raw is not None
    assert (document.raw, document.derivation) == (item.raw, item.derivation)


def test_nobody_is_believed_who_was_not_named() -> None:
    assert Trust() == Trust(attested=False, hosts=frozenset())


@pytest.mark.parametrize(("title", "shown"), [("AT&T", None), ("<b>Radium</b>", None), ("a < b", None), ("Radium", "Radium"), ("", None)])
@pytest.mark.parametrize("grade", ["wire", "held"])
def test_a_title_with_markup_goes_alone_where_a_provider_marks_texts_up(title: str, shown: str | None, grade: Grade) -> None:
    shown = shown if grade == "wire" else title or None
    item, record = held(ROW | {"name": title}, {"text": "/body", "title": "/name"})
    assert item.derivation is not None
    marked = item.model_copy(update={"derivation": item.derivation.model_copy(update={"projection": "html"})})
    whole = Bytes(record.raw, record.text, ((0, len(record.text), 0, len(record.text), "copy"),), grade=grade)
    admission = admitted(marked, whole)
    assert (admission.document.title, admission.document.text) == (shown, ROW["body"])
    assert admission.dropped == ((("title-markup", title),) if title and shown is None else ())


@pytest.mark.parametrize("projection", ["plain", "markdown"])
def test_a_title_is_kept_as_it_is_where_texts_are_not_html(projection: str) -> None:
    item, record = held(ROW | {"name": "AT&T"}, {"text": "/body", "title": "/name"})
    assert item.derivation is not None
    marked = item.model_copy(update={"derivation": item.derivation.model_copy(update={"projection": projection})})
    runs = ((0, len(record.text), 0, len(record.text), "copy"),) if projection == "markdown" else ()
    assert admitted(marked, Bytes(record.raw, record.text, runs)).document.title == "AT&T"


def link(row: dict[str, object], *asked: str) -> tuple[str, str]:
    item, record = held(row, {"url": "/link", "title": "/name"})
    return admit_link(item, Bytes(record.raw, "", (), grade="wire", asked=asked), trust=Trust(), policy=load_policy())


def test_a_hit_without_a_text_is_a_place_to_look() -> None:
    assert link(ROW) == ("https://a.example/1", "Ann")
    assert link({"link": "https://a.example/1"}) == ("https://a.example/1", "")
    assert link(ROW, "radium Ann lived") == ("https://a.example/1", "")


@pytest.mark.parametrize(
    ("row", "rule", "text"),
    [
        ({"name": "Ann"}, "no-url", ""),
        (ROW | {"link": ""}, "no-url", ""),
        (ROW | {"link": "javascript:alert(1)"}, "url-scheme", "javascript:alert(1)"),
    ],
)
def test_a_hit_without_an_admissible_url_is_no_place_to_look(row: dict[str, object], rule: str, text: str) -> None:
    with pytest.raises(AdmissionRefused) as caught:
        link(row)
    assert (caught.value.rule, caught.value.text) == (rule, text)


def test_a_place_to_look_that_stood_in_the_request_is_refused() -> None:
    with pytest.raises(AdmissionRefused, match="wire-echo"):
        link(ROW, "see https://a.example/1")


def test_a_url_on_a_plugins_word_alone_is_a_place_to_look_where_it_is_admissible() -> None:
    def looked(url: str, *hosts: str) -> str:
        return admitted_url(url, trust=Trust(hosts=frozenset(hosts)), policy=load_policy())

    assert looked("https://a.example/1") == "https://a.example/1"
    assert looked("http://wiki.local/x", "wiki.local") == "http://wiki.local/x"
    with pytest.raises(AdmissionRefused) as caught:
        looked("http://wiki.local/x")
    assert (caught.value.rule, caught.value.text) == ("private-host", "http://wiki.local/x")


def test_a_pdf_is_held_on_the_word_of_the_hosts_reader() -> None:
    raw = b"%PDF-"
    name = hashlib.sha256(raw).hexdigest()
    item = Item(
        locator=Locator(container="a.pdf", page=1),
        raw=Raw(digest=name, size=5, container=name, offset=0),
        derivation=Derivation(format="pdf", pointers={"text": "1"}),
    )
    assert admitted(item, Bytes(raw, "Page one says this.", ())).document.grades.text == "held"


def test_a_lone_surrogate_cannot_be_named_and_is_refused() -> None:
    item = Item.model_construct(**(dict.fromkeys(Item.model_fields) | {"text": "bad \ud800 text", "locator": Locator(container="x")}))
    assert refused(item, None, trust=Trust(attested=True)) == "lone-surrogate"


@pytest.mark.parametrize(
    ("grades", "shown"),
    [
        (Grades(text="held"), "held"),
        (Grades(text="held", url="wire"), "wire"),
        (Grades(text="wire", title="attested"), "attested"),
        (Grades(text="held", author="attested"), "attested"),
        (Grades(text="held", published="wire"), "wire"),
    ],
)
def test_an_item_shows_its_weakest_field(grades: Grades, shown: str) -> None:
    assert weakest(grades) == shown


def stored() -> tuple[str, bytes, bytes]:
    admission = admitted(*held(ROW))
    return admission.id, admission.body, admission_tag(admission.id, KEY)


def test_what_was_put_is_read_back_as_it_was_admitted() -> None:
    name, body, tag = stored()
    assert admit_stored(name, body, tag, KEY) == admitted(*held(ROW)).document


@given(st.data())
def test_one_changed_bit_of_a_stored_document_is_found(data: st.DataObject) -> None:
    name, body, tag = stored()
    at = data.draw(st.integers(0, len(body) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    changed = body[:at] + bytes([body[at] ^ bit]) + body[at + 1 :]
    with pytest.raises(AdmissionRefused, match="document-altered"):
        admit_stored(name, changed, tag, KEY)


def test_the_tag_is_half_of_an_hmac_of_the_name() -> None:
    assert admission_tag("0" * 64, KEY) == hmac.digest(KEY, b"0" * 64, "sha256")[:16]
    assert len(admission_tag("0" * 64, KEY)) == 16


def test_what_only_says_that_it_is_bytes_is_refused() -> None:
    name, body, tag = stored()
    for lie, rule in (((LyingBytes(body), tag), "document-altered"), ((body, LyingBytes(tag)), "document-added")):
        with pytest.raises(AdmissionRefused, match=rule):
            admit_stored(name, *lie, KEY)


def test_a_document_that_the_store_made_up_and_named_rightly_is_refused() -> None:
    admission = admitted(*held(ROW | {"body": "I never said that."}))
    assert isinstance(admission.document, Document)
    for tag in (None, b"", bytes(16), admission_tag(admission.id, bytes(31) + b"x"), admission_tag("0" * 64, KEY), "x" * 16):
        with pytest.raises(AdmissionRefused, match="document-added"):
            admit_stored(admission.id, admission.body, tag, KEY)


@pytest.mark.parametrize(
    ("body", "rule"), [(None, "document-missing"), ("text", "document-altered"), (bytearray(b"x"), "document-altered")]
)
def test_what_is_missing_or_no_bytes_is_refused_by_name(body: object, rule: str) -> None:
    with pytest.raises(AdmissionRefused, match=rule):
        admit_stored("0" * 64, body, bytes(16), KEY)
