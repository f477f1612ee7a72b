"""A provider's excerpt is found on the page it is said to come from, piece by piece, or the piece that is not there is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.wire.fetching import Page, Upgrade, upgrade
from veridical.wire.fetching.exchange import Reply
from veridical.wire.fetching.limits import Limits
from veridical.wire.fetching.page import read_page

from core.tests.wire.conftest import make_pdf

from .kit import START

URL = "https://a.example.com/page"
HTML = """<h1>Batteries of printers</h1><p>The battery of the printer died after a week of use. Its owners\u2019 forum is full of
it.</p><ul><li>The firmware keeps the radio awake at night.</li><li>Nobody   has fixed it \u2013 not yet.</li></ul>
<p>The battery of the printer died again in March.</p>"""
POLICY = load_policy()


def page(body: str | bytes = HTML, kind: str = "text/html") -> Page:
    data = body.encode() if isinstance(body, str) else body
    return read_page(URL, (), URL, Reply(200, {"content-type": [kind]}, data), retrieved=START, limits=Limits())


def found(excerpt: str, of: Page | None = None) -> Upgrade:
    return upgrade(excerpt, of or page(), policy=POLICY)


def words(result: Upgrade, of: Page | None = None) -> list[str]:
    of = of or page()
    return [of.parts[place.part].text[place.start : place.end] for place in result.places]


@pytest.mark.parametrize(
    ("excerpt", "pieces"),
    [
        ("The battery of the printer died after a week of use.", ["The battery of the printer died after a week of use."]),
        ("... died after a week of use. ...", ["died after a week of use."]),
        ("The battery of the printer ... keeps the radio awake", ["The battery of the printer", "keeps the radio awake"]),
        ("The battery of the printer[…]keeps the radio awake […]", ["The battery of the printer", "keeps the radio awake"]),
        ("died after a week… keeps the radio awake… has fixed it", ["died after a week", "keeps the radio awake", "has fixed it"]),
        ("The battery of the printer died after a week of us...", ["The battery of the printer died after a week of"]),
        ("...ttery of the printer died after a week...", ["of the printer died after a week"]),
        ("...ttery of the printer died after a we...", ["of the printer died after a"]),
        ("Its owners' forum is full of it.", ["Its owners\u2019 forum is full of it."]),
        ("Nobody has fixed it - not yet.", ["Nobody has fixed it \u2013 not yet."]),
        ("The battery of the printer died ... The battery of the printer died", ["The battery of the printer died"] * 2),
        (
            "Batteries of printers\nThe battery of the printer died after a week of use.",
            ["Batteries of printers", "The battery of the printer died after a week of use."],
        ),
        ("radio awake at night.\x1eNobody has fixed it", ["radio awake at night.", "Nobody has fixed it"]),
        ("... the firmware ...", ["The firmware"]),
    ],
)
def test_an_excerpt_becomes_the_pages_own_words(excerpt: str, pieces: list[str]) -> None:
    result = found(excerpt)
    assert (pieces, (), True) == (words(result), result.absent, result.held)


@pytest.mark.parametrize(
    ("excerpt", "absent", "rule"),
    [
        ("The battery of the printer never died.", "The battery of the printer never died.", "not-found"),
        ("The battery of the printer ... has been fixed since", "has been fixed since", "not-found"),
        ("keeps the radio awake ... Its owners\u2019 forum is full", "Its owners\u2019 forum is full", "out-of-order"),
        ("The battery of the printer died\nafter two weeks.", "The battery of the printer died\nafter two weeks.", "not-found"),
    ],
)
def test_the_piece_that_is_not_on_the_page_is_named(excerpt: str, absent: str, rule: str) -> None:
    result = found(excerpt)
    assert ([(absent, rule)], False) == ([(each.piece, each.rule) for each in result.absent], result.held)


@pytest.mark.parametrize("excerpt", ["", "...", " [...] … ", "—"])
def test_an_excerpt_that_says_nothing_is_not_held(excerpt: str) -> None:
    assert not found(excerpt).held


def test_all_pieces_stand_in_one_part() -> None:
    pdf = page(
        make_pdf(
            [(72, 700, 12, b"The first page says this.")], [(72, 700, 12, b"The second says that."), (72, 600, 12, b"No more of it.")]
        ),
        "application/pdf",
    )
    result = found("The second says that. ... No more of it.", pdf)
    assert ([1, 1], True) == ([place.part for place in result.places], result.held)
    assert not found("The first page says this. ... No more of it.", pdf).held


def test_what_was_folded_is_said() -> None:
    assert [("typography",)] == [place.folds for place in found("Its owners' forum is full of it.").places]


WORDS = ("the", "printer", "battery", "of", "radio", "died", "again", "week", "owners", "firmware", "night", "often")
SENTENCES = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=4, max_size=9).map(lambda words: f"{' '.join(words).capitalize()}."),
    min_size=3,
    max_size=8,
)


@given(SENTENCES, st.data())
def test_whatever_a_provider_cuts_out_of_a_page_is_held(sentences: list[str], draw: st.DataObject) -> None:
    of = page("".join(f"<p>{sentence}</p>" for sentence in sentences))
    chosen = sorted(draw.draw(st.sets(st.sampled_from(range(len(sentences))), min_size=1)))
    result = found(" ... ".join(sentences[at] for at in chosen), of)
    assert result.held
    assert [sentences[at] for at in chosen] == words(result, of)


@given(SENTENCES, st.data())
def test_whatever_is_held_stands_on_the_page_in_order(sentences: list[str], draw: st.DataObject) -> None:
    of = page("".join(f"<p>{sentence}</p>" for sentence in draw.draw(st.permutations(sentences))))
    result = found(" ... ".join(sentences), of)
    ends = [place.end for place in result.places]
    starts = [place.start for place in result.places]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    assert len(sentences) == len(result.places) + len(result.absent)
