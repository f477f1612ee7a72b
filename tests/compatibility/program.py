"""One plugin in one host, in a process of its own: what loading it said, what research with it released, what its hooks were handed.

`python program.py HOME BASE PLUGIN QUESTION TOLD`, where TOLD is what the host says to its hooks once: `{KIND: {ARGUMENT: VALUE}}`.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import cast

import veridical_contract
from veridical import Veridical
from veridical.context import Host
from veridical.discovery import catalogue
from veridical.gateway import Calls
from veridical.homes import Home
from veridical_contract import ChatRequest, ConfigurationError, HostFiles, Message, SearchQuery, SourceRequest, VeridicalError

REQUESTS: dict[str, tuple[str, dict[str, object]]] = {
    "search": ("search", {"query": SearchQuery(text="radium")}),
    "source": ("read", {"request": SourceRequest(origin="pages")}),
    "chat": ("chat", {"request": ChatRequest(task="compose", messages=(Message(role="user", text="x"),))}),
}


def research(veridical: Veridical, name: str, question: str) -> dict[str, object]:
    """Return the quotes that research with the plugin, for everything, released; or why there are none."""
    try:
        veridical.sync_sources(["pages"])
        report = veridical.research(question, sources=["pages"], search=name, chat=name).report
    except VeridicalError as error:
        return {"error": str(error), "type": type(error).__name__}
    claims = [claim for theme in report.themes for claim in theme.claims]
    composed = {row.kind for row in report.plugins if row.name == name and row.status == "ok"}
    return {"quotes": sorted({quote.span.text for claim in claims for quote in claim.quotes}), "plugins": sorted(composed)}


def call(home: Path, veridical: Veridical, name: str, told: dict[str, dict[str, str]]) -> list[str]:
    """Call each hook with what the host says besides, and return the kinds that answered."""
    settings = veridical.settings()
    files = cast("HostFiles", None)
    tables = {one: dict(table) for one, table in settings.plugin.items()}
    host = Host(home=Home.below(home), files=files, environment={}, clock=lambda: datetime.now(UTC), tables=tables)
    answered: list[str] = []
    with Calls(catalogue(settings.allow()), host) as calls:
        for kind, (hook, arguments) in REQUESTS.items():
            with suppress(ConfigurationError):
                calls.open(kind, name)
                both = {**arguments, **told.get(kind, {})}
                found = calls.iterate(kind, name, hook, **both) if kind == "source" else [calls.call(kind, name, hook, **both)]
                answered += [kind for _ in [list(found)]]
    return answered


def main() -> None:
    """Do it, and print what came of it as JSON."""
    home, base, name, question, told = sys.argv[1:]
    with Veridical(home=home, base=base) as veridical:
        enabled = veridical.enable_plugin(name, exactly=True)
        rows = {listing.kind: [row.status, row.reason, row.code] for listing, row in veridical.show_plugin(name)}
    with Veridical(home=home, base=base) as veridical:
        found = research(veridical, name, question)
        answered = call(Path(home), veridical, name, json.loads(told))
    done = {
        "contract": version("veridical-contract"),
        "copy": str(Path(veridical_contract.__file__).parent.parent),
        "pinned": enabled.files,
    }
    print(json.dumps({**done, "rows": rows, "research": found, "answered": answered}))


if __name__ == "__main__":
    main()
