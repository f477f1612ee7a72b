"""A plugin that names another layout for true bytes, so that they read as other words."""

from __future__ import annotations

import pytest
from veridical_contract import Item

from tests.properties.world import ROWS, Row, RowSource, World


class Relaid(RowSource):
    """Says that the bytes of its records are laid out in another way than they were read."""

    def __init__(self, **layout: str) -> None:
        super().__init__()
        self._layout = layout

    def item(self, at: int, row: Row) -> Item:
        item = super().item(at, row)
        assert item.derivation is not None
        return item.model_copy(update={"derivation": item.derivation.model_copy(update=self._layout)})


@pytest.mark.parametrize(
    "layout", [{"encoding": "cp037"}, {"encoding": "utf-16"}, {"format": "text"}, {"format": "csv"}, {"delimiter": ";"}]
)
def test_bytes_are_admitted_only_as_they_were_read(layout: dict[str, str]) -> None:
    world = World(source=Relaid(**layout))
    world.ingest(world.gateway())
    assert {rule for _, rule, _ in world.log} == {"layout-differs"}
    assert len(world.log) == len(ROWS)
