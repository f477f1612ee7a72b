"""Ask the peers, each as its documentation says that a quote is verified. Runs in their environment and imports nothing of ours.

A JSON object a line in ({"id", "quote", "texts"}), one out ({"id", "metalworks", "gtrex", "rapidfuzz"}: whether it accepts).

metalworks  `verbatim_match` of `metalworks.research.grounding`: the gate of its launch copy. Its least number of words is set to ours (3).
gtrex       `Verifier(text, Policy()).verify(quote).grounded`: its default policy, which accepts its sound tiers only. No repair.
rapidfuzz   `fuzz.partial_ratio(quote, text) >= 90`, as many pipelines do; a quote that is longer than the text is compared whole (`ratio`),
            since partial_ratio would then look for the text in the quote.
"""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import version

from gtrex import Policy, Verifier
from metalworks.contract import ResolvedCitation
from metalworks.research.grounding import verbatim_match
from rapidfuzz import fuzz

LEAST_WORDS = 3
SCORE = 90


def _metalworks(quote: str, text: str) -> bool:
    return verbatim_match(quote, [ResolvedCitation(text=text, author_hash="")], min_words=LEAST_WORDS) is not None


def _gtrex(quote: str, text: str) -> bool:
    return Verifier(text, Policy()).verify(quote).grounded


def _rapidfuzz(quote: str, text: str) -> bool:
    return (fuzz.partial_ratio if len(quote) <= len(text) else fuzz.ratio)(quote, text) >= SCORE


PEERS: dict[str, Callable[[str, str], bool]] = {"metalworks": _metalworks, "gtrex": _gtrex, "rapidfuzz": _rapidfuzz}


def _accepts(peer: Callable[[str, str], bool], quote: object, texts: list[str]) -> bool:
    try:
        return any(peer(quote, text) for text in texts)  # type: ignore[arg-type] - what a peer makes of another type is its own matter
    except Exception as refused:  # noqa: BLE001 - to raise is one way to refuse
        print(f"{type(refused).__name__}: {refused}", file=sys.stderr)
        return False


def main() -> None:
    print(json.dumps({name: version(name) for name in PEERS}), flush=True)
    for line in sys.stdin:
        case = json.loads(line)
        verdicts = {name: _accepts(peer, case["quote"], case["texts"]) for name, peer in PEERS.items()}
        print(json.dumps({"id": case["id"], **verdicts}), flush=True)


if __name__ == "__main__":
    main()
