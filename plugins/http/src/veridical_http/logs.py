"""The log of a service: one line on stderr for each request, and one for what its operator has to know."""

from __future__ import annotations

import logging
import time

__all__ = ["log_to_stderr"]


def log_to_stderr() -> None:
    """Let the service's loggers write to stderr: requests, and warnings of everything else."""
    formatter = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    handler = logging.StreamHandler()
    handler.setFormatter(formatter)
    for name, level in (("veridical_http", logging.INFO), ("veridical", logging.WARNING), ("uvicorn.error", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(level)
        logger.propagate = False
