"""Answers to questions about the world, from a real search, each statement with its citation; or a refusal.

coverage   how much of the question independent evidence speaks of
people     whether several people share the name that was asked for
choice     which sentences of a passage are said
compose    which passages say them, in which order
workflow   all of it, through release and exit
outcome    what is handed out, taken from what was published
refusals   why nothing is said
"""

from __future__ import annotations

from .coverage import Witness, coverage_score
from .workflow import Asked, Grounded, ground, refuse_without_backend, refuse_without_provider

__all__ = [
    "Asked",
    "Grounded",
    "Witness",
    "coverage_score",
    "ground",
    "refuse_without_backend",
    "refuse_without_provider",
]
