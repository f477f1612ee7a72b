"""An honest chat plugin over an API that nobody has, and those that put words into its mouth, point elsewhere, and do not listen.

POST /v1/talk    {"turns", "limit", "shape", "means", "web", "papers", "flow"}
a reply          {"engine", "why", "said": [block], "found": [page], "marks": [stretch, in bytes of its block], "cost"}
with "flow"      events: {"type": "start"}, {"type": "words"} as they come, {"type": "rest"} for what else there is, {"type": "over"}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from veridical_contract.testing import check_ids
from veridical_contract.testing.checks.conversations import PASSAGES

from . import Honest, broken

__all__ = ["BROKEN", "COMPOSER", "HONEST"]

SOURCE = '''"""Acme chat."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from veridical_contract import (
    CancelledError,
    ChatDelta,
    ChatReply,
    ChatRequest,
    Grounding,
    GroundingChunk,
    GroundingSpan,
    Model,
    PassageCitation,
    PluginContext,
    ProviderError,
    ToolCall,
    Usage,
    WireMap,
    WirePlace,
    compose_prompt,
    hookimpl,
    parse_draft,
    parse_json,
    provider_call,
)

STOPS = {"done": "end", "asks": "tools", "full": "length", "will-not": "refusal"}
URL = "https://api.acme.example/v1/talk"


class Settings(Model):
    """Which engine."""

    engine: str = "acme-2"


class Acme:
    """Acme chat."""

    wire = {
        "pages": WireMap(base_url=URL, item="/found/*", url="href", title="heading"),
        "words": WireMap(base_url=URL, item="/marks/*/taken/*", url="href", title="heading", text=("quote",)),
        "flow-pages": WireMap(base_url=URL, layout="sse", item="/*/found/*", url="href", title="heading", end="over"),
        "flow-words": WireMap(base_url=URL, layout="sse", item="/*/marks/*/taken/*", url="href", title="heading", text=("quote",), end="over"),
    }

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self.model = context.settings(Settings).engine
        self._http = context.http(headers={"X-Key": context.secret("ACME_API_KEY")})

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        body, found = self._body(request), []
        while True:
            self._check_wanted()
            reply = self._http.post(URL, json=body).raise_for_status().json()
            found.append(reply)
            if reply["why"] != "pause":
                return self._reply(request, found, "")
            body = body | {"more": reply["token"]}

    @hookimpl
    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        body, found = self._body(request) | {"flow": True}, []
        while True:
            self._check_wanted()
            reply = yield from self._flow(body)
            found.append(reply)
            if reply["why"] != "pause":
                break
            body = body | {"more": reply["token"]}
        yield ChatDelta(reply=self._reply(request, found, "flow-"))

    def _flow(self, body: dict[str, Any]) -> Any:
        blocks: list[str] = []
        whole: dict[str, Any] = {}
        number = -1
        with self._http.stream("POST", URL, json=body) as reply:
            reply.raise_for_status()
            for line in reply.iter_lines():
                if not line.startswith("data: "):
                    continue
                self._check_wanted()
                number += 1
                event = json.loads(line[6:])
                if event["type"] == "words":
                    blocks += [""] * (event["block"] + 1 - len(blocks))
                    blocks[event["block"]] += event["words"]
                    yield ChatDelta(text=event["words"])
                else:
                    whole |= event | {"event": number if event["type"] == "rest" else whole.get("event")}
        if whole.get("type") != "over":
            raise ProviderError("Acme sent half of a reply.", failure="malformed")
        for place, words in enumerate(blocks):
            whole["said"][place]["words"] = words
        return whole

    def _check_wanted(self) -> None:
        if self._context.cancelled():
            raise CancelledError("acme: nobody waits for it.")

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        names = {call.id: call for turn in request.messages for call in turn.tool_calls}
        turns: list[dict[str, Any]] = []
        for turn in request.messages:
            for result in turn.tool_results:
                turns.append({"by": "tool", "key": names[result.call].id, "came": result.text, "wrong": result.failed})
            calls = [{"key": call.id, "tool": call.name, "with": call.arguments} for call in turn.tool_calls]
            if turn.text or calls:
                turns.append({"by": turn.role, "words": turn.text, "uses": calls})
        body: dict[str, Any] = {"engine": self.model, "turns": turns, "limit": request.max_output_tokens}
        if request.task == "compose":
            turns.append({"by": "user", "words": request.question})
            turns.append({"by": "user", "words": compose_prompt(request)})
        if request.response_schema is not None:
            body["shape"] = request.response_schema
        if request.tools:
            body["means"] = [{"tool": tool.name, "does": tool.description, "takes": tool.parameters} for tool in request.tools]
        if request.task == "ground":
            search = request.search
            limits = {"only": search.include_domains, "not": search.exclude_domains, "days": [search.since, search.until]} if search else {}
            body["web"] = {"question": request.question, **limits}
        if request.task == "cite":
            body["papers"] = [{"key": passage.id, "paper": passage.text} for passage in request.passages]
        return body

    def _reply(self, request: ChatRequest, turns: list[Any], way: str) -> ChatReply:
        said = [block for turn in turns for block in turn["said"]]
        last = turns[-1]
        parts = tuple(block["words"] for block in said if "words" in block)
        text = "".join(parts)
        stop = STOPS[last["why"]]
        wants = stop == "end" and (request.task == "compose" or request.response_schema is not None)
        return ChatReply(
            text=text,
            parts=parts,
            draft=parse_draft(text) if wants and request.task == "compose" else None,
            structured=parse_json(text) if wants and request.task != "compose" else None,
            tool_calls=tuple(ToolCall(id=block["key"], name=block["tool"], arguments=block["with"]) for block in said if "tool" in block),
            grounding=self._grounding(last, way) if request.task == "ground" else None,
            citations=tuple(self._citations(said)) if request.task == "cite" else (),
            stop=stop,
            model=last["engine"],
            usage=Usage(input_tokens=last["cost"]["in"], output_tokens=last["cost"]["out"]),
        )

    def _grounding(self, reply: Any, way: str) -> Grounding:
        before = f"/{reply['event']}" if way else ""
        chunks = tuple(
            GroundingChunk(place=WirePlace(map=f"{way}pages", item=f"{before}/found/{n}"), url=page["href"], title=page["heading"])
            for n, page in enumerate(reply["found"])
        )
        spans = tuple(
            GroundingSpan(
                part=mark["block"],
                start=mark["from"],
                end=mark["to"],
                unit="utf8",
                text=mark["says"],
                chunks=tuple(mark["pages"]),
                excerpts=tuple(
                    WirePlace(map=f"{way}words", item=f"{before}/marks/{n}/taken/{k}", text="quote") for k, _ in enumerate(mark["taken"])
                ),
            )
            for n, mark in enumerate(reply["marks"])
        )
        return Grounding(chunks=chunks, spans=spans)

    def _citations(self, said: list[Any]) -> Iterator[PassageCitation]:
        for number, block in enumerate(said):
            for taken in block.get("from", ()):
                yield PassageCitation(passage=taken["key"], start=taken["start"], end=taken["end"], text=taken["quote"], part=number)
'''


def _events(reply: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of a reply: words in halves, what else there is, the end."""
    yield {"type": "start", "engine": reply["engine"]}
    for block, said in enumerate(reply["said"]):
        words = said.get("words", "")
        for piece in (words[: len(words) // 2], words[len(words) // 2 :]) if words else ():
            yield {"type": "words", "block": block, "words": piece}
    blocks = [{name: value for name, value in said.items() if name != "words"} for said in reply["said"]]
    yield {**reply, "type": "rest", "said": blocks}
    yield {"type": "over"}


def _kept(body: str, kind: str) -> dict[str, Any]:
    url = "https://api.acme.example/v1/talk"
    return {"method": "POST", "url": url, "status": 200, "headers": [["content-type", kind]], "body": body}


def _whole(*replies: dict[str, Any]) -> list[dict[str, Any]]:
    return [_kept(json.dumps(reply, ensure_ascii=False), "application/json") for reply in replies]


def _flowing(*replies: dict[str, Any]) -> list[dict[str, Any]]:
    streams = ("".join(f"data: {json.dumps(event, ensure_ascii=False)}\n\n" for event in _events(reply)) for reply in replies)
    return [_kept(stream, "text/event-stream") for stream in streams]


def _said(*blocks: dict[str, Any], why: str = "done", **more: Any) -> dict[str, Any]:
    return {"engine": "acme-2.1", "why": why, "said": list(blocks), "found": [], "marks": [], "cost": {"in": 40, "out": 12}, **more}


def _words(words: str, **more: Any) -> dict[str, Any]:
    return {"words": words, **more}


def _mark(block: int, part: str, says: str, page: int, quote: str) -> dict[str, Any]:
    first = len(part[: part.index(says)].encode())
    taken = [{**_PAGES[page], "quote": quote}]
    return {"block": block, "from": first, "to": first + len(says.encode()), "says": says, "pages": [page], "taken": taken}


def _taken(number: int, quote: str) -> dict[str, Any]:
    passage = PASSAGES[number]
    start = passage.text.index(quote)
    return {"key": passage.id, "start": start, "end": start + len(quote), "quote": quote}


_PAGES = (
    {"href": "https://www.example.com/koelner-dach?seite=1", "heading": "Das Dach der Kölner Kapelle"},
    {"href": "https://example.org/patina", "heading": "Patina: a short history 🟩"},
    {"href": "https://docs.example.net/ferry", "heading": "Ferry times"},
)
_FIRST = "🟩 In Köln, the sheets were green by 1931. "
_SECOND = "🟩 Kölns chronicle calls it Grünspan 🛠️; rain did the rest."
_DRAFT = {
    "themes": [
        {
            "group": "g-71",
            "name": "How the roof turned green",
            "claims": [{"text": None, "quotes": [{"passage": "p-4c1", "quote": "turned green & dull within <20> years 🟩"}]}],
        }
    ],
    "answers": [
        {"question": 0, "claims": [{"text": "It cost 4200 marks.", "quotes": [{"passage": "p-9e7", "quote": "Es kostete 4200 Mark"}]}]}
    ],
}
_GROUNDED = _said(
    _words(_FIRST),
    _words(_SECOND),
    found=list(_PAGES),
    marks=[
        _mark(0, _FIRST, "In Köln, the sheets were green by 1931.", 0, "Schon 1931 lag das Blech grün über der Kapelle."),
        _mark(1, _SECOND, "Kölns chronicle calls it Grünspan 🛠️", 1, "Chroniclers of the Rhine wrote of Grünspan long before chemists did."),
        _mark(1, _SECOND, "rain did the rest", 1, "Acid showers speed up what air alone would need decades for."),
    ],
)
_REPLIES: dict[str, list[dict[str, Any]]] = {
    "ordinary": [_said(_words("It is called Grünspan, "), _words("or verdigris 🟩."))],
    "conversation": [_said(_words("Der Kölner Dom: 1880 🛠️.\n"))],
    "cut-short": [_said(_words("Copper roofs have a long"), why="full")],
    "refused": [_said(_words("I would rather not."), why="will-not")],
    "continued": [_said(_words("The first half, 🟩 "), why="pause", token="t-1"), _said(_words("and the second."))],
    "structured": [_said(_words('{"colour": "grün", "years": 20}'))],
    "tools": [
        _said(
            {"key": "u-1", "tool": "weather", "with": {"city": "Zürich"}},
            {"key": "u-2", "tool": "weather", "with": {"city": "東京"}},
            why="asks",
        )
    ],
    "tool-results": [_said(_words("Fog in Zürich; nothing is known of 東京."))],
    "compose": [_said(_words(json.dumps(_DRAFT, ensure_ascii=False)))],
    "ground": [_GROUNDED],
    "ground-domains": [_GROUNDED],
    "ground-dates": [_GROUNDED],
    "not-ground": [_said(_words("🟩 I do not know when the roof in Köln turned green."))],
    "cite": [
        _said(
            _words("🟩 Köln paid ", **{"from": [_taken(1, "Es kostete 4200 Mark")]}),
            _words("for a roof that lasted. ", **{"from": [_taken(1, "hielt achtzig Jahre"), _taken(0, "Nobody had expected that.")]}),
            _words("It turned green soon.", **{"from": [_taken(2, "銅の屋根は数年で緑色になった。")]}),
        )
    ],
}


def _cassette(**others: list[dict[str, Any]]) -> str:
    replies = {**_REPLIES, **{name.replace("_", "-"): value for name, value in others.items()}}
    scenarios = {name: _whole(*found) for name, found in replies.items()}
    scenarios |= {f"{name}-streamed": _flowing(*found) for name, found in replies.items()}
    made = {"plugin": "acme", "kind": "chat", "kit": "0.1.0", "recorded_at": "2026-03-01T12:00:00Z", "scenarios": scenarios}
    return json.dumps({"format": "veridical-cassette/1", **made}, ensure_ascii=False, indent=1)


HONEST = Honest(
    "chat",
    SOURCE,
    skipped=frozenset({"no-secret-kept"}),
    files={"py.typed": "", "cassettes/chat-acme.json": _cassette()},
)

_COMPOSER = '''"""Acme picks a sentence."""

from __future__ import annotations

from veridical_contract import ChatReply, ChatRequest, Draft, DraftClaim, DraftQuote, DraftTheme, PluginContext, PluginError, hookimpl


class Acme:
    """Acme picks the first sentence of each group."""

    model = "acme-sentences/1"

    def __init__(self, context: PluginContext) -> None:
        self._context = context

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        if request.task != "compose":
            raise PluginError("acme has no words of its own.", hint="Choose another chat plugin.")
        texts = {passage.id: passage.text for passage in request.passages}
        themes = [self._theme(group.id, group.passages[0], texts) for group in request.groups]
        return ChatReply(draft=Draft(themes=tuple(themes)), model=self.model)

    def _theme(self, group: str, passage: str, texts: dict[str, str]) -> DraftTheme:
        quote = DraftQuote(passage=passage, quote=texts[passage].partition(".")[0])
        return DraftTheme(group=group, name_quote=quote, claims=(DraftClaim(quotes=(quote,)),))
'''
_HELD = {
    *("entry-point", "contract-range", "typed", "import-quiet", "construct", "hooks", "deprecated-argument", "construct-quiet"),
    *(
        "context-only",
        "answers",
        "deterministic",
        "instances-apart",
        "closed",
        "process-untouched",
        "prints-nothing",
        "reply-shape",
        "draft",
    ),
}
COMPOSER = Honest("chat", _COMPOSER, skipped=frozenset(check_ids("chat")) - _HELD)
"""It asks no service, and does nothing but compose."""

_PARTS = '        parts = tuple(block["words"] for block in said if "words" in block)\n'
_ENDED = '        if whole.get("type") != "over":\n'
_SPAN = """                end=mark["to"],
                unit="utf8",
                text=mark["says"],
"""
_PLACE = 'place=WirePlace(map=f"{way}pages", item=f"{before}/found/{n}")'

BROKEN = [
    broken(
        HONEST,
        "fails-malformed",
        "takes a stream without an event for a refusal",
        (
            _ENDED,
            "        if number < 0:\n"
            "            return {'engine': self.model, 'why': 'will-not', 'said': [], 'found': [], 'marks': [], 'cost': {'in': 0, 'out': 0}}\n"
            + _ENDED,
        ),
    ),
    broken(HONEST, "reply-shape", "does not name its model", ('model=last["engine"],', 'model="",')),
    broken(
        HONEST,
        "text-joined",
        "joins its parts with line breaks",
        ("            text=text,\n", '            text=text if way else "\\n".join(parts),\n'),
    ),
    broken(HONEST, "text-joined", "strips its text", ("            text=text,\n", "            text=text if way else text.strip(),\n")),
    broken(
        HONEST,
        "text-invented",
        "strips its parts",
        (_PARTS, _PARTS + "        parts = parts if way else tuple(part.strip() for part in parts)\n"),
    ),
    broken(
        HONEST,
        "text-dropped",
        "hands in the first part alone",
        (_PARTS, _PARTS + '        parts = parts if way or request.task != "complete" else parts[:1]\n'),
    ),
    broken(
        HONEST,
        "messages",
        "leaves out what the model said before",
        ("            if turn.text or calls:\n", '            if calls or turn.role != "assistant":\n'),
    ),
    broken(HONEST, "stop-length", "takes a reply that was cut for a whole one", ('"full": "length"', '"full": "end"')),
    broken(HONEST, "stop-refusal", "takes a refusal for an answer", ('"will-not": "refusal"', '"will-not": "end"')),
    broken(
        HONEST,
        "structured",
        "puts right what the model wrote",
        ("structured=parse_json(text) if", 'structured={**parse_json(text), "years": 25} if'),
    ),
    broken(
        HONEST,
        "structured-none",
        "takes words for an empty value",
        (
            "            structured=parse_json(text) if",
            "            structured=(parse_json(text) if text.startswith('{') else {}) if",
        ),
    ),
    broken(
        HONEST,
        "tool-calls",
        "hands in the calls in the order of their arguments",
        (
            "            tool_calls=tuple(ToolCall(",
            "            tool_calls=tuple(sorted((ToolCall(",
        ),
        (
            'for block in said if "tool" in block),',
            'for block in said if "tool" in block), key=lambda call: call.arguments["city"], reverse=True)),',
        ),
    ),
    broken(HONEST, "tool-results", "does not say that a tool failed", ('"wrong": result.failed', '"wrong": False')),
    broken(
        HONEST,
        "passages-sent",
        "shows the first two passages alone",
        ("compose_prompt(request)}", 'compose_prompt(request.model_copy(update={"passages": request.passages[:2]}))}'),
    ),
    broken(
        HONEST,
        "draft",
        "leaves out the answers of a draft",
        ("draft=parse_draft(text) if", 'draft=parse_draft(text).model_copy(update={"answers": ()}) if'),
    ),
    broken(COMPOSER, "draft", "puts two sentences together", ('.partition(".")[0]', '.replace(". ", "; ")')),
    broken(COMPOSER, "draft", "makes up a group", ("return DraftTheme(group=group,", 'return DraftTheme(group="g-1",')),
    broken(
        HONEST,
        "stream-shape",
        "has text in the piece with the reply",
        ("        yield ChatDelta(reply=self._reply(", '        yield ChatDelta(text=" ", reply=self._reply('),
    ),
    broken(
        HONEST,
        "stream-joined",
        "writes its pieces in capitals",
        ('yield ChatDelta(text=event["words"])', 'yield ChatDelta(text=event["words"].upper())'),
    ),
    broken(
        HONEST,
        "stream-pieces",
        "decodes small pieces each for itself",
        (
            "            for line in reply.iter_lines():\n",
            "            pieces = list(reply.iter_bytes())\n"
            "            small = all(len(piece) < 4 for piece in pieces)\n"
            '            text = "".join(piece.decode("utf-8", "replace") for piece in pieces) if small else b"".join(pieces).decode()\n'
            '            for line in text.split("\\n"):\n',
        ),
    ),
    broken(
        HONEST,
        "stream-broken",
        "takes the words that came for the whole reply",
        (
            _ENDED,
            "        if blocks:\n"
            "            rest = {'why': 'done', 'said': [{} for _ in blocks], 'found': [], 'marks': [], 'cost': {'in': 0, 'out': 0}}\n"
            "            whole = {**rest, **whole, 'type': 'over'}\n" + _ENDED,
        ),
    ),
    broken(
        HONEST,
        "stream-cancelled",
        "streams on when nobody listens",
        ("                    continue\n                self._check_wanted()\n", "                    continue\n"),
    ),
    broken(
        HONEST,
        "turns-cancelled",
        "goes on with a reply that nobody waits for",
        ("            self._check_wanted()\n            reply = self._http", "            reply = self._http"),
    ),
    broken(
        HONEST,
        "ground-asked",
        "has the web searched for everything",
        ('        if request.task == "ground":\n            search', "        if request.question:\n            search"),
    ),
    broken(HONEST, "ground-limits", "does not pass domains on", ('"only": search.include_domains, ', "")),
    broken(HONEST, "grounding", "says of no stretch what it rests on", ("chunks=chunks, spans=spans", "chunks=chunks, spans=()")),
    broken(HONEST, "chunk-placed", "says of no page where it stands", (_PLACE, "place=None")),
    broken(
        HONEST,
        "chunk-invented",
        "names a page that was not found",
        (
            "        return Grounding(chunks=chunks,",
            '        ghost = WirePlace(map=f"{way}pages", item=f"{before}/found/99")\n'
            '        chunks = (*chunks, GroundingChunk(place=ghost, url="https://example.org/ghost"))\n        return Grounding(chunks=chunks,',
        ),
    ),
    broken(HONEST, "chunk-url", "cuts the query off every URL", ('url=page["href"]', 'url=page["href"].partition("?")[0]')),
    broken(
        HONEST, "chunk-title", "gives each page the title of another", ('title=page["heading"]', 'title=reply["found"][n - 1]["heading"]')
    ),
    broken(HONEST, "span-off", "takes bytes for characters", ('unit="utf8"', 'unit="codepoint"')),
    broken(HONEST, "span-off", "begins every span one byte late", ('start=mark["from"]', 'start=mark["from"] + 1')),
    broken(
        HONEST,
        "span-text",
        "cuts the words of a span out of the text, one character too many",
        (
            _SPAN,
            """                end=mark["to"] + 1,
                unit="utf8",
                text=reply["said"][mark["block"]]["words"].encode()[mark["from"] : mark["to"] + 1].decode(),
""",
        ),
    ),
    broken(
        HONEST,
        "span-swapped",
        "counts pages from the end",
        ('chunks=tuple(mark["pages"])', 'chunks=tuple(len(chunks) - 1 - page for page in mark["pages"])'),
    ),
    broken(
        HONEST,
        "excerpt-off",
        "brings the words of the next page",
        ("/marks/{n}/taken/{k}", "/marks/{(n + 1) % len(reply['marks'])}/taken/{k}"),
    ),
    broken(
        HONEST,
        "finding",
        "gives the place where a page is cited, not where it was found",
        (_PLACE, 'place=WirePlace(map=f"{way}words", item=f"{before}/marks/{n}/taken/0") if n < 2 else ' + _PLACE.removeprefix("place=")),
    ),
    broken(HONEST, "citation", "makes up identifiers", ('passage=taken["key"]', 'passage=taken["key"].upper()')),
    broken(
        HONEST,
        "citation-off",
        "counts from one",
        ('start=taken["start"], end=taken["end"]', 'start=taken["start"] + 1, end=taken["end"] + 1'),
    ),
    broken(
        HONEST,
        "citation-text",
        "cuts the words of a citation out of the passage, one character too many",
        ("self._citations(said)", "self._citations(said, {passage.id: passage.text for passage in request.passages})"),
        ("def _citations(self, said: list[Any])", "def _citations(self, said: list[Any], sent: dict[str, str])"),
        (
            'start=taken["start"], end=taken["end"], text=taken["quote"]',
            'start=taken["start"] - 1, end=taken["end"], text=sent[taken["key"]][taken["start"] - 1 : taken["end"]]',
        ),
    ),
    broken(HONEST, "citation-moved", "gives the citations of a part to another", ("part=number)", "part=len(said) - 1 - number)")),
    broken(
        HONEST,
        "citation-moved",
        "brings the citations in another order",
        ("tuple(self._citations(said))", "tuple(self._citations(said))[::-1]"),
    ),
]
