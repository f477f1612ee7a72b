"""The application: routes, problems, and what lives as long as the service."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp
from veridical.client import Pool, Veridical
from veridical_contract import VeridicalError

from .edge import OPEN_PATHS, REQUEST_ID, Edge
from .openapi import document
from .options import Options
from .places import Places
from .problems import KINDS, of_error, problem_response
from .readiness import Readiness
from .routes import router
from .streams import Streams
from .tracing import settings

__all__ = ["api", "service"]

_DESCRIPTION = """Grounded answers, reports, checks and an assistant, over HTTP. Every quote, link and number that leaves is copied or \
counted from evidence, or it does not leave."""
_LOGGER = logging.getLogger("veridical_http")


def service(make: Callable[[], Veridical], options: Options) -> ASGIApp:
    """Return the service, as an ASGI application.

    Args:
        make: makes a facade; called once for each thread that works, when it first does, and again for one that failed.
        options: of the service.
    """
    app = api()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        pool = Pool(make, size=options.threads + 1)
        places = Places(pool, threads=options.threads, queue=options.queue, seconds=options.seconds)
        app.state.places, app.state.readiness = places, Readiness(pool)
        app.state.streams = Streams(places, keep_seconds=options.keep_seconds)
        yield
        await asyncio.to_thread(places.close)

    app.router.lifespan_context = lifespan
    return Edge(app, options)


def api() -> FastAPI:
    """Return the routes with their problems, and nothing behind them: enough for the OpenAPI document."""
    app = FastAPI(
        title="veridical",
        version=version("veridical-http"),
        description=_DESCRIPTION,
        # Pages that show an API fetch their scripts from elsewhere; this service sends nobody there.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=settings(OPEN_PATHS),
        exception_handlers={HTTPException: _refuse, RequestValidationError: _refuse, VeridicalError: _refuse, Exception: _refuse},
    )
    app.include_router(router)
    app.openapi = cache(lambda: document(app))
    return app


async def _refuse(request: Request, error: Exception) -> Response:
    refused = of_error(error)
    if isinstance(error, VeridicalError) and KINDS[refused.code].status >= 500:  # the operator learns what the client does not
        _LOGGER.warning("id=%s %s: %s", request.scope["state"][REQUEST_ID], error.code, error)
    return problem_response(refused, request.scope["state"][REQUEST_ID])
