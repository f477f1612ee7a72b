"""The Brave Search API: web and news results, and where its replies hold them.

    SearchQuery --_parameters--> one request --> reply --WireMap.items--> places --_ranked--> in the order of Brave's own page

What Brave cannot do is refused before anything is sent: a longer query, an eleventh page, a language that it does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pydantic import JsonValue
from veridical_contract import (
    Item,
    Model,
    PluginContext,
    ProviderError,
    ProviderFailure,
    SearchQuery,
    UsageError,
    WireMap,
    hookimpl,
    provider_call,
)

from ._languages import search_lang

if TYPE_CHECKING:
    import httpx

__all__ = ["BraveSearch"]

KEY = "BRAVE_SEARCH_API_KEY"
_PATH = "/res/v1/web/search"
_CHARACTERS, _WORDS, _COUNT, _PAGES = 400, 50, 20, 10
_LONG = 3600.0
_HINTS: dict[ProviderFailure, str] = {
    "auth": f"Set {KEY} to a key of https://api-dashboard.search.brave.com, of a plan that has web search.",
    "quota": "The plan's requests are used up: wait for its next period, or choose another search with --search.",
    "rate-limit": "Wait, or choose another search with --search.",
}


def _map(base_url: str, kind: str) -> WireMap:
    return WireMap(
        base_url=f"{base_url.rstrip('/')}{_PATH}",
        item=f"/{kind}/results/*",
        url="url",
        title="title",
        text=("description", "extra_snippets/*"),
        published="page_age",
        projection="html",
    )


class Settings(Model):
    """The table `[plugin.brave]` of the settings file.

    Attributes:
        base_url: what stands before `/res/v1/web/search`.
    """

    base_url: str = "https://api.search.brave.com"


class BraveSearch:
    """Web and news results of the Brave Search API. Needs BRAVE_SEARCH_API_KEY."""

    wire = {kind: _map(Settings().base_url, kind) for kind in ("web", "news")}  # noqa: RUF012 - read only

    def __init__(self, context: PluginContext) -> None:
        base_url = context.settings(Settings).base_url
        self.wire = {kind: _map(base_url, kind) for kind in ("web", "news")}
        self._url = self.wire["web"].base_url
        self._now = context.now
        self._http = context.http(headers={"X-Subscription-Token": context.secret(KEY), "Accept": "application/json"})

    @hookimpl
    def search(self, query: SearchQuery) -> list[Item]:
        """Return the places of the results: `description` and each of `extra_snippets`, a text each.

        Raises:
            UsageError: Brave cannot be asked that.
            ProviderError: it failed.
        """
        parameters = _parameters(query, today=self._now().date().isoformat())
        with provider_call("Brave", hints=_HINTS):
            reply = self._http.get(self._url, params=parameters)
            _check(reply)
            found = cast("JsonValue", reply.json())
        items = [item for kind, wire in self.wire.items() for item in wire.items(found, name=kind, query=query)]
        return _first(_ranked(items, found), query.limit)


def _parameters(query: SearchQuery, *, today: str) -> dict[str, str]:
    words = _words(query)
    if query.page > _PAGES:
        raise UsageError(f"brave: page {query.page} was asked for; Brave has {_PAGES} pages of {_COUNT} results.")
    parameters = {
        "q": words,
        "count": str(min(query.limit, _COUNT)),
        "offset": str(query.page - 1),
        "result_filter": "web,news",
        "extra_snippets": "true",
        "text_decorations": "false",
        "spellcheck": "false",
    }
    if query.since or query.until:
        parameters["freshness"] = f"{query.since or '1970-01-01'}to{query.until or today}"
    if query.language is not None:
        parameters["search_lang"] = search_lang(query.language)
    return parameters


def _words(query: SearchQuery) -> str:
    """Return the query with its domains as Brave's operators; whether they hold is seen at each hit."""
    only = " OR ".join(f"site:{domain}" for domain in query.include_domains)
    parts = [query.text, f"({only})" if " OR " in only else only, *(f"-site:{domain}" for domain in query.exclude_domains)]
    words = " ".join(part for part in parts if part)
    if len(words) > _CHARACTERS or len(words.split()) > _WORDS:
        raise UsageError(
            f"brave: the query has {len(words)} characters and {len(words.split())} words, domains included; "
            f"Brave takes {_CHARACTERS} and {_WORDS}.",
            hint="Shorten it, or name fewer domains.",
        )
    return words


def _check(reply: httpx.Response) -> None:
    """Raise for what the status alone does not say: which limit was reached, and that a refused key comes as 422."""
    if reply.status_code == 422 and "SUBSCRIPTION_TOKEN" in reply.text:
        raise ProviderError("Brave does not know the key (422).", failure="auth", hint=_HINTS["auth"])
    wait = _wait(reply) if reply.status_code == 429 else None
    if wait is not None:
        failure: ProviderFailure = "quota" if wait > _LONG else "rate-limit"
        raise ProviderError("Brave answered 429.", failure=failure, retry_after=wait, hint=_HINTS[failure])
    reply.raise_for_status()


def _wait(reply: httpx.Response) -> float | None:
    """Return the seconds until the last of the used-up windows is new: `X-RateLimit-Remaining: 0, 12`, `X-RateLimit-Reset: 1, 86400`."""
    left, seconds = (reply.headers.get(f"x-ratelimit-{name}", "").split(",") for name in ("remaining", "reset"))
    waits = [int(wait) for rest, wait in zip(left, seconds, strict=False) if rest.strip() == "0" and wait.strip().isdecimal()]
    return float(max(waits)) if waits else None


def _ranked(items: list[Item], reply: JsonValue) -> list[Item]:
    """Return `items` in the order of `mixed.main`; those that it does not name follow, web before news."""
    order: dict[str, int] = {}
    for row in _rows(reply):
        pointer = f"/{row.get('type')}/results/"
        order.setdefault(pointer if row.get("all") is True else f"{pointer}{row.get('index')}", len(order))

    def rank(item: Item) -> int:
        pointer = item.place.item if item.place else ""
        return order.get(pointer, order.get(f"{pointer.rpartition('/')[0]}/", len(order)))

    return sorted(items, key=rank)


def _first(items: list[Item], limit: int) -> list[Item]:
    """Return the items of the first `limit` results: each of the two kinds may have as many."""
    places = [(item.place.map, item.place.item) if item.place is not None else None for item in items]
    kept = list(dict.fromkeys(places))[:limit]
    return [item for item, place in zip(items, places, strict=True) if place in kept]


def _rows(reply: JsonValue) -> list[dict[str, JsonValue]]:
    mixed = reply.get("mixed") if isinstance(reply, dict) else None
    main = mixed.get("main") if isinstance(mixed, dict) else None
    return [row for row in main if isinstance(row, dict)] if isinstance(main, list) else []
