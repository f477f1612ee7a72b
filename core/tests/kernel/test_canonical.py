"""One spelling for one value, and no value that has two."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.canonical import canonical_bytes, digest, parse

from core.tests.kernel.lying import LyingDict, LyingInt, LyingList, LyingStr, LyingTuple

characters = st.characters(exclude_categories=["Cs"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(characters),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(characters), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_what_was_written_is_read_back(value: object) -> None:
    assert parse(canonical_bytes(value)) == value


@given(values)
def test_the_standard_library_reproduces_the_bytes(value: object) -> None:
    again = json.dumps(json.loads(canonical_bytes(value)), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    assert again.encode("ascii") == canonical_bytes(value)


@given(st.dictionaries(st.text(characters), st.integers(), min_size=2))
def test_the_order_of_keys_changes_nothing(value: dict[str, int]) -> None:
    assert canonical_bytes(dict(reversed(value.items()))) == canonical_bytes(value)


@pytest.mark.parametrize("value", [1.0, b"x", {1: 2}, {"a": object()}, [float("nan")], type("S", (str,), {})("x"), {1, 2}])
def test_what_is_not_plain_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        canonical_bytes(value)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "value", [LyingStr("x"), LyingInt(1), LyingDict(a=1), LyingList([1]), LyingTuple([1]), {LyingStr("x"): 1}, [LyingStr("x")]]
)
def test_a_subclass_is_refused_even_when_its_type_says_that_it_equals_the_due_one(value: object) -> None:
    with pytest.raises(TypeError):
        canonical_bytes(value)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000])
def test_json_nested_too_deeply_to_be_read_is_refused_like_any_other(data: bytes) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse(data)


def test_what_is_no_integer_is_named_by_its_beginning() -> None:
    with pytest.raises(ValueError, match=r"^JSON holds '1\.234567890123456789', which is not an integer$"):
        parse(b"1.2345678901234567890123")


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, ["x", "\ud83d"]])
def test_a_lone_surrogate_is_refused_in_both_directions(value: str) -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        canonical_bytes(value)
    with pytest.raises(ValueError, match="surrogates not allowed"):
        parse(json.dumps(value).encode())


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"a":1,"a":2}', "duplicate key"),
        (b"1.5", "not an integer"),
        (b"NaN", "not an integer"),
        (b"[-Infinity]", "not an integer"),
        (b"1e3", "not an integer"),
        (b'"\xff"', "invalid start byte"),
    ],
)
def test_json_that_has_no_canonical_form_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse(data)


def test_the_digest_is_sha_256_in_lower_case_hexadecimal() -> None:
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_key_that_is_no_exact_string_is_named_as_a_key() -> None:
    for key in (1, LyingStr("x"), None):
        with pytest.raises(TypeError, match="needs str keys"):
            canonical_bytes({key: 1})  # pyright: ignore[reportArgumentType]
