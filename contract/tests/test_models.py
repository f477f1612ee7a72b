from __future__ import annotations

from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError
from veridical_contract import Count, Digest, Item, Locator, Model, PluginName, Score, SearchQuery, Span, Untrusted

from contract.tests.strategies import models
from tools.docstrings import documentation, public_models

MODELS = public_models()
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


class Sample(Model):
    whole: int = 0
    flag: bool = False
    text: str = ""
    number: float = 0.0
    several: tuple[int, ...] = ()
    named: dict[str, int] = Field(default_factory=dict)


class Digests(Model):
    digest: Digest = "0" * 64
    name: PluginName = "a"
    count: Count = 0
    score: Score = 0.0


@every_model
def test_a_model_is_strict_frozen_and_knows_its_fields(model: type[Model]) -> None:
    config = model.model_config
    assert (True, True, "forbid", False) == (config.get("strict"), config.get("frozen"), config.get("extra"), config.get("allow_inf_nan"))


@every_model
def test_every_field_is_documented_and_no_other(model: type[Model]) -> None:
    assert list(model.model_fields) == list(documentation(model).fields)


@every_model
def test_what_documents_a_field_is_a_sentence_part_that_ends(model: type[Model]) -> None:
    assert [] == [name for name, text in documentation(model).fields.items() if not text.endswith((".", ")"))]


@every_model
@given(data=st.data())
def test_a_value_comes_back_equal_from_python_and_from_json(model: type[Model], data: st.DataObject) -> None:
    value = data.draw(models(model))
    assert value == model.model_validate(value.model_dump())
    if not _holds_bytes(model):
        assert value == model.model_validate_json(value.model_dump_json())


@every_model
@given(data=st.data())
def test_an_unknown_field_is_refused(model: type[Model], data: st.DataObject) -> None:
    value = data.draw(models(model)).model_dump()
    with pytest.raises(ValidationError, match="extra_forbidden"):
        model.model_validate(value | {"surprise": None})


@every_model
@given(data=st.data())
def test_a_value_cannot_be_changed(model: type[Model], data: st.DataObject) -> None:
    value = data.draw(models(model))
    name = next(iter(model.model_fields))
    with pytest.raises(ValidationError, match="frozen_instance"):
        setattr(value, name, getattr(value, name))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("whole", True),
        ("whole", 1.0),
        ("whole", "1"),
        ("whole", None),
        ("flag", 1),
        ("flag", "true"),
        ("text", 1),
        ("text", b"bytes"),
        ("text", bytearray(b"bytes")),
        ("number", "1.0"),
        ("number", True),
        ("number", float("nan")),
        ("number", float("inf")),
        ("several", [1, 2]),
        ("several", {1, 2}),
        ("several", (True,)),
        ("named", [("a", 1)]),
        ("named", {1: 1}),
    ],
)
def test_nothing_is_coerced(field: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Sample.model_validate({field: value})


def test_an_int_is_taken_for_a_float() -> None:
    assert (1.0, float) == ((found := Sample(number=1).number), type(found))


class LyingText(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "something else"

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class LyingInt(int):
    def __int__(self) -> int:
        return 99

    def __index__(self) -> int:
        return 99


class Level(IntEnum):
    HIGH = 3


class LyingTuple(tuple[int, ...]):
    __slots__ = ()

    def __iter__(self) -> Any:
        return iter((99,))

    def __len__(self) -> int:
        return 99


def test_a_subclass_of_a_built_in_leaves_its_data_and_not_its_behaviour() -> None:
    """Strict pydantic lets subclasses in and copies what they hold: models are safe to read; admission refuses such values earlier."""
    found = Sample(whole=LyingInt(1), text=LyingText("words"))
    assert (int, 1, str, "words") == (type(found.whole), found.whole, type(found.text), found.text)


def test_an_enumeration_becomes_its_number() -> None:
    assert (int, 3) == (type(Sample(whole=Level.HIGH).whole), Sample(whole=Level.HIGH).whole)


def test_a_container_is_copied_into_an_exact_one() -> None:
    given_names = {"a": 1}
    found = Sample(several=LyingTuple((1, 2)), named=given_names)
    given_names["b"] = 2
    assert (tuple, {"a": 1}) == (type(found.several), found.named)


def test_a_nested_model_is_kept_as_it_is_and_not_validated_again() -> None:
    """What `model_construct` made passes inside another model: only the kernel's exact copy finds it."""
    forged = Locator.model_construct(container=3)
    assert forged is Item(text="x", locator=forged).locator


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("digest", "0" * 63),
        ("digest", "0" * 65),
        ("digest", "A" * 64),
        ("digest", "0" * 64 + "\n"),
        ("name", ""),
        ("name", "-a"),
        ("name", "a-"),
        ("name", "a--b"),
        ("name", "A"),
        ("name", "a\n"),
        ("name", "a" * 65),
        ("count", -1),
        ("count", True),
        ("score", float("nan")),
        ("score", float("-inf")),
    ],
)
def test_a_shared_type_keeps_its_limits(field: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Digests.model_validate({field: value})


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (SearchQuery, {"text": ""}),
        (SearchQuery, {"text": "a", "limit": 0}),
        (SearchQuery, {"text": "a", "limit": 101}),
        (SearchQuery, {"text": "a", "page": 0}),
        (Locator, {"container": "a", "line": 0}),
        (Span, {"document": "0" * 64, "start": -1, "end": 0, "text": ""}),
        (Untrusted, {"origin": "a", "text": "x" * 2001}),
    ],
)
def test_a_number_out_of_range_is_refused(model: type[Model], fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(fields)


def _holds_bytes(model: type[Model]) -> bool:
    """Tell whether JSON cannot carry the model: those that hold bytes never leave the process as JSON."""
    return "'binary'" in str(model.model_json_schema())


def test_a_field_without_documentation_is_found() -> None:
    class Undocumented(Model):
        """A field of it is not spoken of."""

        field: int

    with pytest.raises(AssertionError):
        test_every_field_is_documented_and_no_other(Undocumented)
