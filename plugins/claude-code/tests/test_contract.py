"""The contract. The program is a stand-in; its calls go through the plugin's proxy to the server on loopback below (`pytest --record`)."""

from __future__ import annotations

import atexit
import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from veridical_contract.testing import contract_suite

from .conftest import Api, Program, message_events, stream

CHAPEL, PATINA = "https://www.example.com/koelner-kapelle?seite=1", "https://example.org/patina"
PAGES = ((CHAPEL, "Das Dach der Kölner Kapelle"), (PATINA, "Patina: a short history 🟩"))
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
QUESTION = "When did the copper roof of the chapel turn green, and who says so?"


def said(text: str, stop: str = "end_turn") -> list[dict[str, Any]]:
    return message_events([{"type": "text", "text": text}], stop)


def structured(value: dict[str, Any]) -> list[dict[str, Any]]:
    return message_events([{"type": "tool_use", "id": "toolu_1", "name": "StructuredOutput", "input": value}], "tool_use")


ANSWERS = {
    "called, in a word": said("It is called Grünspan, or verdigris 🟩."),
    "naïve «façade»": said("Der Kölner Dom: 1880 🛠️.\n"),
    "in a thousand words": said("Copper has kept rain out", "max_tokens"),
    "refuses to answer this": said("I would rather not.", "refusal"),
    "Name the colour in German": structured({"colour": "grün", "years": 20}),
    "Name each group": structured(DRAFT),
    "turn green, and who": said("🟩 I do not know when the roof in Köln turned green."),
}


def cited(page: int, words: str) -> dict[str, Any]:
    url, title = PAGES[page]
    return {"type": "web_search_result_location", "url": url, "title": title, "encrypted_index": "Eo==", "cited_text": words}


FOUND = [{"type": "web_search_result", "url": url, "title": title, "encrypted_content": "Eq==", "page_age": None} for url, title in PAGES]
REPLY = message_events(
    [
        {"type": "text", "text": "🟩 I will look for it. "},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "copper roof"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": FOUND},
        {"type": "text", "text": "🟩 In Köln, it was green by 1931", "citations": [cited(0, "Schon 1931 lag das Blech grün da.")]},
        {"type": "text", "text": "; "},
        {
            "type": "text",
            "text": "chroniclers call it Grünspan 🟩.",
            "citations": [cited(1, "They wrote of Grünspan before chemists did.")],
        },
    ]
)


WORDS = (
    "A sheet of zinc lasts longer when the gutter behind it is kept free of leaves.",
    "Nach dem Löten bleibt die Naht zwei Tage lang matt, danach glänzt sie wieder.",
    "屋根の勾配が緩いと、雨水は板の継ぎ目に溜まりやすくなる。",
)
SITES = ("https://www.example.com/zinc?seite=1", "https://example.org/naht", "https://docs.example.net/slope", "https://example.org/quarry")


def searched(count: int) -> list[dict[str, Any]]:
    """Return the reply to a search: pages, the words of all but the last that the API cites, and prose of the model."""
    pages = [{"url": url, "title": f"Roofs 🛠️, part {n}"} for n, url in enumerate(SITES[:count])]
    found = [{"type": "web_search_result", "encrypted_content": "Eq==", "page_age": None, **page} for page in pages]
    cited = [
        {"type": "web_search_result_location", "encrypted_index": "E", "cited_text": text, **page}
        for text, page in zip(WORDS, pages, strict=False)
    ]
    return message_events(
        [
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "roofs"}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found},
            {"type": "text", "text": "🟩 Some say so.", **({"citations": cited} if cited else {})},
        ]
    )


def found(request: dict[str, Any]) -> tuple[int, bytes]:
    asked = json.dumps(request, ensure_ascii=False)
    if "web_search_20250305" not in asked:
        return 200, stream(structured({"results": []}))
    return 200, stream(searched(0 if "zzqx" in asked else len(SITES)))


def answer(request: dict[str, Any]) -> tuple[int, bytes]:
    asked = json.dumps(request, ensure_ascii=False)
    events = (
        REPLY
        if "web_search_20250305" in asked
        else next((reply for words, reply in ANSWERS.items() if words in asked), said("One answer."))
    )
    return 200, stream(events)


@contextmanager
def provider() -> Generator[str]:
    with Api() as server:
        server.answer = answer
        yield server.url


@contextmanager
def search_provider() -> Generator[str]:
    with Api() as server:
        server.answer = found
        yield server.url


FOLDER = TemporaryDirectory(prefix="veridical-claude-")
atexit.register(FOLDER.cleanup)
PROGRAM = Program(Path(FOLDER.name) / "bin")
PROGRAM.play("api", query=QUESTION, counted=0)
SETTINGS = {"cli_path": str(PROGRAM.path), "proxy": True}
WAIVED = {
    "construct-quiet": "It asks the program for its version and its login, and the program inherits the variables of this process.",
    "context-only": "It gives the program an empty folder to work in, and adds 127.0.0.1 to the NO_PROXY that the program inherits.",
}
TWICE = {"hits-dropped": "A page whose words the API cites stands in its reply twice, and is handed in once, with the words."}

TestClaudeCodeChat = contract_suite("claude-code", kind="chat", server=provider, settings=SETTINGS, waive=WAIVED)
TestClaudeCodeSearch = contract_suite("claude-code", kind="search", server=search_provider, settings=SETTINGS, waive=WAIVED | TWICE)
