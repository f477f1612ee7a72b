"""Any provider, any plugin: what is admitted stands at an allowed pointer of one hit of a whole reply, and repeats nothing of the request.

The oracle shares no code with the kernel: it walks the parsed reply along the pattern, and compares every pair of runs of words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from veridical.kernel.admission import AdmissionRefused
from veridical.kernel.policy import load_policy
from veridical.kernel.wire import EchoTable, Exchange, WireRefused
from veridical_contract import WireMap, WirePlace

from core.tests.kernel.wired import admitted

TABLE = load_policy().table("echo", EchoTable)
ASKED = ("search", "en", "what is the best way to descale an espresso machine without vinegar", "https://asked.example/page")
BASE = "https://api.acme.example/v1"
MAPS = {
    "plain": WireMap(base_url=BASE, item="/results/*", url="url", title="title", text=("text", "more/*")),
    "nested": WireMap(base_url=BASE, item="/*/results/*", url="meta/url", title="meta/title", text=("text",)),
    "composed": WireMap(base_url=BASE, item="/results/*", url="https://h.example/{id}", text=("text",), slots={"id": "[0-9]+"}),
    "stream": WireMap(base_url=BASE, layout="sse", item="/*/results/*", url="url", title="title", text=("text", "more/*")),
}
URLS = [f"https://{name}.example/{path}" for name in ("a", "b", "asked") for path in ("", "page", "page/2", "?a=1&b=2")]
TEXTS = [
    "Citric acid dissolves scale in a quarter of an hour.",
    "Scale is mostly calcium carbonate.",
    "Citric acid",
    f"Results for {ASKED[2]}",
    "The best way to descale an espresso machine is citric acid.",
    ASKED[2].upper(),
    "Descale an Espresso Machine",
    "en",
    "1910",
    "",
]

values: st.SearchStrategy[object] = st.sampled_from([*URLS, *TEXTS, None, 1910, 7, True, 1.5, "42", "../x"])
keys = st.sampled_from(["results", "url", "text", "title", "more", "meta", "id", "summary", "query", "0", "*", "a/b", "~", "a}b{"])
decoys = st.recursive(values, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=6)
META = st.just({"url": URLS[1], "title": "Scale"})
hits = st.fixed_dictionaries(
    {"url": st.sampled_from(URLS), "text": st.sampled_from(TEXTS), "id": st.sampled_from(["42", 42, "7"])},
    optional={
        "title": st.sampled_from(TEXTS),
        "more": st.lists(st.sampled_from(TEXTS), max_size=3),
        "meta": META,
        "summary": st.sampled_from(TEXTS),
    },
)
broken = st.builds(lambda hit, more: hit | more, hits, st.dictionaries(keys, decoys, min_size=1, max_size=3))
rows = st.lists(hits | broken, min_size=1, max_size=4) | st.dictionaries(keys, hits | broken, min_size=1, max_size=3)
replies = st.fixed_dictionaries(
    {"results": rows}, optional={"query": st.just(ASKED[2]), "x": decoys, "web": st.fixed_dictionaries({"results": rows})}
)
lies = st.sets(st.sampled_from(["url", "status", "whole", "cut", "item", "text", "place", "said"]), max_size=2)


@st.composite
def exchanges(draw: st.DrawFn, layout: str, told: set[str]) -> Exchange:
    """A recorded exchange that could prove something, but for the lies that are told."""
    escaped = draw(st.booleans())
    found = draw(replies)
    events = [found, *draw(st.lists(replies, max_size=1))] if layout == "sse" else [{"web": found, "news": draw(decoys)}, found]
    if layout == "sse":
        body = "".join(f"data: {json.dumps(event, ensure_ascii=escaped)}\n\n" for event in events)
    else:
        body = json.dumps(events[layout == "plain"], ensure_ascii=escaped)
    raw = (body.replace("/", r"\/") if escaped else body).encode()
    return Exchange(
        url=draw(st.sampled_from([f"{BASE}0/search", "https://evil.example/v1/search"])) if "url" in told else f"{BASE}/search",
        asked=ASKED,
        status=draw(st.sampled_from([206, 301, 500, None])) if "status" in told else 200,
        whole="whole" not in told,
        body=raw[: draw(st.integers(0, len(raw)))] if "cut" in told else raw,
    )


def pointers(value: Any, before: str = "") -> Iterator[str]:
    yield before
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from pointers(member, f"{before}/{str(key).replace('~', '~0').replace('/', '~1')}")


def parsed(body: bytes, layout: str) -> Any:
    if layout != "sse":
        return json.loads(body)
    return [json.loads(line.removeprefix("data: ")) for line in body.decode().split("\n\n") if line.startswith("data: ")]


@st.composite
def places(draw: st.DrawFn, wire: WireMap, body: bytes, told: set[str]) -> WirePlace:
    """A place that the map allows, but for the lies; with `place`, anywhere in the reply or nowhere, cut in two anywhere."""
    try:
        found = sorted(set(pointers(parsed(body, wire.layout))))
    except ValueError:
        found = [""]
    form = re.compile("(" + wire.item.replace("*", "[^/]+") + ")/(text|more/[0-9]+)")
    natural = [(match[1], match[2]) for match in map(form.fullmatch, found) if match]
    item, text = draw(st.sampled_from(natural)) if natural else ("/results/0", "text")
    if "place" in told:
        pointer = draw(st.sampled_from(found))
        cut = draw(st.sampled_from([at for at, char in enumerate(pointer) if char == "/"] or [0]))
        item, text = pointer[:cut], pointer[cut + 1 :]
    return WirePlace(
        item=draw(st.sampled_from([f"{item}/", item.upper(), f"/{item}", item.rpartition("/")[0]])) if "item" in told else item,
        text=draw(st.sampled_from(["summary", "url", "title", None, "summary", "url", "title", f"{text}/", f"../{text}", f"{text}/0"]))
        if "text" in told
        else text,
    )


def allowed(reply: Any, pattern: Sequence[str]) -> Iterator[Any]:
    """Everything that the pattern leads to, by taking the reply apart."""
    if not pattern:
        yield reply
        return
    first, *rest = pattern
    members = reply if isinstance(reply, dict) else dict(enumerate(reply)) if isinstance(reply, list) else {}
    for key, member in members.items():
        if first in ("*", str(key)):
            yield from allowed(member, rest)


def shown(value: Any) -> str | None:
    return value if isinstance(value, str) else str(value) if type(value) is int else None


def hits_of(wire: WireMap, reply: Any) -> set[tuple[str | None, str | None, str | None]]:
    """(text, url, title) of every text of every hit."""
    found: set[tuple[str | None, str | None, str | None]] = set()
    for hit in allowed(reply, wire.item.split("/")[1:]):
        if wire.url.startswith("https"):
            url = next((f"https://h.example/{shown(value)}" for value in allowed(hit, ["id"])), None)
        else:
            url = next(map(shown, allowed(hit, wire.url.split("/"))), None)
        title = next(map(shown, allowed(hit, wire.title.split("/"))), None) if wire.title else None
        found |= {(shown(text), url, title) for pattern in wire.text for text in allowed(hit, pattern.split("/"))}
    return found


def repeats(text: str) -> bool:
    said = re.findall(r"[a-z0-9]+", text.lower())
    for asked in (f" {' '.join(re.findall(r'[a-z0-9]+', string.lower()))} " for string in ASKED):
        spans = [(start, end) for start in range(len(said)) for end in range(start + 1, len(said) + 1)]
        shared = [(start, end) for start, end in spans if f" {' '.join(said[start:end])} " in asked]
        longest = max((end - start for start, end in shared), default=0)
        covered = {at for start, end in shared if end - start >= TABLE.part for at in range(start, end)}
        if said and (longest >= TABLE.run or longest == len(said) or 100 * len(covered) >= TABLE.share * len(said)):
            return True
    return False


@settings(max_examples=250)
@given(st.sampled_from(sorted(MAPS)), lies, st.data())
def test_whatever_is_admitted_stands_in_one_hit_of_a_whole_reply_and_is_no_echo(name: str, told: set[str], data: st.DataObject) -> None:
    wire = MAPS[name]
    made = data.draw(exchanges(wire.layout if wire.layout == "sse" else "nested" if name == "nested" else "plain", told))
    place = data.draw(places(wire, made.body, told))
    words = st.sampled_from([*URLS, *TEXTS])
    said = data.draw(st.dictionaries(st.sampled_from(["text", "url", "title"]), words, min_size=1, max_size=1)) if "said" in told else {}
    try:
        admission = admitted(wire, place, made, **said)
    except (WireRefused, AdmissionRefused) as error:
        event(error.rule)
        return
    event("admitted")
    document = admission.document
    assert made.url == f"{BASE}/search"
    assert (made.status, made.whole) == (200, True)
    dropped = [words for _, words in admission.dropped]
    candidates = {
        (text, url if document.url else None, title if document.title else None)
        for text, url, title in hits_of(wire, parsed(made.body, wire.layout))
        if (document.url or url in dropped or not url) and (document.title or title in dropped or not (title or "").strip())
    }
    assert (document.text, document.url, document.title) in candidates
    assert all(getattr(document, name) in (value, None) for name, value in said.items())
    assert not repeats(document.text)
    assert not repeats(document.title or "")
    assert document.url is None or not any(document.url in asked for asked in ASKED)
    assert {document.grades.text, document.grades.url or "wire", document.grades.title or "wire"} == {"wire"}


@settings(max_examples=60)
@given(st.data())
def test_an_honest_plugin_over_an_honest_provider_loses_nothing(data: st.DataObject) -> None:
    """Each text of each hit that has a URL and repeats nothing is admitted through the place that the map itself names."""
    texts = st.lists(st.sampled_from([text for text in TEXTS if text and not repeats(text)]), min_size=1, max_size=2)
    hit = st.fixed_dictionaries({"url": st.sampled_from(URLS[:8]), "more": texts}, optional={"title": st.just("Scale"), "summary": values})
    reply = {"results": data.draw(st.lists(hit, min_size=1, max_size=4))}
    made = Exchange(url=f"{BASE}/search", asked=ASKED, status=200, whole=True, body=json.dumps(reply).encode())
    items = MAPS["plain"].items(reply)
    found = [admitted(MAPS["plain"], item.place, made).document for item in items if item.place is not None]
    assert [(document.url, document.text) for document in found] == [(row["url"], text) for row in reply["results"] for text in row["more"]]
