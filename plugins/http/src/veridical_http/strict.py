"""JSON that says one thing only, whoever reads it.

RFC 8259 leaves open what a name means that stands twice in an object, and Python reads NaN, which is no JSON at all. Two programs that read
such a body differently are a way around checks between them; here it is refused. So is half of a surrogate pair, which no UTF-8 can hold.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from .problems import Refused

__all__ = ["StrictRoute", "parse"]

_LONGEST_INTEGER = 20
"""Digits: those of 64 bits. No field takes more."""
_EXACT = 2**53
"""Up to here a float holds every whole number (RFC 7493, 2.2)."""
_JSON = re.compile(r'application/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?', re.IGNORECASE)


def parse(data: bytes) -> object:
    """Return what `data` says.

    Raises:
        json.JSONDecodeError: it is no JSON, or says more than one thing.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        _refuse("it is not UTF-8")
    try:
        value: object = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_number, parse_int=_integer)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        _refuse(f"{error.msg}, in line {error.lineno}, column {error.colno}")
    except UnicodeEncodeError:
        _refuse("a string holds half of a surrogate pair")
    except RecursionError:
        _refuse("it is nested too deep")
    except ValueError as error:
        _refuse(str(error))
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a name twice")
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _number(digits: str) -> float | int:
    """Return a number with a fraction or an exponent; in JSON 1.0 and 1 are one number."""
    if not math.isfinite(number := float(digits)):
        raise ValueError("a number is too large")
    return int(number) if number.is_integer() and abs(number) <= _EXACT else number


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise ValueError("a number is too large")
    return int(digits)


def _refuse(why: str) -> NoReturn:
    raise json.JSONDecodeError(why, "", 0) from None


class _StrictRequest(Request):
    async def json(self) -> object:
        """The body, read strictly."""
        return parse(await self.body())


class StrictRoute(APIRoute):
    """A route whose JSON is read strictly, and which takes no other type where it takes JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of FastAPI, given such a request."""
        handle = super().get_route_handler()
        takes_json = self.body_field is not None

        async def handler(request: Request) -> Response:
            if takes_json and _has_body(request) and not _JSON.fullmatch(request.headers.get("content-type", "").strip()):
                raise Refused("media-type", "This route takes application/json, in UTF-8.")
            return await handle(_StrictRequest(request.scope, request.receive))

        return handler


def _has_body(request: Request) -> bool:
    return "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"
