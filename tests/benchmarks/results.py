"""One row of the table: what was measured, against what, what the goal is, and whether it is met."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from .measure import Figures

__all__ = ["Goal", "Row", "at_least", "at_most", "shown", "shown_figures"]

Bound = Literal["at most", "at least"]
_SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))
_LAST = "ns"


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be reached.

    Attributes:
        bound: which side of `limit` is good.
        limit: in `unit`.
        unit: `x` for a ratio, `s` for seconds; anything else is shown as it is.
    """

    bound: Bound
    limit: float
    unit: str

    def is_met(self, value: float) -> bool:
        """Whether `value` is on the good side."""
        return value <= self.limit if self.bound == "at most" else value >= self.limit

    def __str__(self) -> str:
        return f"{self.bound} {shown(self.limit, self.unit)}"


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        group: the module that it comes from.
        what: was done.
        ours: what it cost.
        peer: what it is held against; empty when there is a limit and no peer.
        theirs: what that cost.
        value: what the goal is about, in the goal's unit; by default `ours` as a multiple of `theirs`.
        goal: None when the row is there for comparison.
        note: anything that a reader has to know.
        size: documents or characters, for rows that are measured at several.
    """

    group: str
    what: str
    ours: Figures
    peer: str = ""
    theirs: Figures | None = None
    value: float | None = None
    goal: Goal | None = None
    note: str = ""
    size: int | None = None

    @property
    def ratio(self) -> float | None:
        """Ours as a multiple of theirs; None without a peer."""
        return self.ours.p50 / self.theirs.p50 if self.theirs is not None and self.theirs.p50 else None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without one."""
        value = self.value if self.value is not None else self.ratio
        return self.goal.is_met(value) if self.goal is not None and value is not None else None

    def data(self) -> dict[str, Any]:
        """The row as plain values."""
        return {**asdict(self), "ratio": self.ratio, "met": self.met}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Row:
        """Return the row that `data` was made from."""
        kept = {name: value for name, value in data.items() if name not in ("ratio", "met")}
        made = {"ours": Figures(**kept["ours"]), "theirs": kept["theirs"] and Figures(**kept["theirs"])}
        return cls(**{**kept, **made, "goal": kept["goal"] and Goal(**kept["goal"])})


def at_most(limit: float, unit: str = "x") -> Goal:
    """Return a goal that is met by `limit` and less."""
    return Goal("at most", limit, unit)


def at_least(limit: float, unit: str = "x") -> Goal:
    """Return a goal that is met by `limit` and more."""
    return Goal("at least", limit, unit)


def shown(value: float, unit: str) -> str:
    """Return `value` for people: three digits that count."""
    if unit == "s":
        factor, name = next(((factor, name) for factor, name in _SCALES if value >= factor), (1e-9, _LAST))
        return f"{_digits(value / factor)} {name}"
    return f"{_digits(value)}x" if unit == "x" else f"{_digits(value)} {unit}"


def shown_figures(figures: Figures) -> str:
    """Return p50 and p99, or the one value there is."""
    if figures.runs == 1:
        return shown(figures.p50, figures.unit)
    return f"{shown(figures.p50, figures.unit)} / {shown(figures.p99, figures.unit)}"


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
