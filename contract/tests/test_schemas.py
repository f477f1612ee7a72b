from __future__ import annotations

import json

import pytest

from tools import schemas
from tools.docstrings import public_models


def test_the_schemas_in_the_documentation_are_those_of_the_models() -> None:
    wanted = {path.name: text for path, text in schemas.files().items()}
    found = {path.name: path.read_text("utf-8") for path in schemas.FOLDER.iterdir()}
    assert sorted(wanted) == sorted(found), "run: python -m tools.schemas"
    assert [] == [name for name, text in wanted.items() if text != found[name]], "run: python -m tools.schemas"


def test_every_model_that_can_travel_stands_in_a_schema() -> None:
    """`Record` and `WireMap` stay inside: the host hands one to a source plugin as an object, and finds the other on a plugin's class."""
    named = {name for root, model in schemas.roots().items() for name in (root, *json.loads(schemas.schema(model)).get("$defs", {}))}
    assert {"Record", "WireMap"} == set(public_models()) - named


@pytest.mark.parametrize("name", schemas.roots())
def test_every_property_is_described(name: str) -> None:
    root = json.loads(schemas.schema(schemas.roots()[name]))
    objects = {name: root, **root.get("$defs", {})}
    bare = [
        f"{owner}.{field}"
        for owner, part in objects.items()
        for field, schema in part.get("properties", {}).items()
        if "description" not in schema
    ]
    assert [] == bare
