"""Candidates: any of the words, the best first, of what is current now."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import Candidate, TextQuery
from veridical_sqlite import SqliteStorage, search

from plugins.sqlite.tests.kit import Context, batch, document, found


def places(candidates: tuple[Candidate, ...]) -> list[tuple[str, int, int]]:
    return [(candidate.document, candidate.start, candidate.end) for candidate in candidates]


def test_a_title_finds_every_passage_of_its_document(store: SqliteStorage) -> None:
    titled = document("first. second.", title="Orchards", passages=((0, 6), (7, 14)))
    store.put(batch(titled, document("first. second.")))
    assert places(store.candidates(TextQuery(text="orchard"))) == [(titled.id, 0, 6), (titled.id, 7, 14)]


def test_the_rarer_and_the_more_words_match_the_better(store: SqliteStorage) -> None:
    store.put(batch(*(document(f"common filler number {n}") for n in range(30)), document("common zebra"), document("zebra quagga common")))
    assert found(store, "common zebra quagga", limit=3)[:2] == ["zebra quagga common", "common zebra"]
    scores = [candidate.score for candidate in store.candidates(TextQuery(text="common zebra quagga"))]
    assert scores == sorted(scores, reverse=True)


def test_a_limit_keeps_the_best(store: SqliteStorage) -> None:
    store.put(batch(*(document(f"zebra {'filler ' * n}end") for n in range(10))))
    everything = found(store, "zebra")
    assert everything == [f"zebra {'filler ' * n}end" for n in range(10)]
    for limit in range(1, 10):
        assert found(store, "zebra", limit=limit) == everything[:limit]


def test_the_limit_is_filled_from_what_is_current_however_much_is_not(store: SqliteStorage) -> None:
    store.put(batch(*(document(f"zebra zebra {n}") for n in range(50))))
    store.put(batch(document("a zebra among many other words in one long passage"), fingerprint="f2"))
    assert found(store, "zebra", limit=1) == ["a zebra among many other words in one long passage"]


def test_common_words_are_used_when_there_is_nothing_better(store: SqliteStorage) -> None:
    """More passages than make a word common, so that the two steps of the search are taken."""
    store.put(batch(*(document(f"the common words of text n{n}") for n in range(1100)), document("only zebra")))
    assert len(found(store, "the of", limit=500)) == 500
    assert found(store, "the zebra", limit=1) == ["only zebra"]
    assert sorted(set(found(store, "the zebra n7", limit=3)[:2])) == ["only zebra", "the common words of text n7"]
    assert len(found(store, "the zebra n7", limit=3)) == 3


def test_a_whole_page_may_be_the_query_of_which_the_rarest_words_that_occur_are_looked_for(store: SqliteStorage) -> None:
    store.put(batch(document("needle"), *(document(f"twice hay{n}", passages=((0, 5), (6, 6 + len(f"hay{n}")))) for n in range(300))))
    assert found(store, " ".join(f"absent{n}" for n in range(3000)) + " needle") == ["needle"]
    page = f"twice {' '.join(f'hay{n}' for n in range(300))} needle"
    assert len(found(store, page, limit=1000)) == 256


WORDS = ("the", "of", "zebra", "quagga", "hinge", "n7")


def filled(store: SqliteStorage) -> None:
    """1,200 passages of one source, of which `the` and `of` are common words, and a few of another, one document of both."""
    many = [document(f"the words of text n{n}") for n in range(1200)]
    mine = [document(f"{one} {other} the note") for one in WORDS for other in WORDS[1:]]
    store.put(batch(*many, origin="web"))
    store.put(batch(*mine, many[7], origin="notes"))
    store.put(batch(document("of the past zebra"), container="b.txt", origin="notes"))
    store.put(batch(document("zebra of today"), container="b.txt", fingerprint="f2", origin="notes"))


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> SqliteStorage:
    store = SqliteStorage(Context(tmp_path_factory.mktemp("full")))
    filled(store)
    return store


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.sampled_from([("notes",), ("web", "notes"), ("none",)]), st.integers(1, 60)
)
def test_a_source_of_few_passages_is_searched_as_one_of_many(
    full: SqliteStorage, words: list[str], origins: tuple[str, ...], limit: int
) -> None:
    query = TextQuery(text=" ".join(words), origins=origins, limit=limit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_MOST_LISTED", -1)
        expected = full.candidates(query)
    assert expected == full.candidates(query)


def test_a_source_of_few_passages_costs_little_in_a_store_of_many(full: SqliteStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in steps of SQLite's machine, to which ranking itself is not counted."""
    query = TextQuery(text="the note of a zebra", origins=("notes",))
    few = steps(full, query)
    monkeypatch.setattr(search, "_MOST_LISTED", -1)
    many = steps(full, query)
    assert few * 2 < many, (few, many)


def steps(store: SqliteStorage, query: TextQuery) -> int:
    counted = 0

    def count() -> int:
        nonlocal counted
        counted += 1
        return 0

    with store._database.read("the full-text index") as connection:
        connection.set_progress_handler(count, 10)
        search.candidates(connection, query)
        connection.set_progress_handler(None, 0)
    return counted
