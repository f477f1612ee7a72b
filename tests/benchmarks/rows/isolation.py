"""What a process of its own costs: the same plugin called through the same gateway, isolated and in this process.

`alone` is a hook that makes ten results out of nothing; `with a request` asks a service on loopback for them and reads its reply. Loading
is what happens once in a run: starting Python, importing the host's half and the plugin, and confining it.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from veridical.context import Host
from veridical.discovery import Allow, Listing, catalogue
from veridical.gateway import Calls
from veridical.homes import Home
from veridical.isolation import unsupported
from veridical.settings import Isolation
from veridical.wire.reading import Reader
from veridical_contract import InputFile, SearchQuery, SourceRequest

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import Figures, alternate, timed
from tests.benchmarks.results import Row
from tests.distributions import plugin
from tests.distributions.installing import on_path

__all__ = ["rows"]

_RESULTS = 10
_PEER = "the same in this process"
_SERVICE = f"""
import http.server, json
hits = [{{"url": f"https://good.example/{{n}}", "text": f"What page {{n}} says fits into a snippet. " * 5}} for n in range({_RESULTS})]
body = json.dumps({{"results": hits}}).encode()

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
_BODY = f"""
    def __init__(self, context):
        self.http, self.url = context.http(), context.settings(Settings).url
        self.wire = WireMap(base_url=self.url, item="/results/*", url="url", text=("text",))

    @hookimpl
    def search(self, query):
        if query.page == 2:
            return self.wire.items(self.http.get(self.url, params={{"q": query.text}}).json())
        return [
            Item(text=f"What the page number {{n}} has to say of {{query.text}} fits into two hundred characters, as snippets do. " * 2,
                 url=f"https://good.example/{{n}}", title=f"Page {{n}}", locator=Locator(container="good", row=n))
            for n in range(1, {_RESULTS + 1})
        ]
"""


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows; none where nothing can be confined."""
    if why := unsupported():
        bench.say(f"isolation: left out, {why}")
        return
    with on_path(bench.folder / "isolated") as site, _service() as url:
        plugin("good", _BODY, before="class Settings(Model):\n    url: str").install(site)
        rows = catalogue(Allow(frozenset({"good"})), path=[str(site), *sys.path])
        listings = [row for row in rows if row.state == "ready" and row.name in ("good", "files")]
        yield from _loading(bench, listings, url)
        with _calls(bench, listings, url) as here, _calls(bench, listings, url, isolate=True) as apart:
            yield from _search(bench, here, apart)
            yield from _reading(bench, here, apart)


@contextmanager
def _service() -> Generator[str]:
    """A service in a process of its own: in this one, its threads would take turns with what is measured."""
    with subprocess.Popen([sys.executable, "-c", _SERVICE], stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            yield f"http://127.0.0.1:{int(running.stdout.readline())}/"
        finally:
            running.kill()


def _calls(bench: Bench, listings: Sequence[Listing], url: str, *, isolate: bool = False) -> Calls:
    host = Host(
        home=Home.below(bench.folder / "isolated-home"),
        files=Reader(),
        environment={},
        clock=lambda: datetime.now(UTC),
        tables={"good": {"url": url}},
    )
    return Calls(listings, host, isolation={name: Isolation(isolate=isolate) for name in ("good", "files")})


def _search(bench: Bench, here: Calls, apart: Calls) -> Iterator[Row]:
    for page, what in ((1, "alone"), (2, "with a request")):
        queries = [SearchQuery(text=f"printers {number}", page=page) for number in range(bench.runs)]
        found = alternate(
            {
                "here": timed(lambda query: here.call("search", "good", "search", query=query)),
                "apart": timed(lambda query: apart.call("search", "good", "search", query=query)),
            },
            queries,
            warm_up=2,
        )
        more = found["apart"].p50 - found["here"].p50
        note = f"{more * 1e3:.2f} ms more"
        yield Row("isolation", f"a search hook {what}, {_RESULTS} results, isolated", found["apart"], _PEER, found["here"], note=note)


def _loading(bench: Bench, listings: Sequence[Listing], url: str) -> Iterator[Row]:
    def load(_: int) -> object:
        with _calls(bench, listings, url, isolate=True) as calls:
            return calls.open("search", "good")

    bare = timed(lambda _: subprocess.run([sys.executable, "-I", "-c", "pass"], check=True))
    times = range(max(3, min(bench.runs, 1_000) // 50))
    found = alternate({"load": timed(load), "bare": bare}, times, warm_up=1)
    yield Row("isolation", "loading a plugin in a process of its own, and ending it", found["load"], "python -c pass", found["bare"])


def _reading(bench: Bench, here: Calls, apart: Calls) -> Iterator[Row]:
    path = bench.folder / "isolated.jsonl"
    count = bench.sizes[0]
    request = SourceRequest(origin="notes", inputs=(_written(path, bench.comments.texts(count)),))

    def read(calls: Calls) -> int:
        return sum(len(getattr(batch, "items", ())) for batch in calls.iterate("source", "files", "read", request=request))

    found = alternate({"here": timed(lambda _: read(here)), "apart": timed(lambda _: read(apart))}, range(3))
    what = f"reading {count:,} JSON records with the files plugin, isolated"
    yield Row("isolation", what, _one(found["apart"]), _PEER, _one(found["here"]), size=count)


def _one(figures: Figures) -> Figures:
    return Figures(figures.p50, figures.p50, 1, figures.unit)


def _written(path: Path, texts: Iterator[str]) -> InputFile:
    path.write_text("".join(json.dumps({"body": text, "url": "https://a.example/"}) + "\n" for text in texts), "utf-8")
    data = path.read_bytes()
    return InputFile(path=str(path), sha256=hashlib.sha256(data).hexdigest(), size=len(data))
