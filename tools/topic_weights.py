"""Write the weights of the topic gate from labelled prompts: `python -m tools.topic_weights` (about a minute).

A logistic regression with an L2 penalty, fitted by AdaGrad (Duchi, Hazan and Singer, JMLR 2011) in a fixed order: the same prompts give the
same table. Sets that the rules were changed for tell nothing of how good the rules are on new prompts, so of those the verdicts of the
rules are left out; their words count.

Nothing but the standard library takes part, so that whoever reads the table can make it again.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

from veridical.workflows.topics.detector import judged
from veridical.workflows.topics.features import letters, signs, words
from veridical.workflows.topics.likeness import SCALE
from veridical_contract import Turn

ROOT = Path(__file__).resolve().parent.parent
SETS = ROOT / "tests" / "topics"
TABLE = ROOT / "core" / "src" / "veridical" / "workflows" / "topics" / "tables" / "weights.json"
TUNED = ("first_set.jsonl", "second_set.jsonl")
"""Sets that rules were changed for."""
LEARNED = ("third_set.jsonl", "fourth_set.jsonl", *(f"learned_{letter}.jsonl" for letter in "abcdefghijklmnopqrstu"))
"""Sets that nothing but the weights was made for."""
PENALTY = 1.0
"""Inverse strength of the penalty."""
LEAST = 3
"""Prompts that have to hold a feature."""
SIGN = 0.4
"""What one sign counts beside all words together."""
NOTHING = 2
"""Thousandths that a feature weighs at most to be left out."""
EPOCHS = 20
"""Times that each prompt is looked at."""
RATE = 0.02
"""Of the first steps."""
_PARTS = ("w", "b", "b3", "f0", "f1", "f2", "last", "c", "u")
_RULED = ("rule:", "rule+", "r:", "r0:", "rl:")


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled prompt: its features with their values, and whether it requires a search."""

    features: tuple[tuple[str, float], ...]
    gated: bool


def rows(path: Path) -> list[Row]:
    """Return the prompts of a set."""
    return [_row(json.loads(line), tuned=path.name in TUNED) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _row(said: dict[str, Any], *, tuned: bool) -> Row:
    earlier = [Turn.model_validate({**turn, "workspace": turn.get("workspace", False)}) for turn in said.get("earlier", ())]
    newest = judged([*earlier, Turn(role="user", text=said["prompt"])])[-1]
    of_words, of_letters = words(newest.prompt.text), letters(newest.prompt.text)
    of_signs = signs(newest.prompt.text, newest.prompt.requests, newest.finding.rule, newest.before)
    kept = [sign for sign in of_signs if not (tuned and sign.startswith(_RULED))]
    values = [*_shared(of_words), *_shared(of_letters), *((name, SIGN) for name in kept)]
    return Row(tuple(sorted(values)), said["label"] != "workspace")


def _shared(names: frozenset[str]) -> list[tuple[str, float]]:
    return [(name, SCALE / sqrt(max(1, len(names)))) for name in names]


def fitted(given: Sequence[Row]) -> tuple[float, dict[str, float]]:
    """Return the bias and the weight of each feature."""
    held = Counter(name for row in given for name, _ in row.features)
    known = {name: count for name, count in held.items() if count >= LEAST}
    rarity = {name: _rarity(count, len(given)) if _is_word(name) else 1.0 for name, count in known.items()}
    weight = dict.fromkeys(known, 0.0)
    spent = dict.fromkeys(known, 1e-8)
    bias, bias_spent = 0.0, 1e-8
    data = [([(name, value * rarity[name]) for name, value in row.features if name in known], 1.0 if row.gated else 0.0) for row in given]
    for epoch in range(EPOCHS):
        for features, due in _shuffled(data, epoch):
            score = bias + sum(weight[name] * value for name, value in features)
            error = _sigmoid(score) - due
            bias_spent += error * error
            bias -= RATE * error / sqrt(bias_spent)
            for name, value in features:
                slope = error * value + weight[name] / (PENALTY * known[name])
                spent[name] += slope * slope
                weight[name] -= RATE * slope / sqrt(spent[name])
    return bias, {name: value * rarity[name] for name, value in weight.items()}


def _rarity(count: int, all_: int) -> float:
    """What a word counts that `count` of `all_` prompts hold: the rarer, the more (inverse document frequency), and 1 where 1 in 20 do."""
    return (1 + log(all_ / count)) / (1 + log(20))


def _shuffled(data: Sequence[tuple[list[tuple[str, float]], float]], seed: int) -> Iterable[tuple[list[tuple[str, float]], float]]:
    draw = random.Random(seed).random  # noqa: S311 - an order, not a secret; only `random()` is the same in every version of Python
    return [row for _, _, row in sorted((draw(), at, row) for at, row in enumerate(data))]


def _sigmoid(score: float) -> float:
    return 1 / (1 + exp(-score)) if score >= 0 else exp(score) / (1 + exp(score))


def digests() -> dict[str, str]:
    """Return the SHA-256 of each set that the table is made from."""
    return {name: hashlib.sha256((SETS / name).read_bytes()).hexdigest() for name in (*TUNED, *LEARNED)}


def table() -> dict[str, object]:
    """Return the table of weights as it should be."""
    bias, weight = fitted([row for name in (*TUNED, *LEARNED) for row in rows(SETS / name)])
    scaled = {name: round(1000 * value * (1 if _is_word(name) else SIGN)) for name, value in sorted(weight.items())}
    kept = {name: value for name, value in scaled.items() if abs(value) > NOTHING}
    return {"made_from": digests(), "bias": round(1000 * bias), "features": kept}


def _is_word(name: str) -> bool:
    return name.split(":", 1)[0] in _PARTS


def main() -> None:
    """Write the table."""
    TABLE.write_text(json.dumps(table(), ensure_ascii=True, indent=0, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
