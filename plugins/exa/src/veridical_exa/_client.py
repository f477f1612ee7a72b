"""The SDK's client, whose requests go over a session of the host: the SDK itself asks with a client of its own for each call.

All of the SDK stays as it is (what is sent, how a reply is read) but the one method through which every request goes.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from veridical_contract import IncompatibleError, MissingExtraError, ProviderError

if TYPE_CHECKING:
    import requests

__all__ = ["check_sdk", "client"]

_SDK = (2, 27)


def check_sdk() -> None:
    """Look at the SDK's version without importing it.

    Raises:
        MissingExtraError: it is not installed.
        IncompatibleError: it is too old or too new.
    """
    install = 'Type: pip install "veridical[exa]"'
    try:
        version = importlib.metadata.version("exa-py")
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtraError("exa needs the package exa-py, which is not installed.", hint=install) from None
    if not _SDK <= tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < (_SDK[0] + 1,):
        raise IncompatibleError(f"exa-py {version} is installed; 2.27 or later, below 3, is needed.", hint=install)


def client(key: str, base_url: str, session: requests.Session, *, timeout: float) -> Any:
    """Return the SDK's client over `session`."""
    from exa_py import Exa

    class OverSession(Exa):
        def request(
            self,
            endpoint: str,
            data: dict[str, Any] | str | None = None,
            method: str = "POST",
            params: dict[str, Any] | None = None,
            headers: dict[str, str] | None = None,
            timeout: float | None = None,
            extra_headers: Mapping[str, str | None] | None = None,
            extra_query: Mapping[str, Any] | None = None,
            extra_body: Mapping[str, Any] | None = None,
        ) -> dict[str, Any]:
            """Send what the SDK made of a call, and return the reply that it reads."""
            sent = {**data, **(extra_body or {})} if isinstance(data, dict) else data
            # The SDK skips an extra header that is None.
            extra = {name: value for name, value in (extra_headers or {}).items() if value is not None}
            query: dict[str, Any] = {**(params or {}), **(extra_query or {})}
            response = session.request(
                method,
                f"{self.base_url}{endpoint}",
                json=sent,
                params=query,
                headers={**self.headers, **(headers or {}), **extra},
                timeout=timeout or self.timeout,
            )
            return _reply(response)

    return OverSession(api_key=key, base_url=base_url, timeout=timeout)


def _reply(response: requests.Response) -> dict[str, Any]:
    """Return the parsed reply, once it is known to be one that the SDK can read.

    Raises:
        ProviderError: it is none of Exa's.
        requests.HTTPError: its status is no success.
    """
    import requests

    if response.status_code != 200:
        raise requests.HTTPError(response=response)
    body = cast("object", response.json())
    hits = cast("dict[str, object]", body).get("results") if isinstance(body, dict) else None
    if not isinstance(hits, list) or not all(isinstance(hit, dict) for hit in cast("list[object]", hits)):
        raise ProviderError("The reply is none of Exa's: it has no list of results.", failure="malformed")
    return cast("dict[str, Any]", body)
