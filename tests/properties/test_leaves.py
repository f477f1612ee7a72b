"""Every string leaf of a real report is of the class that the schema gives it."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin

import veridical.kernel.texts as texts
from hypothesis import given
from pydantic.fields import FieldInfo
from veridical_contract import Model, Report, Untrusted

from tests.attacks.test_objects import full
from tests.properties.checks import Stage
from tests.properties.liars import LyingChat, liars
from tests.properties.world import World, _record

CLASSES = {"span", "ledger", "user", "kernel", "computed", "prose", "untrusted"}


def strings(value: Any, annotation: Any, info: FieldInfo | None, owner: Model, at: str) -> Iterator[tuple[str, str, str, Model]]:
    """(path, class, string, model that holds it) of every string below a field; "" is the class of a `Literal`."""
    kinds = [entry.json_schema_extra["leaf"] for entry in (info, *_infos(annotation)) if entry is not None and _leaf(entry)]
    if isinstance(value, str):
        yield at, str(kinds[0]) if kinds else "", value, owner
    elif isinstance(value, Model):
        yield from of(value, at)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from strings(item, annotation, info, owner, f"{at}/{index}")


def of(model: Model, at: str = "") -> Iterator[tuple[str, str, str, Model]]:
    for name, info in type(model).model_fields.items():
        yield from strings(getattr(model, name), info.annotation, info, model, f"{at}/{name}")


def _leaf(info: Any) -> bool:
    return isinstance(info, FieldInfo) and isinstance(info.json_schema_extra, dict) and "leaf" in info.json_schema_extra


def _infos(annotation: Any) -> list[Any]:
    found = [*get_args(annotation)[1:]] if get_origin(annotation) is Annotated else []
    if get_origin(annotation) in (Union, types.UnionType, tuple, Annotated):
        for part in get_args(annotation):
            found += _infos(part)
    return [*found, *(extra for entry in found for extra in getattr(entry, "metadata", []))]


def assert_leaves(report: Report, documents: dict[str, Any], asked: set[str]) -> dict[str, int]:
    """Each string is what its class says; return how many there are of each class."""
    counted: dict[str, int] = {}
    rows = {row.document: documents[row.document] for row in report.citations}
    values = {value for row in rows.values() for value in _flat(row)}
    for at, kind, value, owner in of(report):
        counted[kind] = counted.get(kind, 0) + 1
        if kind == "span":
            place: Any = owner
            assert value == (rows[place.document][place.field] or "")[place.start : place.end], at
        elif kind == "ledger":
            assert value in values, at
        elif kind == "user":
            assert value in asked, at
        elif kind == "kernel":
            assert value in KERNEL or ("/rejections/" in at and texts.known_rule(value)), at
        elif kind == "prose":
            assert owner.model_dump()["wording"] in ("source", "kernel", "model"), at
        elif kind == "untrusted":
            assert type(owner) is Untrusted, at
        elif kind == "computed":
            assert value.isascii(), at
            assert " " not in value or at.startswith("/plugins/"), at
        else:
            assert kind == "", at
    return counted


KERNEL = {
    *texts._REFUSALS.values(),
    *(line for lines in texts._HELP.values() for line in lines), *texts._TRIED, *texts._LABELS, texts.UNADDRESSED,
}  # fmt: skip


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _flat(item)


def test_every_leaf_of_a_full_report_is_of_its_class() -> None:
    stage = Stage()
    published = stage.publish(full(stage))
    documents = {name: json.loads(body) for name, body in published.documents.items()}
    asked = {stage.run.query, *stage.run.must_address, *(row.path for row in stage.run.inputs)}
    counted = assert_leaves(published.report, documents, asked)
    assert counted.keys() - {""} == CLASSES


@given(liars())
def test_every_leaf_is_of_its_class_whatever_the_composer_says(chat: LyingChat) -> None:
    world = World(chat=chat)
    published = world.outcome(must_address=("What does a new battery cost?",))
    assert published is not None
    documents = {name: json.loads(body) for name, body in published.documents.items()}
    assert all(_record(document, world.rows)["text"] == document["text"] for document in documents.values())
    assert_leaves(published.report, documents, {published.report.query, "What does a new battery cost?"})
