"""What every rendering says."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.render import visible, words
from veridical_contract import Citation, Counts, Locator


@given(st.text())
def test_nothing_invisible_is_left_and_nothing_is_lost(text):
    shown = visible(text)
    hidden = [
        char for char in shown if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and char not in "\n\t\u200c\u200d"
    ]
    assert hidden == []
    assert _read_back(shown) == text.replace("\r\n", "\n").replace("\r", "\n")


def _read_back(shown: str) -> str:
    parts = shown.split("⟦U+")
    return parts[0] + "".join(chr(int(part[: part.index("⟧")], 16)) + part[part.index("⟧") + 1 :] for part in parts[1:])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words", "plain words"),
        ("pay\u202e10\u202c", "pay⟦U+202E⟧10⟦U+202C⟧"),
        ("zero\u200bwidth", "zero⟦U+200B⟧width"),
        ("\x1b[31mred", "⟦U+001B⟧[31mred"),
        ("a\U000e0041b", "a⟦U+E0041⟧b"),
        ("a\ufe0fb", "a⟦U+FE0F⟧b"),
        ("\ufe0f", "⟦U+FE0F⟧"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("می\u200cدین", "می\u200cدین"),
        ("a\u200cb", "a⟦U+200C⟧b"),
        ("\u200d", "⟦U+200D⟧"),
        ("👩\u200d💻 ❤\ufe0f\u200d🔥", "👩\u200d💻 ❤\ufe0f\u200d🔥"),
        ("\u3164", "⟦U+3164⟧"),
        ("\ufffe", "⟦U+FFFE⟧"),
        ("⟦U+202E⟧", "⟦U+27E6⟧U+202E⟦U+27E7⟧"),
        ("one\r\ntwo\rthree\tfour", "one\ntwo\nthree\tfour"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text, shown):
    assert shown == visible(text)


def test_a_line_has_no_line_feeds_or_tabs():
    assert words.visible_line("one\n\n\ttwo") == "one two"


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ((12, 9, 3, 0, 2, 12), "12 passages by 9 accounts on 2 sources; 3 of unknown authors"),
        ((1, 1, 0, 0, 1, 1), "1 passage by 1 account on 1 source"),
        ((2, 0, 2, 0, 1, 2), "2 passages on 1 source; 2 of unknown authors"),
        (
            (5, 1, 0, 2, 1, 4),
            "5 passages by 1 account on 1 source; 2 more accounts only on a plugin's word; 4 texts once near-duplicates are taken as one",
        ),
    ],
)
def test_the_counts_line_says_each_set_with_its_noun(counts, line):
    names = ("mentions", "accounts", "unknown_accounts", "attested_accounts", "sources", "origins")
    assert words.counts_line(Counts(**dict(zip(names, counts, strict=True)))) == line


@pytest.mark.parametrize(
    ("witness", "url", "said"),
    [
        ("held", None, "read by this program"),
        ("wire", "https://a.example/1", "notes says that https://a.example/1 says"),
        ("wire", None, "notes says that somebody says"),
        ("attested", None, "the plugin behind notes says so"),
    ],
)
def test_the_witness_is_said_in_words(make, witness, url, said):
    citation = Citation.model_validate({**make("citation", witness=witness, url=url), "locator": Locator(container="a")})
    assert words.witness_words(citation) == said


@pytest.mark.parametrize(
    ("locator", "line", "said"),
    [
        ({}, None, "a.md"),
        ({"line": 3}, None, "a.md:3"),
        ({"line": 3}, 12, "a.md:12"),
        ({"page": 4}, None, "a.md, page 4"),
        ({"row": 9, "message": "<1@b>"}, None, "a.md, row 9, message <1@b>"),
    ],
)
def test_the_place_is_one_a_person_can_go_to(locator, line, said):
    assert words.locator_words(Locator(container="a.md", **locator), line) == said


@pytest.mark.parametrize(
    ("url", "destination"),
    [
        ("https://a.example/x?q=1&r=%20#f", "https://a.example/x?q=1&r=%20#f"),
        ('https://a.example/"><script>', "https://a.example/%22%3E%3Cscript%3E"),
        ("https://a.example/ü\u202e", "https://a.example/%C3%BC%E2%80%AE"),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        (None, None),
    ],
)
def test_only_http_urls_become_destinations_and_they_are_plain_ascii(url, destination):
    assert words.link(url) == destination


def test_the_account_names_what_was_left_out(make):
    report = make(
        "report",
        not_cited=["b" * 64],
        rejections=[
            {"rule": rule, "plugin": "extractive", "hook": "chat", "length": 3, "digest": "e" * 64}
            for rule in ("altered", "not-found", "altered")
        ],
        inputs=[
            {"path": "a.md", "sha256": "a" * 64, "size": 3, "status": "read", "documents": 1},
            {"path": "b.pdf", "sha256": None, "size": 3, "status": "unreadable", "reason": {"origin": "files", "text": "no pages"}},
        ],
        plugins=[
            {"name": "acme", "kind": "search", "distribution": "veridical-acme", "version": "1", "status": "failed", "reason": None},
            {"name": "sqlite", "kind": "storage", "distribution": "veridical-sqlite", "version": "1", "status": "ok", "reason": None},
        ],
    )
    assert words.account_lines(report) == [
        "40 documents in scope, 30 retrieved, 20 admitted, 10 selected, 5 shown to the composer, 1 cited",
        "1 document shown and not cited",
        "proposed and not released, altered: 2",
        "proposed and not released, not-found: 1",
        "b.pdf was not used, unreadable (files says: no pages)",
        "plugin acme failed",
        "run run-1 at 2026-06-03T10:00:00Z, veridical 0.1.0, veridical-policy-1, seed 7",
    ]


def test_a_source_is_described_by_what_is_known_of_it(make):
    report = make(
        "report",
        citations=[
            make(
                "citation",
                title="A title",
                author={"site": "a.example", "id": "42", "name": "Ann"},
                published={"value": "2026-06-01T12:00:00", "precision": "second", "zone_known": False},
            )
        ],
    )
    assert words.source_facts(report.citations[0]) == [
        "A title",
        "by Ann",
        "published 2026-06-01T12:00:00 (time zone unknown)",
        "notes/a.md:3",
        "retrieved 2026-06-02T10:00:00Z",
        "read by this program",
    ]


def test_a_quote_that_supports_nothing_says_so(make):
    labels = ["case", "clipped-context:negation", "quoted-not-authored"]
    quote = make("quote", verdict="clipped", labels=labels, folds=["case"])
    report = make("report", themes=[make("theme", make("claim", quote))])
    assert words.note(report.themes[0].claims[0].quotes[0]) == (
        "the words around this quote change what it says; it supports nothing by itself; the cut left out a negation; "
        "the author quotes somebody else here; it supports nothing by itself; found although these differ: case"
    )
