"""Packing loses nothing, and says so when what it is given was damaged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_sqlite import packing

bodies = st.binary(max_size=400) | st.text(max_size=400).map(str.encode) | st.binary(max_size=40).map(lambda part: part * 1000)


@given(body=bodies, neighbour=bodies)
def test_documents_and_records_come_back_and_never_grow(body: bytes, neighbour: bytes) -> None:
    for dictionary in (None, neighbour):
        stored = packing.pack_document(body, dictionary)
        assert len(stored) <= len(body)
        assert packing.unpack_document(stored, len(body), dictionary) == body
    assert packing.unpack(packing.pack(body), len(body)) == body


@given(words=st.text(max_size=400), body=bodies)
def test_words_come_back(words: str, body: bytes) -> None:
    assert packing.unpack_words(packing.pack_words(words, body), body) == words


@given(data=st.data(), words=st.text(min_size=1, max_size=100), body=st.binary(min_size=1, max_size=200))
def test_damaged_words_and_words_of_a_damaged_body_are_never_taken_for_whole(data: st.DataObject, words: str, body: bytes) -> None:
    stored = bytearray(packing.pack_words(words, body))
    damaged = bytearray(body)
    target = data.draw(st.sampled_from([stored, damaged]))
    target[data.draw(st.integers(0, len(target) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        found = packing.unpack_words(bytes(stored), bytes(damaged))
    except ValueError:
        return
    assert found == words


@pytest.mark.parametrize("damage", [lambda stored: stored[:-1], lambda stored: b"\xff" + stored[1:], lambda stored: stored + b"x"])
def test_a_damaged_body_is_an_error(damage) -> None:
    body = b"the same words " * 50
    for stored, unpack in ((packing.pack(body), packing.unpack), (packing.pack_document(body), packing.unpack_document)):
        with pytest.raises(ValueError, match="inflate"):
            unpack(damage(stored), len(body))


def test_a_size_that_does_not_fit_is_an_error_and_no_reason_to_inflate_without_end() -> None:
    with pytest.raises(ValueError, match="another size"):
        packing.unpack(packing.pack(bytes(10_000_000)), 1000)
