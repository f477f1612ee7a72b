"""Every error of the service, as RFC 9457 (Problem Details for HTTP APIs) says.

    KINDS      code -> status, title, what it means to whoever asked        the one table; the documentation is made from it
    Refused    raised anywhere in the service; becomes a reply
    of_error   what any exception is to whoever asked

What a client did wrong is said in its own words. Of what is wrong in here a client learns the kind and the request's id, under which the
operator's log has the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

from fastapi.exceptions import RequestValidationError
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from veridical_contract import Model, ProviderError, VeridicalError

__all__ = ["CODES_OF_STATUS", "KINDS", "MEDIA_TYPE", "Invalid", "Kind", "Problem", "Refused", "of_error", "problem_response"]

MEDIA_TYPE: Final = "application/problem+json"
_RETRY_SECONDS: Final = 5
_MOST_ERRORS: Final = 20
_CLIENT: Final = 500
"""Statuses below this one are about the request."""


class Kind(NamedTuple):
    """A kind of problem.

    Attributes:
        status: of the reply.
        title: short, always the same.
        meaning: what it means to whoever asked, and what to do; also the detail where nothing more can be said.
    """

    status: int
    title: str
    meaning: str


KINDS: Final[Mapping[str, Kind]] = {
    "malformed": Kind(
        400,
        "The request is malformed",
        "It is not HTTP, its query is not known, or its body is not JSON that says one thing only: "
        "no name twice in an object, no NaN, no half of a surrogate pair, in UTF-8.",
    ),
    "unauthorized": Kind(401, "A token is needed", "Send the service's token in the header Authorization: Bearer TOKEN."),
    "foreign-origin": Kind(
        403,
        "A web page of another site asks",
        "Without a token the service answers programs of its own machine, not web pages of other sites.",
    ),
    "not-found": Kind(404, "There is no such thing", "There is no such route, report or evidence; evidence may have been deleted."),
    "method-not-allowed": Kind(405, "The route has another method", "The header Allow names the methods of this route."),
    "slow-body": Kind(408, "The body did not arrive in time", "Send it again, faster."),
    "not-publishable": Kind(
        409,
        "The report does not follow from its evidence any more",
        "Evidence was deleted or altered since the report was made; the detail names it. Ask the question again.",
    ),
    "stream-gone": Kind(
        410,
        "The stream is not kept any more",
        "Its events are kept for some minutes, and not over a restart. Ask again, without Last-Event-ID.",
    ),
    "too-large": Kind(413, "The body is too large", "The service takes no more bytes at a time."),
    "media-type": Kind(415, "The body has another type", "Send application/json; a bundle is application/zip or application/octet-stream."),
    "misdirected": Kind(
        421, "The service has another name", "Without a token the service answers only to the names of its own machine, such as localhost."
    ),
    "invalid": Kind(422, "The request does not fit", "A field is missing, not known, or not what it has to be; errors names each place."),
    "usage": Kind(
        422, "What was asked for is not there", "A source of that name was never added, or a question is empty; the detail says which."
    ),
    "unreadable": Kind(422, "A draft is no text", "It holds bytes that are no text in a known encoding."),
    "error": Kind(500, "The service failed", "Something is wrong in the service. Its operator finds it in the log by the request id."),
    "store-corrupt": Kind(
        500, "The store is damaged", "Stored evidence is not what was admitted. The operator types: veridical doctor --store"
    ),
    "plugin": Kind(502, "A plugin failed", "A plugin of the service broke its contract. The operator's log names it."),
    "provider": Kind(502, "A provider failed", "A service that had to be asked failed. Ask again later; the operator's log names it."),
    "busy": Kind(503, "The service is busy", "As many requests wait as may wait. Ask again after the seconds in Retry-After."),
    "provider-busy": Kind(
        503, "A provider is busy", "A service that had to be asked allows no more calls now. Retry-After says when to ask again."
    ),
    "cancelled": Kind(503, "The service is stopping", "It finishes what it has and takes nothing new. Ask again after Retry-After."),
    "configuration": Kind(
        503, "The service is not set up for this", "A run could not work as things are set up. The operator's log says why."
    ),
    "missing-secret": Kind(503, "The service lacks a key", "A plugin needs a key that is not set. The operator's log says which."),
    "missing-extra": Kind(
        503, "The service lacks a package", "A plugin needs a package that is not installed. The operator's log says which."
    ),
    "incompatible": Kind(
        503, "A package of the service does not fit", "It is installed in another version. The operator's log says which."
    ),
    "store": Kind(503, "The store cannot be used", "It cannot be opened, read or written now. The operator's log says why."),
    "not-ready": Kind(503, "A run could not work", "What would keep a run from working is in problems, for who has the token."),
    "timeout": Kind(
        504,
        "It takes too long",
        "The request passed its time. The work goes on, and what it finds is kept: ask again later, or with less (fewer pages).",
    ),
    "plugin-timeout": Kind(504, "A plugin takes too long", "It passed its time and is left alone for a while. Ask again later."),
    "store-full": Kind(507, "The store is full", "There is no room left to write. What was written before is whole."),
}
"""Every kind of problem by its code: ours, and those of the contract's errors."""

CODES_OF_STATUS: Final = {404: "not-found", 405: "method-not-allowed", 413: "too-large", 415: "media-type"}
"""What the framework itself refuses."""


class Invalid(Model):
    """A place of a request that does not fit.

    Attributes:
        place: in the body, as a JSON pointer in a fragment (RFC 6901), `#` for the whole; else `path`, `query` or `header` and a name.
        detail: what is expected there.
    """

    place: str
    detail: str


class Problem(Model):
    """What went wrong, as RFC 9457 says.

    Attributes:
        type: of the problem; below this address the service describes it.
        title: of the type.
        status: of the reply.
        detail: what went wrong this time.
        code: the end of `type`: stable, for programs.
        request_id: of the request, as in its header and in the operator's log.
        errors: places of the request that do not fit.
        problems: what would keep a run from working.
    """

    type: str
    title: str
    status: int = Field(ge=400, le=599)
    detail: str
    code: str
    request_id: str
    errors: tuple[Invalid, ...] = ()
    problems: tuple[str, ...] = ()


class Refused(HTTPException):
    """A problem that is known by its code.

    Args:
        code: of `KINDS`.
        detail: what went wrong this time; empty for the meaning of the kind.
        headers: of the reply.
        errors: places of the request.
        problems: what would keep a run from working.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        headers: Mapping[str, str] | None = None,
        errors: tuple[Invalid, ...] = (),
        problems: tuple[str, ...] = (),
    ) -> None:
        kind = KINDS[code]
        if kind.status == 503 and headers is None:  # RFC 9110, 10.2.3: Retry-After goes with it
            headers = {"Retry-After": str(_RETRY_SECONDS)}
        super().__init__(kind.status, detail or kind.meaning, headers)
        self.code = code
        self.errors = errors
        self.problems = problems


def of_error(error: BaseException) -> Refused:
    """Return what `error` is to whoever asked."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, RequestValidationError):
        return _of_validation(error)
    if isinstance(error, HTTPException):
        return Refused(
            CODES_OF_STATUS.get(error.status_code, "malformed" if error.status_code < _CLIENT else "error"), headers=error.headers
        )
    if isinstance(error, ProviderError) and error.failure in ("quota", "rate-limit"):
        return Refused("provider-busy", headers={"Retry-After": str(math.ceil(error.retry_after or _RETRY_SECONDS))})
    if isinstance(error, VeridicalError):
        code = error.code if error.code in KINDS else "error"
        return Refused(code, error.message if KINDS[code].status < _CLIENT else "")
    return Refused("error")


def problem_response(refused: Refused, request_id: str) -> Response:
    """Return the reply that says what was refused."""
    kind = KINDS[refused.code]
    problem = Problem(
        type=f"/problems/{refused.code}",
        title=kind.title,
        status=kind.status,
        detail=refused.detail,
        code=refused.code,
        request_id=request_id,
        errors=refused.errors,
        problems=refused.problems,
    )
    body = problem.model_dump_json(exclude_defaults=True)
    return Response(body, kind.status, refused.headers, MEDIA_TYPE)


def _of_validation(error: RequestValidationError) -> Refused:
    """Say where the request does not fit, and not what stands there."""
    found: list[Invalid] = []
    for one in error.errors()[:_MOST_ERRORS]:
        if one["type"] == "json_invalid":
            return Refused("malformed", f"The body is not JSON as it has to be: {one['ctx']['error']}.")
        kind, *where = (str(part) for part in one["loc"])
        pointer = "#" + "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in where)
        found.append(Invalid(place=pointer if kind == "body" else " ".join((kind, *where)), detail=one["msg"]))
    return Refused("invalid", errors=tuple(found))
