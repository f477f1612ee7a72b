"""Plugins in processes of their own: for code that is not trusted. The gateway calls them as it calls all others.

host                                              child, a confined process without secrets
plugin.py      the plugin, to the gateway         child.py          reads commands, does them, answers
process.py     started, read, killed              child_context.py  the plugin's context: asks the host
answering.py   what it may ask: secrets, files    child_http.py     its HTTP: the host sends and records
exchanges.py   the recording proxy                sandbox.py        Landlock, seccomp, limits
places.py      what it may read
                   `-- messages.py, faults.py: JSON lines, each of one shape --'
"""

from __future__ import annotations

from .plugin import Isolated
from .sandbox import unsupported

__all__ = ["Isolated", "unsupported"]
