"""A page that repeats its own address says what the asker said: its words are an echo, not evidence."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from urllib.parse import quote as escaped
from urllib.parse import quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.admission import AdmissionRefused, Bytes, Trust, admit
from veridical.kernel.policy import load_policy
from veridical.kernel.report import Evidence, QuoteRefused, quote, span
from veridical.kernel.run import Run
from veridical_contract import Derivation, Document, Grade, Grades, Item, Locator, Quote, Raw

ONE = "0" * 64
WORDS = "Marie Curie was a complete fraud"
WORD = st.text("abcdefghijklmnopqrstuvwxyzäéñ", min_size=2, max_size=9)


def quoted(words: str, url: str | None, *, container: str | None = None, grade: Grade | None = "held", text: str = "") -> Quote:
    """`words` as a quote of a page at `url`."""
    run = Run(run="r", created_at="x", query="q", must_address=(), policy=load_policy(), seed=0, version="0")
    run.admit(ONE)
    run.seal()
    run.shown = (ONE,)
    text = text or f"{words}. No page was found."
    document = Document(
        text=text,
        url=url,
        retrieved="2026-11-21T12:00:00Z",
        locator=Locator(container=container or url or "notes.txt"),
        origin="o",
        plugin="p",
        extractor="e",
        grades=Grades(text="held", url=grade if url else None),
    )
    evidence = Evidence(run, {ONE: document})
    start = text.index(words)
    return quote(evidence, span(evidence, ONE, start, start + len(words)), words)


def rule(words: str, url: str | None, **more: object) -> str | None:
    try:
        quoted(words, url, **more)  # pyright: ignore[reportArgumentType]
    except QuoteRefused as error:
        return error.rule
    return None


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/search?q=Marie+Curie+was+a+complete+fraud",
        "https://a.example/search?lang=en&q=Marie%20Curie%20was%20a%20complete%20fraud&page=2",
        "https://a.example/search?q=%4Darie%2BCurie%2Bwas%2Ba%2Bcomplete%2Bfraud",
        "https://a.example/Marie/Curie/was/a/complete/fraud",
        "https://a.example/wiki/marie-curie-was-a-complete-fraud.html",
        "https://a.example/?Marie%20Curie%20was%20a%20complete%20fraud",
    ],
)
def test_words_of_the_path_or_the_query_are_an_echo(url: str) -> None:
    assert "echo" == rule(WORDS, url)


def test_a_long_run_of_the_address_within_a_quote_is_an_echo() -> None:
    long = "the famous chemist Marie Curie was a complete fraud from the start"
    assert "echo" == rule(f"We found nothing on {long}", f"https://a.example/?q={quote_plus(long)}")


def test_a_sentence_that_is_an_echo_is_not_released_around_other_words() -> None:
    said = f"{WORDS} gave nothing that we know of."
    assert "echo" == rule("nothing that we know of", "https://a.example/?q=Marie+Curie+was+a+complete+fraud", text=said)
    assert None is rule("nothing that we know of", "https://a.example/?q=Marie+Curie", text=said)


@pytest.mark.parametrize(
    ("url", "more"),
    [
        ("https://a.example/search?q=marie+curie", {}),
        ("https://a.example/#Marie+Curie+was+a+complete+fraud", {}),
        ("https://a.example/search?q=Marie+Curie+was+a+complete+fraud", {"container": "notes.jsonl"}),
        ("https://a.example/search?q=Marie+Curie+was+a+complete+fraud", {"container": "data.jsonl"}),
        ("https://a.example/search?q=Marie+Curie+was+a+complete+fraud", {"grade": "wire"}),
        ("https://a.example/search?q=Marie+Curie+was+a+complete+fraud", {"grade": "attested"}),
        (None, {}),
    ],
)
def test_other_words_and_pages_that_were_not_fetched_are_no_echo(url: str | None, more: dict[str, object]) -> None:
    assert None is rule(WORDS, url, **more)


@given(st.lists(WORD, min_size=3, max_size=12), st.lists(WORD, max_size=4), st.sampled_from(["+", "%20", "/", "-"]))
def test_whatever_is_asked_for_comes_back_as_no_evidence(words: list[str], before: list[str], between: str) -> None:
    said = " ".join(words)
    asked = between.join(escaped(word) for word in [*before, *words])
    url = f"https://a.example/{asked}" if between in "/-" else f"https://a.example/s?q={asked}"
    assert "echo" == rule(said, url, text=f"Results for: {said}.")


def fetched(container: str, url: str) -> str | None:
    raw = b"The battery died after a week."
    name = hashlib.sha256(raw).hexdigest()
    item = Item(
        locator=Locator(container=container),
        raw=Raw(digest=name, size=len(raw), container=name, offset=0),
        derivation=Derivation(format="text", pointers={"text": ""}),
    )
    held = Bytes(raw, raw.decode(), (), url=url)
    admission = admit(
        item,
        plugin="fetch",
        origin="web",
        extractor="text/plain/1",
        retrieved=datetime(2026, 11, 21, tzinfo=UTC),
        held=held,
        trust=Trust(),
        policy=load_policy(),
    )
    return admission.document.url if admission.document.grades.url == "held" else None


def test_a_page_is_held_at_the_place_where_the_host_read_it() -> None:
    assert "https://a.example/1" == fetched("https://a.example/1", "https://a.example/1")


def test_a_page_that_is_said_to_lie_elsewhere_is_refused() -> None:
    for container in ("https://b.example/1", "https://A.example/1", "https://a.example/", "https://a.example/10"):
        with pytest.raises(AdmissionRefused, match="locator-differs"):
            fetched(container, "https://a.example/1")
