"""What a search plugin finds: nothing that the recorded reply does not hold, and all that it does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import unquote_plus

from pydantic import JsonValue
from veridical.kernel.replies import event_data

from veridical_contract import Item, SearchQuery, VeridicalError, WireMap
from veridical_contract.testing.judging import Judge
from veridical_contract.testing.registry import NotApplicable, Violation, check
from veridical_contract.testing.subject import Outcome, Subject

from .calls import QUERY

_SEARCH = ("search",)
_CLAIMS = ("text", "url", "title", "author", "author_name", "published")
_MANY = QUERY.model_copy(update={"limit": 20})
_ODD = SearchQuery(text='naïve "façade" 銅の屋根 🛠️ a+b & c=d?', limit=5)


def _items(outcome: Outcome) -> list[Item]:
    found = outcome.result()
    if type(found) is not list:
        raise Violation(f"It returned {type(found).__name__}, expected a list of Item.")
    if odd := [type(item).__name__ for item in cast("list[object]", found) if type(item) is not Item]:
        raise Violation(f"It returned a list with {odd[0]} in it, expected Item.")
    return cast("list[Item]", found)


@check("hit-shape", "It returns a list of Item.", "return self.wire.items(reply.json())", kinds=_SEARCH, needs=("answers",))
def hit_shape(subject: Subject) -> None:
    with subject.live() as live:
        if not _items(live.call("search", "ordinary", query=QUERY)):
            raise Violation("It found nothing where the reply holds hits.")


@check(
    "hit-placed",
    "Every hit says where in the reply it stands: an item without a place is the plugin's word alone.",
    "Give the class a WireMap as `wire`, and return wire.items(reply.json()).",
    kinds=_SEARCH,
    needs=("hit-shape",),
)
def hit_placed(subject: Subject) -> None:
    with subject.live() as live:
        loose = [item for item in _items(live.call("search", "ordinary", query=QUERY)) if item.place is None]
    if loose:
        raise Violation(f"{len(loose)} hits have no place in a reply: {loose[0].url or loose[0].text!r}.")


@check(
    "hit-invented",
    "Every hit stands where it says, in a reply that was recorded.",
    "Return what wire.items() gives; a hit that is put together from elsewhere has no place.",
    kinds=_SEARCH,
    needs=("hit-placed",),
)
def hit_invented(subject: Subject) -> None:
    for judge, item, outcome in _judged(subject):
        bare = item.model_copy(update=dict.fromkeys(_CLAIMS))
        found = judge.item(bare, QUERY, outcome.records)
        if found.rule.startswith("wire-") and found.rule != "wire-echo":
            place = item.place.item if item.place is not None else ""
            raise Violation(f"The hit at {place} stands in no recorded reply ({found.rule}).")


def _claim(name: str, sentence: str, *fields: str) -> None:
    @check(
        name,
        sentence,
        f"Leave `{fields[0]}` out of the item: the host takes it from the reply. Who gives it too must give it as it stands there.",
        kinds=_SEARCH,
        needs=("hit-invented",),
    )
    def claimed(subject: Subject) -> None:
        for judge, item, outcome in _judged(subject):
            if all(getattr(item, field) is None for field in fields):
                continue
            alone = item.model_copy(update={each: None for each in _CLAIMS if each not in fields})
            found = judge.item(alone, QUERY, outcome.records)
            if found.rule and found.rule != "wire-echo":
                raise Violation(
                    f"The {fields[0]} of the hit at {item.place.item if item.place else ''} is not what stands there ({found.rule})."
                )

    claimed.__name__ = name.replace("-", "_")


_claim("text-altered", "The text of a hit is the one in the reply, to the last character.", "text")
_claim("title-swapped", "The title of a hit is its own, as it stands in the reply.", "title")
_claim("url-altered", "The URL of a hit is its own, as it stands in the reply.", "url")
_claim("date-altered", "The date of a hit is its own, as it stands in the reply.", "published")
_claim("author-altered", "The author of a hit is its own, as it stands in the reply.", "author", "author_name")


@check(
    "echo",
    "No text of a hit repeats the request: a field that the service fills from the question is no evidence.",
    "Take that field out of the wire map's `text`.",
    kinds=_SEARCH,
    needs=("hit-invented",),
)
def echo(subject: Subject) -> None:
    refused = [
        (item, found)
        for judge, item, outcome in _judged(subject)
        if (found := judge.item(item, QUERY, outcome.records)).rule == "wire-echo"
    ]
    if refused:
        item = refused[0][0]
        raise Violation(f"The text of the hit at {item.place.item if item.place else ''} repeats what was asked.")


@check(
    "hits-dropped",
    "It hands in every hit of the reply with its texts, up to the limit.",
    "Return all that wire.items() gives, cut at query.limit hits.",
    kinds=_SEARCH,
    needs=("hit-invented",),
)
def hits_dropped(subject: Subject) -> None:
    with subject.live() as live:
        outcome = live.call("search", "many", query=_MANY)
        given = {(item.place.map, item.place.item) for item in _items(outcome) if item.place is not None}
        texts = {(item.place.map, item.place.item, item.place.text) for item in _items(outcome) if item.place is not None}
        there = list(_in_replies(live.wire, outcome))
    if not there:
        raise NotApplicable("Its replies are not JSON, or hold no hits.")
    hits = {(name, item) for name, item, _ in there}
    if len(given & hits) < min(len(hits), _MANY.limit):
        missing = min(hits - given)
        raise Violation(
            f"The replies hold {len(hits)} hits, {_MANY.limit} were asked for, and it hands in {len(given & hits)}: not {missing[1]}."
        )
    if lost := [each for each in there if each[:2] in given and each[2] is not None and each not in texts]:
        raise Violation(f"The hit at {lost[0][1]} has a text at {lost[0][2]}, which it leaves out.")


@check(
    "hit-once",
    "No hit is handed in twice.",
    "Return what wire.items() gives: each text of each hit once.",
    kinds=_SEARCH,
    needs=("hit-placed",),
)
def hit_once(subject: Subject) -> None:
    with subject.live() as live:
        places = [item.place for item in _items(live.call("search", "many", query=_MANY))]
    if twice := [place.item for place in places if place is not None and places.count(place) > 1]:
        raise Violation(f"The hit at {twice[0]} is there twice.")


@check(
    "limit",
    "It returns no more hits than were asked for.",
    "Ask the service for query.limit, and cut what it sends besides.",
    kinds=_SEARCH,
    needs=("hit-shape",),
)
def limit(subject: Subject) -> None:
    few = QUERY.model_copy(update={"limit": 2})
    with subject.live() as live:
        items = _items(live.call("search", "few", query=few))
    hits = {(item.place.map, item.place.item) if item.place is not None else number for number, item in enumerate(items)}
    if len(hits) > few.limit:
        raise Violation(f"{few.limit} hits were asked for, and it returned {len(hits)}.")


@check(
    "nothing-found",
    "A reply without hits is an empty list, and no error.",
    "Take the hits with wire.items(): it finds none where there are none.",
    kinds=_SEARCH,
    needs=("hit-shape",),
)
def nothing_found(subject: Subject) -> None:
    nothing = SearchQuery(text="zzqx-9f2 vlorn quibbet", limit=5)
    with subject.live() as live:
        if found := _items(live.call("search", "nothing", query=nothing)):
            raise Violation(f"The reply holds no hit, and it returned {len(found)}.")


@check(
    "asked-as-said",
    "The service is asked with the words of the query, all of them, in any script.",
    "Pass query.text as a parameter of the client, and let the client encode it.",
    kinds=_SEARCH,
    needs=("hit-shape",),
)
def asked_as_said(subject: Subject) -> None:
    with subject.live() as live:
        outcome = live.call("search", "odd-words", query=_ODD)
    sent = [each for record in outcome.records for each in record.asked]
    if not any(_ODD.text in said for each in sent for said in (each, unquote_plus(each))):
        raise Violation(f"It was asked for {_ODD.text!r}, and no request holds these words.")


@check(
    "page",
    "The second page is asked for as such, or refused: it is not the first once more.",
    "Pass query.page on; where the service has no pages, raise UsageError for a page above 1.",
    kinds=_SEARCH,
    needs=("hit-shape",),
)
def page(subject: Subject) -> None:
    _passed_on(subject, "second-page", QUERY.model_copy(update={"page": 2}), "page 2")


@check(
    "dates",
    "Dates that limit a search are passed on, held to, or refused.",
    "Pass query.since and query.until on; where the service takes no dates, leave out what lies outside, or raise UsageError.",
    kinds=_SEARCH,
    needs=("hit-invented",),
)
def dates(subject: Subject) -> None:
    days = QUERY.model_copy(update={"since": "2025-03-03", "until": "2025-03-04"})
    with subject.live() as live:
        plain = live.call("search", "ordinary", query=QUERY)
        outcome = live.call("search", "since", query=days)
        if isinstance(outcome.error, VeridicalError) and not outcome.asked:
            return
        items = _items(outcome)
        if [(one.url, one.body) for one in plain.asked] != [(one.url, one.body) for one in outcome.asked]:
            return
        judge = Judge(live)
        found = [document for item in items for document in judge.item(item, days, outcome.records).batch.documents]
    if not found:
        return
    if outside := [one.document.published for one in found if one.document.published is None or not _within(one.document.published.value)]:
        said = outside[0].value if outside[0] is not None else "no day"
        raise Violation(f"It was asked for 2025-03-03 to 2025-03-04, sent the request that it sends without, and returned a hit of {said}.")


def _within(value: str) -> bool:
    return "2025-03-03" <= value[:10] <= "2025-03-04"


@check(
    "domains",
    "Hits of domains that were not asked for are left out.",
    "Pass the query to wire.items(reply, query=query), or filter with query.covers(url).",
    kinds=_SEARCH,
    needs=("hit-invented",),
)
def domains(subject: Subject) -> None:
    for asked in (
        QUERY.model_copy(update={"include_domains": ("example.org",)}),
        QUERY.model_copy(update={"exclude_domains": ("example.org",)}),
    ):
        name = "only-a-domain" if asked.include_domains else "without-a-domain"
        with subject.live() as live:
            outcome = live.call("search", name, query=asked)
            if isinstance(outcome.error, VeridicalError) and not outcome.asked:
                continue  # refused before anything was sent
            items = _items(outcome)
            judge = Judge(live)
            urls = [link for item in items for link in _urls(judge, item, asked, outcome)]
        if outside := [url for url in urls if not asked.covers(url)]:
            raise Violation(f"It was asked for {'only' if asked.include_domains else 'all but'} example.org, and returned {outside[0]}.")


@check(
    "hits-of-every-search",
    "Whatever is asked for, many hits, a page, dates or a domain: a hit stands where it says, and all that it says of itself stands there.",
    "Make what you return in one place, for every search: wire.items().",
    kinds=_SEARCH,
    needs=("text-altered", "title-swapped", "url-altered", "date-altered", "author-altered", "echo"),
)
def hits_of_every_search(subject: Subject) -> None:
    for scenario, query in _EVERY.items():
        with subject.live() as live:
            outcome = live.call("search", scenario, query=query)
            judge = Judge(live)
            for item in () if outcome.error is not None else _items(outcome):
                why = judge.item(item, query, outcome.records).rule if item.place is not None else "it says no place"
                if why:
                    where = item.url if item.place is None else item.place.item
                    raise Violation(f"In the search {scenario!r} the hit {where!r} is not the reply's: {why}.")


_EVERY = {
    "few": QUERY.model_copy(update={"limit": 2}),
    "many": _MANY,
    "second-page": QUERY.model_copy(update={"page": 2}),
    "since": QUERY.model_copy(update={"since": "2025-03-03", "until": "2025-03-04"}),
    "only-a-domain": QUERY.model_copy(update={"include_domains": ("example.org",)}),
    "without-a-domain": QUERY.model_copy(update={"exclude_domains": ("example.org",)}),
    "odd-words": _ODD,
}


def _passed_on(subject: Subject, scenario: str, query: SearchQuery, what: str) -> None:
    with subject.live() as live:
        plain = live.call("search", "ordinary", query=QUERY)
        outcome = live.call("search", scenario, query=query)
    if isinstance(outcome.error, VeridicalError) and not outcome.asked:
        return
    outcome.result()
    if [(one.url, one.body) for one in plain.asked] == [(one.url, one.body) for one in outcome.asked]:
        raise Violation(f"It was asked for {what}, and sent the request that it sends without.")


def _judged(subject: Subject) -> Iterator[tuple[Judge, Item, Outcome]]:
    with subject.live() as live:
        outcome = live.call("search", "ordinary", query=QUERY)
        judge = Judge(live)
        for item in _items(outcome):
            yield judge, item, outcome


def _urls(judge: Judge, item: Item, query: SearchQuery, outcome: Outcome) -> list[str]:
    batch = judge.item(item, query, outcome.records).batch
    return [*(found.document.url or "" for found in batch.documents), *(link.url for link in batch.links)]


def _in_replies(maps: Mapping[str, WireMap], outcome: Outcome) -> Iterator[tuple[str, str, str | None]]:
    """Yield (map, hit, text) of every text of every hit in the replies."""
    for record in outcome.records:
        for name, wire in maps.items():
            if wire.layout != "html" and record.url.startswith(wire.base_url):
                reply: Any = _parsed(record.body, wire)
                for item in wire.items(cast("JsonValue", reply), name=name, query=QUERY):
                    if item.place is not None:
                        yield name, item.place.item, item.place.text


def _parsed(body: bytes, wire: WireMap) -> object:
    text = body.decode("utf-8", "replace")
    try:
        return json.loads(text) if wire.layout == "json" else [json.loads(data) for data in event_data(text)]
    except ValueError:  # a reply that holds no hits
        return None
