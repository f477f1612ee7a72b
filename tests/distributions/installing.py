"""A folder of distributions on `sys.path`, for tests that import them into this process."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["on_path"]


@contextmanager
def on_path(site: Path) -> Generator[Path]:
    """Have `site` first on `sys.path`; afterwards it is gone, and so is every module that came from it."""
    site.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(site))
    try:
        yield site
    finally:
        sys.path.remove(str(site))
        for name, module in list(sys.modules.items()):
            if (getattr(module, "__file__", None) or "").startswith(str(site)):
                del sys.modules[name]
