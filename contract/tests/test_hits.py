from __future__ import annotations

from pydantic import JsonValue
from veridical_contract import SearchQuery, WireMap

WIRE = WireMap(base_url="https://api.acme.example", item="/rows/*", url="link", title="title", text=("text", "more/*"))
REPLY: JsonValue = {
    "rows": [
        {"link": "https://one.example/", "text": "First.", "more": ["Second.", "", 3]},
        {"link": "https://two.example/", "text": None},
        {"link": None, "text": "Third."},
        "no hit",
    ]
}


def places(wire: WireMap, reply: JsonValue, query: SearchQuery | None = None) -> list[tuple[str, str | None]]:
    return [(item.place.item, item.place.text) for item in wire.items(reply, query=query) if item.place is not None]


def test_each_text_of_a_hit_is_an_item_and_a_hit_without_one_is_a_link() -> None:
    assert [("/rows/0", "text"), ("/rows/0", "more/0"), ("/rows/1", None), ("/rows/2", "text"), ("/rows/3", None)] == places(WIRE, REPLY)


def test_hits_of_other_domains_and_without_a_url_are_left_out_for_a_query() -> None:
    assert [("/rows/0", "text"), ("/rows/0", "more/0"), ("/rows/1", None)] == places(WIRE, REPLY, SearchQuery(text="x"))
    assert [("/rows/1", None)] == places(WIRE, REPLY, SearchQuery(text="x", exclude_domains=("one.example",)))
    assert [("/rows/1", None)] == places(WIRE, REPLY, SearchQuery(text="x", include_domains=("two.example",)))


def test_the_host_of_a_template_is_known_before_any_hit() -> None:
    wire = WireMap(base_url="https://api.acme.example", item="/rows/*", url="https://one.example/{text}", text=("text",))
    assert 4 == len(places(wire, REPLY, SearchQuery(text="x", include_domains=("one.example",))))
    assert [] == places(wire, REPLY, SearchQuery(text="x", exclude_domains=("one.example",)))


def test_a_reply_of_another_shape_has_no_hits() -> None:
    shapes: list[JsonValue] = [None, [], {}, {"rows": None}, {"rows": "x"}, "rows", 3]
    assert [[]] * len(shapes) == [places(WIRE, shape) for shape in shapes]
