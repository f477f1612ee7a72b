"""What is asked, over all routes, and what a right reply is."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import httpx

from .provider import question

__all__ = ["NOTE", "Asked", "Known", "asked"]

NOTE = "The battery fails after two hours of use. The screen is fine and bright. The hinge has a crack near the left screw.\n"


class Known(NamedTuple):
    """What was made before, to be asked for.

    Attributes:
        report: identifier of a run.
        evidence: identifier of a document.
        bundle: its bytes.
    """

    report: str
    evidence: str
    bundle: bytes


class Asked(NamedTuple):
    """A request.

    Attributes:
        route: what it is counted as.
        method: of it.
        path: of it.
        options: for httpx.
        right: whether a reply of status 200 is what it should be.
    """

    route: str
    method: str
    path: str
    options: dict[str, Any]
    right: Callable[[httpx.Response], bool]


_WEIGHTS = {
    "ground": 50,
    "complete": 6,
    "agent": 6,
    "research": 10,
    "check": 10,
    "evidence": 6,
    "report": 4,
    "verify": 2,
    "readyz": 2,
    "healthz": 4,
}


def asked(number: int, known: Known) -> Asked:
    """Return the request of this number; the same numbers are the same requests."""
    (route,) = random.Random(number).choices(list(_WEIGHTS), list(_WEIGHTS.values()))
    return _MAKERS[route](number, known)


def _post(route: str, path: str, body: Any, right: Callable[[httpx.Response], bool]) -> Asked:
    return Asked(route, "POST", f"/api/v1/{path}", {"json": body}, right)


def _get(route: str, path: str, right: Callable[[httpx.Response], bool]) -> Asked:
    return Asked(route, "GET", path, {}, right)


def _ground(number: int, _: Known) -> Asked:
    return _post(
        "ground",
        "autonomy/research/complete",
        {"query": question(number)},
        lambda reply: reply.json()["ok"] and f"sample {number} " in reply.text,
    )


def _complete(number: int, _: Known) -> Asked:
    turns = [{"role": "user", "text": question(number)}]
    return _post(
        "complete", "complete", {"turns": turns}, lambda reply: f"sample {number} " in reply.json()["outcome"]["citations"][0]["snippet"]
    )


def _agent(number: int, _: Known) -> Asked:
    turns = [{"role": "user", "text": question(number)}]
    return _post("agent", "agent/stream", {"turns": turns}, lambda reply: "event: done" in reply.text and f"sample {number} " in reply.text)


def _research(number: int, _: Known) -> Asked:
    body = {"query": "Why does the battery fail?", "sources": ["notes"], "seed": number}
    return _post(
        "research", "research", body, lambda reply: reply.json()["outcome"] == "answered" and reply.json()["run"]["seed"] == number
    )


def _check(number: int, _: Known) -> Asked:
    text = f'Draft {number} says "The battery fails after two hours of use." and "The hinge has a dent near the left screw."'
    body = {"drafts": [{"name": "draft.md", "text": text}], "sources": ["notes"]}
    return _post("check", "check", body, lambda reply: reply.json()["outcome"] == "not-in-evidence")


def _evidence(_: int, known: Known) -> Asked:
    return _get("evidence", f"/api/v1/evidence/{known.evidence}", lambda reply: reply.json()["id"] == known.evidence)


def _report(_: int, known: Known) -> Asked:
    return _get("report", f"/api/v1/reports/{known.report}", lambda reply: reply.json()["run"]["id"] == known.report)


def _verify(_: int, known: Known) -> Asked:
    options = {"content": known.bundle, "headers": {"Content-Type": "application/zip"}}
    return Asked("verify", "POST", "/api/v1/verify", options, lambda reply: reply.json()["ok"])


def _readyz(_: int, __: Known) -> Asked:
    return _get("readyz", "/readyz", lambda reply: reply.json()["status"] == "ready")


def _healthz(_: int, __: Known) -> Asked:
    return _get("healthz", "/healthz", lambda reply: reply.json()["status"] == "alive")


_MAKERS: dict[str, Callable[[int, Known], Asked]] = {
    "ground": _ground,
    "complete": _complete,
    "agent": _agent,
    "research": _research,
    "check": _check,
    "evidence": _evidence,
    "report": _report,
    "verify": _verify,
    "readyz": _readyz,
    "healthz": _healthz,
}
