"""A plugin that lies about replies, breaks while it reads them, or is interrupted: installed, enabled and asked as any other is."""

from __future__ import annotations

import gzip
import json
import textwrap
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from veridical import Veridical
from veridical.kernel.exit import Published
from veridical_contract import CancelledError, ConfigurationError, PluginError, ProviderError, UsageError

from tests.distributions import Distribution, plugin
from tests.distributions.installing import on_path
from tests.providers.service import Answer, Asked, Service, as_json, service

QUESTION = "how was radium discovered"
HITS = [
    {"url": "https://one.example/radium", "title": "On radium", "text": "Marie and Pierre Curie discovered radium in December 1898."},
    {"url": "https://two.example/shed", "title": "The shed", "text": "Radium was found by boiling tons of pitchblende in a shed."},
]
READ = """
reply = self.http.get(self.base + "/search", params={"q": query.text})
return self.wire.items(reply.json())
"""


def answer(asked: Asked) -> Answer:
    return as_json({"query": asked.query.get("q", ""), "results": HITS})


def acme(base: str, code: str = READ, *, author: str = "None", name: str = "acme") -> Distribution:
    """A search plugin whose hook is `code`; it asks `base`, and its wire map is true."""
    start = f"""
    def __init__(self, context):
        self.context, self.http, self.base = context, context.http(), "{base}"
        self.wire = WireMap(base_url=self.base, item="/results/*", url="url", title="title", text=("text",), author={author})

    @hookimpl
    def search(self, query):
    """
    return plugin(name, textwrap.dedent(start) + textwrap.indent(textwrap.dedent(code), "    "))


@contextmanager
def installed(folder: Path, *distributions: Distribution, more: str = "", **environment: str) -> Generator[Veridical]:
    """An installation in which the plugins of these distributions are enabled, and may ask loopback."""
    names = [name for one in distributions for group in one.entry_points.values() for name in group]
    home = folder / "home"
    home.mkdir(exist_ok=True)
    hosts = "".join(f'{name} = ["127.0.0.1"]\n' for name in names)
    (home / "settings.toml").write_text(f"[plugins]\nenabled = {json.dumps(names)}\n[plugins.hosts]\n{hosts}{more}", "utf-8")
    with on_path(folder / "site") as site:
        for one in distributions:
            one.install(site)
        with Veridical(home=home, base=folder, environment=environment) as veridical:
            yield veridical


@contextmanager
def asking(
    folder: Path, code: str = READ, *, answer: Callable[[Asked], Answer | None] = answer, **options: str
) -> Generator[tuple[Veridical, Service]]:
    with service(answer) as running, installed(folder, acme(running.url, code, **options)) as veridical:
        yield veridical, running


def held(folder: Path, words: str) -> list[str]:
    """The files below a folder that hold the words, as they are or compressed."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if words.encode() in path.read_bytes() + (_unpacked(path) if path.suffix == ".gz" else b"")]


def _unpacked(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


def quoted(published: Published) -> set[str]:
    return {quote.span.text for theme in published.report.themes for claim in theme.claims for quote in claim.quotes}


# What a plugin says of a reply


def items(made: str) -> str:
    """Code of a hook that asks as it should, and returns the items `made`; `hits` is what the reply holds."""
    return f"""
    reply = self.http.get(self.base + "/search", params={{"q": query.text}})
    hits, item = reply.json()["results"], lambda place, text="text", **said: Item(
        locator=Locator(container="x"), place=WirePlace(item=place, text=text), **said)
    return {made}
    """


@pytest.mark.parametrize(
    ("made", "rule"),
    [
        ("[item('/results/0', text='text', url=hits[1]['url'])]", "differs-from-bytes"),
        ("[item('/results/0', title=hits[1]['title'])]", "differs-from-bytes"),
        (
            "[Item(locator=Locator(container='x'), text=hits[1]['text'], place=WirePlace(item='/results/0', text='text'))]",
            "differs-from-bytes",
        ),
        ("[item('/results/0', text='url')]", "wire-place"),
        ("[item('/results/0', text='../1/text')]", "wire-place"),
        ("[item('/results/7')]", "wire-url"),
        ("[item('/results/-1')]", "wire-url"),
        ("[item('/results/00')]", "wire-url"),
        ("[item('/query')]", "wire-place"),
        ("[item('')]", "wire-place"),
        ("[Item(locator=Locator(container='x'), place=WirePlace(map='other', item='/results/0', text='text'))]", "wire-map-unknown"),
        ("[Item(locator=Locator(container='x'), text=hits[0]['text'], url=hits[0]['url'])]", "attested-not-allowed"),
    ],
)
def test_what_the_place_does_not_hold_is_not_released(made: str, rule: str, tmp_path: Path) -> None:
    with asking(tmp_path, items(made)) as (veridical, _):
        published = veridical.research(QUESTION, search="acme")
    assert (set(), [rule]) == (quoted(published), [rejection.rule for rejection in published.report.rejections])


def test_a_map_that_changes_after_loading_proves_nothing(tmp_path: Path) -> None:
    invented = {"url": "https://evil.example/", "text": "Radium was never discovered by anybody at all."}
    code = 'object.__setattr__(self.wire, "item", "/invented/*")\n' + READ
    answered = as_json({"results": HITS, "invented": [invented]})
    with asking(tmp_path, code, answer=lambda asked: answered) as (veridical, _):
        published = veridical.research(QUESTION, search="acme")
    assert (set(), ["wire-place"]) == (quoted(published), [rejection.rule for rejection in published.report.rejections])


def test_the_host_header_makes_no_origin(tmp_path: Path) -> None:
    code = """
    reply = self.http.get("{url}", headers={{"Host": "api.acme.example"}}, extensions={{"sni_hostname": "api.acme.example"}})
    return self.wire.items(reply.json())
    """
    with service(answer) as running, installed(tmp_path, acme("https://api.acme.example", code.format(url=running.url))) as veridical:
        with pytest.raises(PluginError, match="none of its 2 results came, with success, from where it was approved to ask"):
            veridical.research(QUESTION, search="acme")
        assert 1 == len(running.asked)


def test_where_a_redirect_leads_is_not_where_the_plugin_may_ask(tmp_path: Path) -> None:
    code = 'return self.wire.items(self.http.get(self.base + "/search", follow_redirects=True).json())'
    with service(answer) as elsewhere:
        away = Answer(status=302, headers={"Location": elsewhere.url + "/search"})
        with asking(tmp_path, code, answer=lambda asked: away) as (veridical, _), pytest.raises(PluginError, match="approved to ask"):
            veridical.research(QUESTION, search="acme")


def test_a_place_in_a_reply_to_an_earlier_question_is_none(tmp_path: Path) -> None:
    code = "if hasattr(self, 'kept'):\n    return self.kept\n" + READ.replace("return", "self.kept =") + "return []"
    with asking(tmp_path, code) as (veridical, _):
        published = veridical.research(QUESTION, search="acme", must_address=("was radium discovered in a shed",))
    assert set() == quoted(published)
    assert "none of its 2 results stands in a reply that was recorded" in str(published.report.inputs)


def test_without_tls_a_host_has_to_be_listed_and_the_user_is_told(tmp_path: Path) -> None:
    with (
        service(answer) as running,
        installed(tmp_path, acme(running.url.replace("127.0.0.1", "localhost"))) as veridical,
        pytest.raises(ConfigurationError, match="without TLS") as caught,
    ):
        veridical.research(QUESTION, search="acme")
    assert "[plugins.hosts] acme = [HOST]" in caught.value.hint


@pytest.mark.parametrize("said", ["proxies={'http': '%s'}", "proxies={'all': '%s'}"])
def test_nobody_answers_in_the_place_of_the_host_that_is_asked(said: str, tmp_path: Path) -> None:
    code = "return self.wire.items(self.context.requests_session().get(self.base + '/search', {}).json())"
    with service(answer) as liar:
        made = acme("http://127.0.0.1:9", code.format(said % liar.url))
        with installed(tmp_path, made) as veridical, pytest.raises(PluginError, match="names a proxy"):
            veridical.research(QUESTION, search="acme")
        assert [] == liar.asked


def test_what_an_earlier_search_said_of_a_page_that_is_read_now_is_no_evidence(tmp_path: Path) -> None:
    invented = "Radium was discovered in the year 1754 by king Louis in his palace."
    page = f"<!DOCTYPE html><title>P</title><main><p>{HITS[0]['text']} They had worked on it for years.</p></main>".encode()

    def serve(asked: Asked) -> Answer:
        if asked.path == "/search":
            return as_json({"results": [{"url": f"http://{asked.headers['host']}/p", "title": "P", "text": invented}]})
        return Answer(page, headers={"Content-Type": "text/html; charset=utf-8"}) if asked.path == "/p" else Answer(status=404)

    with service(serve) as running:
        listed = f'fetch = ["{running.url.removeprefix("http://")}"]\n'
        with installed(tmp_path, acme(running.url), more=listed) as veridical:
            assert {invented} == quoted(veridical.research("who discovered radium", search="acme"))
            published = veridical.research(QUESTION, search="acme", pages=1)
    assert {HITS[0]["text"]} == quoted(published)


def test_how_a_plugin_fared_in_an_earlier_run_is_not_in_the_report(tmp_path: Path) -> None:
    code = "if not hasattr(self, 'failed'):\n    self.failed = True\n    raise ValueError('once')\n" + READ
    with asking(tmp_path, code) as (veridical, _):
        with pytest.raises(PluginError, match="once"):
            veridical.research(QUESTION, search="acme")
        rows = veridical.research(QUESTION, search="acme").report.plugins
    assert {"ok"} == {row.status for row in rows}


# What is approved


def test_a_user_name_in_the_base_url_is_refused_and_not_shown(tmp_path: Path) -> None:
    with installed(tmp_path, acme("https://user:pa55word@api.acme.example")) as veridical:
        with pytest.raises(ConfigurationError, match="holds a user name or a password") as caught:
            veridical.research(QUESTION, search="acme")
        shown = f"{caught.value} {veridical.show_plugin('acme')} {veridical.enable_plugin('acme')} {veridical.wire_maps('acme')}"
    assert "pa55word" not in shown


def test_a_value_that_is_no_setting_is_not_shown(tmp_path: Path) -> None:
    with (
        installed(tmp_path, acme("ftp://user:pa55word@api.acme.example")) as veridical,
        pytest.raises(ConfigurationError, match="base_url: String should match") as caught,
    ):
        veridical.research(QUESTION, search="acme")
    assert "pa55word" not in str(caught.value)


@pytest.mark.parametrize("pin", ["", f'wire = {{ search = "{"0" * 64}" }}\n', f'wire = {{ chat = "{"0" * 64}" }}\n'])
def test_what_was_not_approved_is_refused_until_it_is(pin: str, tmp_path: Path) -> None:
    pinned = f'[plugins.pins.acme]\ndistribution = "veridical-acme"\n{pin}'
    with service(answer) as running, installed(tmp_path, acme(running.url), more=pinned) as veridical:
        with pytest.raises(ConfigurationError, match="not those that were shown when it was enabled: veridical plugins enable acme"):
            veridical.research(QUESTION, search="acme")
        veridical.enable_plugin("acme")
        with Veridical(home=tmp_path / "home", base=tmp_path, environment={}) as again:
            assert 2 == len(quoted(again.research(QUESTION, search="acme")))


# What the doctor says


def talk(base: str, *, name: str = "talk") -> Distribution:
    body = f"""
    def __init__(self, context):
        self.http = context.http()

    @hookimpl
    def chat(self, request):
        return ChatReply(model="m", text=self.http.post("{base}").raise_for_status().text)
    """
    return plugin(name, body, kind="chat")


def test_a_plugin_in_whose_place_another_answers_does_not_answer(tmp_path: Path) -> None:
    more = '[chat]\nname = "talk"\nfallback = ["spare"]\n'
    with (
        service(lambda asked: as_json({}, 401)) as refusing,
        service(lambda asked: Answer(b"yes")) as running,
        installed(tmp_path, talk(refusing.url), talk(running.url, name="spare"), more=more) as veridical,
    ):
        ((choice, said),) = veridical.ping()
    assert ("talk", True) == (choice.name, "401" in said)


def test_the_doctor_misses_every_plugin_that_the_settings_name(tmp_path: Path) -> None:
    more = "".join(f'[{kind}]\nname = "no-{kind}"\n' for kind in ("search", "chat", "embedding")).replace(
        'name = "no-chat"', 'name = "no-chat"\nfallback = ["no-spare"]'
    )
    with installed(tmp_path, more=more) as veridical:
        said = " ".join(veridical.doctor().problems)
    assert [True] * 4 == [f"'no-{name}'" in said for name in ("search", "chat", "embedding", "spare")]


# What an SDK wraps


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise RuntimeError('Connection error.') from PluginError('the host refused it', hint='Do this.')", "the host refused it"),
        (
            "raise ProviderError('lost', failure='connection') from PluginError('the host refused it', hint='Do this.')",
            "the host refused it",
        ),
        (
            "try:\n    raise PluginError('the host refused it', hint='Do this.')\nexcept Exception:\n    raise KeyError('x')",
            "the host refused it",
        ),
        (
            "try:\n    raise PluginError('of before', hint='No.')\nexcept Exception:\n    raise PluginError('of now', hint='Do this.')",
            "of now",
        ),
        ("error = PluginError('itself', hint='Do this.')\nerror.__cause__ = error\nraise error", "itself"),
    ],
)
def test_the_reason_that_an_sdk_wraps_is_what_the_user_reads(code: str, said: str, tmp_path: Path) -> None:
    with asking(tmp_path, code) as (veridical, _), pytest.raises(PluginError, match=said) as caught:
        veridical.research(QUESTION, search="acme")
    assert "Do this." == caught.value.hint


def test_a_key_that_a_wrapped_error_refuses_is_a_matter_of_configuration(tmp_path: Path) -> None:
    code = "raise RuntimeError('Connection error.') from ProviderError('no such key', failure='auth', hint='Set it.')"
    with asking(tmp_path, code) as (veridical, _), pytest.raises(ConfigurationError, match="no such key"):
        veridical.research(QUESTION, search="acme")


@pytest.mark.parametrize(("status", "error"), [(401, ConfigurationError), (429, ProviderError), (500, ProviderError)])
def test_a_plugin_that_takes_a_failure_for_no_hits_is_found_out(status: int, error: type[Exception], tmp_path: Path) -> None:
    with asking(tmp_path, answer=lambda asked: as_json({}, status)) as (veridical, _), pytest.raises(error, match=f"answered {status}"):
        veridical.research(QUESTION, search="acme")


# Time


def test_the_runs_deadline_ends_the_run_and_nothing_that_follows(tmp_path: Path) -> None:
    with asking(tmp_path, "time.sleep(3)\nreturn []") as (veridical, _):
        with pytest.raises(CancelledError, match=r"passed its deadline while acme \(search\) was called"):
            veridical.research(QUESTION, search="acme", seconds=1)
        assert () == veridical.search_evidence("radium")


# The record of a run


def test_a_record_that_cannot_be_written_costs_no_report(tmp_path: Path) -> None:
    with asking(tmp_path) as (veridical, _):
        (tmp_path / "home" / "wire").write_text("no folder")
        published = veridical.research(QUESTION, search="acme")
        assert {HITS[0]["text"], HITS[1]["text"]} == quoted(published)
        assert "cannot be written" in str(veridical.unkept())
        (tmp_path / "home" / "wire").unlink()
        veridical.research(QUESTION, search="acme")
        assert veridical.unkept() is None


def test_an_error_is_not_hidden_by_a_record_that_cannot_be_written(tmp_path: Path) -> None:
    with asking(tmp_path, answer=lambda asked: as_json({}, 401)) as (veridical, _):
        (tmp_path / "home" / "wire").write_text("no folder")
        with pytest.raises(ConfigurationError):
            veridical.research(QUESTION, search="acme")


def test_the_record_of_no_run_is_no_empty_record(tmp_path: Path) -> None:
    with asking(tmp_path) as (veridical, _):
        name = veridical.research(QUESTION, search="acme").report.run.id
        assert [200] == [reply.status for reply in veridical.store.wire(name[:6])]
        for nonsense in ("", "0" * 32, "../x", "a/" * 16, "nonsense", name + "0"):
            with pytest.raises(UsageError):
                veridical.store.wire(nonsense)


def test_a_backup_holds_the_records_and_brings_them_back(tmp_path: Path) -> None:
    with asking(tmp_path) as (veridical, _):
        name = veridical.research(QUESTION, search="acme").report.run.id
        before = veridical.store.wire(name)
        written = veridical.store.wire_file(name).stat().st_mtime
        veridical.store.backup("all.backup")
        veridical.store.wire_file(name).unlink()
        veridical.store.restore("all.backup")
        assert before == veridical.store.wire(name)
        assert int(written) == int(veridical.store.wire_file(name).stat().st_mtime)


# What is forgotten


def test_nothing_of_an_accounts_words_stays_in_the_reply_that_held_them(tmp_path: Path) -> None:
    rows = [{**hit, "author": f"u{number}"} for number, hit in enumerate(HITS)]
    with asking(tmp_path, answer=lambda asked: as_json({"results": rows}), author='"author"') as (veridical, _):
        published = veridical.research(QUESTION, search="acme")
        record = json.loads(next(iter(published.documents.values())))["raw"]["digest"]
        veridical.store.forget(veridical.store.doomed(account="two.example/u1"), reason="asked for")
        assert (None, []) == (veridical._installation.gateway().record(record), held(tmp_path / "home", HITS[1]["text"]))


def test_nothing_that_an_interrupted_run_sent_stays(tmp_path: Path) -> None:
    talk = """
    def __init__(self, context):
        self.http = context.http()

    @hookimpl
    def chat(self, request):
        self.http.post("{base}", json=[passage.text for passage in request.passages])
        time.sleep(3)
    """
    (tmp_path / "note.txt").write_text(HITS[1]["text"])
    with (
        service(answer) as running,
        installed(tmp_path, plugin("talk", talk.format(base=running.url), kind="chat")) as veridical,
    ):
        veridical.add_source("notes", ["note.txt"])
        with pytest.raises(CancelledError):
            veridical.research("how was radium found", chat="talk", seconds=2)
        assert 1 == len(held(tmp_path / "home" / "wire", HITS[1]["text"]))
        veridical.store.forget(veridical.store.doomed(source="notes"), reason="asked for")
        assert [] == held(tmp_path / "home", HITS[1]["text"])
