"""A SearXNG instance: what its engines found, and where its replies hold it.

    SearchQuery --_parameters--> one request --> reply --WireMap.items--> places --_in_time--> those of the days that were asked for

An instance whose engines fail answers 200 with no results and says which were silent: that is a failure, not an empty answer.
"""

from __future__ import annotations

import re
from datetime import date
from typing import cast

from pydantic import Field, JsonValue
from veridical_contract import (
    ConfigurationError,
    Item,
    Model,
    PluginContext,
    ProviderError,
    ProviderFailure,
    SearchQuery,
    WireMap,
    hookimpl,
    provider_call,
)

__all__ = ["SearxngSearch"]

VARIABLE = "SEARXNG_INSTANCE_URL"
_HINTS: dict[ProviderFailure, str] = {
    "auth": "Allow JSON in the instance's settings.yml (search: formats: [html, json]) and restart it.",
    "rate-limit": "The instance's limiter takes veridical for a bot: wait, or set server: limiter: false in its settings.yml.",
    "connection": f"See that the instance runs where {VARIABLE}, or base_url in [plugin.searxng], says.",
    "malformed": f"See that {VARIABLE}, or base_url in [plugin.searxng], is the address of a SearXNG instance.",
}
_RANGES = {"day": 1, "week": 7, "month": 30, "year": 365}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SHOWN = 5


class Settings(Model):
    """The table `[plugin.searxng]` of the settings file.

    Attributes:
        base_url: of the instance; SEARXNG_INSTANCE_URL where the table has none.
        categories: of SearXNG, separated by commas, that are searched.
    """

    base_url: str = Field(default="", pattern=r"^(https?://[^\s?#@]+)?$", json_schema_extra={"variable": VARIABLE})
    categories: str = "general"


class SearxngSearch:
    """What the engines of a SearXNG instance found. Needs its address: SEARXNG_INSTANCE_URL, or `base_url`."""

    def __init__(self, context: PluginContext) -> None:
        settings = context.settings(Settings)
        if not settings.base_url:
            hint = f"Set {VARIABLE} (export {VARIABLE}=https://...), or base_url in [plugin.searxng]."
            raise ConfigurationError("searxng: no instance is named.", hint=hint)
        self.wire = WireMap(
            base_url=f"{settings.base_url.rstrip('/')}/search",
            item="/results/*",
            url="url",
            title="title",
            text=("content",),
            published="publishedDate",
        )
        self._categories = settings.categories
        self._now = context.now
        self._http = context.http(headers={"Accept": "application/json"})

    @hookimpl
    def search(self, query: SearchQuery) -> list[Item]:
        """Return the places of the results: `content`, which the instance took from an engine's page.

        Raises:
            ProviderError: the instance failed, or all its engines did.
        """
        parameters = _parameters(query, today=self._now().date()) | {"categories": self._categories}
        with provider_call("SearXNG", hints=_HINTS):
            reply = self._http.get(self.wire.base_url, params=parameters).raise_for_status()
            found = cast("JsonValue", reply.json())
        hits = found.get("results") if isinstance(found, dict) else None
        if not isinstance(hits, list):
            raise ProviderError("The reply is none of SearXNG's: it has no results.", failure="malformed", hint=_HINTS["malformed"])
        if not hits and (silent := _silent(found)):
            hint = "See their state on the instance's page /stats, or enable other engines there."
            raise ProviderError(f"SearXNG found nothing, since engines did not answer: {silent}.", failure="server", hint=hint)
        kept = {f"/results/{number}" for number, hit in enumerate(hits) if _in_time(hit, query)}
        return [item for item in self.wire.items(found, query=query) if item.place and item.place.item in kept][: query.limit]


def _parameters(query: SearchQuery, *, today: date) -> dict[str, str]:
    # One domain is an operator that most engines know; several are not, and every hit is looked at again anyway.
    only = f" site:{query.include_domains[0]}" if len(query.include_domains) == 1 else ""
    parameters = {"q": f"{query.text}{only}", "format": "json", "pageno": str(query.page)}
    if query.language is not None:
        parameters["language"] = query.language
    if query.since is not None:
        days = (today - date.fromisoformat(query.since)).days
        span = next((name for name, length in _RANGES.items() if days < length), None)
        parameters |= {"time_range": span} if span else {}
    return parameters


def _in_time(hit: JsonValue, query: SearchQuery) -> bool:
    """Whether a hit was published when it was asked for; one without a date was not, where days were asked for."""
    if query.since is None and query.until is None:
        return True
    published = hit.get("publishedDate") if isinstance(hit, dict) else None
    day = _DAY.match(published) if isinstance(published, str) else None
    return day is not None and (query.since or "") <= day[0] <= (query.until or "9999")


def _silent(reply: JsonValue) -> str:
    """Return the engines that did not answer, with their reasons, in one line."""
    rows = reply.get("unresponsive_engines") if isinstance(reply, dict) else None
    engines = [row for row in rows if isinstance(row, list) and row] if isinstance(rows, list) else []
    named = [" ".join(f"{row[0]} ({row[1]})".split())[:80] if len(row) > 1 else str(row[0])[:80] for row in engines]
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    return ", ".join(named[:_SHOWN]) + more
