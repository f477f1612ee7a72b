"""What a plugin raised, as one line that is safe to print.

An exception is the plugin's own object: its message may be endless, hold line breaks and terminal escapes, or raise when it is asked for.
Secrets are taken out by whoever knows them.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, cast

from veridical_contract import VeridicalError

_LONGEST = 400
_LONGEST_CHAIN = 20


def describe(error: BaseException) -> str:
    """Return the kind of `error` and its message in one printable line of at most 400 characters.

    Runs code of the exception: call it where the plugin itself runs. `KeyboardInterrupt` passes.
    """
    try:
        name = "" if isinstance(error, VeridicalError) else type(error).__name__
        said = one_line(_invalid(error) or str(error))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - its __str__ is code of the plugin, and whatever it raises says nothing more
        return "an exception that cannot be shown"
    return one_line(f"{name}: {said}" if name and said else said or name)


def _invalid(error: BaseException) -> str:
    """Return what is wrong with which field, where that is all that `error` says: never the value, which may be a secret."""
    pydantic = sys.modules.get("pydantic")  # whoever raised its error has imported it
    if pydantic is None or type(error) is not pydantic.ValidationError:
        return ""
    rows = cast("Any", error).errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, row['loc']))}: {row['msg']}" for row in rows)


def log_traceback(logger: logging.Logger, doing: str, error: BaseException) -> None:
    """Write the traceback of `error` to `logger`, for whoever develops the plugin; runs code of the exception."""
    try:
        logger.debug("%s raised", doing, exc_info=error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - even the name of its class may be code of the plugin
        logger.debug("%s raised an exception that cannot be shown", doing)


def speaking(error: BaseException) -> BaseException:
    """Return the first cause of `error` that speaks to the user, or `error` where nothing does; an SDK wraps what the host refused."""
    found, link = error, error
    for _ in range(_LONGEST_CHAIN):
        if isinstance(link, VeridicalError):
            found = link
        # What one was raised while handling may be another matter; what it was raised from is not.
        handled = None if link.__suppress_context__ or isinstance(found, VeridicalError) else link.__context__
        if (link := link.__cause__ or handled) is None:
            break
    return found


def one_line(text: str) -> str:
    """Return `text` as an exact `str` in one printable line of at most 400 characters."""
    exact = str.encode(text, "utf-8", "replace").decode("utf-8")
    words = " ".join(exact[: 4 * _LONGEST].split())
    printable = words if words.isprintable() else "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in words)
    return printable if len(printable) <= _LONGEST else printable[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
