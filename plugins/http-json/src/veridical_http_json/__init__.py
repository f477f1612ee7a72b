"""veridical source: any JSON API, declared in the settings file."""

from __future__ import annotations

from ._source import HttpJsonSource

__all__ = ["HttpJsonSource"]
