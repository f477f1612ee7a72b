"""Every failure as one line on stderr, what to type next, and an exit code. A traceback only with --debug."""

from __future__ import annotations

import errno
import sys
import traceback

import click

from . import codes
from .words import visible

__all__ = ["explain"]

_CODES = {
    "usage": codes.USAGE,
    "configuration": codes.CONFIGURATION,
    "missing-secret": codes.CONFIGURATION,
    "missing-extra": codes.CONFIGURATION,
    "incompatible": codes.CONFIGURATION,
    "store": codes.CONFIGURATION,
    "store-full": codes.CONFIGURATION,
    "store-corrupt": codes.NOT_IN_EVIDENCE,
    "not-publishable": codes.NOT_IN_EVIDENCE,
    "unreadable": codes.USAGE,
    "cancelled": codes.INTERRUPTED,
}


def explain(error: BaseException, *, debug: bool) -> int:
    """Say on stderr what went wrong, and return the exit code."""
    if debug:
        traceback.print_exception(error)
    if isinstance(error, click.ClickException):
        error.show(sys.stderr)
        return error.exit_code
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return _say("Interrupted. What was read so far is kept: run the same command again to go on.", codes.INTERRUPTED)
    if isinstance(error, BrokenPipeError):
        # Whoever read the result has enough of it; closing stdout at exit must not raise again.
        sys.stdout = None
        return codes.DONE
    from veridical_contract import VeridicalError

    if isinstance(error, VeridicalError):
        return _say(_lines(error.message, error.hint), _CODES.get(error.code, codes.INTERNAL))
    if isinstance(error, OSError):
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        hint = "Free some room and run it again." if full else "Check the path and its permissions."
        return _say(f"{error.filename or 'A file'} cannot be used: {error.strerror or error}. {hint}", codes.CONFIGURATION)
    return _say(
        f"Something is wrong in veridical itself: {type(error).__name__}: {_one_line(str(error))}. "
        "Run it again with --debug and report what it prints.",
        codes.INTERNAL,
    )


def _say(line: str, code: int) -> int:
    click.echo(f"veridical: {visible(line)}", err=True)  # a reason, a path or a name can come from a store that somebody else wrote
    return code


def _lines(message: str, hint: str) -> str:
    return f"{_one_line(message)} {_one_line(hint)}".rstrip()


def _one_line(text: str) -> str:
    return " ".join(text.split())
