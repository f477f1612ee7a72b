"""The contract of the chat plugin. `pytest --record` asks the API on loopback below, which answers in the form of Gemini's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from veridical_contract.testing import contract_suite

from plugins.google.tests.kit import api, reply
from plugins.google.tests.test_ground import REDIRECT, rests_on, segment, support

CHAPEL = {"web": {"uri": f"{REDIRECT}kapelle", "title": "kölner-kapelle.example"}}
PATINA = {"web": {"uri": "https://example.org/patina?seite=1", "title": "Patina: a short history 🟩"}}
MAP = {"maps": {"uri": "https://maps.google.com/?cid=1", "title": "A chapel"}}
FIRST, SECOND = "🟩 In Köln, it was green by 1931. ", "🟩 Kölns Chronik calls it Grünspan 🛠️; rain did the rest."
SUPPORTS = [
    support(segment(FIRST, "In Köln, it was green by 1931."), 1),
    support(segment(SECOND, "Kölns Chronik calls it Grünspan 🛠️", 2), 2),
    support(segment(SECOND, "rain did the rest", 2), 1, 2),
]
THOUGHT = {"text": "Two sources, then.", "thought": True}
GROUNDED = reply(FIRST, THOUGHT, SECOND, grounding=rests_on(MAP, CHAPEL, PATINA, supports=SUPPORTS))
DRAFT = {
    "themes": [
        {
            "group": "g-71",
            "name": "How the roof turned green",
            "name_quote": None,
            "claims": [{"text": None, "quotes": [{"passage": "p-4c1", "quote": "turned green & dull within <20> years 🟩"}]}],
        }
    ],
    "answers": [
        {"question": 0, "claims": [{"text": "It cost 4200 marks.", "quotes": [{"passage": "p-9e7", "quote": "Es kostete 4200 Mark"}]}]}
    ],
}


def uses(*cities: str) -> list[dict[str, Any]]:
    calls = [{"functionCall": {"id": f"call-{n}", "name": "weather", "args": {"city": city}}} for n, city in enumerate(cities)]
    return [{**calls[0], "thoughtSignature": "c2lnbmF0dXJl"}, *calls[1:]]


ANSWERS = {
    "called, in a word": reply("It is called Grünspan, ", "or verdigris 🟩."),
    "naïve «façade»": reply("Der Kölner Dom: 1880 🛠️.\n"),
    "in a thousand words": reply("Copper has kept rain out", finish="MAX_TOKENS"),
    "refuses to answer this": reply(finish="SAFETY"),
    "Name the colour in German": reply('{"colour": "grün", "years": 20}'),
    "Look it up": reply("One moment. ", *uses("Zürich", "東京")),
    "Name each group": reply(json.dumps(DRAFT, ensure_ascii=False)),
    "googleSearch": GROUNDED,
    "turn green, and who": reply("🟩 I do not know when the roof in Köln turned green."),
}


def answer(body: dict[str, Any]) -> dict[str, Any]:
    said = json.dumps(body, ensure_ascii=False)
    if "functionResponse" in said:
        return reply("Fog in Zürich; nothing is known of 東京.")
    if "stops in the middle" in said:
        first = reply("The first half, 🟩 ", finish="CONTINUATION", continuationToken="AQ==")
        return reply("and the second half.") if "continuationToken" in said else first
    return next(found for words, found in ANSWERS.items() if words in said)


@contextmanager
def provider() -> Iterator[str]:
    with api(answer) as server:
        yield server.url


# A service that fails is asked once: how often the SDK asks again is a setting.
TestGoogle = contract_suite("google", kind="chat", server=provider, settings={"retries": 0})
