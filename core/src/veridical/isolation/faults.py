"""Errors across the pipe: what they are, as a `Fault`, and the error that a `Fault` is raised as again. Both sides use it."""

from __future__ import annotations

import veridical_contract
from veridical_contract import PluginError, ProviderError, VeridicalError

from veridical.discovery import describe

from .messages import Fault

__all__ = ["MEMORY", "TRANSPORT", "error_of", "fault_of"]

TRANSPORT = "transport"
"""Code of what an HTTP client of the host raised: the client of the plugin raises its own."""
MEMORY = "memory"
_LONGEST = 4_000
_PUBLIC: list[object] = [getattr(veridical_contract, name) for name in veridical_contract.__all__]
_KINDS = {found.code: found for found in _PUBLIC if isinstance(found, type) and issubclass(found, VeridicalError)}
"""Those of the contract alone: whoever derives from them says more than crosses the pipe."""


def fault_of(error: BaseException) -> Fault:
    """Return `error` as it crosses the pipe. Runs code of the exception: in the child, or on errors of the host's own."""
    if isinstance(error, MemoryError):
        return Fault(code=MEMORY)
    if isinstance(error, ProviderError):
        wait = error.retry_after if type(error.retry_after) in (int, float) else None
        return Fault(code=error.code, message=_cut(error.message), hint=_cut(error.hint), failure=error.failure, retry_after=wait)
    if isinstance(error, VeridicalError):
        return Fault(code=error.code, message=_cut(error.message), hint=_cut(error.hint))
    return Fault(code=PluginError.code, message=describe(error))


def error_of(fault: Fault) -> VeridicalError:
    """Return the error that `fault` stands for, of the class in the contract that has its code; a PluginError where none has."""
    if fault.code == ProviderError.code:
        return ProviderError(fault.message, failure=fault.failure or "malformed", retry_after=fault.retry_after, hint=fault.hint)
    return _KINDS.get(fault.code, PluginError)(fault.message, hint=fault.hint)


def _cut(text: str) -> str:
    return str(text)[:_LONGEST]
