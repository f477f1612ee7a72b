"""Tool calls, there and back: Gemini wants the signature of its thoughts returned with each call, and does not name every call.

Both travel in the identifier of a `ToolCall`, which is opaque to everybody else: `ID#NUMBER~SIGNATURE`, with what Gemini called the call
(may be empty), its number in the reply, and the signature in base64.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from veridical_contract import ToolCall, ToolResult

__all__ = ["call_id", "call_part", "result_part"]

_ID = re.compile(r"(?P<id>.*)#[0-9]+~(?P<signature>[A-Za-z0-9_-]*=*)", re.DOTALL)


def call_id(given: str | None, number: int, signature: bytes | None) -> str:
    """Return the identifier of a call."""
    return f"{given or ''}#{number}~{urlsafe_b64encode(signature or b'').decode()}"


def call_part(call: ToolCall) -> dict[str, Any]:
    """Return the part of a model's turn that makes `call`, as it came."""
    given, signature = _read(call.id)
    part: dict[str, Any] = {"function_call": {"id": given, "name": call.name, "args": call.arguments}}
    return part | ({"thought_signature": signature} if signature else {})


def result_part(result: ToolResult, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the part of a user's turn that answers a call; `names` says which tool each call is of."""
    given, _ = _read(result.call)
    said = {"error" if result.failed else "result": result.text}
    return {"function_response": {"id": given, "name": names[result.call], "response": said}}


def _read(identifier: str) -> tuple[str | None, bytes]:
    # A conversation that began with another model has identifiers of another form, and no signatures.
    found = _ID.fullmatch(identifier)
    return (found["id"] or None, urlsafe_b64decode(found["signature"])) if found else (identifier, b"")
