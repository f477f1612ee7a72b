"""Search: what the provider found, as places in its reply.

    SearchQuery --> GET /v1/search --> {"rows": [{"link", "title", "text", "author", "published"}]} --WireMap.items--> places

An item names a place and carries no words of its own: the host reads them in the bytes that it recorded. Leave out of the map
what a model of the provider wrote, and what repeats the question: neither is evidence.
"""

from __future__ import annotations

from pydantic import JsonValue
from veridical_contract import Item, PluginContext, SearchQuery, WireMap, hookimpl

from ._client import BASE_URL, Client, Part, read

_MOST = 50
"""Rows that the provider gives for one request at most."""


def _map(base_url: str) -> WireMap:
    return WireMap(
        base_url=f"{base_url}/v1/search",
        item="/rows/*",
        url="link",
        title="title",
        text=("text",),
        author="author",
        published="published",
    )


class _Found(Part):
    rows: list[JsonValue]


class Search:
    """Results of the provider's search. Needs a key."""

    wire = _map(BASE_URL)

    def __init__(self, context: PluginContext) -> None:
        self._client = Client(context)
        self.wire = _map(self._client.base_url)

    @hookimpl
    def search(self, query: SearchQuery) -> list[Item]:
        """Return the places of the results, best first.

        Raises:
            ProviderError: the provider failed.
        """
        rows = read(_Found, self._client.get("/v1/search", _parameters(query))).rows
        return self.wire.items({"rows": rows[: query.limit]}, query=query)


def _parameters(query: SearchQuery) -> dict[str, str]:
    asked = {
        "q": query.text,
        "limit": str(min(query.limit, _MOST)),
        "page": str(query.page),
        "language": query.language,
        "since": query.since,
        "until": query.until,
    }
    return {name: value for name, value in asked.items() if value is not None}
