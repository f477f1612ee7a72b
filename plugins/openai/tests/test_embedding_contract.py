"""The contract of an embedding plugin, held as any publisher holds it; the replies are those of a loopback server (`pytest --record`)."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
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


def _packed(numbers: list[float]) -> str:
    return b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()


def _answer(asked: Asked) -> Answer:
    rows = [{"object": "embedding", "index": place, "embedding": _packed(_vector(text))} for place, text in enumerate(asked.json["input"])]
    return as_json({"object": "list", "data": rows[::-1], "model": asked.json["model"], "usage": {"prompt_tokens": 2, "total_tokens": 2}})


@contextmanager
def _server() -> Iterator[str]:
    with service(_answer) as running:
        yield running.url


TestOpenaiEmbedding = contract_suite("openai", kind="embedding", settings={"retries": 0}, server=_server)
