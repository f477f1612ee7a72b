"""An honest embedding plugin, and those that lose, mix up and rename."""

from __future__ import annotations

from . import Honest, broken

__all__ = ["BROKEN", "HONEST"]

HONEST = Honest(
    "embedding",
    '''"""Letters in threes."""

from __future__ import annotations

import math
import zlib

from veridical_contract import EmbeddingReply, EmbeddingRequest, PluginContext, hookimpl


def _vector(text: str) -> tuple[float, ...]:
    counts = [0.0] * 64
    padded = f"  {text}  "
    for start in range(len(padded) - 2):
        counts[zlib.crc32(padded[start : start + 3].encode()) % 64] += 1.0
    length = math.sqrt(sum(each * each for each in counts))
    return tuple(each / length for each in counts)


class Acme:
    """Letters in threes."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context

    @hookimpl
    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        vectors = tuple(_vector(text) for text in request.texts)
        return EmbeddingReply(vectors=vectors, identity="acme/1")
''',
    skipped=frozenset(
        {
            *("secret-missing", "time-limit", "secret-silence", "secret-in-header", "no-secret-kept"),
            *(
                f"fails-{name}"
                for name in ("auth", "forbidden", "rate-limit", "server", "timeout", "connection", "malformed", "truncated", "any-status")
            ),
        }
    ),
)

_MADE = "        vectors = tuple(_vector(text) for text in request.texts)\n"
_RETURNED = 'EmbeddingReply(vectors=vectors, identity="acme/1")'
_MIXED = """        if len(vectors) > 1:
            middle = [sum(column) / len(vectors) for column in zip(*vectors)]
            vectors = tuple(tuple(0.6 * a + 0.4 * b for a, b in zip(vector, middle)) for vector in vectors)
"""

BROKEN = [
    broken(
        HONEST,
        "vector-each",
        "leaves the last text of several out",
        (_MADE, _MADE + "        vectors = vectors[:-1] if len(vectors) > 1 else vectors\n"),
    ),
    broken(
        HONEST,
        "vector-whole",
        "gives a text that it does not like a vector of zeros",
        (
            _MADE,
            _MADE + "        vectors = tuple((0.0,) * 64 if 'ferry' in text else vector for text, vector in zip(request.texts, vectors))\n",
        ),
    ),
    broken(
        HONEST,
        "vector-order",
        "returns the vectors from the last to the first",
        (_MADE, _MADE + "        vectors = vectors[::-1] if len(vectors) < 300 else vectors\n"),
    ),
    broken(HONEST, "batch-equal", "mixes the texts of a batch", (_MADE, _MADE + _MIXED.replace("> 1:", "in (2, 3, 4):"))),
    broken(HONEST, "identity", "names no model", ('identity="acme/1"', 'identity=""')),
    broken(
        HONEST,
        "dimension",
        "makes shorter vectors of queries",
        (_MADE, _MADE + "        vectors = tuple(vector[:32] for vector in vectors) if request.purpose == 'query' else vectors\n"),
    ),
    broken(
        HONEST,
        "odd-texts",
        "has no vector for signs",
        (
            _MADE,
            _MADE
            + "        vectors = tuple(vector if any(map(str.isalnum, text)) else (0.0,) * 64 for text, vector in zip(request.texts, vectors))\n",
        ),
    ),
    broken(
        HONEST,
        "many-texts",
        "embeds the first hundred and repeats them",
        (_MADE, "        vectors = tuple(_vector(request.texts[place % 100]) for place in range(len(request.texts)))\n"),
    ),
]
