"""A chat server on loopback that speaks OpenAI's chat completions, whole and as server-sent events, and says what a test tells it to.

    with conversing(tmp_path, invent) as setup, setup.open() as veridical:
        veridical.agent([Turn(role="user", text="Who was Marie Curie?")])

Beside it a search service answers with `CURIE`, so that what the model makes up can be told from what the evidence says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from veridical import Veridical

from tests.providers.service import Answer, Asked, Service, as_json, service
from tests.providers.several import Behaviour, Several, several
from tests.surfaces.test_ground import CURIE

__all__ = ["INVENTED", "KEY", "Conversing", "Said", "conversing", "invent", "research_first", "saying"]

KEY = "key-of-the-chat-server"
INVENTED = (
    "Marie Curie was born in Warsaw on November 7, 1867, the daughter of a secondary-school teacher. [2]\n\n"
    "She was born in Krakow in 1871 [1] and weighed 4242 pounds. “I never slept,” she told Dr. Zorblax. "
    "See [her diary](https://evil.example/diary) or <a href='https://evil.example'>this</a>, https://evil.example/4242, www.evil.example. "
    "According to Zorblax she embezzled the prize [99].\n"
    "- **Marie Curie** received a second prize for the discovery of radium and polonium. [3]\n"
)
"""One sentence of the evidence, inventions of every kind, and one statement in the model's words that the evidence carries."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the server says to one request.

    Attributes:
        text: of the reply.
        calls: tools that it calls, as (identifier, name).
        cuts: places in the text where one event of a stream ends and the next begins; None for an event every three characters.
        failure: status to answer with instead, with the text as the error's message.
        broken: a stream is cut off after its text.
    """

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    cuts: Sequence[int] | None = None
    failure: int = 0
    broken: bool = False


Script = Callable[[dict[str, Any]], Said]
"""What to say to the body of a request."""


@dataclass(slots=True)
class Conversing:
    """What was set up.

    Attributes:
        several: the home, with its search services.
        server: the chat server.
    """

    several: Several
    server: Service

    def open(self, **arguments: Any) -> Veridical:
        """Return a new facade of this home."""
        return self.several.open(**arguments)

    def asked(self) -> list[dict[str, Any]]:
        """The bodies of all requests that came to the chat server, in order."""
        return [one.json for one in self.server.asked]


def saying(text: str, **said: Any) -> Script:
    """Always say `text`."""
    return lambda _body: Said(text, **said)


def research_first(text: str, **said: Any) -> Script:
    """Call the tool, and say `text` to its result."""

    def script(body: dict[str, Any]) -> Said:
        answered = any(message["role"] == "tool" for message in body["messages"])
        return Said(text, **said) if answered else Said(calls=(("call_1", "grounded_research"),))

    return script


def invent(body: dict[str, Any]) -> Said:
    """Never call the tool, and make everything up."""
    return Said(INVENTED)


@contextmanager
def conversing(folder: Path, script: Script, *, hits: Behaviour = CURIE, settings: str = "") -> Generator[Conversing]:
    """Set up a home with one search provider and the chat server, until the end of the block.

    Args:
        folder: for the home.
        script: what the model says.
        hits: what the search finds, or how it answers.
        settings: more lines of the settings file, with tables of their own.
    """
    with service(lambda asked: _answer(asked, script)) as server:
        table = f'[plugin.openai]\nbase_url = "{server.url}/v1"\nretries = 0\n'
        with several(folder, {"brave": hits}, settings=f"{table}{settings}") as home:
            file = home.home / "settings.toml"
            file.write_text(file.read_text("utf-8").replace('enabled = ["brave"]', 'enabled = ["brave", "openai"]'), "utf-8")
            home.environment["OPENAI_API_KEY"] = KEY
            yield Conversing(home, server)


def _answer(asked: Asked, script: Script) -> Answer:
    said = script(asked.json)
    if said.failure:
        return as_json({"error": {"message": said.text, "type": "server_error", "code": None}}, said.failure)
    if asked.json.get("stream"):
        end = b"" if said.broken else b"data: [DONE]\n\n"
        return Answer(b"".join(_events(said)) + end, headers={"Content-Type": "text/event-stream"})
    calls = [{"id": call, "type": "function", "function": {"name": name, "arguments": "{}"}} for call, name in said.calls]
    message = {"role": "assistant", "content": said.text or None, **({"tool_calls": calls} if calls else {})}
    return as_json(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "hallucinator-1",
            "choices": [{"index": 0, "message": message, "finish_reason": _finish(said)}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }
    )


def _events(said: Said) -> Iterator[bytes]:
    places = range(3, len(said.text), 3) if said.cuts is None else [place for place in sorted(said.cuts) if place < len(said.text)]
    yield _event({"role": "assistant", "content": ""})
    yield from (_event({"content": said.text[start:end]}) for start, end in pairwise([0, *places, len(said.text)]))
    for index, (call, name) in enumerate(said.calls):
        yield _event({"tool_calls": [{"index": index, "id": call, "type": "function", "function": {"name": name, "arguments": "{}"}}]})
    yield _event({}, _finish(said))


def _event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "hallucinator-1", "choices": [choice]}
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"


def _finish(said: Said) -> str:
    return "tool_calls" if said.calls else "stop"
