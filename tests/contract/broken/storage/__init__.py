"""An honest store, and those that lose, mix up, keep for too long and break off.

honest     the honest one, which is veridical-sqlite under another name
keeping    what is put into it, container by container
finding    candidates, fingerprints, pages of names
deleting   runs, and what has to be gone
lasting    files, other processes, copies, damage
"""

from __future__ import annotations

from .deleting import DELETING
from .finding import FINDING
from .honest import HONEST
from .keeping import KEEPING
from .lasting import LASTING

__all__ = ["BROKEN", "HONEST"]

BROKEN = [*KEEPING, *FINDING, *DELETING, *LASTING]
