"""The command line: a lazy group of commands, one module each below `commands`.

    main -> group -> commands/NAME.py -> veridical.client        (imported only when the command runs)

stdout is the result, stderr everything else. Exit codes: 0 done, 1 internal error, 2 usage, 3 refused, 4 something is not in the evidence,
5 nothing to check, 6 configuration, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    import click

    from .failures import explain
    from .group import veridical

    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = veridical.main(args=words, prog_name="veridical", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the one place where every failure becomes a line and a code
        return explain(error, debug="--debug" in words)
    return code if isinstance(code, int) else 0
