"""The checks, by what they are about. Importing this registers them, in the order in which they are made."""

from __future__ import annotations

from . import installed  # isort: split

from . import behaved  # isort: split

from . import failing  # isort: split

from . import searched  # isort: split

from . import embedded  # isort: split

from . import sourced  # isort: split

from . import chatted  # isort: split

from . import streamed  # isort: split

from . import rested  # isort: split

from . import stored  # isort: split

from . import found  # isort: split

from . import chained  # isort: split

from . import removed  # isort: split

from . import lasting

__all__ = [
    "behaved",
    "chained",
    "chatted",
    "embedded",
    "failing",
    "found",
    "installed",
    "lasting",
    "removed",
    "rested",
    "searched",
    "sourced",
    "stored",
    "streamed",
]
