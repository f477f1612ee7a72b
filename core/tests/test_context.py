from __future__ import annotations

import asyncio
import base64
import json
import logging
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field
from veridical.context import HTTP_TIMEOUT, Host, HostContext, RedactingFilter, Secrets
from veridical.homes import Home
from veridical_contract import ConfigurationError, HostFiles, MissingExtraError, MissingSecretError, Model, PluginContext, ProviderError

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
KEY = "s3cr3t/v+lue=="
SECRETS = st.text(min_size=6, max_size=40).map(str.strip).filter(lambda value: len(value) >= 6)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., HostContext]:
    def context(**options: Any) -> HostContext:
        known = {"home": Home.below(tmp_path / "home"), "files": cast("HostFiles", object()), "environment": {}, "clock": lambda: NOW}
        return HostContext("acme", Host(**{**known, **options}), cancelled=lambda: False)

    return context


def _secrets(value: str, name: str = "ACME_API_KEY") -> Secrets:
    secrets = Secrets()
    secrets.add(name, value)
    return secrets


def test_it_is_the_context_of_the_contract(make: Callable[..., HostContext]) -> None:
    context: PluginContext = make()
    assert ("acme", NOW, False) == (context.name, context.now(), context.cancelled())


def test_files_are_the_hosts(make: Callable[..., HostContext]) -> None:
    files = object()
    assert files is make(files=files).files


def test_folders_are_made_when_they_are_asked_for_and_for_their_owner_alone(make: Callable[..., HostContext], tmp_path: Path) -> None:
    context = make()
    assert [] == list(tmp_path.iterdir())
    folders = (context.data_dir, context.cache_dir)
    assert (tmp_path / "home", tmp_path / "home" / "cache" / "plugins" / "acme") == folders
    assert [0o700, 0o700] == [stat.S_IMODE(folder.stat().st_mode) for folder in folders]


class _Own(Model):
    country: str = "US"


def test_settings_are_the_plugins_own_table(make: Callable[..., HostContext]) -> None:
    context = make(tables={"acme": {"country": "AT"}, "other": {"country": "DE"}})
    assert _Own(country="AT") == context.settings(_Own)


def test_without_a_table_settings_are_the_defaults(make: Callable[..., HostContext]) -> None:
    assert _Own() == make().settings(_Own)


class _Served(Model):
    base_url: str = Field(default="https://acme.example", json_schema_extra={"variable": "ACME_URL"})


@pytest.mark.parametrize(
    ("table", "environment", "expected"),
    [
        ({}, {}, "https://acme.example"),
        ({}, {"ACME_URL": " \n"}, "https://acme.example"),
        ({}, {"ACME_URL": " https://own.example\n"}, "https://own.example"),
        ({"base_url": "https://listed.example"}, {"ACME_URL": "https://own.example"}, "https://listed.example"),
    ],
)
def test_a_setting_that_names_a_variable_is_taken_from_it_where_the_table_has_none(
    table: dict[str, str], environment: dict[str, str], expected: str, make: Callable[..., HostContext]
) -> None:
    context = make(tables={"acme": table}, environment=environment)
    assert expected == context.settings(_Served).base_url
    assert expected in context._host.secrets.redact(f"It is {expected}.")


def test_a_setting_that_is_off_is_named_with_file_and_key(make: Callable[..., HostContext], tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make(tables={"acme": {"county": "AT"}}).settings(_Own)
    assert f"{tmp_path}/home/settings.toml: plugin.acme.county: this key is not known. Did you mean 'country'?" == str(caught.value)


def test_a_secret_is_handed_out_without_the_white_space_around_it(make: Callable[..., HostContext]) -> None:
    assert KEY == make(environment={"ACME_API_KEY": f" {KEY}\n"}).secret("ACME_API_KEY")


@pytest.mark.parametrize("environment", [{}, {"ACME_API_KEY": ""}, {"ACME_API_KEY": " \n"}])
def test_a_secret_that_is_not_set_is_named_with_plugin_and_how_to_set_it(
    environment: dict[str, str], make: Callable[..., HostContext]
) -> None:
    with pytest.raises(MissingSecretError) as caught:
        make(environment=environment).secret("ACME_API_KEY")
    hint = "Set it (export ACME_API_KEY=...), or do without the plugin: veridical plugins disable acme"
    assert ("acme needs ACME_API_KEY, which is not set.", hint) == (caught.value.message, caught.value.hint)


# Secrets


@pytest.mark.parametrize(
    "written",
    [
        KEY,
        quote(KEY),
        quote(KEY, safe=""),
        quote(KEY, safe="").lower(),
        quote_plus(KEY),
        base64.b64encode(KEY.encode()).decode(),
        base64.urlsafe_b64encode(KEY.encode()).decode().rstrip("="),
        base64.b64encode(f"user:{KEY}".encode()).decode(),
        base64.b64encode(f"{KEY}:".encode()).decode(),
        base64.b64encode(f"ab{KEY}cd".encode()).decode(),
        json.dumps(KEY),
        repr(KEY),
    ],
)
def test_a_secret_is_found_in_whatever_way_it_is_written(written: str) -> None:
    redacted = _secrets(KEY).redact(f"GET /?key={written}&x=1")
    assert (True, True, False) == (redacted.startswith("GET /?key="), "[ACME_API_KEY]" in redacted, written in redacted)


@given(st.text(st.characters(), min_size=1, max_size=9))
def test_a_secret_may_hold_any_character(value: str) -> None:
    """Environment variables carry undecodable bytes as surrogates."""
    assert "[K]" in _secrets(value, "K").redact(value)


@given(SECRETS, st.text(max_size=30), st.text(max_size=30))
def test_no_text_keeps_a_secret(secret: str, before: str, after: str) -> None:
    redacted = _secrets(secret, "K").redact(before + secret + after)
    assert secret not in redacted.replace("[K]", "\0")


@given(SECRETS, st.binary(max_size=9), st.binary(max_size=9))
def test_no_base64_keeps_more_than_the_edges_of_a_secret(secret: str, before: bytes, after: bytes) -> None:
    text = base64.b64encode(before + secret.encode("utf-8", "surrogatepass") + after).decode()
    assert text != _secrets(secret, "K").redact(text)


@given(SECRETS)
def test_escapes_do_not_hide_a_secret(secret: str) -> None:
    redact = _secrets(secret, "K").redact
    written = [json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1], quote(secret, errors="replace")]
    assert ["[K]"] * 4 == [redact(one) for one in written]


@given(st.lists(st.text("ab", min_size=2, max_size=6), min_size=1, max_size=4), st.text("abc", max_size=30))
def test_secrets_that_overlap_are_taken_out_whole(values: list[str], text: str) -> None:
    secrets = Secrets()
    for value in values:
        secrets.add("-", value)
    redacted = secrets.redact(text)
    assert [] == [value for value in values if value in redacted]


@given(st.text(max_size=100))
def test_a_text_without_secrets_is_kept_as_it_is(text: str) -> None:
    assert text == _secrets("ACME-KEY-THAT-OCCURS-NOWHERE").redact(text)


# The log


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Callable[[], str]:
    caplog.set_level(logging.DEBUG, logger="veridical.plugins")
    return lambda: caplog.text


@pytest.mark.parametrize("place", ["message", "argument", "exception", "extra", "child"])
def test_no_part_of_a_log_record_keeps_a_secret(
    place: str, make: Callable[..., HostContext], log: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    context = make(environment={"ACME_API_KEY": KEY})
    key = context.secret("ACME_API_KEY")
    logger = context.logger.getChild("http") if place == "child" else context.logger
    try:
        raise ValueError(f"bad {key if place == 'exception' else ''}")
    except ValueError:
        logger.error(
            f"said {key}" if place in {"message", "child"} else "said %s",
            *([] if place in {"message", "child"} else [key if place == "argument" else "-"]),
            exc_info=place == "exception",
            extra={"url": key} if place == "extra" else None,
        )
    (record,) = caplog.records
    assert (True, False) == ("[ACME_API_KEY]" in repr(vars(record)), KEY in log() + repr(vars(record)))


def test_a_record_that_cannot_be_formatted_does_not_break_what_logs(make: Callable[..., HostContext], log: Callable[[], str]) -> None:
    make().logger.error("%d", "three")
    assert "a log record that cannot be formatted: TypeError" in log()


def test_the_logger_is_named_after_the_plugin_and_follows_the_level_of_all(
    make: Callable[..., HostContext], log: Callable[[], str]
) -> None:
    context = make()
    context.logger.debug("shown")
    logging.getLogger("veridical.plugins").setLevel(logging.WARNING)
    context.logger.debug("hidden")
    assert (True, False, "veridical.plugins.acme") == ("shown" in log(), "hidden" in log(), context.logger.name)


def test_the_filter_fits_a_handler(capsys: pytest.CaptureFixture[str]) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RedactingFilter(_secrets(KEY)))
    record = logging.LogRecord("httpx", logging.INFO, __file__, 1, "GET %s", (f"https://acme.example/?key={quote(KEY, safe='')}",), None)
    handler.handle(record)  # a stranger's logger writes URLs as they are
    assert "GET https://acme.example/?key=[ACME_API_KEY]\n" == capsys.readouterr().err


# HTTP


@pytest.fixture
def server() -> Iterator[str]:
    """A server on this machine that answers with the key it was sent."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(f"{self.path} {self.headers['X-Key']}".encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_a_client_has_the_base_url_and_headers_it_was_asked_for(make: Callable[..., HostContext], server: str) -> None:
    context = make()
    client = context.http(base_url=server, headers={"X-Key": "k"})
    with context.recorder.call() as records:
        assert "/search k" == client.get("/search").text
    asyncio.run(cast("Any", context.close()))
    assert (True, [(f"{server}/search", b"/search k")]) == (client.is_closed, [(record.url, record.body) for record in records])


def test_an_asynchronous_client_does_the_same(make: Callable[..., HostContext], server: str) -> None:
    async def fetch() -> tuple[str, bool]:
        context = make()
        client = context.ahttp(base_url=server, headers={"X-Key": "k"})
        with context.recorder.call() as records:
            text = (await client.get("/search")).text
        await context.close()
        assert [b"/search k"] == [record.body for record in records]
        return text, client.is_closed

    assert ("/search k", True) == asyncio.run(fetch())


def test_transports_for_an_sdk_record_and_close_with_the_plugin(make: Callable[..., HostContext], server: str) -> None:
    httpx2 = pytest.importorskip("httpx2")
    context = make()
    client = httpx2.Client(transport=context.httpx2_transport())

    async def fetch() -> None:
        await httpx2.AsyncClient(transport=context.httpx2_async_transport()).get(f"{server}/b")
        await context.close()

    with context.recorder.call() as records:
        client.get(f"{server}/a")
        asyncio.run(fetch())
    assert [f"{server}/a", f"{server}/b"] == [record.url for record in records]


def test_a_session_records_and_closes_with_the_plugin(make: Callable[..., HostContext], server: str) -> None:
    pytest.importorskip("requests")
    context = make()
    with context.recorder.call() as records:
        assert "/a None" == context.requests_session().get(f"{server}/a").text
    asyncio.run(cast("Any", context.close()))
    assert [b"/a None"] == [record.body for record in records]


def test_a_reply_that_holds_a_secret_is_refused(make: Callable[..., HostContext], server: str) -> None:
    context = make(environment={"ACME_API_KEY": KEY})
    client = context.http(base_url=server, headers={"X-Key": context.secret("ACME_API_KEY")})
    with context.recorder.call() as records, pytest.raises(ProviderError, match="sent a secret back"):
        client.get("/search")
    asyncio.run(cast("Any", context.close()))
    assert (b"", False) == (records[0].body, KEY in repr(records))


def test_a_client_never_waits_for_ever(make: Callable[..., HostContext]) -> None:
    context = make()
    timeouts = [client.timeout for client in (context.http(), context.ahttp())]
    asyncio.run(cast("Any", context.close()))
    assert [HTTP_TIMEOUT] * 2 == [timeout.read for timeout in timeouts]


def test_proxies_and_logins_of_the_environment_are_not_used(make: Callable[..., HostContext]) -> None:
    context = make()
    clients = [context.http(), context.ahttp(), context.requests_session()]
    asyncio.run(cast("Any", context.close()))
    assert [False] * 3 == [client.trust_env for client in clients]


@pytest.mark.parametrize(
    ("library", "method"),
    [
        ("httpx", "http"),
        ("httpx", "ahttp"),
        ("httpx2", "httpx2_transport"),
        ("httpx2", "httpx2_async_transport"),
        ("requests", "requests_session"),
    ],
)
def test_without_its_library_the_error_says_what_to_install(
    library: str, method: str, make: Callable[..., HostContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError) as caught:
        getattr(make(), method)()
    assert f"acme needs {library}, which is not installed. Type: pip install {library}" == str(caught.value)


def test_importing_it_imports_no_client() -> None:
    code = "import sys, veridical.context; print({'httpx', 'httpx2', 'requests', 'warcio'} & {*sys.modules})"
    assert "set()\n" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
