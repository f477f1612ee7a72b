"""The proxy that the program's calls leave through: what it passes on, what it refuses, and what it keeps."""

import asyncio
import gzip
import logging

import httpx
import pytest
from veridical_claude_code._proxy import RecordingProxy

PIECES = [b"data: 1\n\n", b"data: 2\n\n"]


class Upstream:
    """An API on loopback that answers every connection with `parts`, one after the other, each when it is let go."""

    def __init__(self, *parts: bytes) -> None:
        self.parts = parts
        self.gates = [asyncio.Event() for _ in parts]
        self.asked: list[bytes] = []
        self.tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.open()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.sleep(0)

    async def serve(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        head = await reader.readuntil(b"\r\n\r\n")
        length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
        self.asked.append(head + await reader.readexactly(length))
        for gate, part in zip(self.gates, self.parts, strict=True):
            await gate.wait()
            writer.write(part)
            await writer.drain()
        writer.close()

    def open(self):
        for gate in self.gates:
            gate.set()


def reply(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "content-type: text/event-stream", f"content-length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def proxied(test, *parts: bytes, client: httpx.AsyncClient | None = None):
    """Run `test(proxy, upstream, user)`, where `user` is an HTTP client in the place of the program."""

    async def within():
        async with (
            Upstream(*parts) as upstream,
            client or httpx.AsyncClient() as recorded,
            RecordingProxy(recorded, upstream.url) as proxy,
            httpx.AsyncClient() as user,
        ):
            return await test(proxy, upstream, user)

    return asyncio.run(within())


def test_a_call_is_passed_on_with_its_headers_and_body():
    async def test(proxy, upstream, user):
        upstream.open()
        answer = await user.post(
            f"{proxy.url}/v1/messages?beta=true", content=b'{"a": 1}', headers={"x-api-key": "k", "anthropic-version": "v"}
        )
        head, _, body = upstream.asked[0].partition(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        assert (b"post /v1/messages?beta=true http/1.1", b'{"a": 1}') == (lines[0], body)
        assert {b"x-api-key: k", b"anthropic-version: v", f"host: {upstream.url[7:]}".encode()} <= set(lines)
        assert (b"ok", "text/event-stream", [b"ok"]) == (answer.content, answer.headers["content-type"], proxy.replies)

    proxied(test, reply(b"ok"))


def test_pieces_reach_the_program_as_they_come():
    async def test(proxy, upstream, user):
        upstream.gates[0].set()
        async with user.stream("POST", f"{proxy.url}/v1/messages") as answer:
            pieces = answer.aiter_bytes()
            assert PIECES[0] == await anext(pieces)
            assert [] == proxy.replies
            upstream.open()
            assert PIECES[1] == await anext(pieces)
        assert [b"".join(PIECES)] == proxy.replies

    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    chunks = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in PIECES]
    proxied(test, head + chunks[0], chunks[1] + b"0\r\n\r\n")


def test_a_coding_of_the_reply_is_undone_for_the_program():
    async def test(proxy, upstream, user):
        upstream.open()
        answer = await user.post(f"{proxy.url}/v1/messages")
        assert (b"words", False, [b"words"]) == (answer.content, "content-encoding" in answer.headers, proxy.replies)

    proxied(test, reply(gzip.compress(b"words"), "content-encoding: gzip"))


def test_a_failure_is_passed_on_with_its_status_and_hint_and_is_no_reply():
    async def test(proxy, upstream, user):
        upstream.open()
        answer = await user.post(f"{proxy.url}/v1/messages")
        assert (429, "7", []) == (answer.status_code, answer.headers["retry-after"], proxy.replies)

    proxied(test, reply(b"{}", "retry-after: 7", status="429 Too Many Requests"))


@pytest.mark.parametrize("path", ["/v1/messages", "/wrong/v1/messages", "{own}/api/hello", "{own}v1/messages", "{own}"])
def test_what_is_not_a_call_of_the_program_is_refused(path):
    async def test(proxy, upstream, user):
        root, own = proxy.url.rsplit("/", 1)
        answer = await user.post(root + path.replace("{own}", f"/{own}"))
        assert (404, []) == (answer.status_code, upstream.asked)

    proxied(test)


def test_a_reply_that_is_cut_is_cut_for_the_program_too_and_not_kept():
    async def test(proxy, upstream, user):
        upstream.open()
        with pytest.raises(httpx.RemoteProtocolError):
            await user.post(f"{proxy.url}/v1/messages")
        assert ([], httpx.RemoteProtocolError) == (proxy.replies, type(proxy.error))

    proxied(test, reply(b"whole")[:-2])


def test_an_error_of_the_recorded_client_is_kept_and_the_first_one_counts():
    class RefusedError(Exception):
        pass

    def refuse(request):
        raise RefusedError(request.url.path)

    async def test(proxy, upstream, user):
        for path in ("/v1/one", "/v1/two"):
            with pytest.raises(httpx.RemoteProtocolError):
                await user.post(proxy.url + path)
        assert (RefusedError, "/v1/one") == (type(proxy.error), str(proxy.error))

    proxied(test, client=httpx.AsyncClient(transport=httpx.MockTransport(refuse)))


@pytest.mark.parametrize("said", [b"", b"\x00\xff\r\n\r\n", b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc"])
def test_whoever_is_no_http_client_is_let_go_without_a_word(said, caplog):
    async def test(proxy, upstream, user):
        port = int(proxy.url.split("/")[2].split(":")[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        writer.write_eof()
        assert b"" == await reader.read()
        writer.close()
        assert proxy.error is None

    with caplog.at_level(logging.DEBUG, "asyncio"):
        proxied(test)
    assert [] == [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_calls_that_still_run_end_with_the_proxy():
    async def test(proxy, upstream, user):
        call = asyncio.create_task(user.post(f"{proxy.url}/v1/messages"))
        while not upstream.asked:  # noqa: ASYNC110 - it waits for another connection
            await asyncio.sleep(0.01)
        await proxy.__aexit__(None, None, None)
        with pytest.raises(httpx.HTTPError):
            await call

    proxied(test, reply(b"never"))
