"""What a search plugin hands in: evidence only where the operator named the plugin, and then only as its word."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from veridical.kernel.admission import Trust
from veridical_contract import Item, Locator, PluginError, SearchQuery

from tests.properties.world import World

QUERY = SearchQuery(text="printer battery", limit=3)


def hit(**changes: object) -> Item:
    fields: dict[str, object] = {"text": "The battery of the printer fails.", "url": "https://a.example/1", "title": "Printers"}
    return Item(locator=Locator(container="search"), **(fields | changes))  # pyright: ignore[reportArgumentType]


class Search:
    """A search plugin that returns what a test gives it."""

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    def search(self, query: SearchQuery) -> object:
        return self._make()


def world(make: Callable[[], object], *, attested: bool = False) -> World:
    return World(search=Search(make), trust={"search": Trust(attested=True)} if attested else {})


def test_hits_are_no_evidence_unless_the_operator_named_the_plugin() -> None:
    batch = world(lambda: [hit()]).gateway().search("search", QUERY)
    assert batch.documents == ()
    assert batch.refused == ("attested-not-allowed",)


def test_hits_of_a_named_plugin_are_evidence_on_its_word() -> None:
    (admitted,) = world(lambda: [hit()], attested=True).gateway().search("search", QUERY).documents
    grades = admitted.document.grades
    assert (grades.text, grades.url, grades.title) == ("attested", "attested", "attested")
    assert admitted.document.origin == "search"


def test_a_hit_without_text_is_a_link_and_no_evidence() -> None:
    batch = world(lambda: [hit(text=None)], attested=True).gateway().search("search", QUERY)
    assert (batch.documents, batch.refused, len(batch.links)) == ((), (), 1)
    assert world(lambda: [hit(text=None)], attested=False).gateway().search("search", QUERY).links == ()


def test_an_inadmissible_url_goes_and_is_named() -> None:
    batch = world(lambda: [hit(url="http://169.254.169.254/latest")], attested=True).gateway().search("search", QUERY)
    assert batch.documents[0].document.url is None
    assert len(batch.dropped) == 1


def test_no_more_hits_are_taken_than_were_asked_for() -> None:
    batch = world(lambda: [hit(url=f"https://a.example/{n}") for n in range(50)], attested=True).gateway().search("search", QUERY)
    assert len(batch.documents) == QUERY.limit


@pytest.mark.parametrize(
    "junk", [None, (), "x", {}, [None], ["x"], [{}], [type("L", (Item,), {})(locator=Locator(container="x"))], type("L", (list,), {})()]
)
def test_what_is_no_list_of_items_costs_the_plugin_its_results(junk: object) -> None:
    with pytest.raises(PluginError, match="search returned what it may not"):
        world(lambda: junk).gateway().search("search", QUERY)


def test_a_hit_that_is_changed_afterwards_changes_nothing() -> None:
    kept = hit()
    (admitted,) = world(lambda: [kept], attested=True).gateway().search("search", QUERY).documents
    object.__setattr__(kept, "text", "The battery of the printer never fails.")
    assert admitted.document.text == "The battery of the printer fails."
