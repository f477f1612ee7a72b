"""The facade: the same verbs on every surface.

    from veridical import Veridical

    with Veridical() as veridical:
        published = veridical.research("What broke after the update?", paths=["./notes"])
        print(published.report.themes[0].claims[0].text)
        veridical.save(published, "report.zip")

`AsyncVeridical` has the same verbs as coroutines. Both stand for one installation: a home, its settings, its store and its plugins.
Nothing is read, written or loaded before the first verb that needs it.
"""

from __future__ import annotations

from .coroutines import AsyncVeridical
from .facade import Veridical
from .rows import Found, Health, SourceRow

__all__ = ["AsyncVeridical", "Found", "Health", "SourceRow", "Veridical"]
