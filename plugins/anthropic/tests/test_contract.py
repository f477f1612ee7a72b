"""The contract. `pytest --record` asks the API on loopback below, which answers in the form of Anthropic's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from veridical_contract.testing import contract_suite

from plugins.anthropic.tests.kit import api, message, text
from plugins.anthropic.tests.test_chat import located
from plugins.anthropic.tests.test_ground import cited, search

CHAPEL, PATINA = "https://www.example.com/koelner-kapelle?seite=1", "https://example.org/patina"
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


def hits(*pages: tuple[str, str]) -> dict[str, Any]:
    found = [
        {"type": "web_search_result", "url": url, "title": title, "encrypted_content": "Eq==", "page_age": None} for url, title in pages
    ]
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found}


def uses(*cities: str) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": f"toolu_{n}", "name": "weather", "input": {"city": city}} for n, city in enumerate(cities)]


GROUNDED = message(
    text("🟩 I will look for it. "),
    search("chapel copper roof green patina"),
    hits((CHAPEL, "Das Dach der Kölner Kapelle"), (PATINA, "Patina: a short history 🟩"), ("https://example.net/ferry", "Ferry times")),
    text("🟩 In Köln, it was green by 1931", cited(CHAPEL, "Schon 1931 lag das Blech grün da.", "Das Dach der Kölner Kapelle")),
    text("; "),
    text(
        "🟩 chroniclers call it Grünspan.", cited(PATINA, "They wrote of Grünspan long before chemists did.", "Patina: a short history 🟩")
    ),
)
PASSAGES = (
    "Die Kapelle in Köln bekam 1911 ein Dach aus Kupfer 🛠️. ",
    "Es kostete 4200 Mark und hielt achtzig Jahre.",
    "礼拝堂の銅の屋根は数年で緑色になった。",
)
CITED = message(
    text("🟩 Kölns roof was laid in 1911", located("p-9e7", 0, 1, PASSAGES[0]), located("p-2a5", 0, 1, PASSAGES[2])),
    text(", and cost "),
    text("4200 marks.", located("p-9e7", 1, 2, PASSAGES[1])),
)
ANSWERS = {
    "called, in a word": message(text("It is called Grünspan, "), text("or verdigris 🟩.")),
    "naïve «façade»": message(text("Der Kölner Dom: 1880 🛠️.\n")),
    "in a thousand words": message(text("Copper has kept rain out"), stop="max_tokens"),
    "refuses to answer this": message(text("I would rather not."), stop="refusal"),
    "stops in the middle": message(text("The first half, 🟩 "), stop="pause_turn"),
    "Name the colour in German": message(text('{"colour": "grün", "years": 20}')),
    "Look it up": message(text("One moment. "), *uses("Zürich", "東京"), stop="tool_use"),
    "Name each group": message(text(json.dumps(DRAFT, ensure_ascii=False))),
    "web_search_20250305": GROUNDED,
    "search_result": CITED,
    "turn green, and who": message(text("🟩 I do not know when the roof in Köln turned green.")),
}


def answer(body: dict[str, Any]) -> dict[str, Any]:
    said = json.dumps(body, ensure_ascii=False)
    if "tool_result" in said:
        return message(text("Fog in Zürich; nothing is known of 東京."))
    if "The first half" in said:
        return message(text("and the second half."))
    return next(reply for words, reply in ANSWERS.items() if words in said)


@contextmanager
def provider() -> Iterator[str]:
    with api(answer) as server:
        yield server.url


# A service that fails is asked once: how often the SDK asks again is a setting.
TestAnthropic = contract_suite("anthropic", kind="chat", server=provider, settings={"retries": 0})
