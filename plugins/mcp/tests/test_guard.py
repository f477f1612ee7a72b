"""Who may call over HTTP, and where a server does not start."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from mcp import MCPError
from veridical_contract import ConfigurationError, UsageError
from veridical_mcp._guard import Guard, located, names, token

from .house import Serving, answered, house, run

TOKEN = "a-token-of-this-test-0123456789"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("serving")
    (folder / "token").write_text(f"{TOKEN}\n", "utf-8")
    with house(folder) as home, home.serving("--token-file", str(folder / "token"), "--allow-host", "mcp.example") as running:
        yield running


def post(serving: Serving, **headers: str) -> httpx2.Response:
    return httpx2.post(serving.url, json=PING, headers={**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}})


@pytest.mark.parametrize(
    "authorization", ["", TOKEN, "Bearer", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer \u00e9\u00e9"]
)
def test_without_the_token_nobody_comes_in(serving: Serving, authorization: str) -> None:
    headers = [*JSON.items()] + [("Authorization", authorization)] * bool(authorization)
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    for url in (serving.url, serving.url.removesuffix("mcp"), serving.url + "/x"):
        reply = httpx2.post(url, json=PING, headers=encoded)
        assert (401, "application/problem+json", 'Bearer realm="veridical"') == (
            reply.status_code,
            reply.headers["content-type"],
            reply.headers["www-authenticate"],
        )
        assert "Authorization: Bearer TOKEN" in json.loads(reply.text)["detail"]


def test_two_tokens_are_none(serving: Serving) -> None:
    headers = [*JSON.items(), ("Authorization", f"Bearer {TOKEN}"), ("Authorization", f"Bearer {TOKEN}")]
    assert 401 == httpx2.post(serving.url, json=PING, headers=headers).status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1.evil.example"}, 403),
    ],
)
def test_under_another_name_or_from_another_page_nobody_comes_in(serving: Serving, headers: dict[str, str], status: int) -> None:
    assert status == post(serving, Authorization=f"Bearer {TOKEN}", **headers).status_code


@pytest.mark.parametrize("host", ["mcp.example", "mcp.example:8443", "localhost:1"])
def test_under_a_name_that_was_allowed_they_do(serving: Serving, host: str) -> None:
    reply = post(serving, Authorization=f"bearer {TOKEN}", Host=host, Origin=f"https://{host}")
    assert reply.status_code not in (401, 403, 421)


def test_a_client_with_the_token_works_and_one_without_is_told(serving: Serving) -> None:
    async def session() -> None:
        async with serving.connected({"Authorization": f"Bearer {TOKEN}"}) as client:
            assert {"sources": []} == answered(await client.call_tool("list_sources", {}))
        with pytest.raises(Exception) as raised:  # whatever the SDK makes of a 401, wrapped by its task groups
            async with serving.connected() as client:
                await client.list_tools()
        assert any("401" in str(error) or isinstance(error, MCPError) for error in flat(raised.value))

    run(session)


def flat(error: BaseException) -> Iterator[BaseException]:
    for inner in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from flat(inner)
    yield error


def test_a_body_that_is_too_large_is_refused(serving: Serving) -> None:
    headers = {**JSON, "Authorization": f"Bearer {TOKEN}"}
    assert 413 == httpx2.post(serving.url, content=b"[" + b" " * (5 << 20), headers=headers).status_code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--host", "0.0.0.0"), "every interface"),
        (("--host", "0.0.0.0", "--allow-host", "mcp.example"), "it needs a token"),
        (("--token-file", "gone"), "cannot be read"),
    ],
)
def test_a_server_that_everybody_could_call_does_not_start(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    from veridical.cli import main

    with house(tmp_path) as home, pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        printed: list[str] = []
        patch.setattr("click.echo", lambda line="", **_: printed.append(str(line)))
        assert main(["--home", str(home.several.home), "mcp", "--http", *arguments]) in (2, 6)
        (line,) = printed
        assert said in line


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_only_loopback_needs_no_token(host: str) -> None:
    place = located(host, 0)
    assert place.is_loopback
    assert token(None, {}, place) is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "2001:db8::7"])
def test_everywhere_else_needs_one(host: str) -> None:
    place = located(host, 0)
    assert not place.is_loopback
    with pytest.raises(ConfigurationError, match="it needs a token"):
        token(None, {}, place)
    assert TOKEN == token(None, {"VERIDICAL_MCP_TOKEN": TOKEN}, place)


@pytest.mark.parametrize("content", ["", "short", "a b" * 20, "\u00e9" * 30, "x\n" * 30])
def test_a_token_that_is_none_is_refused_and_not_shown(tmp_path: Path, content: str) -> None:
    (tmp_path / "token").write_text(content, "utf-8")
    with pytest.raises(ConfigurationError, match="holds no token: expected 16 or more") as raised:
        token(tmp_path / "token", {}, located("127.0.0.1", 0))
    assert not content or content.strip() not in str(raised.value)


def test_the_file_goes_before_the_variable(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f" {TOKEN}\n", "utf-8")
    assert TOKEN == token(tmp_path / "token", {"VERIDICAL_MCP_TOKEN": "x" * 30}, located("127.0.0.1", 0))


def test_beyond_loopback_only_the_names_that_were_given_are_known() -> None:
    known = names("192.0.2.7", located("192.0.2.7", 0), ["mcp.example", "2001:db8::7"])
    assert ["192.0.2.7", "192.0.2.7:*", "mcp.example", "mcp.example:*", "[2001:db8::7]", "[2001:db8::7]:*"] == known.allowed_hosts
    assert "https://mcp.example" in known.allowed_origins
    assert not any("localhost" in name for name in known.allowed_hosts)


def test_a_place_that_is_taken_says_so() -> None:
    with located("127.0.0.1", 0).listen() as taken, pytest.raises(ConfigurationError, match=r"Nothing can listen at 127\.0\.0\.1:"):
        located("127.0.0.1", taken.getsockname()[1]).listen()


def test_a_host_that_is_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unknown)
    with pytest.raises(UsageError, match=r"There is no host 'no-such-host\.invalid': Name or service not known"):
        located("no-such-host.invalid", 0)


def test_what_is_no_request_passes_the_guard() -> None:
    """The start and the end of the application itself."""
    passed: list[str] = []

    async def app(scope: object, receive: object, send: object) -> None:
        passed.append("through")

    async def nothing(*_: object) -> dict[str, object]:
        return {}

    run(lambda: Guard(app, TOKEN)({"type": "lifespan"}, nothing, nothing))  # type: ignore[arg-type]
    assert ["through"] == passed
