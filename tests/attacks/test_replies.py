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
