"""The contract of an embedding plugin, held as any publisher holds it; the replies are those of a loopback server (`pytest --record`)."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from veridical_contract.testing import contract_suite

from tests.providers.service import Answer, Asked, as_json, service


def _vector(text: str) -> list[float]:
    """Return how often letters in threes come, in numbers that float32 holds exactly."""
    counts = [0.0] * 16
    for start in range(len(text) + 2):
        counts[zlib.crc32(f"  {text}  "[start : start + 3].encode()) % 16] += 1.0
    return counts


def _answer(asked: Asked) -> Answer:
    texts = ["".join(part["text"] for part in each["content"]["parts"]) for each in asked.json["requests"]]
    return as_json({"embeddings": [{"values": _vector(text)} for text in texts], "usageMetadata": {"promptTokenCount": 7}})


@contextmanager
def _server() -> Iterator[str]:
    with service(_answer) as running:
        yield running.url


TestGoogleEmbedding = contract_suite("google", kind="embedding", settings={"retries": 0}, server=_server)
