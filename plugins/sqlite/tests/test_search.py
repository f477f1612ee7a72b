"""Candidates: any of the words, the best first, of what is current now."""

from __future__ import annotations

from veridical_contract import Candidate, TextQuery
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import batch, document, found


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
