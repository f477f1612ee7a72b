"""What a call to the API may raise, as the errors of the contract.

    status, time-out, connection        `provider_call` tells them apart; what the SDK wrapped is unwrapped for it
    error inside of a successful reply  by its type: of a stream that breaks off, of a web search
    not the form of a reply             malformed

What the provider says about it stays out of the line: it is somebody else's text, and may repeat the request. The log has it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from veridical_contract import ProviderError, ProviderFailure, provider_call

from ._replies import EventError

__all__ = ["api_call", "cut", "searches_failed"]

_TYPES: Mapping[str, ProviderFailure] = {
    "authentication_error": "auth",
    "permission_error": "auth",
    "billing_error": "quota",
    "rate_limit_error": "rate-limit",
    "timeout_error": "timeout",
    "invalid_request_error": "malformed",
    "too_many_requests": "rate-limit",
    "unavailable": "server",
    "invalid_tool_input": "malformed",
    "max_uses_exceeded": "quota",
    "query_too_long": "malformed",
    "request_too_large": "malformed",
}
_HINTS: Mapping[ProviderFailure, str] = {
    "auth": "Check ANTHROPIC_API_KEY, and what its workspace may use.",
    "quota": "Look at the credit of the account that ANTHROPIC_API_KEY belongs to.",
    "rate-limit": "Wait, or ask for less at a time.",
    "server": "Try again later.",
    "timeout": "Try again, or raise timeout in [plugin.anthropic].",
    "connection": "Check the network, and base_url in [plugin.anthropic].",
    "malformed": "Check model and base_url in [plugin.anthropic].",
}
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


@contextmanager
def api_call(logger: logging.Logger) -> Generator[None]:
    """Raise what the SDK raises in the block as a `ProviderError`, and log what the provider said about it."""
    import anthropic

    with provider_call("Anthropic", hints=_HINTS):
        try:
            yield
        except EventError as error:
            raise _failed(_TYPES.get(error.type, "server"), f"broke off with {_named(error.type)}") from error
        except ValueError as error:
            logger.info("anthropic: not the form of a reply: %s", error)
            raise _failed("malformed", "sent a reply that has not the form of one") from error
        except anthropic.APIConnectionError as error:
            # The SDK takes whatever its HTTP client raised for a broken connection, also what the host raised.
            raise error.__cause__ or error from None
        except anthropic.APIStatusError as error:
            logger.info("anthropic: %s", error)
            raise


def cut() -> ProviderError:
    """Return the error for a stream that has no end."""
    return _failed("malformed", "sent a reply that was cut before its end")


def searches_failed(codes: list[str]) -> ProviderError:
    """Return the error for a reply whose searches all failed, by the code of the first."""
    return _failed(_TYPES.get(codes[0], "server"), f"could not search the web: {_named(codes[0])}")


def _failed(failure: ProviderFailure, what: str) -> ProviderError:
    return ProviderError(f"Anthropic {what}.", failure=failure, hint=_HINTS[failure])


def _named(name: str) -> str:
    return name if _NAME.fullmatch(name) else "an unknown error"
