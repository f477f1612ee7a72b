"""Every failure as one line that says what to do, for a model to read and a person to be told. No traceback, no secret."""

from __future__ import annotations

import errno
import logging
import re
from collections.abc import Mapping

from pydantic import ValidationError
from veridical_contract import VeridicalError

__all__ = ["explain", "invalid", "nowhere"]

_LONGEST = 2000
_PATH = re.compile(r"""(?<![\w/.:])(/|[A-Za-z]:\\)[^\s'"]*[^\s'".,:;)`]""")
_TOOLS = {
    "list_sources": r"veridical sources list",
    "add_source": r"veridical sources add",
    "search_evidence": r"veridical evidence search",
    "find_quote": r"veridical evidence find",
    "doctor": r"veridical doctor(?! --ping| --repair)",
}
"""Which tool does here what a hint tells a person to type, and how that is recognised."""
_ARGUMENTS = {"paths": r"--from\b", "against": r"--against\b"}
"""Which argument is here what an option is there; only where files may be named."""


def explain(error: Exception, *, tools: frozenset[str], local: bool, debug: bool = False) -> str:
    """Return what went wrong and what to do about it; what is our own fault is logged for whoever runs the server.

    Args:
        error: that was raised.
        tools: names of the tools that are there.
        local: files may be named.
        debug: log a traceback too.
    """
    if isinstance(error, VeridicalError):
        said = f"{error.message} {error.hint}"
        return _line(f"{said if local else nowhere(said)}{_here(error.hint, tools, _ARGUMENTS if local else {})}")
    if isinstance(error, OSError):
        return _line(_unusable(error, local=local))
    logging.getLogger(__name__).error("a tool raised %s", type(error).__name__, exc_info=error if debug else None)
    return (
        f"Something is wrong in veridical itself: {type(error).__name__}. "
        "Tell whoever runs the server: it says more when it is started with veridical --debug mcp."
    )


def nowhere(text: str) -> str:
    """Return `text` without absolute paths: who calls over HTTP has not to know where things lie on the server's machine."""
    return _PATH.sub("a file of the server", text)


def invalid(name: str, error: ValidationError) -> str:
    """Return which arguments of the tool `name` are off, and how; never their values."""
    rows = error.errors(include_url=False, include_context=False, include_input=False)
    said = "; ".join(f"{'.'.join(map(str, row['loc'])) or 'the arguments'}: {row['msg'].removeprefix('Value error, ')}" for row in rows[:8])
    return _line(f"{name} cannot be called like this: {said}. Its input schema says what it takes.")


def _unusable(error: OSError, *, local: bool) -> str:
    said = error.strerror or type(error).__name__
    if not local:
        return f"A file of the server cannot be used: {said}. Tell whoever runs it."
    full = error.errno in {errno.ENOSPC, errno.EDQUOT}
    hint = "Free some room and call it again." if full else "Check the path and its permissions."
    return f"{error.filename or 'A file'} cannot be used: {said}. {hint}"


def _here(hint: str, tools: frozenset[str], arguments: Mapping[str, str]) -> str:
    named = [f"give {argument}" for argument, option in arguments.items() if re.search(option, hint)]
    named += [f"call {tool}" for tool, command in _TOOLS.items() if tool in tools and re.search(command, hint)]
    return f" (here: {' or '.join(named)})" if named else ""


def _line(text: str) -> str:
    words = " ".join(text.split())
    visible = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in words)
    return visible if len(visible) <= _LONGEST else visible[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
