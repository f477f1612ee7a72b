"""I3: a claim without surviving evidence does not exist; a theme without a verified quote does not exist."""

from hypothesis import given

from tests.properties.liars import PROSE, QUOTES, LyingChat, lies
from tests.properties.world import ROWS, World, assert_true

FALSE = ["changed digit", "inserted word", "spliced", "elided", "invented", "control", "empty", "blank", "long"]


@given(lies(FALSE), lies(list(PROSE)))
def test_a_theme_whose_every_quote_fails_is_not_there(quotes: list[tuple[str, int, int]], words: list[tuple[str, int, int]]) -> None:
    # An even number: no honest quote stands beside the false one. A row without digits is not changed by changing its digits.
    quotes = [(kind, at, number - number % 2) for kind, at, number in quotes if kind != "changed digit"]
    chat = LyingChat(quotes or [("invented", 0, 0)], words)
    published = World(chat=chat).outcome()
    assert published is not None
    assert_true(published)
    texts = {row.text for row in ROWS}
    assert all(theme.claims for theme in published.report.themes)
    if not any(words in text for text in texts for words in chat.proposed if words.strip()):
        assert published.report.themes == ()
        assert published.report.refusal is not None


@given(lies(list(QUOTES)), lies(list(PROSE)))
def test_an_answer_has_claims_or_is_unaddressed(quotes: list[tuple[str, int, int]], words: list[tuple[str, int, int]]) -> None:
    asked = ("What does a new battery cost?", "Who invented the printer?")
    published = World(chat=LyingChat(quotes, words)).outcome(must_address=asked)
    assert published is not None
    assert tuple(answer.question for answer in published.report.answers) == asked
    assert all((answer.status == "answered") == bool(answer.claims) for answer in published.report.answers)
    assert_true(published)


@given(lies(list(QUOTES)))
def test_questions_and_words_of_somebody_else_support_nothing(quotes: list[tuple[str, int, int]]) -> None:
    rows = [row for row in ROWS if row.text.endswith("?") or row.text.startswith(">")]
    published = World(
        rows=rows, source=_source(rows), chat=LyingChat([(kind, at, 0) for kind, at, _ in quotes], [("none", 0, 0)])
    ).outcome()
    assert published is not None
    for theme in published.report.themes:
        for claim in theme.claims:
            assert not claim.text.startswith((">", "The battery fails all the time"))
    assert_true(published, rows)


def _source(rows: list) -> object:  # type: ignore[type-arg]
    from tests.properties.world import RowSource

    return RowSource(rows)
