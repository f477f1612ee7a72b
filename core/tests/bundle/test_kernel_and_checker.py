"""The kernel and the checker share no code: what the one releases, the other must accept."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from veridical.bundle import checker
from veridical.kernel.policy import load_policy
from veridical.kernel.prose import EvidenceSentence, ProseRefused, check_prose
from veridical.kernel.quotes import Confirmed, confirm
from veridical.kernel.times import TimeRefused, admit_time
from veridical.wire.reading.derived import Derived
from veridical_contract import Derivation

from .cases import Case, cite, counts, document, place, refused

POLICY = load_policy()
PIECES = st.sampled_from(
    [
        *(
            "the battery ",
            "is not ",
            "good",
            " at all",
            ", but ",
            "I would ",
            "never ",
            "recommend it",
            ". ",
            "! ",
            "? ",
            "... ",
            "Dr. Smith ",
            "e.g. ",
        ),
        *(
            "3.5 hours",
            "1,000 ",
            "50 %",
            "don't ",
            "well-known ",
            "\n",
            "\n\n",
            "\r\n",
            "\n- ",
            "\n> ",
            "\n1. ",
            "\x1e",
            "(as he said) ",
            '"quoted" ',
        ),
        *(
            "电池很快就用完了",
            "。",
            "\uff0c",
            "真的\uff01",
            "แบตเตอรี่หมดเร็วมาก",
            " ",
            "배터리가 ",
            "батарея ",
            "\u02bcn ",
            "m² ",
            "é",
            "e\u0301",
            "\u00ad",
            "\u200b",
            "🙂 ",
            "Ω",
        ),
        *("x" * 650, "word " * 130, "ไทย" * 210),
    ]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=14).map("".join)


def _case(text: str, found: Confirmed, raw: bytes, projection: str, derived: Derived) -> Case:
    case = refused()
    case.raws = {"a": raw}
    derivation = {"format": "text", "projection": projection, "pointers": {"text": ""}}
    case.documents = {"a": document(text, raw, derivation)}
    if projection != "plain":
        case.maps = {"a": [list(run) for run in derived.runs]}

    def span(start: int, end: int) -> dict[str, object]:
        return {"document": "@a", "field": "text", "start": start, "end": end, "text": text[start:end]}

    quote = {
        "span": span(found.start, found.end),
        "verdict": "exact",
        "folds": [],
        "labels": list(found.labels),
        "sentence": span(*found.sentence),
        "before": None,
        "after": None,
        "headings": [],
        "line": derived.line(found.start),
    }
    claim = {"id": "c1", "wording": "source", "support": "verbatim", "text": quote["sentence"]["text"], "template": None, "quotes": [quote]}
    theme = {
        "id": "t1",
        "name": {"wording": "kernel", "text": "Theme 1", "span": None},
        "claims": [claim],
        "members": [place(case, "a")],
        "counts": counts(1, 0, 1, 0, 1, 1),
    }
    case.report |= {"outcome": "answered", "themes": [theme], "citations": [cite(case, 1, "a")], "refusal": None, "not_cited": []}
    case.report["funnel"] = {"in_scope": 2, "retrieved": 2, "admitted": 2, "selected": 1, "shown": 1, "cited": 1}
    return case


@given(source=TEXTS, data=st.data(), projection=st.sampled_from(["plain", "markdown", "html"]))
def test_what_the_kernel_confirms_the_checker_accepts(source, data, projection):
    raw = source.encode()
    derivation = document("", raw, {"format": "text", "projection": projection, "pointers": {"text": ""}})["derivation"]
    derived = Derived(raw, Derivation.model_validate(derivation))
    text = derived.text
    assume(text.strip())
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + 80)))
    found = confirm(text, start, end, text[start:end], policy=POLICY, illustration=True)
    assume(isinstance(found, Confirmed))
    assert isinstance(found, Confirmed)
    bundle = _case(text, found, raw, projection, derived).build()
    if "quoted-not-authored" in found.labels:
        with pytest.raises(checker.DoesNotVerify, match="none of them supports the claim"):
            checker.Bundle(bundle, None)
    else:
        checker.Bundle(bundle, None)


SENTENCES = st.sampled_from(
    [
        "Training took 3 days on 2,000 images.",
        "Ask ann@a.example before May 5, 2024.",
        "The battery lasts 3.5 hours, see https://a.example/x?y=1.",
        "Revenue rose 10% to $1,500 in 2023.",
    ]
)
WORDS = st.lists(
    st.sampled_from(
        [
            *(
                "Training",
                "took",
                "3",
                "days",
                "on",
                "2000",
                "images",
                "2,000",
                "Ask",
                "ann@a.example",
                "before",
                "May",
                "5,",
                "2024",
                "10%",
                "$1,500",
            ),
            *("battery", "lasts", "3.5", "hours", "in", "2023.", "https://a.example/x?y=1", "https://A.example/x?y=1.", "{count:accounts}"),
        ]
    ),
    min_size=2,
    max_size=8,
).map(" ".join)


@given(words=WORDS | SENTENCES, sentences=st.lists(SENTENCES, min_size=1, max_size=2))
def test_what_the_claim_rule_releases_the_checker_accepts(words, sentences):
    sizes = counts(5, 4, 3, 2, 1, 1)
    url = "https://a.example/x?y=1"
    try:
        released = check_prose(words, [EvidenceSentence("d", text, None, url) for text in sentences], sizes, policy=POLICY).text
    except ProseRefused:
        assume(False)
        return
    bundle = checker.Bundle.__new__(checker.Bundle)
    bundle.documents = {"d": {"url": url}}
    quotes = [{"span": {"document": "d"}, "sentence": {"text": text}} for text in sentences]
    bundle._prose("here", released, words, quotes, sizes)


@pytest.mark.parametrize(
    "written",
    [
        *(
            "2026",
            "2026-01",
            "2026-01-02",
            "2026-01-02T03:04:05Z",
            "2026-01-02 03:04:05+02:00",
            "2026-01-02T03:04:05.5",
            "2026-01-02T03:04",
        ),
        *(
            "January 2, 2026",
            "2 Feb 2026",
            "May 2026",
            "Fri, 2 Jan 2026 03:04:05 GMT",
            "Fri, 02 Jan 2026 03:04:05 -0000",
            "Sept. 3rd, 2025",
        ),
        *(1767225600, 1767225600123),
    ],
)
def test_what_the_kernel_reads_as_a_date_the_checker_finds_in_the_bytes(written):
    found = admit_time(written, retrieved=datetime(2026, 11, 1, tzinfo=UTC))
    assert checker._says(str(written), found.value)
    checker._earliest("here", {"value": found.value, "precision": found.precision, "zone_known": found.zone_known})
    assert not checker._says(str(written), "2019" + found.value[4:])


def test_a_date_that_the_kernel_refuses_is_no_date_for_the_checker():
    with pytest.raises(TimeRefused):
        admit_time("2026-02-30", retrieved=datetime(2026, 11, 1, tzinfo=UTC))
    with pytest.raises(checker.DoesNotVerify):
        checker._earliest("here", {"value": "2026-02-30", "precision": "day", "zone_known": False})
