"""How services fail, and what kind of failure each is: the same for every provider."""

from __future__ import annotations

import pytest
from veridical_contract import ProviderFailure

from .service import Answer, as_json, dropped

__all__ = ["FAILURES"]

_JSON = {"Content-Type": "application/json"}
_DEEP = b"[" * 100_000

FAILURES = [
    pytest.param(as_json({"error": "no"}, 401), "auth", None, id="401"),
    pytest.param(as_json({"error": "no"}, 403), "auth", None, id="403"),
    pytest.param(as_json({"error": "no"}, 402), "quota", None, id="402"),
    pytest.param(as_json({"error": "no"}, 400), "malformed", None, id="400"),
    pytest.param(as_json({"error": "no"}, 422), "malformed", None, id="422"),
    pytest.param(as_json({"error": "no"}, 404), "malformed", None, id="404"),
    pytest.param(as_json({"error": "no"}, 429, Retry_After="7"), "rate-limit", 7.0, id="429-with-hint"),
    pytest.param(as_json({"error": "no"}, 429), "rate-limit", None, id="429"),
    pytest.param(Answer(b"<h1>Error</h1>", 500), "server", None, id="500-html"),
    pytest.param(as_json({"error": "no"}, 503, Retry_After="1.5"), "server", 1.5, id="503-with-hint"),
    pytest.param(as_json({"error": "no"}, 504), "timeout", None, id="504"),
    pytest.param(None, "timeout", None, id="hangs"),
    pytest.param(dropped(), "connection", None, id="dropped"),
    pytest.param(Answer(b'{"results": [', headers=_JSON, cut=20), "connection", None, id="cut"),
    pytest.param(Answer(b'{"results": [', headers=_JSON), "malformed", None, id="half-of-the-JSON"),
    pytest.param(Answer(b"<html>captive portal</html>"), "malformed", None, id="HTML"),
    pytest.param(Answer(b"", headers=_JSON), "malformed", None, id="nothing"),
    pytest.param(Answer(b'{"results": "\xff\xfe\xff"}', headers=_JSON), "malformed", None, id="no-UTF-8"),
    pytest.param(Answer(_DEEP, headers=_JSON), "malformed", None, id="too-deep"),
    pytest.param(Answer(b"not gzip", headers={**_JSON, "Content-Encoding": "gzip"}), "malformed", None, id="no-gzip"),
]
"""(answer, or None for a service that hangs; the failure that it is; the seconds that it asks to wait)"""

Failure = tuple[Answer | None, ProviderFailure, float | None]
