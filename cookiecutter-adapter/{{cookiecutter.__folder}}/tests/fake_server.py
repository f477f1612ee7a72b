{%- set kinds = cookiecutter.kinds.replace(" ", "").split(",") -%}
"""A server on loopback that speaks as the provider does: what the tests talk to, and what `pytest --record` records.

    running()                     answers as documented, to requests that carry a key
    running(fails_with(429, ...)) answers everything with that
    running(Answer(200, b"{"))    the same with a body of your choice

Make it answer as your provider really does: copy replies from its documentation, or from your own requests.
"""

from __future__ import annotations

{% if "embedding" in kinds -%}
import hashlib
{% endif -%}
import json
{% if "chat" in kinds -%}
import re
{% endif -%}
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
{% if "chat" in kinds -%}
from html import unescape
{% endif -%}
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

{% if "search" in kinds or "source" in kinds -%}
FACTS = (
    "The lighthouse was lit for the first time in March 1859.",
    "Its lamp burned rapeseed oil until the keepers changed to paraffin.",
    "Fog signals were fired from a small cannon beside the tower.",
    "The last keeper left the island when the light became automatic.",
    "Die Treppe hat 129 Stufen und wurde aus Granit gebaut.",
    "灯台の光は二十海里先から見える。",
    "A café opened in the old store house, naïve paintings on its walls.",
    "Seals come ashore on the northern beach in every winter.",
    "The lens weighs four tonnes and floats on a bath of mercury.",
    "Supplies came by boat once a fortnight, if the weather allowed it.",
    "Two families lived in the cottages below the light.",
    "The tower was painted with red bands so that it could be told from others.",
)
{%- if "search" in kinds %}
NOTHING = "zzqx"
"""Part of a word that no text has: a search for it finds nothing."""
{%- endif %}

{% endif %}
@dataclass(frozen=True)
class Answer:
    """What to answer a request with."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict[str, str])


def fails_with(status: int, **headers: str) -> Answer:
    """Return the provider's answer to a request that failed; an underscore in the name of a header is a hyphen."""
    body = json.dumps({"error": f"status {status}"}).encode()
    return Answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


@contextmanager
def running(always: Answer | None = None) -> Generator[str]:
    """Run the server until the end of the block, and yield the URL of its root, without a slash at the end."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the standard library
            """Keep quiet."""

        def _answer(self, body: dict[str, Any]) -> None:
            parts = urlsplit(self.path)
            known = self.headers.get("authorization", "").startswith("Bearer ")
            asked = {**dict(parse_qsl(parts.query)), **body}
            answer = always or (_route(parts.path, asked) if known else fails_with(401))
            self.send_response(answer.status)
            for name, value in {"content-length": str(len(answer.body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _route(path: str, asked: dict[str, Any]) -> Answer:
    routes = {
{%- if "search" in kinds %}
        "/v1/search": _search,
{%- endif %}
{%- if "source" in kinds %}
        "/v1/records": _records,
{%- endif %}
{%- if "embedding" in kinds %}
        "/v1/embeddings": _embeddings,
{%- endif %}
{%- if "chat" in kinds %}
        "/v1/chat": _chat,
{%- endif %}
    }
    if path not in routes:
        return fails_with(404)
    body = json.dumps(routes[path](asked), ensure_ascii=False).encode()
    return Answer(200, body, {"content-type": "application/json"})
{%- if "search" in kinds %}


def _search(asked: dict[str, Any]) -> dict[str, Any]:
    found = () if NOTHING in asked["q"] else FACTS
    first = (int(asked["page"]) - 1) * int(asked["limit"])
    rows = [
        {
            "link": f"https://light.example/facts/{number}",
            "title": f"Fact {number}",
            "text": fact,
            "author": f"keeper-{number % 3}",
            "published": f"2025-03-{number:02}",
        }
        for number, fact in enumerate(found, start=1)
    ]
    return {"rows": rows[first : first + int(asked["limit"])]}
{%- endif %}
{%- if "source" in kinds %}


def _records(asked: dict[str, Any]) -> dict[str, Any]:
    first = int(asked.get("after") or 0)
    last = min(first + int(asked["limit"]), len(FACTS), first + 5)
    records = [
        {
            "id": f"record-{number}",
            "link": f"https://light.example/records/{number}",
            "title": f"Record {number}",
            "body": FACTS[number],
            "author": f"keeper-{number % 3}",
            "changed": f"2025-04-{number + 1:02}T08:00:00Z",
        }
        for number in range(first, last)
    ]
    return {"records": records, "next": str(last) if last < len(FACTS) else None}
{%- endif %}
{%- if "embedding" in kinds %}


def _embeddings(asked: dict[str, Any]) -> dict[str, Any]:
    rows = [{"index": number, "vector": _vector(text)} for number, text in enumerate(asked["input"])]
    return {"model": asked["model"], "data": rows[::-1]}


def _vector(text: str) -> list[float]:
    """Return numbers that follow from the words of a text; no two of the server's vectors are of different widths."""
    return [(byte + 1) / 256 for byte in hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]]
{%- endif %}
{%- if "chat" in kinds %}


def _chat(asked: dict[str, Any]) -> dict[str, Any]:
    last = asked["messages"][-1]
    reply = {"model": asked["model"], "usage": {"input": len(json.dumps(asked["messages"])) // 4, "output": 12}}
    if asked["max_tokens"] < 50:
        return {**reply, "text": "The light was lit for the", "stop": "length"}
    if "refuses to answer" in last["content"]:
        return {**reply, "text": "I cannot answer that.", "stop": "refusal"}
    if asked.get("tools") and not last.get("tool_results"):
        tool = asked["tools"][0]
        calls = [
            {"id": f"call-{number}", "name": tool["name"], "arguments": _sample(tool["parameters"], word)}
            for number, word in enumerate(("granite", "slate"))
        ]
        return {**reply, "text": "", "tool_calls": calls, "stop": "tools"}
    return {**reply, "text": _text(last["content"], asked.get("schema")), "stop": "end"}


def _text(question: str, schema: dict[str, Any] | None) -> str:
    passages = dict(re.findall(r'<passage id="([^"]*)">(.*?)</passage>', question, re.DOTALL))
    if passages:
        return json.dumps(_draft(passages, dict(re.findall(r'<group id="([^"]*)">(.*?)</group>', question))), ensure_ascii=False)
    return json.dumps(_sample(schema, "granite")) if schema else "The light was lit for the first time in 1859 💡."


def _draft(passages: dict[str, str], groups: dict[str, str]) -> dict[str, Any]:
    """Return a draft that quotes the whole of the first passage of each group."""
    themes: list[dict[str, Any]] = []
    for group, members in groups.items():
        first = members.split()[0]
        quotes = [{"passage": first, "quote": unescape(passages[first])}]
        themes.append({"group": group, "name": "What is said", "claims": [{"quotes": quotes}]})
    return {"themes": themes}


def _sample(schema: dict[str, Any], word: str) -> Any:
    """Return the least that a JSON Schema of objects, lists and plain values allows; strings are `word`."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        return {name: _sample(properties[name], word) for name in schema.get("required", properties)}
    plain: dict[str, Any] = {"array": [], "string": word, "integer": 1, "number": 0.5, "boolean": True}
    return plain.get(schema.get("type", ""))
{%- endif %}
