"""What is left of a proposal."""

from __future__ import annotations

from dataclasses import replace

from veridical.workflows.release import Proposal, ProposedAnswer, ProposedClaim, ProposedQuote, release
from veridical_contract import Reference

from tests.properties.checks import SENTENCE, Stage

CHARGER = "It is the charger that fails."


def rejected(stage: Stage) -> list[str]:
    return [row.rule for row in stage.run.rejections]


def test_a_place_that_is_quoted_twice_carries_a_claim_once() -> None:
    stage = Stage()
    theme = stage.theme(SENTENCE, SENTENCE)
    quotes = theme.claims[0].quotes
    report = stage.release(replace(theme, claims=(ProposedClaim(None, quotes * 5),)))
    assert len(report.themes[0].claims[0].quotes) == 1


def test_the_quote_that_supports_comes_first() -> None:
    stage = Stage()
    cut = stage.theme("the battery of the printer is bad", "the battery of the printer is bad")
    sound = stage.theme(CHARGER, CHARGER)
    both = ProposedClaim(None, cut.claims[0].quotes + sound.claims[0].quotes)
    (claim,) = stage.release(replace(cut, claims=(both,))).themes[0].claims
    assert [quote.verdict for quote in claim.quotes] == ["exact", "clipped"]
    assert claim.text == CHARGER


def test_a_claim_that_is_said_twice_is_there_once() -> None:
    stage = Stage()
    theme = stage.theme(SENTENCE, SENTENCE)
    assert len(stage.release(replace(theme, claims=theme.claims * 3)).themes[0].claims) == 1


def test_a_quote_outside_the_theme_is_rejected() -> None:
    stage = Stage()
    theme = stage.theme(SENTENCE, SENTENCE)
    members = tuple(place for place in theme.members if place.document != stage.named(SENTENCE))
    assert stage.release(replace(theme, members=members)).themes == ()
    assert rejected(stage) == ["outside-the-theme"]


def test_a_member_that_is_no_place_is_not_counted() -> None:
    stage = Stage()
    theme = stage.theme(SENTENCE, SENTENCE)
    wrong = (Reference(document="0" * 64, start=0, end=1), Reference(document=theme.members[0].document, start=0, end=10**6))
    report = stage.release(replace(theme, members=(*wrong, *theme.members)))
    assert report.themes[0].counts.mentions == 12
    assert rejected(stage) == ["not-shown", "out-of-range"]


def test_a_name_that_says_more_than_the_quotes_gives_way() -> None:
    stage = Stage()
    named = stage.theme(SENTENCE, SENTENCE, name="Angela Merkel and the battery")
    beside = stage.theme("Update it first.", "Update it first.").claims[0].quotes[0]
    missed = ProposedQuote("a fire hazard", None)
    report = stage.release(replace(named, name_quote=beside), replace(named, name_quote=missed), replace(named, name=None))
    assert [theme.name.wording for theme in report.themes] == ["source", "kernel", "kernel"]
    assert [theme.name.text for theme in report.themes] == ["Update it first.", "Theme 2", "Theme 3"]


def test_without_themes_nothing_is_answered() -> None:
    stage = Stage()
    stage.run.must_address = ("What fails?",)
    claim = stage.theme(SENTENCE, SENTENCE).claims[0]
    report = release(Proposal("liar", "chat", (), (ProposedAnswer(0, (claim,)),)), stage.evidence)
    assert (report.answers[0].status, report.answers[0].claims) == ("unaddressed", ())


def test_an_answer_to_a_question_that_was_not_asked_is_left_out_and_the_first_to_one_counts() -> None:
    stage = Stage()
    stage.run.must_address = ("What fails?",)
    theme = stage.theme(SENTENCE, SENTENCE)
    other = stage.theme(CHARGER, CHARGER).claims[0]
    answers = (ProposedAnswer(-1, (other,)), ProposedAnswer(0, theme.claims), ProposedAnswer(0, (other,)), ProposedAnswer(7, (other,)))
    report = release(Proposal("liar", "chat", (theme,), answers), stage.evidence)
    assert [claim.text for claim in report.answers[0].claims] == [SENTENCE]
    assert len(report.answers) == 1


def test_what_is_released_may_leave() -> None:
    stage = Stage()
    report = stage.release(stage.theme(SENTENCE, SENTENCE))
    assert stage.run.released(report)
    assert not stage.run.released(report.model_copy(update={"themes": ()}))
