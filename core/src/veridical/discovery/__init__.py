"""Find plugins without importing them, and import one with care.

catalogue   metadata of the installed distributions -> one `Listing` each; imports no plugin, no pydantic, no pluggy
load        a `Listing` and a context -> a `Loaded` plugin, or a `Status` that says why not
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .allow import read_allow
from .catalogue import catalogue
from .listing import Allow, Listing, Pinned, Status

if TYPE_CHECKING:
    from .failures import describe, log_traceback, one_line, speaking
    from .files import files_digest
    from .loading import Loaded, astray, load, loaded

__all__ = [
    "Allow",
    "Listing",
    "Loaded",
    "Pinned",
    "Status",
    "astray",
    "catalogue",
    "describe",
    "files_digest",
    "load",
    "loaded",
    "log_traceback",
    "one_line",
    "read_allow",
    "speaking",
]

_HEAVY = {
    "Loaded": "loading",
    "astray": "loading",
    "describe": "failures",
    "files_digest": "files",
    "load": "loading",
    "loaded": "loading",
    "log_traceback": "failures",
    "one_line": "failures",
    "speaking": "failures",
}


def __getattr__(name: str) -> object:
    """Import what needs pluggy and the contract only when it is asked for: `plugins list` does not."""
    if name not in _HEAVY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HEAVY[name]}"), name)
