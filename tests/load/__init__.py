"""`veridical serve` under load, on loopback: `python -m tests.load`.

provider    a search service: an answer of its own for every question
mix         what is asked, over all routes, and what a right reply is
run         the service as a process, clients at a time, what came of it
"""

from __future__ import annotations

from .run import Result, run

__all__ = ["Result", "run"]
