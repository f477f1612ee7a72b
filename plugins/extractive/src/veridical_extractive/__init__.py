"""veridical composer that picks sentences and never writes any."""

from __future__ import annotations

from ._chat import ExtractiveChat

__all__ = ["ExtractiveChat"]
