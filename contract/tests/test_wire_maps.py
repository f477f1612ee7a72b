"""A wire map says where hits stand, and whoever reads it sees which hosts it leads to."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from veridical_contract import WireMap


def wire(**changes: Any) -> WireMap:
    return WireMap.model_validate({"base_url": "https://api.acme.example", "item": "/hits/*", "url": "link", **changes})


@pytest.mark.parametrize(
    "url", ["link", "meta/link", "https://h.example/{id}", "https://h.example?id={id}", "https://h.example/r/{a}/c/{b}/", "?u={link}"]
)
def test_a_url_is_a_pointer_a_template_or_a_parameter(url: str) -> None:
    assert url == wire(url=url).url


@pytest.mark.parametrize(
    "url",
    [
        "https://{host}/x",
        "https://h{id}",
        "https://{sub}.h.example/{id}",
        "https://h.example:{port}/x",
        "https://user{id}@h.example/",
        "https://h.example/{}",
        "https://h.example/{a}/{b",
        "ftp://h.example/{id}",
        "/link",
        "*/link",
        "?u={a}&v={b}",
    ],
)
def test_no_slot_decides_which_host_a_url_leads_to(url: str) -> None:
    with pytest.raises(ValidationError, match="expected a pointer within the item"):
        wire(url=url)


def test_the_patterns_of_slots_are_patterns_of_slots_that_are_there() -> None:
    assert {"id": "[0-9]+"} == wire(url="https://h.example/{id}", slots={"id": "[0-9]+"}).slots
    with pytest.raises(ValidationError, match="is no slot of the url"):
        wire(url="https://h.example/{id}", slots={"objectID": "[0-9]+"})
    with pytest.raises(ValidationError, match="the pattern of slot 'id' is none"):
        wire(url="https://h.example/{id}", slots={"id": "[0-9"})
