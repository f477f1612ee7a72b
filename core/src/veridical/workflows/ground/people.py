"""Placeholder until the module is written: nobody shares a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    title: str | None
    text: str
    url: str | None
    domain: str


@dataclass(frozen=True, slots=True)
class Person:
    mentions: tuple[int, ...]
    mention: int
    start: int
    end: int
    why: str


def distinct_people(question: str, mentions: Sequence[Mention]) -> tuple[Person, ...]:
    return ()
