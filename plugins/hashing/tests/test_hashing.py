"""The hashing embedding: what its vectors are like, and that nothing but the text decides them."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

import pluggy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import PROJECT, CancelledError, EmbeddingReply, EmbeddingRequest, EmbeddingSpec, PluginContext
from veridical_hashing import HashingEmbedding

WIDTH = 512
TEXTS = st.lists(st.text(max_size=120), min_size=1, max_size=8)


def plugin(*, cancelled: bool = False) -> HashingEmbedding:
    return HashingEmbedding(cast("PluginContext", SimpleNamespace(cancelled=lambda: cancelled)))


def embed(*texts: str) -> tuple[tuple[float, ...], ...]:
    return plugin().embed(EmbeddingRequest(texts=texts)).vectors


def cosine(one: str, other: str) -> float:
    left, right = embed(one, other)
    return sum(a * b for a, b in zip(left, right, strict=True))


def fingerprint(vector: tuple[float, ...]) -> str:
    return hashlib.sha256(repr([round(value, 6) + 0.0 for value in vector]).encode()).hexdigest()[:16]


def test_the_hook_is_reached_through_its_specification() -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(EmbeddingSpec)
    manager.register(plugin())
    manager.check_pending()
    (reply,) = cast("list[EmbeddingReply]", cast("Any", manager.hook).embed(request=EmbeddingRequest(texts=("one", "two"))))
    assert 2 == len(reply.vectors)


def test_the_identity_names_version_and_width() -> None:
    assert "veridical-hashing/1/512" == plugin().embed(EmbeddingRequest(texts=("a",))).identity


@given(TEXTS)
def test_there_is_one_finite_vector_of_length_one_per_text(texts: list[str]) -> None:
    vectors = embed(*texts)
    assert [WIDTH] * len(texts) == [len(vector) for vector in vectors]
    assert all(math.isfinite(value) for vector in vectors for value in vector)
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1.0] * len(texts))


@given(TEXTS, st.randoms(use_true_random=False))
def test_neither_order_nor_batch_changes_a_vector(texts: list[str], chance: Any) -> None:
    alone = {text: embed(text)[0] for text in texts}
    shuffled = list(texts)
    chance.shuffle(shuffled)
    assert [alone[text] for text in shuffled] == list(embed(*shuffled))


def test_query_and_document_are_embedded_alike() -> None:
    asked = plugin().embed(EmbeddingRequest(texts=("how hot is lava",), purpose="query"))
    assert embed("how hot is lava") == asked.vectors


def test_another_process_with_another_hash_seed_gives_the_same_vector() -> None:
    text = "Der Akku hält 4 Stunden; バッテリーは四時間もちます, and the battery lasts 4 hours."
    script = (
        "import sys; from types import SimpleNamespace as N; from veridical_contract import EmbeddingRequest as R;"
        "from veridical_hashing import HashingEmbedding as H;"
        "print(repr(H(N(cancelled=lambda: False)).embed(R(texts=(sys.argv[1],))).vectors[0]))"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", script, text], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert [f"{embed(text)[0]!r}\n"] * 2 == printed


def test_what_a_text_is_hashed_to_changes_only_with_the_identity() -> None:
    """Vectors that were kept under this identity stay comparable: when this fails, raise the version in the identity."""
    assert "bdfe7e0fbfc7b74f" == fingerprint(embed("Whole beans keep longer than ground coffee, as far as I can tell.")[0])


@pytest.mark.parametrize("text", ["", " \n\t", "... !?", "\u200b\u00ad", "\x1e", "\u00a8", "\u0640"])
def test_a_text_without_features_has_a_direction_of_its_own(text: str) -> None:
    assert (1.0, *[0.0] * (WIDTH - 1)) == embed(text)[0]


@given(st.text(alphabet=st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=40))
def test_a_text_with_features_never_looks_like_one_without(text: str) -> None:
    assert 0.0 == embed(text)[0][0]


def test_a_lone_surrogate_is_embedded_like_any_character() -> None:
    assert math.hypot(*embed("a\ud800b")[0]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("training neural networks", "How a neural network is trained", "How coffee beans are roasted"),
        ("How do I clean the printer's nozzle?", "clogged nozzles need cleaning", "How do I pass the exam of my school?"),
        ("Datenschutzverordnung", "die neue Datenschutzverordnungen der EU", "die neue Straßenverkehrsordnung"),
        ("cafés", "a CAFE in Paris", "a cave in Paris"),
        ("電池の寿命", "電池は四時間で切れる", "珈琲豆の保存"),
        ("배터리 수명", "배터리가 네 시간 간다", "커피 원두 보관"),
        ("हिन्दी भाषा", "हिन्दी की भाषा", "कॉफ़ी के बीज"),
        ("soft\u00adware", "software", "hardware"),
    ],
)
def test_a_text_about_the_same_is_nearer_than_one_about_something_else(query: str, near: str, far: str) -> None:
    assert cosine(query, near) > cosine(query, far) + 0.1


def test_function_words_hardly_count() -> None:
    assert cosine("what is the use of it for the", "what is the point of it for the grinder") < 0.5
    assert cosine("the grinder", "a grinder") > 0.95


def test_a_word_that_comes_often_does_not_drown_the_others() -> None:
    assert cosine("battery " * 50 + "charger", "battery charger") > 0.6


def test_a_cancelled_call_ends_without_vectors() -> None:
    with pytest.raises(CancelledError):
        plugin(cancelled=True).embed(EmbeddingRequest(texts=("a",)))
