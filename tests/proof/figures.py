"""What a proof gives back: figures for the table, and what failed."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Figures"]


@dataclass(frozen=True)
class Figures:
    """The result of one proof.

    Attributes:
        proof: its name, as it is typed on the command line.
        size: what was tried, in words and numbers.
        figures: what was found, by name.
        failures: one line or more for each thing that should not be; the proof holds when there is none.
    """

    proof: str
    size: str
    figures: dict[str, int | str] = field(default_factory=dict[str, "int | str"])
    failures: tuple[str, ...] = ()
