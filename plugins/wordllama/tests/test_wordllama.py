"""The WordLlama embedding: what its vectors are like, that nothing is downloaded, and what is said when the package is not as expected."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import math
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pluggy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical_contract import (
    PROJECT,
    CancelledError,
    EmbeddingReply,
    EmbeddingRequest,
    EmbeddingSpec,
    IncompatibleError,
    MissingExtraError,
    PluginContext,
)
from veridical_wordllama import WordLlamaEmbedding

installed = importlib.util.find_spec("wordllama") is not None
pytestmark = pytest.mark.skipif(not installed, reason="the package wordllama is not installed: its vectors are not tested")


def plugin(*, cancelled_after: int = 10**9) -> WordLlamaEmbedding:
    asked = iter(range(10**9))
    return WordLlamaEmbedding(cast("PluginContext", SimpleNamespace(cancelled=lambda: next(asked) >= cancelled_after)))


@pytest.fixture(scope="module")
def loaded() -> WordLlamaEmbedding:
    return plugin()


def cosine(found: WordLlamaEmbedding, one: str, other: str) -> float:
    left, right = found.embed(EmbeddingRequest(texts=(one, other))).vectors
    return sum(a * b for a, b in zip(left, right, strict=True)) / math.hypot(*left) / math.hypot(*right)


def test_the_hook_is_reached_through_its_specification(loaded: WordLlamaEmbedding) -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(EmbeddingSpec)
    manager.register(loaded)
    manager.check_pending()
    (reply,) = cast("list[EmbeddingReply]", cast("Any", manager.hook).embed(request=EmbeddingRequest(texts=("one", "two"))))
    assert [256, 256] == [len(vector) for vector in reply.vectors]


def test_the_identity_names_package_model_and_width(loaded: WordLlamaEmbedding) -> None:
    version = importlib.metadata.version("wordllama")
    assert f"wordllama {version}/l2_supercat/256" == loaded.embed(EmbeddingRequest(texts=("a",))).identity


@settings(deadline=None)
@given(st.lists(st.text(max_size=120), max_size=5))
def test_every_text_has_a_vector_with_a_direction(texts: list[str]) -> None:
    vectors = SHARED.embed(EmbeddingRequest(texts=tuple(texts))).vectors
    assert [256] * len(texts) == [len(vector) for vector in vectors]
    assert all(math.isfinite(math.hypot(*vector)) and math.hypot(*vector) > 0 for vector in vectors)


SHARED = plugin() if installed else cast("WordLlamaEmbedding", None)


def test_texts_without_words_resemble_each_other(loaded: WordLlamaEmbedding) -> None:
    first, second, dot = loaded.embed(EmbeddingRequest(texts=("", " \n", "."))).vectors
    assert first == second == dot


def test_more_texts_than_fit_in_a_batch_come_in_their_order(loaded: WordLlamaEmbedding) -> None:
    texts = tuple(f"number {number}" for number in range(150))
    vectors = loaded.embed(EmbeddingRequest(texts=texts)).vectors
    for at in (0, 63, 64, 149):
        assert vectors[at] == pytest.approx(loaded.embed(EmbeddingRequest(texts=(texts[at],))).vectors[0], abs=1e-5)


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("Marie Curie discovered radium", "Radium was found by the Curies", "How do I configure a connection pool?"),
        ("coffee tastes sour", "the espresso is too acidic", "the nozzle of the printer is clogged"),
        ("train a neural network", "fitting a deep learning model", "roasting beans at home"),
    ],
)
def test_a_text_about_the_same_in_other_words_is_nearer(loaded: WordLlamaEmbedding, query: str, near: str, far: str) -> None:
    assert cosine(loaded, query, near) > cosine(loaded, query, far) + 0.1


def test_a_lone_surrogate_is_no_reason_to_fail(loaded: WordLlamaEmbedding) -> None:
    assert 256 == len(loaded.embed(EmbeddingRequest.model_construct(texts=("a \ud800 b",), purpose="document")).vectors[0])


def test_a_cancelled_call_embeds_no_further_batch() -> None:
    with pytest.raises(CancelledError):
        plugin(cancelled_after=1).embed(EmbeddingRequest(texts=("a",) * 65))


def test_nothing_is_loaded_before_the_first_text() -> None:
    assert "_model" not in vars(plugin())


def test_missing_weights_are_named_and_never_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import requests
    import wordllama
    import wordllama.wordllama

    def fetched(*args: object, **more: object) -> None:
        pytest.fail("asked the network")

    monkeypatch.setattr(requests, "get", fetched)
    monkeypatch.setattr(wordllama, "__file__", str(tmp_path / "__init__.py"))
    monkeypatch.setattr(wordllama.wordllama, "__file__", str(tmp_path / "wordllama.py"))
    with pytest.raises(IncompatibleError, match="without its weights"):
        plugin().embed(EmbeddingRequest(texts=("a",)))


def test_a_missing_package_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(MissingExtraError, match=r'pip install "veridical\[wordllama\]"'):
        plugin()


@pytest.mark.parametrize("version", ["0.3.9", "0.40", "1.0.0"])
def test_another_version_is_named(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    with pytest.raises(IncompatibleError, match=version):
        plugin()


def test_importing_the_plugin_imports_neither_wordllama_nor_numpy() -> None:
    import subprocess

    script = "import sys, veridical_wordllama; print(sorted({'wordllama', 'numpy', 'requests'} & set(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "[]\n" == printed
