"""What went wrong is read from the wire, as providers say it there."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from veridical.wire.recording import Recorded
from veridical_contract import ProviderFailure

from core.tests.wire.recording.clients import CLIENTS, NOW
from core.tests.wire.recording.serving import reply, serving

OPENAI_QUOTA = {
    "error": {
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "type": "insufficient_quota",
        "code": "insufficient_quota",
    }
}
OPENAI_RATE = {"error": {"message": "Rate limit reached for m in organization o on tokens per min (TPM)", "code": "rate_limit_exceeded"}}
ANTHROPIC_RATE = {"type": "error", "error": {"type": "rate_limit_error", "message": "This request would exceed your rate limit."}}
ANTHROPIC_CREDIT = {"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access it."}}
BRAVE = {"type": "ErrorResponse", "error": {"code": "RATE_LIMITED", "meta": {"quota_limit": 2000, "quota_current": 1}}, "time": 1}
BRAVE_QUOTA = {"type": "ErrorResponse", "error": {"code": "QUOTA_LIMITED", "meta": {"quota_limit": 2000, "quota_current": 2000}}}
TAVILY_KEYLESS = {"error": {"code": "keyless_limit", "message": "Slow down.", "window": "minute", "retry_after_seconds": 41}}


def _google(per: str, delay: str) -> dict[str, Any]:
    quota = {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": f"GenerateRequestsPer{per}PerProject-FreeTier"}],
    }
    wait = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    said = "You exceeded your current quota, please check your plan and billing details."
    return {"error": {"code": 429, "message": said, "status": "RESOURCE_EXHAUSTED", "details": [quota, wait]}}


def _recorded(status: str, body: Any = None, *headers: str, kind: str = "application/json", method: str = "GET") -> Recorded:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    with serving(lambda _: reply(data, *headers, status=status, kind=kind)) as served:
        (record,) = CLIENTS["httpx"](served.base, method=method).records
    return record


@pytest.mark.parametrize(
    ("status", "body", "headers", "failure", "wait"),
    [
        ("401 Unauthorized", {"error": "no"}, [], "auth", None),
        ("403 Forbidden", {"error": "no"}, [], "auth", None),
        ("403 Forbidden", {"message": "API rate limit exceeded for 192.0.2.1."}, ["X-RateLimit-Remaining: 0"], "rate-limit", None),
        ("403 Forbidden", {"message": "You have exceeded a secondary rate limit."}, ["Retry-After: 60"], "rate-limit", 60.0),
        ("403 Forbidden", {"error": {"errors": [{"reason": "quotaExceeded"}], "code": 403}}, [], "quota", None),
        ("400 Bad Request", {"error": {"message": "API key not valid. Please pass a valid API key."}}, [], "auth", None),
        ("400 Bad Request", ANTHROPIC_CREDIT, [], "quota", None),
        ("400 Bad Request", {"error": "bad query"}, [], None, None),
        ("404 Not Found", {"error": "no such model"}, [], None, None),
        ("402 Payment Required", {"error": "no more credits"}, [], "quota", None),
        ("432 Plan", {"detail": {"error": "This request exceeds your plan's set usage limit."}}, [], "quota", None),
        ("433 Paygo", {"detail": {"error": "This request exceeds the pay-as-you-go limit."}}, [], "quota", None),
        ("408 Request Timeout", {}, [], "timeout", None),
        ("429 Too Many Requests", {}, [], "rate-limit", None),
        ("429 Too Many Requests", {"detail": {"error": "blocked due to excessive requests"}}, ["Retry-After: 7"], "rate-limit", 7.0),
        ("429 Too Many Requests", OPENAI_QUOTA, [], "quota", None),
        ("429 Too Many Requests", OPENAI_RATE, ["retry-after-ms: 1500", "Retry-After: 2"], "rate-limit", 1.5),
        ("429 Too Many Requests", ANTHROPIC_RATE, ["Retry-After: 12"], "rate-limit", 12.0),
        ("429 Too Many Requests", _google("Minute", "34.074824224s"), [], "rate-limit", 34.074824224),
        ("429 Too Many Requests", _google("Day", "15s"), [], "quota", 15.0),
        ("429 Too Many Requests", TAVILY_KEYLESS, [], "rate-limit", 41.0),
        ("429 Too Many Requests", BRAVE, ["X-RateLimit-Remaining: 0, 1999", "X-RateLimit-Reset: 1, 1419704"], "rate-limit", 1.0),
        ("429 Too Many Requests", BRAVE_QUOTA, ["X-RateLimit-Remaining: 1, 0", "X-RateLimit-Reset: 1, 1419704"], "quota", 1419704.0),
        ("429 Too Many Requests", {}, ["X-RateLimit-Remaining: 1, 0", "X-RateLimit-Reset: 1, 1419704"], "quota", 1419704.0),
        ("429 Too Many Requests", {}, ["X-RateLimit-Reset: 9, 5"], "rate-limit", 5.0),
        ("500 Internal Server Error", b"<html>", [], "server", None),
        ("503 Service Unavailable", {}, ["Retry-After: 120"], "server", 120.0),
        ("529 Overloaded", {"type": "error", "error": {"type": "overloaded_error"}}, [], "server", None),
        ("200 OK", {"a": 1}, ["Retry-After: 3", "X-RateLimit-Reset: 4"], None, None),
        ("302 Found", b"", ["Location: /b"], None, None),
        ("204 No Content", b"", [], None, None),
    ],
)
def test_a_status_is_a_failure(status: str, body: Any, headers: list[str], failure: ProviderFailure | None, wait: float | None) -> None:
    record = _recorded(status, body, *headers)
    assert (failure, wait) == (record.failure, record.retry_after)


@pytest.mark.parametrize(
    ("hint", "wait"),
    [
        (f"Retry-After: {format_datetime(NOW + timedelta(seconds=90), usegmt=True)}", 90.0),
        (f"Retry-After: {format_datetime(NOW - timedelta(seconds=90), usegmt=True)}", 0.0),
        ("Retry-After: 0", 0.0),
        ("Retry-After: soon", None),
        ("Retry-After: -5", None),
        ("Retry-After: 1e400", None),
        ("Retry-After: Mon, 01 Jun 2026 25:99:99 GMT", None),
        (f"X-RateLimit-Reset: {int(NOW.timestamp()) + 30}", 30.0),
        (f"X-RateLimit-Reset: {int(NOW.timestamp() * 1000) + 30_000}", 30.0),
        ("X-RateLimit-Reset: 2026-06-01", None),
    ],
)
def test_a_hint_is_read_in_every_form_or_not_at_all(hint: str, wait: float | None) -> None:
    record = _recorded("429 Too Many Requests", {}, hint)
    assert ("rate-limit", wait) == (record.failure, record.retry_after)


@pytest.mark.parametrize(
    ("kind", "body", "failure"),
    [
        ("application/json", b'{"cut": ', "malformed"),
        ("application/json; charset=latin-1", '{"é": 1}'.encode("latin-1"), "malformed"),
        ("application/problem+json", b"<html>", "malformed"),
        ("application/json", b"[" * 100_000, "malformed"),
        ("application/json", b"[1]", None),
        ("text/html; charset=utf-8", b"\xff", "malformed"),
        ("text/html; charset=latin-1", b"\xff", None),
        ("text/html; charset=no-such", "é".encode(), None),
        ("text/html; charset=rot13", b"x", None),
        ("application/octet-stream", b"\xff", None),
        ("", b"\xff", None),
        ("text/event-stream", b"data: {\n\n", None),
        ("text/event-stream", b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n', "server"),
        ("text/event-stream", b'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error"}}\n\n', "rate-limit"),
        ("text/event-stream", b'data: {"id":1}\n\ndata: {"error":{"code":429,"message":"slow"}}\n\n', "rate-limit"),
        ("text/event-stream", b'data: {"error":{"code":"insufficient_quota"}}\n\n', "quota"),
        ("text/event-stream", b'data: {"error":{"code":"other"}}\n\n', "server"),
        ("text/event-stream", b"event: error\ndata: broken\n\n", "server"),
        ("text/event-stream", b'data: {"error":null}\n\n', None),
        ("text/event-stream", b'data: {"text":"an \\"error\\" in quotes"}\n\n', None),
    ],
)
def test_a_success_that_is_not_what_it_says_is_malformed(kind: str, body: bytes, failure: ProviderFailure | None) -> None:
    assert failure == _recorded("200 OK", body, kind=kind).failure


def test_a_reply_without_a_body_to_a_head_is_not_malformed() -> None:
    assert _recorded("200 OK", b"", method="HEAD").failure is None


def test_json_without_a_body_is_malformed() -> None:
    assert "malformed" == _recorded("200 OK", b"").failure


def test_a_date_is_counted_from_the_hosts_clock() -> None:
    assert datetime(2026, 6, 1, 12, tzinfo=UTC) == NOW
