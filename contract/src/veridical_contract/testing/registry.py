"""What a check is, and the list of them all.

A check raises `Violation` where the plugin does not do what its sentence says, and `NotApplicable` where it has nothing to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical_contract import KINDS, Kind

if TYPE_CHECKING:
    from .subject import Subject

__all__ = ["CHECKS", "PAGE", "Check", "NoReplyError", "NotApplicable", "Violation", "check", "check_ids", "said_by"]

PAGE = "reference/conformance"
"""The page of the documentation that has an anchor for each check."""


class Violation(AssertionError):  # noqa: N818 - what a check finds
    """The plugin does not do what the sentence of a check says; the message says what it did."""


class NotApplicable(Exception):  # noqa: N818 - no error
    """The plugin has nothing that the check is about; the message says what."""


class NoReplyError(Exception):
    """Nobody can answer the plugin: there is no cassette for what it is asked, and no wire map to make up a reply from."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Attributes:
        id: stable, lower-case words with hyphens.
        sentence: what a plugin does that passes.
        hint: what to do about it.
        kinds: of plugins that it is about.
        function: raises where the plugin does not.
        needs: ids of the checks without which it cannot be made.
    """

    id: str
    sentence: str
    hint: str
    kinds: tuple[Kind, ...]
    function: Callable[[Subject], None]
    needs: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Where the documentation speaks of it."""
        return f"{PAGE}#{self.id}"


CHECKS: dict[str, Check] = {}
"""All checks by their id, in the order in which they are made."""


def check(
    name: str, sentence: str, hint: str, *, kinds: Collection[Kind] = KINDS, needs: tuple[str, ...] = ("hooks",)
) -> Callable[[Callable[[Subject], None]], Callable[[Subject], None]]:
    """Make a function a check; see `Check`."""

    def registered(function: Callable[[Subject], None]) -> Callable[[Subject], None]:
        if name in CHECKS or any(each not in CHECKS for each in needs):
            raise ValueError(f"the check {name} stands twice, or before one that it needs")
        CHECKS[name] = Check(name, sentence, hint, tuple(kind for kind in KINDS if kind in kinds), function, needs)
        return function

    return registered


def said_by(error: BaseException) -> str:
    """Return the class of an error and what it says of itself, where it can be made to say anything."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException as another:  # noqa: BLE001 - it is the plugin's own, and nothing of it is known
        return f"{type(error).__name__}, which cannot be shown for a {type(another).__name__}"


def check_ids(kind: Kind) -> tuple[str, ...]:
    """Return the ids of the checks that apply to plugins of `kind`, in their order."""
    return tuple(name for name, found in CHECKS.items() if kind in found.kinds)
