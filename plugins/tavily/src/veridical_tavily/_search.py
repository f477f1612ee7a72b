"""Tavily through its SDK, and where its replies hold results.

    SearchQuery --> TavilyClient.search over the host's session --> results --_items--> places by index, with the SDK's own values

The SDK hands on what it read; the host compares that with the bytes that it recorded, so that an SDK that shifts or changes something is
found out. Without a key it is Tavily's keyless mode: the SDK turns that off when it is given a session, so its header is set here.
"""

from __future__ import annotations

import importlib.metadata
import math
import re
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import Field, JsonValue
from veridical_contract import (
    IncompatibleError,
    Item,
    Locator,
    MissingExtraError,
    MissingSecretError,
    Model,
    PluginContext,
    ProviderError,
    ProviderFailure,
    SearchQuery,
    UsageError,
    WireMap,
    WirePlace,
    hookimpl,
    provider_call,
)

if TYPE_CHECKING:
    import requests

__all__ = ["TavilySearch"]

KEY = "TAVILY_API_KEY"
_SDK = (0, 8)
_MOST = 20
_LONG = 3600.0
_BY_KEY: dict[ProviderFailure, str] = {
    "auth": f"Set {KEY} to a key of https://app.tavily.com.",
    "quota": "The plan's credits are used up: see https://app.tavily.com, or choose another search with --search.",
    "rate-limit": "Wait, or choose another search with --search.",
    "malformed": "Tavily takes queries of up to 400 characters: shorten it.",
}
_KEYLESS: dict[ProviderFailure, str] = {
    **_BY_KEY,
    **dict.fromkeys(("auth", "quota", "rate-limit"), f"Tavily allows little without a key: set {KEY} to a key of https://app.tavily.com."),
}
_UNSENT = ("X-Project-ID", "X-Tavily-Orgid")


def _map(base_url: str) -> WireMap:
    return WireMap(
        base_url=f"{base_url.rstrip('/')}/search",
        item="/results/*",
        url="url",
        title="title",
        text=("content", "raw_content"),
        published="published_date",
    )


class Settings(Model):
    """The table `[plugin.tavily]` of the settings file.

    Attributes:
        base_url: what stands before `/search`.
        timeout: seconds to wait for an answer.
        depth: `advanced` costs twice as much and finds words nearer to the query.
        topic: what kind of sources.
        full_text: the text of each page, as Tavily read it, besides the snippet.
    """

    base_url: str = "https://api.tavily.com"
    timeout: float = Field(default=30.0, gt=0, le=120)
    depth: Literal["basic", "advanced", "fast", "ultra-fast"] = "basic"
    topic: Literal["general", "news", "finance"] = "general"
    full_text: bool = False


class TavilySearch:
    """Results of Tavily. TAVILY_API_KEY is optional: without it, the keyless mode with its small limits."""

    wire = _map(Settings().base_url)

    def __init__(self, context: PluginContext) -> None:
        _check_sdk()
        self._settings = context.settings(Settings)
        self.wire = _map(self._settings.base_url)
        try:
            key = context.secret(KEY)
        except MissingSecretError:
            key = ""
        self._hints = _BY_KEY if key else _KEYLESS
        session = context.requests_session()
        if not key:
            session.headers.update({"X-Tavily-Access-Mode": "keyless", "X-Client-Source": "tavily-python-keyless"})
        session.hooks["response"].append(self._check)
        self._client = _client(key, self._settings.base_url.rstrip("/"), session)

    @hookimpl
    def search(self, query: SearchQuery) -> list[Item]:
        """Return the places of the results: `content`, and `raw_content` where it was asked for. Never `answer`, which a model wrote.

        Raises:
            UsageError: Tavily cannot be asked that.
            ProviderError: it failed.
        """
        options, first = _options(query, self._settings), (query.page - 1) * query.limit
        with provider_call("Tavily", hints=self._hints):
            reply = self._client.search(query.text, **options)
        hits = cast("list[dict[str, JsonValue]]", reply["results"])[: first + query.limit]
        return [item for number, hit in enumerate(hits) if number >= first for item in self._items(number, hit, query)]

    def _items(self, number: int, hit: dict[str, JsonValue], query: SearchQuery) -> list[Item]:
        url, title = _string(hit.get("url")), _string(hit.get("title"))
        if url is None or not query.covers(url):
            return []
        texts = [(name, text) for name in self.wire.text if (text := _string(hit.get(name)))]
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

    def _check(self, response: requests.Response, *_args: object, **_options: object) -> None:
        """Look at a reply before the SDK does, which keeps neither the hint to wait nor, of some failures, the status.

        Raises:
            ProviderError: it says more than its status.
            requests.HTTPError: its status is no success.
        """
        import requests

        if response.status_code != 200:
            self._raise_limit(response.status_code, _error(response))
            raise requests.HTTPError(response=response)
        if not _is_result(response.json()):
            raise ProviderError("The reply is none of Tavily's: it has no list of results.", failure="malformed")

    def _raise_limit(self, status: int, error: dict[str, object]) -> None:
        """Raise for what the status alone does not say: limits of the plan (432, 433), and of the keyless mode with their wait."""
        asked = error.get("retry_after_seconds")
        wait = float(asked) if isinstance(asked, int | float) and 0 <= asked < math.inf else None
        if status in (432, 433) or wait is not None:
            failure: ProviderFailure = "quota" if wait is None or wait > _LONG else "rate-limit"
            raise ProviderError(f"Tavily answered {status}.", failure=failure, retry_after=wait, hint=self._hints[failure])


def _options(query: SearchQuery, settings: Settings) -> dict[str, Any]:
    first = (query.page - 1) * query.limit
    if first >= _MOST:
        raise UsageError(f"tavily: results {first + 1} and on were asked for; Tavily gives {_MOST} at most, and has no pages.")
    language = query.language.partition("-")[0].lower() if query.language is not None else None
    options = {
        "max_results": min(first + query.limit, _MOST),
        "search_depth": settings.depth,
        "topic": settings.topic,
        "start_date": query.since,
        "end_date": query.until,
        "include_domains": list(query.include_domains) or None,
        "exclude_domains": list(query.exclude_domains) or None,
        "language": language,
        "filter_by_language": True if language else None,
        "include_answer": False,
        "include_raw_content": "text" if settings.full_text else False,
        "timeout": settings.timeout,
    }
    return {name: value for name, value in options.items() if value is not None}


def _check_sdk() -> None:
    """Look at the SDK's version without importing it.

    Raises:
        MissingExtraError: it is not installed.
        IncompatibleError: it is too old or too new.
    """
    install = 'Type: pip install "veridical[tavily]"'
    try:
        version = importlib.metadata.version("tavily-python")
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtraError("tavily needs the package tavily-python, which is not installed.", hint=install) from None
    if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) != _SDK:
        raise IncompatibleError(f"tavily-python {version} is installed; 0.8.5 or later, below 0.9, is needed.", hint=install)


def _client(key: str, base_url: str, session: requests.Session) -> Any:
    """Return the SDK's client over `session`, kept from looking into the environment for a key, a proxy and what to send along."""
    from tavily import TavilyClient

    # A header that is set is left alone by the SDK, and requests does not send one whose value is None.
    session.headers.update(dict.fromkeys(_UNSENT))  # pyright: ignore[reportArgumentType, reportCallIssue]
    return TavilyClient(api_key=key, api_base_url=base_url, session=session, proxies={"http": "", "https": ""})


def _error(response: requests.Response) -> dict[str, object]:
    """Return what a failure says in the keyless mode's form; nothing where it says it otherwise."""
    try:
        body = cast("object", response.json())
    except (ValueError, RecursionError):
        return {}
    error = cast("dict[str, object]", body).get("error") if isinstance(body, dict) else None
    return cast("dict[str, object]", error) if isinstance(error, dict) else {}


def _is_result(body: object) -> bool:
    hits = cast("dict[str, object]", body).get("results") if isinstance(body, dict) else None
    return isinstance(hits, list) and all(isinstance(hit, dict) for hit in cast("list[object]", hits))


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None
