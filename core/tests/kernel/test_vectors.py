"""One vector per text, of one width, at length one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.vectors import VectorsRefused, admit_vectors

values = st.floats(-1e100, 1e100, allow_nan=False)


@given(st.integers(1, 6).flatmap(lambda width: st.lists(st.lists(values, min_size=width, max_size=width).filter(any), max_size=4)))
def test_admitted_vectors_are_as_many_and_as_wide_at_length_one(vectors: list[list[float]]) -> None:
    found = admit_vectors(vectors, len(vectors))
    assert [len(vector) for vector in found] == [len(vector) for vector in vectors]
    assert all(math.isclose(math.hypot(*vector), 1, rel_tol=1e-6) for vector in found)


@pytest.mark.parametrize(
    ("vectors", "texts"),
    [
        ([], 1),
        ([[1.0]], 2),
        ([[1.0], [2.0]], 1),
        ([[1.0], [1.0, 2.0]], 2),
        ([[]], 1),
        ([[0.0, 0.0]], 1),
        ([[math.nan]], 1),
        ([[math.inf]], 1),
        ([[1.7e308] * 9], 1),
    ],
)
def test_anything_else_is_refused(vectors: list[list[float]], texts: int) -> None:
    with pytest.raises(VectorsRefused):
        admit_vectors(vectors, texts)


def test_a_vector_keeps_its_direction() -> None:
    assert admit_vectors([[3.0, -4.0], [0.0, 2.0]], 2) == ((0.6, -0.8), (0.0, 1.0))
