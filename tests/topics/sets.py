"""Labelled prompts, and how the detector does on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical.workflows.topics import TopicShiftDetector
from veridical_contract import Topic, TopicKind, Turn

__all__ = ["FIRST", "KINDS", "SECOND", "SETS", "UNSEEN", "Labelled", "Score", "measured", "read"]

FIRST = Path(__file__).with_name("first_set.jsonl")
SECOND = Path(__file__).with_name("second_set.jsonl")
UNSEEN = (Path(__file__).with_name("fifth_set.jsonl"), Path(__file__).with_name("sixth_set.jsonl"))
"""Written without sight of rules and weights, and nothing was made or changed for them: the figures to go by."""
SETS = (FIRST, SECOND, Path(__file__).with_name("third_set.jsonl"), Path(__file__).with_name("fourth_set.jsonl"), *UNSEEN)
"""Of the others the first two changed rules, and all four the weights."""
KINDS: tuple[TopicKind, ...] = ("biographical", "external", "workspace")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A prompt with its label.

    Attributes:
        turns: what was said before, and the prompt.
        label: the kind that a person gave it.
        language: its code.
        sort: of prompt.
    """

    turns: tuple[Turn, ...]
    label: TopicKind
    language: str
    sort: str

    @property
    def prompt(self) -> str:
        """The newest turn's text."""
        return self.turns[-1].text


@dataclass(frozen=True, slots=True)
class Score:
    """A set and what the detector said of it.

    Attributes:
        rows: the prompts with their topics.
    """

    rows: tuple[tuple[Labelled, Topic], ...]

    def share(self, label: TopicKind) -> float:
        """Return the share of prompts with `label` that require grounding."""
        found = [topic.requires_grounding for labelled, topic in self.rows if labelled.label == label]
        return sum(found) / len(found)

    def recall(self, kind: TopicKind) -> float:
        """Return the share of prompts labelled `kind` that are of this kind."""
        found = [topic.kind == kind for labelled, topic in self.rows if labelled.label == kind]
        return sum(found) / len(found)

    def precision(self) -> float:
        """Return the share of prompts that require grounding by their label among those that do by the detector."""
        found = [labelled.label != "workspace" for labelled, topic in self.rows if topic.requires_grounding]
        return sum(found) / len(found)

    def errors(self) -> list[tuple[Labelled, Topic]]:
        """Return those that the detector gives another kind."""
        return [(labelled, topic) for labelled, topic in self.rows if labelled.label != topic.kind]

    def table(self) -> Iterator[str]:
        """Yield the confusion matrix as Markdown: a row for each label, a column for each kind."""
        yield "| label | " + " | ".join(KINDS) + " | gate: grounding required |"
        yield "| --- | " + " | ".join("---:" for _ in KINDS) + " | ---: |"
        for label in KINDS:
            kinds = [topic.kind for labelled, topic in self.rows if labelled.label == label]
            counts = " | ".join(str(kinds.count(kind)) for kind in KINDS)
            yield f"| {label} | {counts} | {self.share(label):.1%} |"
        yield ""
        yield (
            f"{len(self.rows)} prompts. Gate: recall {self.share('biographical'):.3f} on biographical, "
            f"{self.share('external'):.3f} on external; "
            f"precision {self.precision():.3f}. Kind: recall " + ", ".join(f"{self.recall(kind):.3f} {kind}" for kind in KINDS) + "."
        )


def read(path: Path) -> list[Labelled]:
    """Return the prompts of the set at `path`."""
    return [_labelled(json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _labelled(row: dict[str, Any]) -> Labelled:
    earlier = [Turn(role=turn["role"], text=turn["text"], workspace=turn.get("workspace", False)) for turn in row.get("earlier", ())]
    return Labelled((*earlier, Turn(role="user", text=row["prompt"])), row["label"], row["language"], row["sort"])


def measured(labelled: Sequence[Labelled]) -> Score:
    """Return what the detector says of each prompt."""
    detector = TopicShiftDetector()
    return Score(tuple((each, detector.classify(each.turns)) for each in labelled))
