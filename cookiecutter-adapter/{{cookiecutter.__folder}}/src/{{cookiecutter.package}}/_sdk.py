"""Stands in for the provider's SDK, so that the package works as it was generated. Remove it when you import the real one.

What matters is `make_sdk`: whichever client the SDK is built on, its requests go through what the context gives.

    SDK on httpx2      http_client=httpx2.Client(transport=context.httpx2_transport())
    SDK on requests    session=context.requests_session()
    SDK on httpx       http_client=context.http()
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue
from veridical_contract import PluginContext

if TYPE_CHECKING:
    import httpx2


class ProviderSDK:
    """A client of the provider in the usual form: it takes a key, an address and an HTTP client, and returns parsed JSON."""

    def __init__(self, *, api_key: str, base_url: str, http_client: httpx2.Client) -> None:
        self._headers = {"Authorization": f"Bearer {api_key}"}
        self._base_url = base_url
        self._http = http_client

    def get(self, path: str, parameters: Mapping[str, str]) -> JsonValue:
        """Return what stands at `path`; raises what its client raises."""
        return _json(self._http.get(f"{self._base_url}{path}", params=dict(parameters), headers=self._headers))

    def post(self, path: str, body: Mapping[str, JsonValue]) -> JsonValue:
        """Return what `path` answers `body` with; raises what its client raises."""
        return _json(self._http.post(f"{self._base_url}{path}", json=dict(body), headers=self._headers))


def make_sdk(base_url: str, api_key: str, context: PluginContext) -> ProviderSDK:
    """Return the SDK's client, whose every request is recorded and which follows no redirect.

    Raises:
        MissingExtraError: the SDK's HTTP client is not installed.
    """
    transport = context.httpx2_transport()  # first: it says what to install when httpx2 is not there
    import httpx2

    http_client = httpx2.Client(transport=transport, trust_env=False, follow_redirects=False, timeout=30.0)
    return ProviderSDK(api_key=api_key, base_url=base_url, http_client=http_client)


def _json(reply: httpx2.Response) -> JsonValue:
    return cast("JsonValue", reply.raise_for_status().json())
