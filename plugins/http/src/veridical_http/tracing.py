"""Spans of requests and of the work for them, when OpenTelemetry is set up.

FastAPI makes the span of a request by itself, and sends it nowhere unless the process has a tracer provider: that of
`opentelemetry-instrument`, or an exporter that the environment names and that is installed. What a facade does for a request is a span
below that. None of them holds a word of a question or an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from opentelemetry import trace

if TYPE_CHECKING:
    from fastapi.telemetry import TelemetryConfig

__all__ = ["can_export", "settings", "span"]


def can_export() -> bool:
    """Whether the exporter is installed that the variables OTEL_EXPORTER_OTLP_... set up."""
    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:  # a package above it is not there
        return False


def settings(excluded: frozenset[str]) -> TelemetryConfig:
    """Return what FastAPI is to do: spans and metrics of requests but for the paths `excluded`, and no log, which would hold messages."""

    def exclude(scope: Mapping[str, object]) -> bool:
        return scope.get("path") in excluded

    return {"logs": False, "operation_spans": False, "auto_configure": can_export(), "exclude": exclude}


def span(name: str) -> AbstractContextManager[object]:
    """Return a context that is a span called `name`."""
    return trace.get_tracer("veridical_http").start_as_current_span(name, record_exception=False, set_status_on_exception=False)
