"""Recorded replies: one file for each plugin and kind, with the secrets taken out by value.

    scenario, what the kit asks the plugin for --> exchanges, in the order in which the plugin made them

A replay gives a request the reply of the first exchange with the same method and address that was not yet given, one with the same query
and body before others: what an SDK adds to its requests may change.
"""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field, ValidationError
from veridical.wire.recording import Network, Reply, Request

from veridical_contract import Kind, PluginName
from veridical_contract._model import Model

from .options import Server
from .registry import NoReplyError
from .report import kit_version
from .watching import unwatched

__all__ = ["Cassette", "Exchange", "Recording", "Replay", "cassette_path", "load_cassette"]

FORMAT = "veridical-cassette/1"
_PIECE = 700
"""Bytes of a reply that come at once."""
_LEFT_OUT = {"content-encoding", "content-length", "transfer-encoding", "connection", "date", "server", "set-cookie", "set-cookie2"}
_TIMEOUT = 60.0
_SHAPELESS = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


class Exchange(Model):
    """A request and its reply.

    Attributes:
        method: of the request.
        url: of the request, secrets by their names.
        sent: body of the request, the same.
        status: of the reply.
        headers: of the reply, names in lower case, without those that only the connection is about and without cookies.
        body: of the reply as text.
        base64: of the reply where it is no UTF-8.
    """

    method: str
    url: str
    sent: str = ""
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    base64: str = ""

    def content(self) -> bytes:
        """Return the bytes of the reply."""
        return base64.b64decode(self.base64) if self.base64 else self.body.encode()


class Cassette(Model):
    """The file.

    Attributes:
        format: of it.
        plugin: whose replies they are.
        kind: of the plugin.
        kit: version that recorded it.
        recorded_at: ISO 8601 in UTC: the time that a replay has.
        scenarios: name to its exchanges.
    """

    format: Literal["veridical-cassette/1"] = FORMAT
    plugin: PluginName
    kind: Kind
    kit: str
    recorded_at: str
    scenarios: dict[str, tuple[Exchange, ...]] = Field(default_factory=dict[str, tuple[Exchange, ...]])


def cassette_path(folder: Path, kind: Kind, name: str) -> Path:
    """Return where the cassette of a plugin is."""
    return folder / f"{kind}-{name}.json"


def load_cassette(path: Path) -> Cassette | None:
    """Return the cassette at `path`; None where there is none.

    Raises:
        NoReplyError: it cannot be read; the message names it.
    """
    try:
        return Cassette.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        said = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error.strerror
        raise NoReplyError(f"{path} is no cassette: {said}. Type: pytest --record") from None


class Replay:
    """Gives what was recorded for one scenario."""

    def __init__(self, exchanges: tuple[Exchange, ...]) -> None:
        self._exchanges = list(exchanges)
        self._given: list[Exchange] = []

    def __call__(self, request: Request) -> Reply:
        """Answer `request`.

        Raises:
            NoReplyError: the cassette does not hold it.
        """
        found = self._next(request.method, request.url, request.body.decode("utf-8", "replace"))
        content = found.content()
        pieces = tuple(content[start : start + _PIECE] for start in range(0, len(content), _PIECE))
        return Reply(found.status, found.headers, pieces)

    def _next(self, method: str, url: str, body: str) -> Exchange:
        for among in (self._exchanges, self._given):
            near = [each for each in among if (each.method, _address(each.url)) == (method, _address(url))]
            exact = [each for each in near if (urlsplit(each.url).query, each.sent) == (urlsplit(url).query, body)]
            if found := [*exact, *near]:
                if among is self._exchanges:
                    among.remove(found[0])
                    self._given.append(found[0])
                return found[0]
        raise NoReplyError(f"{method} {_address(url)} was asked, which the cassette does not hold. Type: pytest --record")


class Recording:
    """Asks the provider, or a fake one, and keeps what it answers.

    Args:
        path: of the file.
        plugin: whose replies they are.
        kind: of the plugin.
        server: makes a fake provider; None asks the real one.
    """

    def __init__(self, path: Path, plugin: str, kind: Kind, server: Server | None) -> None:
        self._path = path
        self._server = server() if server is not None else None
        self._root = self._server.__enter__() if self._server is not None else ""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._cassette = Cassette(plugin=plugin, kind=kind, kit=kit_version(), recorded_at=now)

    @property
    def cassette(self) -> Cassette:
        """What was recorded so far."""
        return self._cassette

    def scenario(self, name: str, redact: Callable[[str], str]) -> Network:
        """Return who answers from now on; what is answered belongs to the scenario `name`."""
        scenarios = {**self._cassette.scenarios, name: ()}
        self._cassette = self._cassette.model_copy(update={"scenarios": scenarios})

        def network(request: Request) -> Reply:
            exchange, content = self._asked(request, redact)
            kept = self._cassette.scenarios
            self._cassette = self._cassette.model_copy(update={"scenarios": {**kept, name: (*kept[name], exchange)}})
            return Reply(exchange.status, exchange.headers, (content,))

        return network

    def close(self) -> None:
        """Write the file, and end the fake provider."""
        if self._server is not None:
            self._server.__exit__(None, None, None)
        used = {name: kept for name, kept in sorted(self._cassette.scenarios.items()) if kept}
        if used:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            data = self._cassette.model_copy(update={"scenarios": used}).model_dump(mode="json", exclude_defaults=True)
            self._path.write_text(_shown(json.dumps({"format": FORMAT, **data}, ensure_ascii=False, indent=1)) + "\n", encoding="utf-8")

    def _asked(self, request: Request, redact: Callable[[str], str]) -> tuple[Exchange, bytes]:
        import httpx

        url = _at(self._root, request.url) if self._root else request.url
        headers = {name: value for name, value in request.headers.items() if name not in ("host", "content-length", "accept-encoding")}
        try:
            with unwatched(), httpx.Client(timeout=_TIMEOUT, trust_env=False) as client:
                found = client.request(request.method, url, content=request.body, headers=headers)
        except httpx.TimeoutException as error:
            raise TimeoutError(str(error)) from error
        except httpx.TransportError as error:
            raise ConnectionError(str(error)) from error
        kept = tuple((name.lower(), redact(value)) for name, value in found.headers.multi_items() if name.lower() not in _LEFT_OUT)
        exchange = Exchange(
            method=request.method,
            url=redact(request.url),
            sent=redact(request.body.decode("utf-8", "replace")),
            status=found.status_code,
            headers=kept,
            **dict(_content(found.content, redact)),
        )
        return exchange, exchange.content()


def _content(body: bytes, redact: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    try:
        yield "body", redact(body.decode())
    except UnicodeDecodeError:
        yield "base64", base64.b64encode(redact(body.decode("latin-1")).encode("latin-1", "replace")).decode()


def _shown(text: str) -> str:
    """Return JSON with every character escaped that has no shape: whoever reads it sees what it says."""
    return "".join(json.dumps(each)[1:-1] if unicodedata.category(each) in _SHAPELESS and each != "\n" else each for each in text)


def _address(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


def _at(root: str, url: str) -> str:
    asked, there = urlsplit(url), urlsplit(root)
    return urlunsplit((there.scheme, there.netloc, f"{there.path.rstrip('/')}{asked.path}", asked.query, ""))
