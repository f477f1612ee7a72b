"""The routes, one function each: what a request asks for is put to a facade, and what that returns is the reply.

POST /api/v1/autonomy/research/complete    ground          ResearchOutcome
POST /api/v1/agent/stream                  agent           events, each an AgentChunk
POST /api/v1/complete                      complete        Completion
POST /api/v1/research                      research        Report, the bytes that the exit made
POST /api/v1/check                         check           CheckReport
POST /api/v1/verify                        verify          Verified
GET  /api/v1/reports/{id}                  store.reopen    Report, published again
GET  /api/v1/evidence/{id}                 show_evidence   Evidence
GET  /healthz, /readyz, /problems/{code}
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path as FilePath
from typing import Annotated, TypeVar

from fastapi import APIRouter, Body, Depends, Header, Path, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response
from veridical.client import Veridical
from veridical_contract import CheckReport, Completion, Report, ResearchOutcome, UsageError

from .bodies import (
    Alive,
    CheckRequest,
    Chosen,
    ConversationRequest,
    Evidence,
    GroundRequest,
    Ready,
    ResearchRequest,
    Verified,
)
from .edge import AUTHORIZED, VERIFY_PATH
from .places import Places
from .problems import KINDS, Refused
from .readiness import Readiness
from .streams import EVENT_ID, Following, Streams
from .strict import StrictRoute

__all__ = ["BUNDLE_TYPES", "router"]

_T = TypeVar("_T")
BUNDLE_TYPES = ("application/zip", "application/octet-stream")
_BUNDLE = {"schema": {"type": "string", "format": "binary"}}

router = APIRouter(route_class=StrictRoute)


def _places(request: Request) -> Places:
    return request.app.state.places


def _streams(request: Request) -> Streams:
    return request.app.state.streams


def _readiness(request: Request) -> Readiness:
    return request.app.state.readiness


class Work:
    """Does something with a facade for one request, unless its client is gone when its turn comes."""

    def __init__(self, request: Request, places: Annotated[Places, Depends(_places)]) -> None:
        self._gone: Callable[[], Awaitable[bool]] = request.is_disconnected
        self._places = places

    async def __call__(self, name: str, verb: Callable[[Veridical], _T]) -> _T:
        """Return what `verb` returns."""
        return await self._places.run(f"veridical.{name}", verb, gone=self._gone)


Working = Annotated[Work, Depends()]


@router.post("/api/v1/autonomy/research/complete", response_model=ResearchOutcome)
async def ground(asked: Annotated[GroundRequest, Body()], work: Working) -> Response:
    """Answer a question about the world from a real search, each statement with its citation, or refuse; no model has a part in it.

    A refusal is an answer, with status 200: `ok` is false, and `refusal_reason` is for a person, verbatim.
    """
    outcome = await work(
        "ground", lambda veridical: veridical.ground(asked.query, sources=asked.sources, pages=asked.pages, limit=asked.limit)
    )
    return _json(outcome)


async def _following(
    request: Request,
    streams: Annotated[Streams, Depends(_streams)],
    asked: Annotated[ConversationRequest | None, Body()] = None,
    last_event_id: Annotated[str | None, Header(pattern=EVENT_ID, description="Of the last event that came: those after it.")] = None,
) -> Following:
    if last_event_id is not None:
        return streams.resume(last_event_id)
    if asked is None:
        raise Refused("invalid", "There is no body: expected turns.")
    return await streams.begin(asked.turns, gone=request.is_disconnected)


@router.post("/api/v1/agent/stream", response_class=EventSourceResponse)
async def agent(following: Annotated[Following, Depends(_following)]) -> AsyncGenerator[ServerSentEvent]:
    """Let the assistant reply to a conversation, as events: the name of each is the type of its chunk, its data the chunk, as JSON.

    Whoever lost the connection sends the request again with the id of the last event that came, in `Last-Event-ID`, and gets those after
    it; the body may be left out then. The last event is `done` or `failed`.
    """
    async for event in following.stream.follow(following.after):
        yield ServerSentEvent(raw_data=event.data, event=event.name, id=event.id)


@router.post("/api/v1/complete", response_model=Completion)
async def complete(asked: Annotated[ConversationRequest, Body()], work: Working) -> Response:
    """Reply to a conversation: with an outcome where its newest prompt is about the world, else with a model's words, labelled."""
    return _json(await work("complete", lambda veridical: veridical.complete(asked.turns)))


@router.post("/api/v1/research", response_model=Report)
async def research(asked: Annotated[ResearchRequest, Body()], work: Working) -> Response:
    """Answer a question with a report: themes, quotes that stand in the evidence word for word, and counts.

    The body is what the exit made, byte for byte. A refusal is a report too, with `outcome` `refused`.
    """
    web = asked.web or asked.pages > 0
    if not asked.sources and not web:
        raise Refused("usage", "Nothing is named to look in. Expected sources, or web.")
    published = await work(
        "research",
        lambda veridical: veridical.research(
            asked.query, sources=asked.sources, must_address=asked.must_address, web=web, pages=asked.pages, seed=asked.seed
        ),
    )
    return Response(published.report_bytes, media_type="application/json")


@router.post("/api/v1/check", response_model=CheckReport)
async def check(asked: Annotated[CheckRequest, Body()], work: Working) -> Response:
    """Judge every quotation, address, number and citation in drafts that are sent."""
    if len({draft.name for draft in asked.drafts}) < len(asked.drafts):
        raise Refused("usage", "Two drafts have one name.")
    drafts = [(draft.name, draft.text.encode("utf-8")) for draft in asked.drafts]
    checked = await work("check", lambda veridical: veridical.check(drafts, sources=asked.sources, strict=asked.strict))
    return _json(checked.report)


@router.post(
    VERIFY_PATH,
    response_model=Verified,
    openapi_extra={"requestBody": {"required": True, "content": dict.fromkeys(BUNDLE_TYPES, _BUNDLE)}},
)
async def verify(
    request: Request,
    work: Working,
    root: Annotated[str | None, Query(pattern="^[0-9a-fA-F]{64}$", description="Its root digest, got elsewhere than with it.")] = None,
) -> Response:
    """Check a bundle, sent as bytes, with the stand-alone checker, in a clean interpreter.

    A bundle that does not verify is an answer, with status 200: `ok` is false.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in BUNDLE_TYPES:
        raise Refused("media-type", f"This route takes {' or '.join(BUNDLE_TYPES)}.")
    with tempfile.TemporaryDirectory(prefix="veridical-http-") as folder:
        bundle = FilePath(folder) / "bundle.zip"
        await _write(request, bundle)
        found = await work("verify", lambda veridical: veridical.verify(bundle, root=root))
    said = (found.text or found.problem).replace(str(bundle), "the bundle").strip()
    return _json(Verified(ok=found.code == 0, code=found.code, said=said))


@router.get("/api/v1/reports/{id}", response_model=Report)
async def report(
    identifier: Annotated[str, Path(alias="id", pattern="^[0-9a-f]{32}$", description="Of its run, as in `run.id`.")], work: Working
) -> Response:
    """The report of a past run, checked against the store as it is now and published again."""
    published = await _found(work("report", lambda veridical: veridical.store.reopen(identifier)))
    return Response(published.report_bytes, media_type="application/json")


@router.get("/api/v1/evidence/{id}", response_model=Evidence)
async def evidence(
    identifier: Annotated[str, Path(alias="id", pattern="^[0-9a-f]{64}$", description="Of a document, as in citations.")], work: Working
) -> Response:
    """A document of the store, read again and checked."""
    found = await _found(work("evidence", lambda veridical: veridical.show_evidence(identifier)))
    return _json(Evidence(id=found.id, document=found.document))


@router.get("/healthz")
async def healthz() -> Alive:
    """Whether the process answers."""
    return Alive()


@router.get("/readyz")
async def readyz(request: Request, readiness: Annotated[Readiness, Depends(_readiness)]) -> Ready:
    """Whether a run could work, and whom it would ask. Who did not bring the token learns the first alone."""
    health = await readiness.health()
    known: bool = request.scope["state"][AUTHORIZED]
    if health.problems or health.store is None:
        raise Refused("not-ready", problems=health.problems if known else ())
    if not known:
        return Ready()
    choices = tuple(Chosen(kind=choice.kind, name=choice.name, why=choice.why) for choice in health.choices)
    return Ready(choices=choices, documents=health.store.documents)


@router.get("/problems/{code}", response_class=PlainTextResponse)
async def problem(code: Annotated[str, Path(pattern="^[a-z-]{1,40}$", description="As in a problem.")]) -> str:
    """What a kind of problem means: where the `type` of a problem leads."""
    if code not in KINDS:
        raise Refused("not-found")
    kind = KINDS[code]
    return f"{kind.title} ({kind.status}, {code})\n\n{kind.meaning}\n"


def _json(model: BaseModel) -> Response:
    """Return a model as it is, once: FastAPI would take it apart and check it again."""
    return Response(model.model_dump_json(), media_type="application/json")


async def _found(looking: Awaitable[_T]) -> _T:
    """Return what was found; what is not there has a status of its own where it is all that was asked for."""
    try:
        return await looking
    except UsageError as error:
        raise Refused("not-found", error.message) from error


async def _write(request: Request, file: FilePath) -> None:
    with file.open("wb") as to:
        async for part in request.stream():
            await run_in_threadpool(to.write, part)
