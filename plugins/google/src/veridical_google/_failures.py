"""What a call to the API may raise, as the errors of the contract.

    status, time-out, connection   `provider_call` tells them apart; a wrong key has the status 400 here
    an error inside of a stream    has a status of its own, in its data
    not the form of a reply        malformed

What the provider says about it stays out of the line: it is somebody else's text, and may repeat the request. The log has it.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from veridical_contract import ProviderError, ProviderFailure, provider_call, status_failure

__all__ = ["api_call", "cut", "is_wrong_key", "sdk_call"]

_HINTS: Mapping[ProviderFailure, str] = {
    "auth": "Check GEMINI_API_KEY, and what its project may use.",
    "quota": "Look at the plan of the project that GEMINI_API_KEY belongs to.",
    "rate-limit": "Wait, or ask for less at a time.",
    "server": "Try again later.",
    "timeout": "Try again, or raise timeout in [plugin.google].",
    "connection": "Check the network, and base_url in [plugin.google].",
    "malformed": "Check model and base_url in [plugin.google].",
}


@contextmanager
def api_call(logger: logging.Logger) -> Generator[None]:
    """Raise what the SDK raises in the block as a `ProviderError`, and log what the provider said about it."""
    from google.genai import errors

    with provider_call("Google", hints=_HINTS):
        try:
            yield
        except errors.APIError as error:
            logger.info("google: %s", error)
            if is_wrong_key(error):
                raise _failed("auth", "does not know the key") from error
            # By name: the SDK's annotation has classes that it does not type itself.
            response: object = getattr(error, "response", None)
            if getattr(response, "status_code", 200) == 200:
                code = error.code if type(error.code) is int else 500
                raise _failed(status_failure(code), f"broke off with {code}") from error
            raise
        except ValueError as error:
            logger.info("google: not the form of a reply: %s", error)
            raise malformed() from error


@contextmanager
def sdk_call() -> Generator[None]:
    """Around the SDK alone, which takes the form of a reply for granted."""
    try:
        yield
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"the SDK cannot read it: {error}") from error


def is_wrong_key(error: Exception) -> bool:
    """Whether an `APIError` says that there is no such key."""
    return getattr(error, "code", None) == 400 and "API key not valid" in str(getattr(error, "message", ""))


def malformed() -> ProviderError:
    """Return the error for a reply that has not the form of one."""
    return _failed("malformed", "sent a reply that has not the form of one")


def cut() -> ProviderError:
    """Return the error for a reply that has no end."""
    return _failed("malformed", "sent a reply that was cut before its end")


def _failed(failure: ProviderFailure, what: str) -> ProviderError:
    return ProviderError(f"Google {what}.", failure=failure, hint=_HINTS[failure])
