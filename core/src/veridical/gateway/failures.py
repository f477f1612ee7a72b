"""From what a plugin raised to the error that leaves the gateway: one line, attributed, without secrets.

ProviderError                              a ProviderError, its plugin and hook set by the host
anything, after a reply that failed        a ProviderError: what the host recorded says of which kind, whichever class an SDK raised
anything that one of these is the cause of that one: an SDK puts what the host refused into an exception of its own
StoreError, ConfigurationError and below   the same class when it comes from storage: a run cannot go on without it
ConfigurationError and below               the same class when it comes from a source, whose own settings are read as late as this
anything else, SystemExit too              a PluginError
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import cast, get_args

from veridical_contract import (
    ConfigurationError,
    IncompatibleError,
    MissingExtraError,
    MissingSecretError,
    PluginError,
    ProviderError,
    ProviderFailure,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    VeridicalError,
)

from veridical.discovery import Listing, describe, log_traceback, one_line
from veridical.wire.recording import Recorded

from .steps import END

_OF_SETTINGS = (MissingSecretError, MissingExtraError, IncompatibleError, ConfigurationError)
_OF_STORAGE = (StoreFullError, StoreCorruptError, StoreError, *_OF_SETTINGS)


class MissingHookError(PluginError):
    """A plugin does not implement a hook: it was made for an older contract."""


_LONGEST_CHAIN = 20
_HINTS: dict[ProviderFailure, str] = {
    "auth": "Check its key: veridical doctor --ping",
    "quota": "Its quota is used up: see the provider's account page, or use another plugin.",
    "rate-limit": "Wait, and run it again.",
    "server": "The provider is in trouble: run it again later, or use another plugin.",
    "timeout": "Run it again, or allow it more under [limits] in the settings file.",
    "connection": "Check the network, and the plugin's base_url in the settings file.",
    "malformed": "The provider answered with something else than it documents: veridical plugins show names the plugin's version.",
}


def translate(error: BaseException, listing: Listing, hook: str, *, redact: Callable[[str], str], logger: logging.Logger) -> VeridicalError:
    """Return the error to raise for `error`, which the hook of the plugin `listing` raised; its traceback goes to `logger`, to debug.

    It is a new object: the plugin's own may be a subclass with code in it. Runs code of the plugin: call it in the plugin's thread.
    """
    try:
        log_traceback(logger, hook, error)
        error = _reason(error)
        if isinstance(error, ProviderError):
            return _provider_error(error, listing, hook, redact)
        if listing.kind == "storage":
            for kept in _OF_STORAGE:
                if isinstance(error, kept):
                    return kept(_said(error.message, redact), hint=_said(error.hint, redact))
        if listing.kind == "source":
            for kept in _OF_SETTINGS:
                if isinstance(error, kept):
                    return kept(f"{listing.name} ({hook}): {_said(error.message, redact)}", hint=_said(error.hint, redact))
        hint = _said(error.hint, redact) if isinstance(error, VeridicalError) else ""
        said = error.message if isinstance(error, VeridicalError) else describe(error)
        return _plugin_error(listing, hook, _said(said, redact), hint)
    except BaseException:  # noqa: BLE001 - the attributes of an exception are code of the plugin too
        return _plugin_error(listing, hook, "an exception that cannot be shown", "")


def classified(error: VeridicalError, exchanges: Sequence[Recorded]) -> VeridicalError:
    """Return the error to raise for `error` when the last exchange of the call failed: of the kind that was recorded."""
    last = exchanges[-1] if exchanges else None
    if last is None or last.failure is None or type(error) not in {PluginError, ProviderError}:
        return error
    found = cast("PluginError", error)
    wait = last.retry_after if last.retry_after is not None else getattr(found, "retry_after", None)
    return ProviderError(
        found.message, failure=last.failure, retry_after=wait, plugin=found.plugin, hook=found.hook, hint=found.hint or _HINTS[last.failure]
    )


def unsaid(found: object, exchanges: Sequence[Recorded], listing: Listing, hook: str) -> PluginError | None:
    """Return the error of a plugin that says it found nothing, when its last request failed: nobody knows what there was to find."""
    last = exchanges[-1] if exchanges else None
    nothing = found is END or (type(found) is list and not found)
    if not nothing or last is None or last.failure is None:
        return None
    answered = f"answered {last.status}" if last.status is not None else "did not answer"
    return _plugin_error(listing, hook, f"the service {answered}, of which the plugin says nothing.", "")


def _reason(error: BaseException) -> BaseException:
    """Return the first cause of `error` that speaks to the user, or `error` where nothing does."""
    found, link = error, error
    for _ in range(_LONGEST_CHAIN):
        if isinstance(link, VeridicalError):
            found = link
        # What one was raised while handling may be another matter; what it was raised from is not.
        handled = None if link.__suppress_context__ or isinstance(found, VeridicalError) else link.__context__
        if (link := link.__cause__ or handled) is None:
            break
    return found


def _plugin_error(listing: Listing, hook: str, said: str, hint: str) -> PluginError:
    return PluginError(f"{listing.name} ({hook}): {said}", plugin=listing.name, hook=hook, hint=hint)


def _provider_error(error: ProviderError, listing: Listing, hook: str, redact: Callable[[str], str]) -> ProviderError:
    wait = error.retry_after
    failure: ProviderFailure = error.failure if error.failure in get_args(ProviderFailure) else "malformed"
    return ProviderError(
        f"{listing.name} ({hook}): {_said(error.message, redact)}",
        failure=failure,
        retry_after=float(wait) if type(wait) in {int, float} and wait is not None and math.isfinite(wait) and wait >= 0 else None,
        plugin=listing.name,
        hook=hook,
        hint=_said(error.hint, redact),
    )


def _said(text: str, redact: Callable[[str], str]) -> str:
    return one_line(redact(one_line(text)))
