"""DuckDuckGo's HTML page: what is asked, and where its pages hold results.

    SearchQuery --_form--> POST --> page --_page.read--> hits, places, and the form of the next page, until the page that was asked for

It is made for people. It is off unless the operator allows it, and a page that asks for a human is a failure, not an empty answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qs, urlsplit

from veridical_contract import (
    ConfigurationError,
    Item,
    Locator,
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

from ._page import Hit, Page, read

if TYPE_CHECKING:
    import httpx

__all__ = ["DuckduckgoSearch"]

_CHARACTERS, _PAGES = 500, 5
_LINK = "a.result__a@href"
_TEXT = "a.result__snippet"
_REDIRECT = r"(?:https:)?//duckduckgo\.com/l/\?.*"
_HINTS: dict[ProviderFailure, str] = {
    "rate-limit": "Wait some hours, or set a key of another search (BRAVE_SEARCH_API_KEY, TAVILY_API_KEY, EXA_API_KEY).",
    "malformed": "The page may be laid out anew: choose another search with --search.",
}


def _maps(base_url: str) -> dict[str, WireMap]:
    """A result links to its page through DuckDuckGo, the page's URL in a parameter, or directly: a map for each."""

    def one(url: str, slots: dict[str, str]) -> WireMap:
        return WireMap(
            base_url=f"{base_url.rstrip('/')}/html",
            layout="html",
            item="div.web-result",
            url=url,
            title="a.result__a",
            text=(_TEXT,),
            slots=slots,
            projection="html",
        )

    return {"redirect": one(f"?uddg={{{_LINK}}}", {_LINK: _REDIRECT}), "direct": one(_LINK, {})}


class Settings(Model):
    """The table `[plugin.duckduckgo]` of the settings file.

    Attributes:
        allowed: the operator answers for asking a page that is made for people.
        base_url: what stands before `/html/`.
    """

    allowed: bool = False
    base_url: str = "https://html.duckduckgo.com"


class DuckduckgoSearch:
    """Results of DuckDuckGo's HTML page. Needs no key; off unless `allowed = true` in [plugin.duckduckgo]."""

    wire = _maps(Settings().base_url)

    def __init__(self, context: PluginContext) -> None:
        settings = context.settings(Settings)
        if not settings.allowed:
            raise ConfigurationError(
                "duckduckgo: it reads a page that is made for people, and is off unless you allow it.",
                hint="Read docs/providers/duckduckgo.md, and set allowed = true in [plugin.duckduckgo].",
            )
        self.wire = _maps(settings.base_url)
        self._url = f"{self.wire['direct'].base_url}/"
        self._now = context.now
        self._http = context.http(headers={"User-Agent": "Mozilla/5.0 (compatible; veridical)", "Referer": self._url})

    @hookimpl
    def search(self, query: SearchQuery) -> list[Item]:
        """Return the places of the results of the page that was asked for; those before it are asked for too, since each leads to the next.

        Raises:
            UsageError: DuckDuckGo cannot be asked that.
            ProviderError: it failed, asks for a human, or its page is not laid out as known.
        """
        form: dict[str, str] | None = _form(query, today=self._now().date().isoformat())
        page = Page()
        for _ in range(query.page):
            if form is None:
                return []
            page = self._read(form)
            form = page.following(form)
        return [item for hit in page.hits if not hit.is_ad and hit.href and (item := self._item(hit, query))][: query.limit]

    def _read(self, form: dict[str, str]) -> Page:
        with provider_call("DuckDuckGo", hints=_HINTS):
            reply = self._http.post(self._url, data=form).raise_for_status()
            page = read(reply.text)
        _check(reply, page)
        return page

    def _item(self, hit: Hit, query: SearchQuery) -> Item | None:
        kind, url = _target(hit.href)
        if url is None or not query.covers(url):
            return None
        place = WirePlace(map=kind, item=f"/{hit.number}", text=_TEXT if hit.has_text else None)
        return Item(url=url, locator=Locator(container=self._url), place=place)


def _check(reply: httpx.Response, page: Page) -> None:
    if page.is_challenge or reply.status_code != 200:
        raise ProviderError("DuckDuckGo asks whether a human is there.", failure="rate-limit", hint=_HINTS["rate-limit"])
    if not page.has_results:
        raise ProviderError("The page is none of DuckDuckGo's results.", failure="malformed", hint=_HINTS["malformed"])


def _target(href: str) -> tuple[Literal["redirect", "direct"], str | None]:
    """Return the map of a link, and the URL that it leads to."""
    try:
        parts = urlsplit(href)
        if parts.netloc == "duckduckgo.com" and parts.path == "/l/":
            return "redirect", next(iter(parse_qs(parts.query, errors="strict").get("uddg", [])), None)
    except ValueError:
        return "direct", None
    return "direct", href


def _form(query: SearchQuery, *, today: str) -> dict[str, str]:
    if query.page > _PAGES:
        raise UsageError(f"duckduckgo: page {query.page} was asked for; no more than {_PAGES} are read, each of them a request.")
    form = {"q": _words(query), "b": "", "kl": _region(query.language)}
    if query.since or query.until:
        form["df"] = f"{query.since or '1970-01-01'}..{query.until or today}"
    return form


def _words(query: SearchQuery) -> str:
    only = [f"site:{query.include_domains[0]}"] if len(query.include_domains) == 1 else []
    words = " ".join([query.text, *only, *(f"-site:{domain}" for domain in query.exclude_domains)])
    if len(words) >= _CHARACTERS:
        hint = "Shorten it, or name fewer domains."
        raise UsageError(f"duckduckgo: the query has {len(words)} characters, domains included; it takes {_CHARACTERS - 1}.", hint=hint)
    return words


def _region(language: str | None) -> str:
    """Return DuckDuckGo's region of a BCP 47 tag: `de-AT` is `at-de`. It has no languages without one."""
    if language is None:
        return "wt-wt"
    name, _, country = language.lower().partition("-")
    if not (name.isalpha() and country.isalpha() and len(country) == 2):
        raise UsageError(f"duckduckgo: it has regions, not languages, and {language!r} names none.", hint="Name one, as in de-AT, or none.")
    return f"{'uk' if country == 'gb' else country}-{name}"
