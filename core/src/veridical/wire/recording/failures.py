"""What kind of failure a recorded exchange was, from its status and body alone: the exceptions of SDKs do not agree, the wire does.

    no reply        timeout, connection
    401, 403        auth; rate-limit where 403 says so (GitHub)          400 that says so: auth (Gemini), quota (Anthropic)
    402, 432, 433   quota
    429             quota where the provider names one that does not come back within the hour, else rate-limit
    408, 5xx        timeout, server; 529 is Anthropic's for an overload
    2xx             malformed: cut, or not what its content type says; a stream that ends in an error event is that error

`retry_after` reads what says how long to wait: Retry-After (RFC 9110 10.2.3), retry-after-ms, x-ratelimit-reset (seconds, or a time
in seconds or milliseconds; of several windows the one that is used up), and the bodies of Tavily and Google.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import cast

from veridical_contract import ProviderFailure

from .events import Event, events

__all__ = ["failure_of_error", "failure_of_reply", "failure_of_status", "retry_after"]

_HOUR = 3600.0
_AUTH = {401, 403}
_QUOTA = {402, 432, 433}
_REFUSED = {400, 403, 429}
_WITHOUT_BODY = {204, 205}
# What providers write where money or a plan has run out: OpenAI, Anthropic, OpenRouter, Google's older APIs, Brave, Tavily, Exa.
_QUOTA_SAID = re.compile(
    r"insufficient_quota|quota_?limited|quotaexceeded|dailylimitexceeded|credit balance is too low|insufficient credits|no_more_credits|"
    r"billing_error|billing_hard_limit|specified api usage limits|free-models-per-day|plan's set usage limit|"
    r"pay-as-you-go limit|monthly quota",
    re.IGNORECASE,
)
# Google's per-minute limits speak of an exceeded quota as well: its identifier tells which.
_PER_DAY = re.compile(r'"quotaId"\s*:\s*"[^"]*PerDay', re.IGNORECASE)
_RATE_SAID = re.compile(r"rate limit exceeded|secondary rate limit|rateLimitExceeded|rate_limit_error", re.IGNORECASE)
_KEY_SAID = re.compile(r"api key not valid|api_key_invalid|api key expired|invalid api key|invalid_api_key", re.IGNORECASE)
_GOOGLE_DELAY = re.compile(r'"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"')
_TAVILY_DELAY = re.compile(r'"retry_after_seconds"\s*:\s*(\d+(?:\.\d+)?)')
_EVENT_FAILURES: dict[str, ProviderFailure] = {
    "authentication_error": "auth",
    "permission_error": "auth",
    "billing_error": "quota",
    "insufficient_quota": "quota",
    "rate_limit_error": "rate-limit",
    "rate_limit_exceeded": "rate-limit",
    "timeout_error": "timeout",
}
# A number as large is a time: in seconds since 1970, or in milliseconds.
_EPOCH, _EPOCH_MS = 1e9, 1e12


def failure_of_error(error: BaseException, status: int | None) -> ProviderFailure | None:
    """Return what an error of the transport was, before a reply or in the middle of one; None when the host itself gave up."""
    if not isinstance(error, Exception):
        return None
    if any("timeout" in kind.__name__.lower() for kind in type(error).__mro__):
        return "timeout"
    if status is None:
        return "connection"
    return failure_of_status(status, "", None) or "malformed"


def failure_of_reply(status: int, content_type: str, body: bytes, *, encoding: str, wait: float | None) -> ProviderFailure | None:
    """Return what is wrong with a reply that was read to its end, or with as much of a stream as was read; None when nothing is.

    Args:
        status: of the reply.
        content_type: value of its header.
        body: of the reply, content codings undone.
        encoding: Python name of its character encoding.
        wait: seconds that it asks to wait.
    """
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        text = None
    if status not in range(200, 300):
        return failure_of_status(status, text or "", wait)
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "text/event-stream":
        return _failure_of_events(events(body.decode("utf-8", "replace")))
    if status in _WITHOUT_BODY or not (kind.startswith("text/") or _is_json(kind)):
        return None
    return "malformed" if text is None or (_is_json(kind) and not _parses(text)) else None


def failure_of_status(status: int, body: str, wait: float | None) -> ProviderFailure | None:
    """Return what a status says, with the words of the body where the status alone does not."""
    if status in _QUOTA or (status in _REFUSED and (_QUOTA_SAID.search(body) or _PER_DAY.search(body))):
        return "quota"
    if status == 429:
        return "quota" if wait is not None and wait > _HOUR else "rate-limit"
    if status in _AUTH:
        return "rate-limit" if status == 403 and (wait is not None or _RATE_SAID.search(body)) else "auth"
    if status == 400 and _KEY_SAID.search(body):
        return "auth"
    if status == 408:
        return "timeout"
    return "server" if status >= 500 else None


def retry_after(headers: Mapping[str, str], body: bytes, now: datetime) -> float | None:
    """Return the seconds that a reply asks to wait, at least 0; None when it does not say, or cannot be understood."""
    text = body.decode("utf-8", "replace")
    hints = (
        _number(headers.get("retry-after-ms"), per_second=1000),
        _number(headers.get("retry-after")),
        _until(headers.get("retry-after"), now),
        *(_number(found[1]) for pattern in (_TAVILY_DELAY, _GOOGLE_DELAY) if (found := pattern.search(text))),
        _reset(headers, now),
    )
    return next((max(0.0, hint) for hint in hints if hint is not None), None)


def _is_json(kind: str) -> bool:
    return kind == "application/json" or kind.endswith("+json")


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _failure_of_events(stream: Iterable[Event]) -> ProviderFailure | None:
    return next((failure for event in stream if (failure := _failure_of_event(event))), None)


def _failure_of_event(event: Event) -> ProviderFailure | None:
    """Return the failure that an event of a successful stream reports: `event: error`, or data whose member `error` is an object."""
    if event.name != "error" and '"error"' not in event.data:
        return None
    value = event.json()
    error = cast("dict[str, object]", value).get("error") if isinstance(value, dict) else None
    if not isinstance(error, dict):
        return "server" if event.name == "error" else None
    said = cast("dict[str, object]", error)
    code = said.get("code")
    if type(code) is int:
        return failure_of_status(code, event.data, None) or "server"
    return _EVENT_FAILURES.get(str(said.get("type"))) or _EVENT_FAILURES.get(str(code)) or "server"


def _number(value: str | None, *, per_second: int = 1) -> float | None:
    return float(value) / per_second if value is not None and re.fullmatch(r"\s*\d{1,15}(?:\.\d+)?\s*", value) else None


def _until(value: str | None, now: datetime) -> float | None:
    """Seconds until an HTTP date (RFC 9110 5.6.7)."""
    if value is None:
        return None
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return (date - now).total_seconds() if date.tzinfo else None


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the longest wait among the windows that are used up; where nothing says which are, the shortest of all."""
    resets = [*_each(headers.get("x-ratelimit-reset"))]
    remaining = [*_each(headers.get("x-ratelimit-remaining"))]
    waits = [_seconds(reset, now) for reset in resets]
    if len(remaining) != len(waits):
        return min(waits, default=None)
    return max((wait for wait, left in zip(waits, remaining, strict=True) if left <= 0), default=None)


def _each(header: str | None) -> Iterator[float]:
    for value in (header or "").split(","):
        if (number := _number(value)) is not None:
            yield number


def _seconds(value: float, now: datetime) -> float:
    if value >= _EPOCH_MS:
        return value / 1000 - now.timestamp()
    return value - now.timestamp() if value >= _EPOCH else value
