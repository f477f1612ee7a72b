"""From what the SDK raises to a `ProviderError`: one line, of the status and the server's own code, and never of its words.

The words of a refusal may repeat a part of the key, or of the request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from veridical_contract import ProviderError, ProviderFailure, provider_call, status_failure

if TYPE_CHECKING:
    import openai

_CODE = re.compile(r"[a-z]+(?:_[a-z]+){1,7}")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
_HINTS: dict[ProviderFailure, str] = {
    "auth": "Check the key: the setting `key` under [plugin.openai] names the variable that holds it.",
    "quota": "There is no credit left: add some with the provider, or use another chat plugin.",
    "rate-limit": "Wait, and run it again.",
    "server": "Run it again later, or use another chat plugin.",
    "timeout": "Run it again, or raise timeout under [plugin.openai] in the settings file.",
    "connection": "Check base_url under [plugin.openai] in the settings file, and that the service runs.",
    "malformed": "Check base_url, model and parameters under [plugin.openai] in the settings file.",
}


def code_of(error: openai.APIStatusError) -> str:
    """Return the code that the server gave for a refusal, empty when it gave none that is a plain word."""
    named = (value for value in (error.code, error.type) if isinstance(value, str) and _CODE.fullmatch(value))
    return next(named, "")


@contextmanager
def translated(now: Callable[[], datetime]) -> Generator[None]:
    """Raise what the SDK, or the client below it, raises in the block as a `ProviderError`.

    Args:
        now: the time, for a service that says when to come back.
    """
    import openai

    with provider_call("The service", hints=_HINTS):
        try:
            yield
        except openai.APIStatusError as error:
            raise _refused(error, now) from error
        except openai.APITimeoutError as error:
            raise _lost("timeout", "did not answer in time") from error
        except openai.APIConnectionError as error:
            raise _lost("connection", "could not be reached, or broke off") from error


def _refused(error: openai.APIStatusError, now: Callable[[], datetime]) -> ProviderError:
    code = code_of(error)
    failure: ProviderFailure = "quota" if code == "insufficient_quota" else status_failure(error.status_code)
    said = f"The service answered HTTP {error.status_code}{f' ({code})' if code else ''}."
    return ProviderError(said, failure=failure, retry_after=_wait(error.response.headers, now), hint=_HINTS[failure])


def _lost(failure: ProviderFailure, said: str) -> ProviderError:
    return ProviderError(f"The service {said}.", failure=failure, hint=_HINTS[failure])


def _wait(headers: Mapping[str, str], now: Callable[[], datetime]) -> float | None:
    """Return the seconds that a reply asks to wait (RFC 9110 10.2.3, and OpenAI's own header in milliseconds)."""
    asked = headers.get("retry-after", "")
    if _SECONDS.fullmatch(exact := headers.get("retry-after-ms", "")):
        return float(exact) / 1000
    if _SECONDS.fullmatch(asked):
        return float(asked)
    try:
        moment = parsedate_to_datetime(asked)
    except ValueError:
        return None
    return max(0.0, ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now()).total_seconds())
