"""I5: no evidence: a typed refusal with what was tried and what would help. Never model memory, never an empty success."""

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.liars import Junk, LyingChat, LyingStore, junk, liars, lies
from tests.properties.world import Row, RowSource, World, assert_true

MEMORY = "I remember that the printer is bad."


@given(liars(), st.sampled_from(["Who is the king of Mongolia?", "zzz qqq", "How do I bake sourdough bread at home?"]))
def test_a_question_that_nothing_answers_is_refused_whatever_the_composer_says(chat: LyingChat, question: str) -> None:
    published = World(chat=chat).outcome(question=question)
    assert published is not None
    report = published.report
    assert (report.outcome, report.themes, report.citations) == ("refused", (), ())
    assert report.refusal is not None
    assert report.refusal.tried
    assert report.refusal.help
    assert MEMORY not in published.report_bytes.decode()
    assert_true(published)


@given(lies(["withheld", "unknown", "missing", "no tag", "another's tag", "altered body"], most=12))
def test_a_store_that_gives_nothing_usable_ends_in_a_refusal_or_in_the_truth(told: list[tuple[str, int, int]]) -> None:
    published = World(storage=LyingStore(told)).outcome()
    if published is not None:
        assert_true(published)


@given(junk, st.booleans())
def test_a_composer_that_fails_or_babbles_makes_a_refusal_that_says_so(value: object, raises: bool) -> None:
    published = World(chat=Junk(value, raises=raises)).outcome()
    assert published is not None
    assert published.report.refusal is not None
    assert published.report.refusal.code == "nothing-verified"
    assert_true(published)


@given(st.lists(st.sampled_from(["", " ", "\n\n", "\x1e", "> ", "\u200b"]), max_size=4))
def test_nothing_to_read_is_no_evidence(texts: list[str]) -> None:
    rows = [Row(text, None, None) for text in dict.fromkeys(texts)]
    published = World(rows=rows, source=RowSource(rows)).outcome()
    assert published is not None
    assert published.report.refusal is not None
    assert_true(published, rows)
