"""Research in which nothing can be made up.

`Veridical` is the facade and `AsyncVeridical` its asynchronous twin; both are imported when they are first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .client import AsyncVeridical, Veridical

__all__ = ["AsyncVeridical", "Veridical"]


def __getattr__(name: str) -> object:
    """Import the facade only when it is asked for: the command line's help does without pydantic and plugins."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import client

    return getattr(client, name)
