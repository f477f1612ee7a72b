"""The process in the peers' environment: it knows nothing of veridical, and answers each line of JSON with one.

metalworks: what its own pipeline calls for a quote (`_verify_quote`, `verbatim_match`) and its own SQLite store.
gtrex: a verifier for a text, and one claim verified against it.
Times are taken here, so that asking is not part of them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gtrex import Policy, Verifier
from metalworks.contract import CorpusComment, CorpusRecord
from metalworks.contract.research import ResolvedCitation
from metalworks.research.grounding import verbatim_match
from metalworks.research.synthesis.cluster_ranker import _verify_quote
from metalworks.stores.sqlite import SqliteStores

_BATCH = 200
_texts: list[str] = []


def hold(path: str) -> int:
    """Read the texts that later questions are about, one JSON string a line."""
    _texts[:] = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    return len(_texts)


def metalworks_scan(quote: str) -> float:
    """Look for a quote in all texts, as the synthesis does with those of a cluster.

    Seconds of the processor: it takes long enough for other processes to come between, which what it is compared with does not.
    """
    started = time.process_time_ns()
    _verify_quote(quote, _texts)
    return (time.process_time_ns() - started) / 1e9


def metalworks_one(text: str, quote: str) -> float:
    """Look for a quote in one text, as the synthesis does."""
    return _seconds(lambda: _verify_quote(quote, [text]))


def metalworks_match(text: str, quote: str) -> float:
    """Look for a quote in one text, as the other pillars do."""
    citations = [ResolvedCitation.model_construct(text=text)]
    return _seconds(lambda: verbatim_match(quote, citations))


def gtrex_new(text: str, quote: str) -> float:
    """Make a verifier of a text and verify one quote."""
    return _seconds(lambda: Verifier(text, Policy()).verify(quote))


def gtrex_again(text: str, quote: str) -> float:
    """Verify one quote with a verifier that has seen the text before."""
    verifier = Verifier(text, Policy())
    verifier.verify(quote)
    return _seconds(lambda: verifier.verify(quote))


def metalworks_put(path: str, database: str) -> dict[str, float]:
    """Put all texts into its store, in batches, and return the processor seconds and the size of the file."""
    hold(path)
    stores = SqliteStores(database)
    stores.upsert_records([CorpusRecord(id="r", source="reddit", source_id="r")])
    started = time.process_time()
    for first in range(0, len(_texts), _BATCH):
        part = enumerate(_texts[first : first + _BATCH], first)
        stores.upsert_corpus_comments([CorpusComment(id=str(row), parent_id="r", source="reddit", text=text) for row, text in part])
    seconds = time.process_time() - started
    return {"seconds": seconds, "bytes": sum(found.stat().st_size for found in Path(database).parent.glob(f"{Path(database).name}*"))}


def _seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter_ns()
    action()
    return (time.perf_counter_ns() - started) / 1e9


_DO: dict[str, Callable[..., Any]] = {
    found.__name__: found for found in (hold, metalworks_scan, metalworks_one, metalworks_match, gtrex_new, gtrex_again, metalworks_put)
}

if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(_DO[asked.pop("do")](**asked)), flush=True)
