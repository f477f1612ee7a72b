"""Exit codes, fixed: scripts depend on them."""

from __future__ import annotations

DONE = 0
INTERNAL = 1
USAGE = 2
REFUSED = 3
NOT_IN_EVIDENCE = 4
NOTHING_TO_CHECK = 5
CONFIGURATION = 6
INTERRUPTED = 130
