"""Nothing of a plugin's value is kept but its plain parts."""

from collections.abc import Callable
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from veridical.kernel import exact
from veridical.kernel.exact import NotExactError, rebuild, type_name
from veridical_contract import Candidate, Item, Locator, Message, Model, SourceBatch

from core.tests.kernel import lying


class LyingStr(str):
    """Says one thing to a check and holds another."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class LyingMeta(type(BaseModel)):
    """A class that equals everything."""

    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return hash(str)


class LyingDict(dict[str, object]):
    """Raises when it is read."""

    def keys(self) -> NoReturn:
        raise RuntimeError("keys")


class Nameless(type(BaseModel)):
    """A class whose name cannot be asked for."""

    @property
    def __name__(cls) -> str:
        if "Two" in cls.__qualname__:
            raise RuntimeError("no name")
        return "One"


class LyingInt(int):
    pass


class Disguised(Item, metaclass=LyingMeta):
    """A subclass of a contract model."""


def item(**changes: object) -> Item:
    fields: dict[str, object] = {"text": "a b c", "locator": Locator(container="x")}
    return Item.model_construct(**(fields | changes))


def with_extra(value: Item) -> Item:
    value.__dict__["extra"] = "x"
    return value


@given(st.builds(Candidate, document=st.just("0" * 64), start=st.integers(0, 9), end=st.integers(0, 9), score=st.floats(-9, 9)))
def test_an_honest_value_comes_back_equal_and_is_another_object(value: Candidate) -> None:
    copy = rebuild(value, Candidate)
    assert copy == value
    assert copy is not value


@pytest.mark.parametrize(
    "value",
    [
        item(text=LyingStr("x")),
        item(published=LyingInt(3)),
        item(locator={1: "x"}),
        item(locator=object()),
        item(text=b"x"),
        item(title=["x", LyingStr("y")]),
        Disguised(text="x", locator=Locator(container="x")),
        {"text": "x"},
        None,
    ],
)
def test_an_inexact_part_is_refused_as_such(value: object) -> None:
    with pytest.raises(NotExactError) as caught:
        rebuild(value, Item)
    assert caught.value.rule == "inexact-type"


@pytest.mark.parametrize(
    ("value", "model"),
    [
        (item(text=True), Item),
        (item(text="\ud800"), Item),
        (item(text=float("nan")), Item),
        (with_extra(item()), Item),
        (Message.model_construct(role="user"), Message),
        (SourceBatch.model_construct(container="x", items=(item(locator=3),)), SourceBatch),
    ],
)
def test_a_part_of_the_wrong_shape_is_refused_as_such(value: Model, model: type[Model]) -> None:
    with pytest.raises(NotExactError) as caught:
        rebuild(value, model)
    assert caught.value.rule == "invalid-shape"


def test_a_value_nested_without_end_is_refused() -> None:
    deep: object = "x"
    for _ in range(50):
        deep = [deep]
    with pytest.raises(NotExactError, match="nested too deeply"):
        rebuild(item(text=deep), Item)


@pytest.mark.parametrize("around", [lambda inner: [inner], lambda inner: {"a": inner}, lambda inner: (inner,)])
def test_a_value_is_nested_32_deep_at_most(around: Callable[[object], object]) -> None:
    deep: object = "x"
    for _ in range(31):  # the field is one more
        deep = around(deep)
    with pytest.raises(NotExactError, match=r"^Item\.text: "):
        rebuild(item(text=deep), Item)
    with pytest.raises(NotExactError, match="nested too deeply"):
        rebuild(item(text=around(deep)), Item)


def test_every_part_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.kernel.exact._PARTS", 1000)
    assert exact._Copy().parts(["x"] * 999, 0) == ["x"] * 999
    with pytest.raises(NotExactError, match="too large"):
        exact._Copy().parts(["x"] * 1000, 0)


def test_the_first_thing_that_is_wrong_is_named() -> None:
    with pytest.raises(NotExactError, match=r"^Item\.text: "):
        rebuild(item(text=1, title=2), Item)


def test_the_name_of_a_type_is_cut_after_80_characters() -> None:
    assert "a" * 80 == type_name(type("a" * 100, (), {})())


def test_what_is_no_number_is_no_score() -> None:
    for score in (float("nan"), float("inf")):
        with pytest.raises(NotExactError) as caught:
            rebuild(Candidate.model_construct(document="0" * 64, start=0, end=1, score=score), Candidate)
        assert caught.value.rule == "invalid-shape"


def test_a_type_that_says_it_equals_the_due_one_is_named() -> None:
    with pytest.raises(NotExactError, match=r"^expected Item, got Disguised$"):
        rebuild(Disguised(text="x", locator=Locator(container="x")), Item)
    with pytest.raises(NotExactError, match="LyingStr where a str key is due"):
        rebuild(item(locator={lying.LyingStr("container"): "x"}), Item)
    value = item()
    object.__setattr__(value, "__dict__", lying.LyingDict(value.__dict__))
    with pytest.raises(NotExactError, match="LyingDict where a dict is due"):
        rebuild(value, Item)


def test_a_nested_subclass_whose_class_equals_everything_is_refused() -> None:
    batch = SourceBatch.model_construct(container="x", items=(Disguised(text="x", locator=Locator(container="x")),))
    with pytest.raises(NotExactError, match="Disguised where a plain value is due"):
        rebuild(batch, SourceBatch)


def test_changing_the_original_afterwards_changes_nothing() -> None:
    original = item()
    copy = rebuild(original, Item)
    original.__dict__["text"] = "something else"
    assert copy.text == "a b c"


def test_a_dictionary_of_the_plugins_own_is_not_read() -> None:
    value = item()
    object.__setattr__(value, "__dict__", LyingDict(value.__dict__))
    with pytest.raises(NotExactError, match="LyingDict where a dict is due"):
        rebuild(value, Item)


def test_the_name_of_a_type_is_not_asked_of_its_metaclass() -> None:
    kind = Nameless("One", (Item,), {"__module__": __name__})
    kind.__qualname__ = "Two"
    with pytest.raises(NotExactError, match="got One"):
        rebuild(kind(text="x", locator=Locator(container="x")), Item)


def test_a_small_value_with_more_parts_than_there_is_time_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.kernel.exact._PARTS", 1000)
    twice: list[object] = []
    for _ in range(20):
        twice = [twice, twice]
    with pytest.raises(NotExactError, match="too large"):
        rebuild(SourceBatch.model_construct(container="x", items=twice), SourceBatch)
