"""Counts: sizes of sets, whatever the order and repetition of what is counted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.counts import (
    CountRefused,
    CountTable,
    account_of,
    check_count,
    check_percent,
    count_set,
    is_known_author,
    origin_of,
)
from veridical.kernel.policy import load_policy
from veridical_contract import Author, Citation, Counts, Document, Grades, Locator

from core.tests.kernel.lying import LyingInt
from core.tests.kernel.pitfalls_values import row

POLICY = load_policy()


def record(name: str = "1", author: str | None = "ann", text: str = "x crashed for me", **more: str) -> dict[str, Any]:
    return {"id": name, "author": author, "text": text, **more}


def counts(*records: dict[str, Any]) -> Counts:
    return count_set(map(row, records))


def document(author: Author | None, grade: Any) -> Document:
    return Document(
        text="x",
        author=author,
        retrieved="2026-11-21T00:00:00Z",
        locator=Locator(container="c"),
        origin="o",
        plugin="p",
        extractor="plugin",
        grades=Grades(text="held", author=grade),
    )


def test_nothing_counts_as_nothing() -> None:
    assert count_set([]) == Counts(mentions=0, accounts=0, unknown_accounts=0, attested_accounts=0, sources=0, origins=0)


def test_every_size_is_that_of_its_own_set() -> None:
    found = counts(
        record("1", "ann", "one text", site="www.reddit.com"),
        record("2", "ANN", "another text", site="old.reddit.com"),
        record("3", "ann", "One  text!", site="news.ycombinator.com"),
        record("4", None, "third"),
        record("5", "[deleted]", "third"),
        record("6", "AutoModerator", "fourth", site="reddit.com"),
    )
    assert found == Counts(mentions=6, accounts=2, unknown_accounts=2, attested_accounts=0, sources=3, origins=4)


def test_a_document_counts_once() -> None:
    assert counts(record(), record(), record()) == counts(record())


@pytest.mark.parametrize(
    "other", [{"author": "bob"}, {"author": None}, {"text": "other"}, {"site": "reddit.com"}, {"author": "automoderator"}]
)
def test_two_stories_about_one_document_are_refused(other: dict[str, Any]) -> None:
    with pytest.raises(CountRefused, match="count-conflict"):
        counts(record(), {**record(), **other})


@pytest.mark.parametrize(
    ("one", "other", "accounts"),
    [
        ({"author": "Ann"}, {"author": "ann"}, 1),
        ({"author": " ann "}, {"author": "ann"}, 1),
        ({"author": "Ann", "site": "reddit.com"}, {"author": "ann", "site": "reddit.com"}, 1),
        ({"author": "ann", "site": "old.reddit.com"}, {"author": "ann", "site": "www.reddit.com"}, 1),
        ({"author": "ann", "site": "Reddit.com"}, {"author": "ann", "site": "reddit.com"}, 1),
        ({"author": "Stra\u00dfe"}, {"author": "STRASSE"}, 1),
        ({"author": "Zoe\u0308"}, {"author": "Zo\u00eb"}, 1),
        ({"author": "Ann", "site": "unknown.example"}, {"author": "ann", "site": "unknown.example"}, 1),
        ({"author": "Ann", "site": "news.ycombinator.com"}, {"author": "ann", "site": "news.ycombinator.com"}, 2),
        ({"author": "ann", "site": "reddit.com"}, {"author": "ann", "site": "news.ycombinator.com"}, 2),
        ({"author": "5", "site": "ai.stackexchange.com"}, {"author": "5", "site": "coffee.stackexchange.com"}, 2),
        ({"author": "5", "site": "AI.stackexchange.com"}, {"author": "5", "site": "ai.stackexchange.com"}, 1),
        ({"author": "ann", "site": "one.github.io"}, {"author": "ann", "site": "two.github.io"}, 2),
        ({"author": "ann", "url": "https://reddit.com/a"}, {"author": "ann", "url": "https://www.reddit.com/b"}, 1),
        ({"author": "ann", "url": "https://b\u00fccher.example/a"}, {"author": "ann", "url": "https://xn--bcher-kva.example/b"}, 1),
        ({"author": "ann"}, {"author": "bob"}, 2),
        ({"author": "ann"}, {"author": "ann2"}, 2),
        ({"author": "ann"}, {"author": "[deleted]"}, 1),
        ({"author": "ann"}, {"author": "dependabot[bot]"}, 1),
        ({"author": "[deleted]"}, {"author": "[deleted]"}, 0),
        ({"author": "AutoModerator"}, {"author": "autotldr"}, 0),
    ],
)
def test_an_account_is_a_site_and_an_identifier(one: dict[str, Any], other: dict[str, Any], accounts: int) -> None:
    assert counts(record("1", **one), record("2", **other)).accounts == accounts


@pytest.mark.parametrize(
    "author",
    ["", " ", "[deleted]", "[removed]", "[Deleted]", "deleted", "null", "None", "nan", "undefined", "Anonymous", "unknown", "N/A", "ghost"],
)
def test_the_mark_of_a_deleted_or_unknown_author_is_no_account(author: str) -> None:
    assert not is_known_author(author, POLICY)
    assert account_of(document(Author(site="reddit.com", id=author), "held"), POLICY) == ("unknown", None)


def test_a_document_without_author_has_an_unknown_account() -> None:
    assert account_of(document(None, None), POLICY) == ("unknown", None)


@pytest.mark.parametrize("author", ["AutoModerator", "automoderator", "renovate-bot", "anything[bot]", "Some Thing (bot)"])
def test_a_declared_bot_is_excluded(author: str) -> None:
    assert account_of(document(Author(site="github.com", id=author), "held"), POLICY) == ("excluded", None)


@pytest.mark.parametrize("author", ["robot", "abbot", "talbot", "bottle", "deleted_scenes", "nullpointer", "nobody"])
def test_a_name_that_only_looks_like_a_mark_or_a_bot_is_an_account(author: str) -> None:
    assert account_of(document(Author(site="github.com", id=author), "held"), POLICY) == ("known", f"github.com/{author}")


@pytest.mark.parametrize(("grade", "account"), [("held", "known"), ("wire", "known"), ("attested", "attested")])
def test_an_account_that_only_a_plugin_vouches_for_stands_apart(grade: str, account: str) -> None:
    assert account_of(document(Author(site="reddit.com", id="Ann"), grade), POLICY) == (account, "reddit.com/ann")


def test_attested_accounts_are_not_among_the_accounts_and_not_counted_twice() -> None:
    rows = [row(record("1", "ann")), row(record("2", "bob"), "attested"), row(record("3", "ann"), "attested")]
    found = count_set(rows)
    assert (found.accounts, found.attested_accounts, found.unknown_accounts) == (1, 1, 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Buy at shop", "buy  at\nSHOP!", True),
        ("Buy at shop", "Buy, at shop...", True),
        ("Zoe\u0308 said", "Zo\u00eb said", True),
        ("Buy at shop", "Buy at shops", False),
        ("Buy at shop", "shop at Buy", False),
        ("not good", "notgood", False),
        ("v1.2", "v12", False),
        ("!!!", "???", False),
        ("\U0001f44d", "\U0001f44e", False),
        ("\ud800", "\ud800", True),
    ],
)
def test_texts_of_equal_words_are_one_origin(one: str, other: str, same: bool) -> None:
    assert (origin_of(one) == origin_of(other)) == same
    assert len(origin_of(one)) == 16


def test_a_count_is_accepted_only_as_exactly_that_int() -> None:
    assert check_count(2, 2) == 2


@pytest.mark.parametrize(
    ("proposed", "rule"),
    [(3, "count-differs"), (-2, "count-differs"), (2.0, "count-type"), ("2", "count-type"), (None, "count-type"), ([2], "count-type")],
)
def test_any_other_number_is_refused(proposed: object, rule: str) -> None:
    with pytest.raises(CountRefused) as refused:
        check_count(proposed, 2)
    assert refused.value.rule == rule


@pytest.mark.parametrize("proposed", [True, LyingInt(1)])
def test_a_value_that_only_claims_to_be_the_number_is_refused(proposed: object) -> None:
    with pytest.raises(CountRefused, match="count-type"):
        check_count(proposed, 1)


def ids(number: int) -> frozenset[str]:
    return frozenset(map(str, range(number)))


@pytest.mark.parametrize(
    ("part", "whole", "percent", "labels"),
    [
        (1, 2, 50, set()),
        (0, 3, 0, set()),
        (3, 3, 100, set()),
        (1, 3, 33, {"rounded"}),
        (2, 3, 67, {"rounded"}),
        (1, 8, 13, {"rounded"}),
        (1, 200, 1, {"rounded"}),
    ],
)
def test_a_percentage_is_computed_from_two_sets(part: int, whole: int, percent: int, labels: set[str]) -> None:
    assert check_percent(percent, ids(part), ids(whole)) == (percent, labels)


@pytest.mark.parametrize(
    ("proposed", "part", "whole", "rule"),
    [
        (50, ids(0), ids(0), "percent-sets"),
        (50, frozenset({"9"}), ids(2), "percent-sets"),
        (100, ids(3), ids(2), "percent-sets"),
        (50, ids(1), ids(3), "count-differs"),
        (34, ids(1), ids(3), "count-differs"),
        (50.0, ids(1), ids(2), "count-type"),
        ("50", ids(1), ids(2), "count-type"),
        (True, ids(1), ids(100), "count-type"),
        (0, ids(1), ids(1000), "percent-rounding"),
        (100, ids(999), ids(1000), "percent-rounding"),
    ],
)
def test_a_percentage_without_such_sets_is_refused(proposed: object, part: frozenset[str], whole: frozenset[str], rule: str) -> None:
    with pytest.raises(CountRefused) as refused:
        check_percent(proposed, part, whole)
    assert refused.value.rule == rule


def test_the_names_in_the_table_are_in_the_form_that_is_looked_up() -> None:
    table = POLICY.table("counts", CountTable)
    assert all(name == name.strip().casefold() for name in table.unknown_authors | table.bots | table.own_accounts)


RECORDS = st.lists(
    st.builds(
        record,
        st.integers(0, 9).map(str),
        st.sampled_from(["ann", "Ann", "bob", "[deleted]", None, "AutoModerator"]),
        st.sampled_from(["one", "One!", "two"]),
        site=st.sampled_from(["reddit.com", "old.reddit.com", "news.ycombinator.com", "x.example"]),
    ),
    unique_by=lambda made: made["id"],
)


@given(RECORDS, st.data())
def test_order_and_repetition_change_no_count(records: list[dict[str, Any]], data: st.DataObject) -> None:
    rows = [row(one) for one in records]
    again = data.draw(st.permutations(rows + [one for one in rows if data.draw(st.booleans())]))
    assert count_set(again) == count_set(rows)


@given(RECORDS, RECORDS)
def test_the_count_of_a_union_is_never_more_than_the_sum_and_never_less_than_a_part(
    one: list[dict[str, Any]], other: list[dict[str, Any]]
) -> None:
    rows: list[Citation] = [row(made) for made in one]
    known = {made["id"] for made in one}
    more = [row(made) for made in other if made["id"] not in known]
    first, second, both = (count_set(part).model_dump() for part in (rows, more, rows + more))
    for name, size in both.items():
        assert max(first[name], second[name]) <= size <= first[name] + second[name]


@given(RECORDS)
def test_accounts_unknown_and_excluded_never_exceed_the_mentions(records: list[dict[str, Any]]) -> None:
    found = counts(*records)
    assert found.accounts + found.unknown_accounts + found.attested_accounts <= found.mentions == len(records)


@given(st.frozensets(st.integers(0, 300).map(str)), st.frozensets(st.integers(0, 300).map(str)), st.integers(-5, 105))
def test_only_the_true_percentage_is_accepted(part: frozenset[str], whole: frozenset[str], proposed: int) -> None:
    try:
        percent, labels = check_percent(proposed, part, whole)
    except CountRefused:
        return
    assert part <= whole
    assert abs(percent * len(whole) - 100 * len(part)) * 2 <= len(whole)
    assert (labels == set()) == (percent * len(whole) == 100 * len(part))
