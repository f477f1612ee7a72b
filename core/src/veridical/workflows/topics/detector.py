"""The gate of a conversation: the newest prompt's topic, and whether it is answered from a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veridical_contract import Topic, Turn

from .conversation import Prompt, Standing
from .rules import REASONS

__all__ = ["TopicShiftDetector"]


class TopicShiftDetector:
    """Tells prompts about people and about the world from those about the user's own work.

    It holds nothing: the same turns give the same topic, in any process and without a network.
    """

    def classify(self, turns: Sequence[Turn]) -> Topic:
        """Return the topic of the newest prompt in `turns`, in the light of the earlier ones.

        A prompt is a turn of the role `user` that is not marked `workspace`. What an assistant said does not decide anything.

        Raises:
            ValueError: there is no prompt.
        """
        before, standing = None, None
        for turn in turns:
            if turn.workspace:
                standing = replace(standing or Standing(), work=True)
            elif turn.role == "user":
                before, standing = standing, (standing or Standing()).after(Prompt.of(turn.text))
        if standing is None or standing.finding is None:
            raise ValueError(
                f"A topic was asked for of {len(turns)} turns without a prompt; expected a turn of role user that is not workspace."
            )
        finding = standing.finding
        return Topic(
            kind=finding.kind,
            requires_grounding=finding.kind != "workspace",
            shifted=before is not None and before.finding is not None and before.finding.kind != finding.kind,
            why=REASONS[finding.rule],
            subject=standing.subject if finding.kind != "workspace" else None,
        )
