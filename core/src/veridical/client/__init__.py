"""The facade: the same verbs on every surface.

    from veridical import Veridical

    with Veridical() as veridical:
        published = veridical.research("What broke after the update?", paths=["./notes"])
        print(published.report.themes[0].claims[0].text)
        veridical.save(published, "report.zip")

`AsyncVeridical` has the same verbs as coroutines. Both stand for one installation: a home, its settings, its store and its plugins. A
`Pool` lends several of one home to a program that answers several callers at a time. Nothing is read, written or loaded before the first
verb that needs it.
"""

from __future__ import annotations

from .coroutines import AsyncVeridical
from .facade import Veridical
from .pool import Pool
from .rows import Found, Health, SourceRow

__all__ = ["AsyncVeridical", "Found", "Health", "Pool", "SourceRow", "Veridical"]
