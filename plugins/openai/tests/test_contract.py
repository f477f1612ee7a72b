"""The contract of the chat plugin. `pytest --record` asks the server on loopback below, which answers in the form of OpenAI's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from veridical_contract.testing import contract_suite

from plugins.openai.tests.kit import Asked, Served, answering, completion, serving

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
    arguments = [json.dumps({"city": city}, ensure_ascii=False) for city in cities]
    return [{"id": f"call_{n}", "type": "function", "function": {"name": "weather", "arguments": each}} for n, each in enumerate(arguments)]


ANSWERS = {
    "called, in a word": completion({"content": "It is called Grünspan, or verdigris 🟩."}),
    "naïve «façade»": completion({"content": "Der Kölner Dom: 1880 🛠️.\n"}),
    "in a thousand words": completion({"content": "Copper has kept rain out"}, "length"),
    "refuses to answer this": completion({"refusal": "I would rather not."}),
    "Name the colour in German": completion({"content": '{"colour": "grün", "years": 20}'}),
    "Look it up": completion({"content": "One moment.", "tool_calls": uses("Zürich", "東京")}, "tool_calls"),
    "Name each group": completion({"content": json.dumps(DRAFT, ensure_ascii=False)}),
}


def answer(asked: Asked) -> Served:
    said = json.dumps(asked.body, ensure_ascii=False)
    if '"role": "tool"' in said:
        return answering(completion({"content": "Fog in Zürich; nothing is known of 東京."}))(asked)
    return answering(next((reply for words, reply in ANSWERS.items() if words in said), completion({"content": "One answer."})))(asked)


@contextmanager
def provider() -> Iterator[str]:
    with serving(answer) as server:
        yield server.base.removesuffix("/v1")


# A service that fails is asked once: how often the SDK asks again is a setting.
TestOpenAI = contract_suite("openai", kind="chat", server=provider, settings={"retries": 0})
