"""Spans of requests and of the work for them, with the real SDK: named by routes and verbs, and without a word of a question."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, sys
from pathlib import Path
import httpx
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

kept = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(kept))
trace.set_tracer_provider(provider)

from veridical import Veridical
from plugins.http.tests.running import running

home = Path(sys.argv[1])
parent = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
with running(lambda: Veridical(home=home, environment={}), home) as service:
    service.post("autonomy/research/complete", {"query": "Who is Marie Curie?"}, headers={"traceparent": parent})
    service.post("check", {"drafts": "Marie Curie"})
    service.client.get("/healthz")
print(json.dumps([json.loads(span.to_json()) for span in kept.get_finished_spans()]))
"""


def test_a_request_is_a_span_and_the_work_for_it_is_one_below(prepared: Path) -> None:
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(prepared)], capture_output=True, text=True, cwd=root, timeout=60, check=False)
    assert 0 == done.returncode, done.stderr
    work, ground, check = json.loads(done.stdout)
    names = ["veridical.ground", "POST /api/v1/autonomy/research/complete", "POST /api/v1/check"]
    assert names == [span["name"] for span in (work, ground, check)]
    assert "0x" + "a" * 32 == ground["context"]["trace_id"] == work["context"]["trace_id"]
    assert ("0x" + "b" * 16, ground["context"]["span_id"]) == (ground["parent_id"], work["parent_id"])
    assert [200, 422] == [span["attributes"]["http.response.status_code"] for span in (ground, check)]
    assert "Curie" not in done.stdout
