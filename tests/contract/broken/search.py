"""An honest search plugin, and those that invent, alter, swap, echo, drop and do not listen."""

from __future__ import annotations

import json

from . import Honest, broken

__all__ = ["BROKEN", "HONEST"]

HONEST = Honest(
    "search",
    '''"""Acme search."""

from __future__ import annotations

from veridical_contract import Item, Model, PluginContext, SearchQuery, WireMap, hookimpl


class Settings(Model):
    """Where Acme is."""

    base_url: str = "https://api.acme.example"


class Acme:
    """Acme search."""

    wire = WireMap(base_url="https://api.acme.example", item="/rows/*", url="link", title="name", text=("body",), published="day")

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._url = context.settings(Settings).base_url + "/v1/search"
        self._http = context.http(headers={"X-Key": context.secret("ACME_API_KEY")})

    @hookimpl
    def search(self, query: SearchQuery) -> list[Item]:
        parameters = {"q": query.text, "n": str(query.limit), "page": str(query.page)}
        if query.since or query.until:
            parameters["days"] = f"{query.since or ''}..{query.until or ''}"
        reply = self._http.get(self._url, params=parameters).raise_for_status()
        found = self.wire.items(reply.json(), query=query)
        return found[: query.limit]
''',
    skipped=frozenset({"no-secret-kept"}),
)

_FOUND = "        return found[: query.limit]\n"
_REPLY = "        reply = self._http.get(self._url, params=parameters).raise_for_status()\n"


def _claims(value: str) -> tuple[str, str]:
    """Have each hit say something of its own."""
    return _FOUND, f"        rows = reply.json()['rows']\n        return [{value} for n, item in enumerate(found[: query.limit])]\n"


_ROWS = [
    {"link": f"https://www.example.com/{n}", "name": f"Row {n}", "asked": "copper roof repairs", "day": "2025-01-01"} for n in range(5)
]
_ECHOING = {
    "plugin": "acme",
    "kind": "search",
    "kit": "0.1.0",
    "recorded_at": "2026-03-01T12:00:00Z",
    "scenarios": {
        "ordinary": [
            {
                "method": "GET",
                "url": "https://api.acme.example/v1/search",
                "status": 200,
                "headers": [["content-type", "application/json"]],
                "body": json.dumps({"rows": _ROWS}),
            }
        ]
    },
}

BROKEN = [
    broken(HONEST, "hit-shape", "returns a tuple", (_FOUND, "        return tuple(found[: query.limit])\n")),
    broken(
        HONEST,
        "hit-placed",
        "invents the URL and the text of every hit",
        (
            _FOUND,
            "        from veridical_contract import Locator\n"
            "        return [Item(url=f'https://www.example.com/{query.text.split()[0]}/{n}', text='As everybody knows.', "
            "locator=Locator(container='acme')) for n in range(min(len(found), query.limit))]\n",
        ),
    ),
    broken(
        HONEST,
        "hit-invented",
        "hands in a hit that no reply holds",
        (
            _FOUND,
            "        from veridical_contract import Locator, WirePlace\n"
            "        ghost = Item(locator=Locator(container='acme'), place=WirePlace(item='/rows/99', text='body'))\n"
            "        return [*found[: query.limit - 1], ghost] if len(found) >= query.limit and query.limit < 4 else found[: query.limit] "
            "if query.limit < 4 or not found else [*found[: query.limit], ghost]\n",
        ),
    ),
    broken(
        HONEST, "text-altered", "rounds the end of a snippet off", _claims("item.model_copy(update={'text': rows[n]['body'][:-3] + '...'})")
    ),
    broken(
        HONEST,
        "title-swapped",
        "gives each hit the title of the next",
        _claims("item.model_copy(update={'title': rows[(n + 1) % len(rows)]['name']})"),
    ),
    broken(
        HONEST,
        "url-altered",
        "gives each hit the URL of its site",
        _claims("item.model_copy(update={'url': '/'.join(rows[n]['link'].split('/')[:3]) + '/'})"),
    ),
    broken(HONEST, "date-altered", "says that every hit is of today", _claims("item.model_copy(update={'published': '2026-02-28'})")),
    broken(HONEST, "author-altered", "names an author whom no reply names", _claims("item.model_copy(update={'author': 'nobody'})")),
    broken(
        HONEST,
        "echo",
        "takes what the service repeats of the question for a text of the page",
        ('text=("body",)', 'text=("asked",)'),
        files={"py.typed": "", "cassettes/search-acme.json": json.dumps(_ECHOING)},
    ),
    broken(
        HONEST,
        "hits-dropped",
        "leaves the second hit out",
        (_FOUND, "        return [*found[:1], *found[2:]][: query.limit] if query.limit > 2 else found[: query.limit]\n"),
    ),
    broken(
        HONEST,
        "hit-once",
        "fills up with the first hit",
        (_FOUND, "        return [*found[:1], *found][: query.limit + (query.limit > 9)]\n"),
    ),
    broken(
        HONEST,
        "hits-of-every-search",
        "makes hits up on the second page",
        _claims("item.model_copy(update={'text': 'As everybody knows.', 'place': None}) if query.page > 1 else item"),
    ),
    broken(HONEST, "limit", "returns all that the service sends", (_FOUND, "        return found\n")),
    broken(
        HONEST,
        "nothing-found",
        "takes the first hit where there is none",
        (_FOUND, "        found[0]\n        return found[: query.limit]\n"),
    ),
    broken(
        HONEST,
        "asked-as-said",
        "asks for what is left of the words in ASCII",
        ('"q": query.text,', '"q": query.text.encode("ascii", "ignore").decode(),'),
    ),
    broken(HONEST, "page", "asks for the first page whichever is wanted", (', "page": str(query.page)}', "}")),
    broken(HONEST, "dates", "does not pass dates on", ("        if query.since or query.until:\n", "        if not query:\n")),
    broken(HONEST, "domains", "returns hits of every domain", ("reply.json(), query=query)", "reply.json())")),
]
