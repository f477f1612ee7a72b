"""veridical source for local files and folders.

source    the hook: one file after the other, batch by batch
formats   how a file is laid out, by the end of its name
columns   which column or member of a record holds which field
"""

from __future__ import annotations

from .source import FilesSource

__all__ = ["FilesSource"]
