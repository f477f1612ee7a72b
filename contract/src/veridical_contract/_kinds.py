"""The kinds of plugins, and the names that plugins and hosts share before anything else."""

from __future__ import annotations

from typing import Literal

PROJECT = "veridical"
Kind = Literal["chat", "search", "embedding", "storage", "source"]
KINDS: tuple[Kind, ...] = ("chat", "search", "embedding", "storage", "source")
GENERATION = "v1"
