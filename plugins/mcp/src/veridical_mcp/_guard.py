"""Who may call over HTTP: whoever has the token, under a name that this server is reached by.

Bound to loopback a token is not needed, since only programs of this machine come there; web pages in a browser on it are kept out by the
names that Host and Origin may say (DNS rebinding). Bound to anything else a server without a token does not start.
"""

from __future__ import annotations

import hmac
import json
import re
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send
from veridical_contract import ConfigurationError, UsageError

__all__ = ["TOKEN_VARIABLE", "Guard", "Place", "located", "names", "token"]

TOKEN_VARIABLE = "VERIDICAL_MCP_TOKEN"  # noqa: S105 - the name of a variable
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{16,}=*")
"""What RFC 6750, 2.1, lets a bearer token be, and long enough not to be guessed."""
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Place:
    """Where to listen.

    Args:
        family: of the address.
        address: of an interface, as numbers.
        port: 0 for any that is free.
    """

    def __init__(self, family: socket.AddressFamily, address: str, port: int) -> None:
        self._family = family
        self._address = address
        self._port = port

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine comes there."""
        return ip_address(self._address.partition("%")[0]).is_loopback

    @property
    def is_any(self) -> bool:
        """Whether it is every interface, so that nobody knows by which name it is reached."""
        return ip_address(self._address.partition("%")[0]).is_unspecified

    def listen(self) -> socket.socket:
        """Return a socket that listens there.

        Raises:
            ConfigurationError: it cannot.
        """
        try:
            return socket.create_server((self._address, self._port), family=self._family)
        except OSError as error:
            said = f"Nothing can listen at {bracketed(self._address)}:{self._port}: {error.strerror or error}."
            raise ConfigurationError(said, hint="Name another: veridical mcp --http --port PORT") from None


def located(host: str, port: int) -> Place:
    """Return where `host` is on this machine.

    Raises:
        UsageError: there is no such host.
    """
    with suppress(ValueError):
        numbers = ip_address(host.partition("%")[0])
        return Place(socket.AF_INET6 if numbers.version == 6 else socket.AF_INET, host, port)
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise UsageError(f"There is no host {host!r}: {error.strerror}.", hint="Expected a name or an address: --host 127.0.0.1") from None
    return Place(family, str(address[0]), port)


def token(file: Path | None, environment: Mapping[str, str], place: Place) -> str | None:
    """Return the token that callers must have, from `file` or else the environment; None where none is needed.

    Raises:
        ConfigurationError: none is set and one is needed, or it is too short, or its file cannot be read.
    """
    try:
        said = file.read_text("utf-8") if file is not None else environment.get(TOKEN_VARIABLE, "")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"The token in {file} cannot be read: {type(error).__name__}.", hint="Expected a text file.") from None
    found = said.strip()
    if (found or file is not None) and _TOKEN.fullmatch(found) is None:
        where = str(file) if file is not None else TOKEN_VARIABLE
        raise ConfigurationError(f"{where} holds no token: expected 16 or more letters, digits and . _ ~ + / -", hint=_MAKE)
    if not found and not place.is_loopback:
        raise ConfigurationError("Whoever can reach that address could call the server: it needs a token.", hint=_MAKE)
    return found or None


_MAKE = (
    'Make one: python -c "import secrets; print(secrets.token_urlsafe(32))" > token; chmod 600 token; '
    f"and name it: --token-file token, or set {TOKEN_VARIABLE}"
)


def names(host: str, place: Place, allowed: Sequence[str]) -> TransportSecuritySettings:
    """Return what the headers Host and Origin of a request may say.

    Args:
        host: that was asked for.
        place: where it is.
        allowed: other names by which the server is reached, without a port.

    Raises:
        ConfigurationError: it listens everywhere, and no name is known.
    """
    if place.is_any and not allowed:
        raise ConfigurationError(
            "The server would listen on every interface, and nothing says by which name it is reached.",
            hint="Name it: --allow-host NAME, as often as there are names",
        )
    own = _LOOPBACK if place.is_loopback else () if place.is_any else (bracketed(host),)
    known = dict.fromkeys([*own, *map(bracketed, allowed)])
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in known]
    return TransportSecuritySettings(allowed_hosts=_any_port(known), allowed_origins=_any_port(origins))


def bracketed(host: str) -> str:
    """Return a host as a URL has it."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _any_port(hosts: Sequence[str] | Mapping[str, None]) -> list[str]:
    return [form for host in hosts for form in (host, f"{host}:*")]


class Guard:
    """Lets nobody through to `app` who has not the token.

    Args:
        app: behind it.
        token: that a request has to bring; None lets everybody through.

    Attributes:
        at_work: calls that were let through and are not answered yet.
    """

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = token.encode("ascii") if token is not None else None
        self.at_work = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif self._token is None or self._may(scope, self._token):
            await self._count(scope, receive, send)
        else:
            await _refuse(send)

    async def _count(self, scope: Scope, receive: Receive, send: Send) -> None:
        calls = int(scope["method"] == "POST")  # what is got is open for as long as a client listens
        self.at_work += calls
        try:
            await self._app(scope, receive, send)
        finally:
            self.at_work -= calls

    def _may(self, scope: Scope, token: bytes) -> bool:
        said: list[bytes] = [value for name, value in scope["headers"] if name == b"authorization"]
        if len(said) != 1:
            return False
        scheme, _, given = said[0].partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), token)


async def _refuse(send: Send) -> None:
    problem = {
        "type": "about:blank",
        "title": "Unauthorized",
        "status": 401,
        "detail": "Send the token of this server: Authorization: Bearer TOKEN",
    }
    headers = [(b"content-type", b"application/problem+json"), (b"www-authenticate", b'Bearer realm="veridical"')]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem).encode()})
