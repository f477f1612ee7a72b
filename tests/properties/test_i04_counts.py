"""I4: a count is the size of a set of ids held by the kernel: union, never sum. Counts reach prose only through the kernel."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.liars import PROSE, LyingChat, LyingEmbedding, LyingStore, lies
from tests.properties.world import Row, RowSource, World, assert_true

COUNTING = ["counted", "own count", "other set", "most", "nobody", "euros", "copied"]
texts = [f"The battery of the printer fails after {number} weeks of use." for number in range(12)]
rows = st.lists(
    st.builds(
        Row,
        st.sampled_from(texts),
        st.sampled_from([None, *(f"https://{host}.example/{number}" for host in "ab" for number in range(3))]),
        st.sampled_from([None, "ann", "bob", "eve"]),
    ),
    min_size=1,
    max_size=14,
    unique_by=lambda row: (row.text, row.url, row.user),
)


@given(rows)
def test_counts_are_those_of_the_sets_whatever_the_rows_are(found: list[Row]) -> None:
    published = World(rows=found, source=RowSource(found)).outcome()
    assert published is not None
    assert_true(published, found)


@given(lies(["twice", "out of range", "unknown", "reversed"]), rows)
def test_a_store_that_proposes_a_document_again_adds_to_no_count(told: list[tuple[str, int, int]], found: list[Row]) -> None:
    published = World(rows=found, source=RowSource(found), storage=LyingStore(told)).outcome()
    assert published is not None
    assert_true(published, found)


@given(lies(COUNTING), st.sampled_from(["whole", "first sentence", "slice"]))
def test_no_number_of_a_composer_reaches_prose(words: list[tuple[str, int, int]], kind: str) -> None:
    assert set(COUNTING) <= set(PROSE)
    published = World(chat=LyingChat([(kind, at, at % 2) for at in range(8)], words)).outcome()
    assert published is not None
    assert_true(published)


@settings(max_examples=settings.default.max_examples // 2)
@given(st.integers(-5, 10**12))
def test_what_the_store_says_of_its_size_is_never_less_than_what_it_gave(number: int) -> None:
    published = World(storage=LyingStore([("no scope", 0, number)])).outcome()
    assert published is not None
    assert published.report.funnel.in_scope >= published.report.funnel.admitted
    assert World(storage=LyingStore([("negative scope", 0, abs(number))])).outcome() is None


@given(lies(["huge", "tiny", "large", "mixed", "all huge", "zero", "width by purpose"]))
def test_groups_made_of_odd_vectors_are_counted_all_the_same(told: list[tuple[str, int, int]]) -> None:
    published = World(embedding=LyingEmbedding(told)).outcome()
    assert published is not None
    assert_true(published)
