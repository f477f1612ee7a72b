"""A plugin in a process of its own: what it finds is proved as in any other, and what it does to its own process changes nothing here."""

from __future__ import annotations

import gzip
import json
import textwrap
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import veridical.kernel.admission as admission
import veridical.kernel.wire as wire_rules
from pydantic import BaseModel
from veridical import Veridical
from veridical.isolation import unsupported
from veridical.kernel.canonical import canonical_bytes
from veridical.kernel.exit import Published
from veridical.render import render_html, render_markdown, render_text
from veridical_contract import ConfigurationError, PluginError, PluginRecord, ProviderError

from tests.attacks.test_replies import QUESTION, READ, acme, answer, installed, quoted
from tests.providers.service import Answer, Asked, Service, as_json, dropped, service
from tests.providers.test_grounded import CLAIM, anthropic, claims
from tests.providers.test_grounded import asking as grounding
from tests.providers.test_research import HITS as PROVIDERS_HITS
from tests.providers.test_research import PROVIDERS, Provider, _words, released, says

pytestmark = pytest.mark.skipif(bool(unsupported()), reason=f"there is no sandbox here: {unsupported()}")

ISOLATED = "[isolation.acme]\nisolate = true\n"


@contextmanager
def asking(
    folder: Path, code: str = READ, *, answer: Callable[[Asked], Answer | None] = answer, more: str = ISOLATED, **environment: str
) -> Generator[tuple[Veridical, Service]]:
    with service(answer) as running, installed(folder, acme(running.url, code), more=more, **environment) as veridical:
        yield veridical, running


def research(folder: Path, code: str = READ, **options: Any) -> Published:
    with asking(folder, code, **options) as (veridical, _):
        return veridical.research(QUESTION, search="acme")


def failure(folder: Path, code: str = READ, **options: Any) -> str:
    """What the row of the plugin says when the research fails."""
    with asking(folder, code, **options) as (veridical, _), pytest.raises((ProviderError, ConfigurationError)) as error:
        veridical.research(QUESTION, search="acme")
    # A key that is refused stops the run: the workflow makes it a matter of configuration.
    return error.value.failure if isinstance(error.value, ProviderError) else "auth" if "doctor --ping" in error.value.hint else ""


# The same report


def test_an_honest_plugin_gives_the_same_report_and_the_report_says_that_it_ran_isolated(tmp_path: Path) -> None:
    with service(answer) as running:
        found: list[Published] = []
        for name, more in (("here", ""), ("apart", ISOLATED)):
            (tmp_path / name).mkdir()
            with installed(tmp_path / name, acme(running.url), more=more) as veridical:
                found.append(veridical.research(QUESTION, search="acme"))
                root = veridical.save(found[-1], "report.zip")
                assert 0 == veridical.verify("report.zip", root=root).code
                assert found[-1].report_bytes == veridical.store.reopen(found[-1].report.run.id).report_bytes
    here, apart = found
    assert quoted(here)
    assert {row.url for row in here.report.citations} == {row.url for row in apart.report.citations}
    assert quoted(here) == quoted(apart)
    assert [row.grades for row in here.report.citations] == [row.grades for row in apart.report.citations]
    isolated = {row.name: row.isolated for row in apart.report.plugins}
    assert ("sandboxed", None) == (isolated["acme"], isolated["sqlite"])
    assert b'"isolated"' not in here.report_bytes
    for render in (partial(render_text, width=200), render_markdown, render_html):
        assert "plugin acme ran isolated, in a sandbox" in render(apart.report)
        assert "isolated" not in render(here.report)


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda one: one.name)
def test_the_plugins_of_providers_run_isolated(provider: Provider, tmp_path: Path) -> None:
    with service(lambda asked: provider.reply(PROVIDERS_HITS, _words(asked))) as running:
        home = tmp_path / "home"
        home.mkdir()
        table = {"base_url": running.url, **provider.settings}
        lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items())
        secrets = json.dumps([provider.key] if provider.key else [])
        rule = f'[isolation.{provider.name}]\nisolate = true\nsecrets = {secrets}\nhosts = ["127.0.0.1"]\n'
        hosts = f'[plugins]\nenabled = ["{provider.name}"]\n[plugins.hosts]\n{provider.name} = ["127.0.0.1"]\n'
        (home / "settings.toml").write_text(f"{hosts}[plugin.{provider.name}]\n{lines}{rule}", "utf-8")
        environment = {provider.key: "key-of-this-test"} if provider.key else {}
        with Veridical(home=home, base=tmp_path, environment=environment) as veridical:
            published = veridical.research(QUESTION, search=provider.name)
    assert says(published, PROVIDERS_HITS)
    assert released(published)
    assert "sandboxed" in {row.isolated for row in published.report.plugins if row.name == provider.name}


# The recording proxy

CLIENTS = {
    "httpx": ("reply = self.http.get(URL, params={'q': query.text}).json()", "def"),
    "httpx, asynchronous": ("reply = (await self.context.ahttp().get(URL, params={'q': query.text})).json()", "async def"),
    "httpx2": (
        "import httpx2\nreply = httpx2.Client(transport=self.context.httpx2_transport()).get(URL, params={'q': query.text}).json()",
        "def",
    ),
    "httpx2, asynchronous": (
        (
            "import httpx2\nasync with httpx2.AsyncClient(transport=self.context.httpx2_async_transport()) as client:\n"
            "    reply = (await client.get(URL, params={'q': query.text})).json()"
        ),
        "async def",
    ),
    "requests": ("reply = self.context.requests_session().get(URL, params={'q': query.text}).json()", "def"),
    "redirect": ("reply = self.http.get(URL.replace('search', 'moved'), params={'q': query.text}, follow_redirects=True).json()", "def"),
    "threads": (
        (
            "import contextvars, concurrent.futures\nwith concurrent.futures.ThreadPoolExecutor(4) as pool:\n"
            "    ask = lambda: self.http.get(URL, params={'q': query.text}).json()\n"
            "    reply = [one.result() for one in [pool.submit(contextvars.copy_context().run, ask) for _ in range(4)]][0]"
        ),
        "def",
    ),
}


@pytest.mark.parametrize("client", CLIENTS, ids=CLIENTS.keys())
@pytest.mark.parametrize("coded", [False, True], ids=["plain", "gzip"])
def test_whichever_client_it_uses_the_host_records_and_proves(client: str, coded: bool, tmp_path: Path) -> None:
    asks, marker = CLIENTS[client]
    code = f"URL = self.base + '/search'\n{asks}\nreturn self.wire.items(reply)"

    def coding(asked: Asked) -> Answer:
        if asked.path == "/moved":
            return Answer(status=302, headers={"Location": f"/search?q={asked.query['q'].replace(' ', '+')}"})
        whole = answer(asked)
        return replace(whole, body=gzip.compress(whole.body), headers={**whole.headers, "Content-Encoding": "gzip"}) if coded else whole

    with service(coding) as running:
        distribution = acme(running.url, code)
        if marker != "def":
            (name, source), *_ = distribution.modules.items()
            distribution = replace(distribution, modules={name: source.replace("def search(", "async def search(")})
        with installed(tmp_path, distribution, more=ISOLATED) as veridical:
            published = veridical.research(QUESTION, search="acme")
            bodies = {reply.digest for reply in veridical.store.wire(published.report.run.id)}
    assert quoted(published)
    assert {"wire"} == {row.witness for row in published.report.citations}
    assert {json.loads(body)["raw"]["digest"] for body in published.documents.values()} <= bodies


def test_a_stream_comes_piece_by_piece(tmp_path: Path) -> None:
    """The service sends the second event when the plugin has told it that the first one came."""
    told = threading.Event()

    def streaming(asked: Asked) -> Answer | None:
        if asked.path == "/told":
            told.set()
            return as_json({})
        return None if asked.path == "/hang" else answer(asked)

    code = """
    with self.http.stream("GET", self.base + "/events") as reply:
        pieces = reply.iter_bytes()
        first = next(pieces)
        self.http.get(self.base + "/told").raise_for_status()
        rest = b"".join(pieces)
    found = self.http.get(self.base + "/search", params={"q": query.text}).json()
    assert first == b"data: 1\\n\\n" and rest == b"data: 2\\n\\n", (first, rest)
    return self.wire.items(found)
    """
    with events(told) as url:

        def redirected(asked: Asked) -> Answer | None:
            return Answer(status=307, headers={"Location": url}) if asked.path == "/events" else streaming(asked)

        stream = code.replace('"/events")', '"/events", follow_redirects=True)')
        published = research(tmp_path, stream, answer=redirected)
    assert quoted(published)


@contextmanager
def events(told: threading.Event) -> Generator[str]:
    """A service that sends one event, and the other one when it was told that the first one came."""
    import socket

    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: 1\n\n")
            if told.wait(20):
                connection.sendall(b"data: 2\n\n")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/"
    server.close()


@pytest.mark.parametrize(
    ("answered", "said"),
    [
        (lambda asked: as_json({"error": "slow down"}, status=429, retry_after="7"), "rate-limit"),
        (lambda asked: as_json({"error": "who?"}, status=401), "auth"),
        (lambda asked: dropped(), "connection"),
        (lambda asked: Answer(b'{"results"', headers={"Content-Type": "application/json"}, cut=100), "malformed"),
        (lambda asked: as_json({"key": "the-key-of-acme"}), "malformed"),
    ],
)
def test_what_goes_wrong_over_the_wire_is_known_here(answered: Callable[[Asked], Answer], said: str, tmp_path: Path) -> None:
    code = "self.context.secret('ACME_KEY')\n" + textwrap.dedent(READ)
    more = ISOLATED + 'secrets = ["ACME_KEY"]\n'
    assert said == failure(tmp_path, code, answer=answered, more=more, ACME_KEY="the-key-of-acme")


def test_a_host_that_is_not_listed_is_not_asked(tmp_path: Path) -> None:
    with asking(tmp_path, more=ISOLATED + 'hosts = ["api.acme.example"]\n') as (veridical, running):
        with pytest.raises(PluginError, match="not among the hosts of"):
            veridical.research(QUESTION, search="acme")
        assert [] == running.asked


@pytest.mark.parametrize("url", ["http://api.acme.example\\\\@127.0.0.1:{port}/search", "http://api.acme.example@127.0.0.1:{port}/search"])
def test_a_url_that_two_readers_read_differently_leads_to_no_other_host(url: str, tmp_path: Path) -> None:
    code = """
    from veridical.isolation.messages import AskHttp
    self.context._pipe.ask(lambda n: AskHttp(ask=n, call=1, method="GET", url="{url}", headers=(), body="", seconds=1.0))
    """
    with service(answer) as running:
        port = running.url.rpartition(":")[2]
        whole = textwrap.dedent(code).replace("{url}", url.replace("{port}", port))
        more = ISOLATED + 'hosts = ["api.acme.example"]\n'
        with installed(tmp_path, acme(running.url, whole), more=more) as veridical, pytest.raises(ProviderError):
            veridical.research(QUESTION, search="acme")
        assert [] == running.asked


def test_the_host_that_is_asked_is_that_of_the_url(tmp_path: Path) -> None:
    code = READ.replace('params={"q": query.text}', 'params={"q": query.text}, headers={"Host": "evil.example"}')
    assert code != READ
    with asking(tmp_path, code, more=ISOLATED + 'hosts = ["127.0.0.1"]\n') as (veridical, running):
        assert quoted(veridical.research(QUESTION, search="acme"))
        assert [running.url.removeprefix("http://")] == [asked.headers["host"] for asked in running.asked]


def test_a_thread_that_belongs_to_no_call_asks_nothing(tmp_path: Path) -> None:
    code = """
    import threading
    failed = []
    def ask():
        try:
            self.http.get(self.base + "/stray")
        except PluginError as error:
            failed.append(str(error))
    stray = threading.Thread(target=ask)
    stray.start()
    stray.join()
    assert "here there is none" in failed[0], failed
    return self.wire.items(self.http.get(self.base + "/search", params={"q": query.text}).json())
    """
    with asking(tmp_path, code) as (veridical, running):
        assert quoted(veridical.research(QUESTION, search="acme"))
        assert ["/search"] == [asked.path for asked in running.asked]


def test_many_requests_at_once_are_answered_each_for_itself(tmp_path: Path) -> None:
    code = """
    import contextvars
    from concurrent.futures import ThreadPoolExecutor
    def ask(number):
        return number, self.http.get(self.base + "/number", params={"n": number}).json()["n"]
    with ThreadPoolExecutor(50) as pool:
        found = [pool.submit(contextvars.copy_context().run, ask, number) for number in range(50)]
        assert [one.result() for one in found] == [(n, str(n)) for n in range(50)]
    return self.wire.items(self.http.get(self.base + "/search", params={"q": query.text}).json())
    """

    def numbered(asked: Asked) -> Answer:
        return as_json({"n": asked.query["n"]}) if asked.path == "/number" else answer(asked)

    with asking(tmp_path, code, answer=numbered) as (veridical, running):
        assert quoted(veridical.research(QUESTION, search="acme"))
        assert 51 == len(running.asked)


# Lies

PATCH = """
import builtins, hashlib, json, pydantic, veridical.kernel, veridical_contract
import veridical.kernel.admission as admission, veridical.kernel.wire as rules, veridical.wire.recording.recorder as recorder
import veridical.discovery.loading as loading, veridical.isolation.messages as messages
yes = lambda *given, **named: True
for module in (admission, rules, recorder, loading):
    for name, value in list(vars(module).items()):
        if callable(value) and not isinstance(value, type):
            setattr(module, name, yes)
for kind in (recorder.Recorder, recorder.Exchange, veridical_contract.WireMap):
    for name in ("begin", "replied", "feed", "end", "_has_secret", "covers", "model_validate_json"):
        setattr(kind, name, yes)
pydantic.BaseModel.model_validate = classmethod(lambda kind, *given, **named: kind.model_construct())
hashlib.sha256 = yes
"""
INVENTED = """
return [Item(locator=Locator(container="x"), text="Radium was never discovered by anybody at all.", url="https://evil.example/",
    place=WirePlace(item="/results/0", text="text"))]
"""


def test_one_that_patches_the_kernel_in_its_own_process_changes_nothing_here(tmp_path: Path) -> None:
    before = [vars(module).copy() for module in (admission, wire_rules)]
    validate = BaseModel.__dict__["model_validate"]
    code = f"{PATCH}\nself.http.get(self.base + '/search', params={{'q': query.text}})\n{INVENTED.strip()}"
    published = research(tmp_path, code)
    assert (set(), ["differs-from-bytes"]) == (quoted(published), [row.rule for row in published.report.rejections])
    assert before == [vars(module) for module in (admission, wire_rules)]
    assert validate is BaseModel.__dict__["model_validate"]


def test_one_that_asks_behind_the_hosts_back_has_nothing_recorded(tmp_path: Path) -> None:
    code = """
    import urllib.request
    reply = json.loads(urllib.request.urlopen(self.base + "/search?q=x").read())
    return self.wire.items(reply)
    """
    code = "import json\n" + textwrap.dedent(code)
    with asking(tmp_path, code) as (veridical, running):
        with pytest.raises(PluginError, match="acme"):
            veridical.research(QUESTION, search="acme")
        assert [] == running.asked
    (tmp_path / "may").mkdir()
    with asking(tmp_path / "may", code, more=ISOLATED + "network = true\n") as (veridical, running):
        with pytest.raises(PluginError, match="none of its 2 results stands in a reply that was recorded"):
            veridical.research(QUESTION, search="acme")
        assert 1 == len(running.asked)


def test_a_reply_of_an_earlier_call_proves_nothing(tmp_path: Path) -> None:
    code = """
    if not hasattr(self, "kept"):
        self.kept = self.http.get(self.base + "/search", params={"q": query.text}).json()
        return self.wire.items(self.kept)
    return self.wire.items(self.kept)
    """
    with asking(tmp_path, code) as (veridical, _):
        assert quoted(veridical.research(QUESTION, search="acme"))
        with pytest.raises(PluginError, match="none of its 2 results stands in a reply"):
            veridical.research("how was radium found", search="acme")


def test_places_that_were_not_approved_are_refused_here(tmp_path: Path) -> None:
    with service(answer) as running, installed(tmp_path, acme(running.url), more=ISOLATED) as veridical:
        veridical.enable_plugin("acme")
        assert quoted(veridical.research(QUESTION, search="acme"))
    other = acme(running.url)
    (name, source), *_ = other.modules.items()
    changed = replace(other, modules={name: source.replace('item="/results/*"', 'item="/invented/*"')})
    settings = (tmp_path / "home/settings.toml").read_text("utf-8")
    with installed(tmp_path, changed) as veridical:
        (tmp_path / "home/settings.toml").write_text(settings, "utf-8")
        ((_, status),) = veridical.show_plugin("acme")
    assert ("refused", "sandboxed") == (status.status, status.isolated)
    assert "plugins enable acme" in status.reason


# Sources


def test_a_source_over_host_files_gives_the_same_documents_held(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "rows.jsonl").write_text('{"body": "Radium was found in a shed by Marie Curie."}\n', "utf-8")
    many = "".join(json.dumps({"body": f"Row {number} says that lamp {number} glowed in the dark."}) + "\n" for number in range(500))
    (notes / "many.jsonl").write_text(many, "utf-8")
    (notes / "a.md").write_text("# Radium\n\nPierre Curie *boiled* pitchblende in the shed for years.\n", "utf-8")
    found: list[tuple[Any, ...]] = []
    for name, more in (("here", ""), ("apart", "[isolation.files]\nisolate = true\n")):
        (tmp_path / name / "home").mkdir(parents=True)
        (tmp_path / name / "home/settings.toml").write_text(more, "utf-8")
        with Veridical(home=tmp_path / name / "home", base=tmp_path, environment={}) as veridical:
            published = veridical.research("who boiled pitchblende in the shed for radium", paths=["notes"])
            isolated = {row.isolated for row in published.report.plugins if row.name == "files"}
            count = veridical.doctor().store
            assert count is not None
            documents = (count.documents, [(row.status, row.documents) for row in published.report.inputs], published.report.rejections)
            found.append((quoted(published), [row.grades.text for row in published.report.citations], documents, isolated))
    here, apart = found
    assert here[:3] == apart[:3]
    assert here[0]
    assert {"held"} == {*here[1]}
    assert 502 == here[2][0]
    assert ({None}, {"sandboxed"}) == (here[3], apart[3])


def test_the_chat_plugin_that_composes_may_be_isolated(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/settings.toml").write_text("[isolation.extractive]\nisolate = true\n[isolation.hashing]\nisolate = true\n", "utf-8")
    (tmp_path / "a.md").write_text("Radium was found in a shed by Marie Curie.\n", "utf-8")
    with Veridical(home=tmp_path / "home", base=tmp_path, environment={}) as veridical:
        published = veridical.research("who found radium in a shed", paths=["a.md"])
    assert {"Radium was found in a shed by Marie Curie."} == quoted(published)
    isolated = {row.name: row.isolated for row in published.report.plugins}
    assert ("sandboxed", "sandboxed", None) == (isolated["extractive"], isolated["hashing"], isolated["sqlite"])


def test_a_report_without_isolation_has_the_bytes_that_it_had() -> None:
    row = {"name": "acme", "kind": "search", "distribution": "veridical-acme", "version": "1.0", "status": "ok", "reason": None}
    assert canonical_bytes(row) == canonical_bytes(PluginRecord.model_validate(row).model_dump(mode="json"))
    assert row | {"isolated": "unsandboxed"} == PluginRecord.model_validate(row | {"isolated": "unsandboxed"}).model_dump(mode="json")


def test_a_chat_plugin_with_an_sdk_is_grounded_as_it_is_here(tmp_path: Path) -> None:
    with grounding("anthropic", "ANTHROPIC_API_KEY", tmp_path, anthropic) as (veridical, _):
        with (tmp_path / "home/settings.toml").open("a", encoding="utf-8") as settings:
            settings.write('[isolation.anthropic]\nisolate = true\nsecrets = ["ANTHROPIC_API_KEY"]\nhosts = ["127.0.0.1"]\n')
        published = veridical.research(QUESTION, web=True)
    assert (CLAIM, ["Marie and Pierre Curie discovered radium in December 1898, in a shed in"]) in claims(published)
    assert {"sandboxed"} == {row.isolated for row in published.report.plugins if row.name == "anthropic"}
    assert b"key-of-this-test" not in published.report_bytes
