"""The parts of a check: numbers as sentences mention them, speakers, copies with what is wrong put right or marked."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.drafts import Draft, Piece, read_draft
from veridical.workflows.check import copy_paths
from veridical.workflows.check.fixing import edit_for, fixed
from veridical.workflows.check.mentions import counts_the_same, mentions
from veridical.workflows.check.speakers import is_author, is_named
from veridical.workflows.check.verdicts import level, message
from veridical_contract import Author, Edit, Finding, Span, UsageError

# Numbers


@pytest.mark.parametrize(
    ("text", "value", "unit", "counted"),
    [
        ("It lasts 4 hours.", "4", "", ("hour",)),
        ("About 1,000 documents were read.", "1000", "", ("document",)),
        ("1 000 documents", "1000", "", ("document",)),
        ("Es sind 1.000 Dokumente.", "1000", "", ("dokument",)),
        ("3,5 Prozent der Kunden", "3.5", "%", ("kunden",)),
        ("40 % of the users", "40", "%", ("user",)),
        ("40 percent of users", "40", "%", ("user",)),
        ("It costs $1,000.50 now.", "1000.5", "$", ()),
        ("It weighs 5kg.", "5", "kg", ()),
        ("It weighs 5 kg.", "5", "kg", ()),
        ("She used it for eight years.", "8", "", ("year",)),
        ("Nach zwölf Tagen", "12", "", ("tagen",)),
        ("in 0.125 cases", "0.125", "", ("cas",)),
        ("4 million users", "4000000", "", ("user",)),
        ("3,5 Mio. Kunden", "3500000", "", ("kunden",)),
        ("It lost \u22124 hours.", "-4", "", ("hour",)),
        ("They raised $4m.", "4000000", "$", ()),
        ("It is 4m long.", "4", "m", ("long",)),
        ("4\u00bd hours", "4.5", "", ("hour",)),
        ("<4 hours", "4", "<", ("hour",)),
    ],
)
def test_a_number_has_a_value_a_unit_and_what_it_counts(text: str, value: str, unit: str, counted: tuple[str, ...]) -> None:
    (found,) = mentions(text)
    assert (Decimal(value), unit, counted) == (found.value, found.unit, found.counted)


@pytest.mark.parametrize("text", ["GPT-4x", "an M1 chip", "none at all", "sixty", "one"])
def test_what_counts_nothing_is_no_number(text: str) -> None:
    assert [] == mentions(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("4 hours", "4 long hours", True),
        ("3 days", "3 days later", True),
        ("3 long days", "3 long weeks", False),
        ("5 kg of sugar", "5 g of sugar", False),
        ("40 %", "40 percent", True),
        ("in 2019", "in 2019", False),
    ],
)
def test_two_numbers_count_the_same_when_unit_and_noun_are_the_same(one: str, other: str, same: bool) -> None:
    (mine,), (theirs,) = mentions(one), mentions(other)
    assert same == counts_the_same(mine, theirs) == counts_the_same(theirs, mine)


@given(st.text(st.sampled_from("0123456789.,' %kgeh$\u20ac\u00a0"), max_size=20))
def test_every_number_is_a_part_of_its_text(text: str) -> None:
    for found in mentions(text):
        assert 0 <= found.start <= found.digits[0] < found.digits[1] <= found.end <= len(text)


# Speakers


@pytest.mark.parametrize(
    ("speaker", "name", "same"),
    [
        ("Ann Lee", "Ann Lee", True),
        ("Ann", "Ann Lee", True),
        ("Lee", "Ann Lee", True),
        ("Dr. Ann Lee", "Ann Lee", True),
        ("Ann Lee of Acme", "Ann Lee", True),
        ("ann_lee", "Ann Lee", True),
        ("Ann Leeson", "Ann Lee", False),
        ("Joann", "Ann", False),
        ("Lee Ann", "Ann Lee", False),
        ("Ann and Bob", "Bob", False),
        ("", "Ann", False),
    ],
)
def test_a_speaker_is_an_author_by_the_words_of_the_name(speaker: str, name: str, same: bool) -> None:
    assert same == is_author(speaker, Author(site="a.example", id="7", name=name))
    assert same == is_author(speaker, Author(site="a.example", id=name))


def test_a_text_names_a_speaker_by_the_whole_name_or_by_its_last_word() -> None:
    assert is_named("Karl M\u00f6ller", "Herr M\u00f6ller sagte es.")
    assert is_named("Ann", "said Ann")
    assert not is_named("Ann Lee", "said Ann")
    assert not is_named("Bo Li", "Li said so")


# Verdicts


def test_what_misleads_is_a_warning_and_an_error_when_it_has_to_be() -> None:
    assert ("ok", "ok") == (level("exact", (), strict=False), level("illustration", (), strict=True))
    assert ("warning", "error") == (level("clipped", (), strict=False), level("clipped", (), strict=True))
    assert ("warning", "error") == tuple(level("exact", ("quoted-not-authored",), strict=strict) for strict in (False, True))
    assert {"error"} == {level(verdict, (), strict=False) for verdict in ("altered", "not-found", "needs-document", "not-shown")}


def test_not_found_and_needs_a_document_are_told_apart_and_neither_says_false() -> None:
    said = [message("quote", verdict, "not-found", ()) for verdict in ("not-found", "needs-document", "not-shown")]
    assert 3 == len(set(said))
    assert not any("false" in one.lower() or "fabricated" in one.lower() for one in said)


# Copies


def piece_of(draft: Draft, words: str) -> Piece:
    return next(piece for piece in draft.pieces if words in " ".join(piece.text.split()))


def copied(source: str, name: str, words: str, instead: str | None) -> str:
    """The draft with one piece put right, or marked; without what is added at its end."""
    draft = read_draft(source.encode(), name=name)
    piece = piece_of(draft, words)
    span = Span(document="a" * 64, start=0, end=len(instead), text=instead) if instead is not None else None
    edit = edit_for(draft, piece, "altered" if instead is not None else "not-found", span)
    text = fixed(draft, [finding(draft, piece, edit)])
    assert "veridical-export" in text
    return text[: text.index("<!-- veridical-export" if draft.format != "text" else "veridical-export")].rstrip()


def finding(draft: Draft, piece: Piece, edit: Edit) -> Finding:
    return Finding(
        file=draft.name,
        kind=piece.kind,
        start=piece.start,
        end=piece.end,
        line=1,
        column=1,
        end_line=1,
        end_column=1,
        words=piece.text,
        verdict="altered",
        level="error",
        rule="not-found",
        message="",
        fix=edit,
    )


@pytest.mark.parametrize(
    ("name", "source", "instead", "expected"),
    [
        ("a.md", 'He said "the old words there" to us.', "the *new* words", 'He said "the \\*new\\* words" to us.'),
        ("a.md", "He said \u201cthe old words there\u201d to us.", "the new words", "He said \u201cthe new words\u201d to us."),
        ("a.md", 'He said "the old words there" to us.', 'the "new" words', 'He said "the \u201cnew\u201d words" to us.'),
        (
            "a.html",
            "<p>He said &ldquo;the old words there&rdquo; to us.</p>",
            "a < b & c",
            "<p>He said &ldquo;a &lt; b &amp; c&rdquo; to us.</p>",
        ),
        ("a.html", "<p>He said <q>the old <i>words</i> there</q>.</p>", "the new words", "<p>He said <q>the new words</q>.</p>"),
        ("a.txt", 'He said "the old words there" to us.', "the\n new  words", 'He said "the new words" to us.'),
        ("a.md", '<p>\nHe said "the old words there".</p>', "a [new] & *b*", '<p>\nHe said "a &#91;new&#93; &amp; &#42;b&#42;".</p>'),
    ],
)
def test_words_are_put_right_in_the_format_of_the_draft(name: str, source: str, instead: str, expected: str) -> None:
    assert expected == copied(source, name, "the old words there", instead)


MARK = {
    "a.md": " **\\[not found in the evidence\\]**",
    "a.html": " <mark>[not found in the evidence]</mark>",
    "a.txt": " [NOT FOUND IN THE EVIDENCE]",
}


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("a.md", 'He said "the old words there,"| and went.', "the old words"),
        ("a.md", "See [this](https://x.example/a)| now.", "x.example"),
        ("a.md", 'See [this](<https://x.example/a> "t")| now.', "x.example"),
        ("a.md", "See <https://x.example/a>| now.", "x.example"),
        ("a.md", "> the old words there\n> and some more of them|", "the old words"),
        ("a.html", '<p>See <a href="https://x.example/a">this</a>| now.</p>', "x.example"),
        ("a.html", "<p>He said &laquo;the old words there&raquo;| now.</p>", "the old words"),
        ("a.txt", "See https://x.example/a| now.", "x.example"),
        ("a.md", 'He said "the [old words](https://x.example/a) there"| to us.', "x.example"),
        ("a.md", 'He said "[the old words](https://x.example/a)"| to us.', "x.example"),
    ],
)
def test_a_mark_stands_behind_what_is_not_in_the_evidence(name: str, source: str, words: str) -> None:
    assert source.replace("|", MARK[name]) == copied(source.replace("|", ""), name, words, None)


def test_the_definition_of_a_link_is_not_broken_by_a_mark() -> None:
    made = copied("See [this][1] now.\n\n[1]: https://x.example/a\n", "a.md", "x.example", None)
    assert made == "See [this][1] now.\n\n[1]: https://x.example/a\n\n**\\[not found in the evidence\\]**"


def test_where_markup_crosses_a_quotation_it_is_marked_and_not_replaced() -> None:
    made = copied('<p>He said "the old <b>words there" to us</b>.</p>', "a.html", "the old words there", "the new words")
    assert made == '<p>He said "the old <b>words there" <mark>[differs from the evidence]</mark> to us</b>.</p>'


@pytest.mark.parametrize(
    ("drafts", "out", "suffix", "said"),
    [
        (["a.md"], "a.md", None, "no draft is ever changed"),
        (["a.md"], "link.md", None, "no draft is ever changed"),
        (["a.md"], "there.md", None, "is there already"),
        (["a.md", "b.md"], "c.md", None, "is no folder"),
        (["a.md", "sub/a.md"], "sub2", None, "one copy"),
        (["a.md"], "no/c.md", None, "There is no folder"),
        (["-"], None, ".x", "Nothing lies beside"),
        (["a.md"], None, "", "cannot stand in the name"),
        (["a.md"], None, "/x", "cannot stand in the name"),
    ],
)
def test_a_copy_replaces_nothing_that_is_not_asked_for(
    tmp_path: Path, drafts: list[str], out: str | None, suffix: str | None, said: str
) -> None:
    for name in ("sub", "sub2"):
        (tmp_path / name).mkdir()
    for name in ("a.md", "there.md", "sub/a.md"):
        (tmp_path / name).write_text("x")
    (tmp_path / "link.md").symlink_to("a.md")
    with pytest.raises(UsageError, match=said):
        copy_paths(drafts, base=tmp_path, out=Path(out) if out is not None else None, suffix=suffix, overwrite=False)


def test_copies_go_where_they_are_meant_to(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert (tmp_path / "out/a.md", tmp_path / "out/stdin.txt") == copy_paths(
        ["a.md", "-"], base=tmp_path, out=Path("out"), suffix=None, overwrite=False
    )
    assert (tmp_path / "a.ok.md",) == copy_paths(["a.md"], base=tmp_path, out=None, suffix=".ok", overwrite=False)
    (tmp_path / "b.md").write_text("x")
    assert (tmp_path / "b.md",) == copy_paths(["a.md"], base=tmp_path, out=Path("b.md"), suffix=None, overwrite=True)
