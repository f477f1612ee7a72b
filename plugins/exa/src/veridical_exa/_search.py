"""Exa through its SDK, and where its replies hold results.

    SearchQuery --> Exa.search, its requests over the host's session --> results --_items--> places by index, with the SDK's own values

The SDK hands on what it read; the host compares that with the bytes that it recorded, so that an SDK that shifts or changes something is
found out.
"""

from __future__ import annotations

from typing import Any, cast

from pydantic import Field
from veridical_contract import (
    Item,
    Locator,
    Model,
    PluginContext,
    ProviderFailure,
    SearchQuery,
    UsageError,
    WireMap,
    WirePlace,
    hookimpl,
    provider_call,
)

from ._client import check_sdk, client

__all__ = ["ExaSearch"]

KEY = "EXA_API_KEY"
_MOST = 100
_HINTS: dict[ProviderFailure, str] = {
    "auth": f"Set {KEY} to a key of https://dashboard.exa.ai.",
    "quota": "The account's credits are used up: see https://dashboard.exa.ai, or choose another search with --search.",
    "rate-limit": "Wait, or choose another search with --search.",
}


def _map(base_url: str) -> WireMap:
    return WireMap(
        base_url=f"{base_url.rstrip('/')}/search",
        item="/results/*",
        url="url",
        title="title",
        text=("text", "highlights/*"),
        published="publishedDate",
    )


class Settings(Model):
    """The table `[plugin.exa]` of the settings file.

    Attributes:
        base_url: what stands before `/search`.
        timeout: seconds to wait for an answer.
        characters: of each page's text, at most; 0 for none.
        highlights: the passages of each page that Exa takes for the most relevant.
    """

    base_url: str = "https://api.exa.ai"
    timeout: float = Field(default=30.0, gt=0, le=600)
    characters: int = Field(default=3_000, ge=0, le=100_000)
    highlights: bool = True


class ExaSearch:
    """Results of Exa, with the words of the pages. Needs EXA_API_KEY."""

    wire = _map(Settings().base_url)

    def __init__(self, context: PluginContext) -> None:
        check_sdk()
        self._settings = context.settings(Settings)
        self.wire = _map(self._settings.base_url)
        key = context.secret(KEY)
        base_url = self._settings.base_url.rstrip("/")
        self._client = client(key, base_url, context.requests_session(), timeout=self._settings.timeout)

    @hookimpl
    def search(self, query: SearchQuery) -> list[Item]:
        """Return the places of the results: `text` and each of `highlights`. Never `summary`, which a model wrote.

        Raises:
            UsageError: Exa cannot be asked that.
            ProviderError: it failed.
        """
        options, first = _options(query, self._settings), (query.page - 1) * query.limit
        with provider_call("Exa", hints=_HINTS):
            results = cast("list[Any]", self._client.search(query.text, **options).results)
        shown = list(enumerate(results))[first : first + query.limit]
        return [item for number, result in shown for item in self._items(number, result, query)]

    def _items(self, number: int, result: Any, query: SearchQuery) -> list[Item]:
        url, title = _string(result.url), _string(result.title)
        if url is None or not query.covers(url):
            return []
        given: object = result.highlights
        highlights = cast("list[object]", given) if isinstance(given, list) else []
        found = {"text": result.text, **{f"highlights/{index}": text for index, text in enumerate(highlights)}}
        texts = [(name, text) for name, value in found.items() if (text := _string(value))]
        return [
            Item(
                url=url,
                title=title,
                text=text,
                locator=Locator(container=self.wire.base_url),
                place=WirePlace(item=f"/results/{number}", text=name),
            )
            for name, text in texts or [(None, None)]
        ]


def _options(query: SearchQuery, settings: Settings) -> dict[str, Any]:
    first = (query.page - 1) * query.limit
    if first >= _MOST:
        raise UsageError(f"exa: results {first + 1} and on were asked for; Exa gives {_MOST} at most, and has no pages.")
    if query.language is not None:
        raise UsageError(
            f"exa: results in {query.language!r} were asked for, and Exa cannot be asked for a language.",
            hint="Leave it out and ask in that language, or choose another search with --search.",
        )
    text = {"text": {"max_characters": settings.characters}} if settings.characters else {}
    highlights = {"highlights": True} if settings.highlights else {}
    options = {
        "num_results": min(first + query.limit, _MOST),
        "include_domains": list(query.include_domains) or None,
        "exclude_domains": list(query.exclude_domains) or None,
        "start_published_date": f"{query.since}T00:00:00.000Z" if query.since else None,
        "end_published_date": f"{query.until}T23:59:59.999Z" if query.until else None,
        "contents": {**text, **highlights} or False,
    }
    return {name: value for name, value in options.items() if value is not None}


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None
