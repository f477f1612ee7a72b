"""A requests session that records: its adapter hands on what urllib3 reads, after it was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from veridical_contract import PluginError

from .codings import acceptable
from .recorder import Exchange, Recorder
from .standins import Network, prepared_reply

if TYPE_CHECKING:
    import requests
    from requests.adapters import BaseAdapter

__all__ = ["check_way", "plain_session", "recording_session"]


def recording_session(recorder: Recorder, *, timeout: float, network: Network | None = None) -> requests.Session:
    """Return a session that records; it uses no proxy and no netrc of the environment, and follows no redirect unless it is told to.

    Args:
        recorder: of the plugin.
        timeout: seconds for connecting, and for each wait for bytes, where a request names none.
        network: who answers; None is the network.
    """
    from requests.adapters import HTTPAdapter

    class _Adapter(HTTPAdapter):
        def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
            check_way(request, *args, **options)
            exchange = _begin(recorder, request)
            if not args:
                options["timeout"] = options.get("timeout") or timeout
            try:
                response = self._answered(request, *args, **options)
            except BaseException as error:
                exchange.fail(error)
                raise
            return _replied(exchange, response)

        def _answered(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
            if network is None:
                return super().send(request, *args, **options)
            return self.build_response(request, prepared_reply(network, request, options.get("timeout")))

    return plain_session(_Adapter())


def plain_session(adapter: BaseAdapter) -> requests.Session:
    """Return a session that sends with `adapter`, uses no proxy and no netrc of the environment, and follows no redirect unless told to."""
    import requests

    class _Session(requests.Session):
        def request(self, method: Any, url: Any, *args: Any, **options: Any) -> requests.Response:
            if len(args) < _REDIRECTS_AT:
                options.setdefault("allow_redirects", False)
            return super().request(method, url, *args, **options)

        def get(self, *args: Any, **options: Any) -> requests.Response:
            return self.request("GET", *args, **options)

        def options(self, *args: Any, **options: Any) -> requests.Response:
            return self.request("OPTIONS", *args, **options)

    session = _Session()
    session.trust_env = False
    for scheme in ("https://", "http://"):
        session.mount(scheme, adapter)
    return session


_REDIRECTS_AT = 8  # place of `allow_redirects` among the arguments of `Session.request` after the URL


def check_way(
    request: requests.PreparedRequest,
    stream: object = None,  # noqa: ARG001 - the order is that of requests
    timeout: object = None,  # noqa: ARG001
    verify: object = True,  # noqa: FBT002
    cert: object = None,  # noqa: ARG001
    proxies: object = None,
) -> None:
    """Raise when somebody else than the host of the URL could answer."""
    if proxies:
        raise PluginError("A request was not sent: it names a proxy, and whoever answers there is not known.", hint="Leave proxies out.")
    if verify is False and (request.url or "").startswith("https:"):
        raise PluginError("A request was not sent: it leaves out who answers, with verify=False.", hint="Leave verify out.")


def _begin(recorder: Recorder, request: requests.PreparedRequest) -> Exchange:
    body = cast("object", request.body)  # whatever a caller handed in: a file, an iterator
    if not isinstance(body, str | bytes | None):
        raise PluginError("A request was not sent: its body is read while it is sent, and cannot be recorded.", hint="Pass it as bytes.")
    sent = body.encode() if isinstance(body, str) else body or b""
    exchange = recorder.begin(request.method or "", request.url or "", str(request.headers.get("content-type", "")), sent)
    request.headers["Accept-Encoding"] = acceptable(str(request.headers.get("accept-encoding", "")))
    return exchange


def _replied(exchange: Exchange, response: requests.Response) -> requests.Response:
    raw: Any = response.raw
    try:
        exchange.replied(response.status_code, response.reason or "", raw.headers.items())
    except BaseException:
        response.close()
        raise
    inner, close, stands_at = raw.stream, raw.close, raw.tell()

    def stream(amt: int | None = 1 << 16, decode_content: bool | None = None) -> Iterator[bytes]:  # noqa: FBT001 - urllib3's own
        try:
            yield from _teed(exchange, inner(amt, decode_content=False), decode=decode_content is not False)
        except Exception:
            close()  # requests does not, and the connection would stay open
            raise

    if stands_at == 0:  # what was read before is not known here
        raw.stream = stream
    return response


def _teed(exchange: Exchange, pieces: Iterator[bytes], *, decode: bool) -> Iterator[bytes]:
    try:
        for piece in pieces:
            decoded = exchange.feed(piece)
            if given := _decoded(exchange, decoded) if decode else piece:
                yield given
    except GeneratorExit:
        exchange.close()
        raise
    except BaseException as error:
        exchange.fail(error)
        raise
    exchange.end()


def _decoded(exchange: Exchange, data: bytes) -> bytes:
    """Say in urllib3's words, which requests turns into its own, that a body is not in its coding."""
    from urllib3.exceptions import DecodeError

    if exchange.undecodable:
        raise DecodeError(exchange.undecodable)
    return data
