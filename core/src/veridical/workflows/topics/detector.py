"""The gate of a conversation: the newest prompt's topic, and whether it is answered from a search.

turns --conversation--> what the rules say of each prompt --likeness to labelled prompts--> the topic of the newest
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridical_contract import Topic, TopicKind, Turn

from .conversation import Prompt, Standing
from .features import LONGEST
from .likeness import likeness
from .rules import REASONS, Finding

__all__ = ["ASKS", "ASKS_BY_ITSELF", "SURELY_WORK", "Judged", "TopicShiftDetector", "judged"]

ASKS = -1.4
"""Score from which a prompt is taken for a question about people or the world: log-odds, here 20 %."""
SURELY_WORK = -2.5
"""Score below which it is work although a rule takes it for one about a person: here 8 %."""


ASKS_BY_ITSELF = 0.0
"""Score from which a part of a prompt is a question whatever stands beside it: here 50 %, since a part says less than a whole prompt."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A prompt, and what the rules say of it in the light of what was said before.

    Attributes:
        prompt: by itself.
        finding: of the rules.
        before: what the rules say that the prompt before it was about; None for the first.
        subject: whom or what it points at, in the user's words.
    """

    prompt: Prompt
    finding: Finding
    before: TopicKind | None
    subject: str | None

    def weighed(self) -> Finding:
        """Return the finding that counts: the rules', unless the wording speaks clearly against it."""
        if self.finding.rule == "disguised" or (self.prompt.restyles and self.finding.kind != "workspace"):
            return self.finding  # what is encoded is like nothing; an answer from a search in another form is one still
        if self.finding.rule == "same-work":
            return self.finding  # it says nothing by itself
        whole = likeness(self.prompt.text, self.prompt.requests, self.finding.rule, self.before)
        if self.finding.kind == "workspace":
            return Finding("external", "like-questions") if whole >= ASKS else self.finding
        floor = SURELY_WORK if self.finding.kind == "biographical" else ASKS
        asks = whole >= floor or any(score >= ASKS_BY_ITSELF for score in self._parts())
        return self.finding if asks or self.prompt.length > LONGEST else Finding("workspace", "like-work")

    def _parts(self) -> Iterator[float]:
        """Yield the score of each part that a rule takes for a question, by itself: work beside a question does not hide it."""
        if len(self.prompt.requests) > 1:
            yield from (likeness(part.text, (part,), finding.rule, self.before) for part, finding in self.prompt.asking)


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
        prompts = judged(turns)
        if not prompts:
            raise ValueError(
                f"A topic was asked for of {len(turns)} turns without a prompt; expected a turn of role user that is not workspace."
            )
        newest = prompts[-1].weighed()
        return Topic(
            kind=newest.kind,
            requires_grounding=newest.kind != "workspace",
            shifted=len(prompts) > 1 and prompts[-2].weighed().kind != newest.kind,
            why=REASONS[newest.rule],
            subject=prompts[-1].subject if newest.kind != "workspace" else None,
        )


def judged(turns: Sequence[Turn]) -> list[Judged]:
    """Return the prompts of a conversation with what the rules say of each; none of a conversation without any."""
    found: list[Judged] = []
    standing = Standing()
    for turn in turns:
        if turn.workspace:
            standing = replace(standing, work=True)
        elif turn.role == "user":
            prompt, before = Prompt.of(turn.text), standing.finding
            standing = standing.after(prompt)
            if standing.finding is not None:
                found.append(Judged(prompt, standing.finding, before.kind if before is not None else None, standing.subject))
    return found
