"""The failures of a service, told apart whichever client met them: httpx, httpx2, requests, or an SDK on top of one.

    what the client raised, or what that came from --class name, or status of the reply--> ProviderError

The clients are known by name, none is imported. The host classifies by what it recorded too; a plugin adds the hint, which only it knows.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from ._errors import ProviderError, ProviderFailure

_STATUS: dict[int, ProviderFailure] = {
    401: "auth",
    402: "quota",
    403: "auth",
    407: "auth",
    408: "timeout",
    429: "rate-limit",
    504: "timeout",
}
_RAISED: dict[tuple[str, str], ProviderFailure] = {
    **{(client, "TimeoutException"): "timeout" for client in ("httpx", "httpx2")},
    **{(client, "TransportError"): "connection" for client in ("httpx", "httpx2")},
    **{(client, "DecodingError"): "malformed" for client in ("httpx", "httpx2")},
    ("requests", "Timeout"): "timeout",
    ("requests", "ContentDecodingError"): "malformed",
    ("requests", "JSONDecodeError"): "malformed",
    ("requests", "RequestException"): "connection",
    ("json", "JSONDecodeError"): "malformed",
    ("builtins", "UnicodeDecodeError"): "malformed",
    ("builtins", "RecursionError"): "malformed",
}
_SAID: dict[ProviderFailure, str] = {
    "timeout": "did not answer in time.",
    "connection": "could not be reached, or broke off.",
    "malformed": "sent a reply that cannot be read.",
}
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def status_failure(status: int) -> ProviderFailure:
    """Return what kind of failure a status that is no success stands for; `malformed` where the request or the reply is not understood."""
    return "server" if status >= 500 and status not in _STATUS else _STATUS.get(status, "malformed")


@contextmanager
def provider_call(service: str, *, hints: Mapping[ProviderFailure, str] | None = None) -> Generator[None]:
    """Raise what a client raises in the block as a `ProviderError`; what is no failure of the service passes through.

    Args:
        service: its name, as people know it.
        hints: what to do about a kind of failure.

    Raises:
        ProviderError: the request failed, its status was no success (`raise_for_status`), or the reply cannot be read.
    """
    try:
        yield
    except Exception as error:
        status, retry_after = _answer(error)
        failure = _raised(error) if status is None else status_failure(status)
        if failure is None or isinstance(error, ProviderError):
            raise
        said = _SAID.get(failure, "") if status is None else f"answered {status}."
        hint = (hints or {}).get(failure, "")
        raise ProviderError(f"{service} {said}", failure=failure, retry_after=retry_after, hint=hint) from error


def _answer(error: Exception) -> tuple[int | None, float | None]:
    """Return the status of the reply that `error` carries, and the seconds that it asks to wait (RFC 9110 10.2.3); a date is left out."""
    response: object = getattr(error, "response", None)
    status: object = getattr(response, "status_code", None)
    headers: object = getattr(response, "headers", None)
    asked: object = headers.get("retry-after") if isinstance(headers, Mapping) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    wait = float(asked) if isinstance(asked, str) and _SECONDS.fullmatch(asked) else None
    return (status if type(status) is int else None), wait


def _raised(error: BaseException | None) -> ProviderFailure | None:
    """Return what `error` stands for, or the error that it was raised from: an SDK wraps what its client raises."""
    if error is None:
        return None
    names = ((each.__module__.partition(".")[0], each.__name__) for each in type(error).__mro__)
    found: ProviderFailure | None = next((_RAISED[name] for name in names if name in _RAISED), None)
    return found or _raised(error.__cause__ or (None if error.__suppress_context__ else error.__context__))
