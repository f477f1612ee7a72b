"""A help desk on loopback with paging of every kind, and an installation of veridical that reads it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridical.client import Veridical
from veridical.workflows.ingest import Synced
from veridical_contract import ScanRequest

from tests.providers.service import Answer, Asked, Service, as_json, service

__all__ = ["CURSOR", "NEXT", "OFFSET", "PAGE", "TOKEN", "Desk", "House", "house", "tickets"]

TOKEN = "t0ken-of-the-help-desk"
PAGE = 'paging = { kind = "page", parameter = "page", size = 2 }'
OFFSET = 'paging = { kind = "offset", parameter = "skip", size = 2 }'
NEXT = 'paging = { kind = "next-url", pointer = "/meta/next" }'
CURSOR = 'paging = { kind = "cursor", parameter = "after", pointer = "/meta/after" }'
_SETTINGS = """
[plugins]
enabled = ["http-json"]
hosts = {{ http-json = ["127.0.0.1"] }}

[plugin.http-json.sources.desk]
url = "{url}/api/tickets"
headers = {{ Authorization = "Bearer {{secret:HELPDESK_TOKEN}}" }}
item = "/tickets/*"
{more}
"""
_FIELDS = """
url_template = "https://desk.example.com/t/{id}"
fields = { text = "body", title = "subject", author = "requester/id", published = "updated_at" }
"""


def tickets(count: int) -> list[dict[str, Any]]:
    """Tickets 1 to `count`, changed one second after another."""
    return [
        {
            "id": number,
            "subject": f"Ticket {number}",
            "body": f"The printer on floor {number} stops.",
            "requester": {"id": f"u{number}"},
            "updated_at": f"2026-03-01T10:{number // 60:02}:{number % 60:02}Z",
        }
        for number in range(1, count + 1)
    ]


@dataclass
class Desk:
    """Two tickets a page; `page`, `skip`, `after` or nothing in the query or the body says where. A query that is none is refused.

    Attributes:
        tickets: that it has, in no order that it keeps.
        failing: number of a request, from 1, to what it is answered instead; None hangs.
        filters: whether it knows `since`.
        token: that it wants; None takes any.
        forgets: whether it no longer knows any place but the first.
        url: of the service.
        changed: called after each page.
    """

    tickets: list[dict[str, Any]] = field(default_factory=lambda: tickets(5))
    failing: dict[int, Answer | None] = field(default_factory=dict[int, Answer | None])
    filters: bool = True
    token: str | None = TOKEN
    forgets: bool = False
    url: str = ""
    after: Callable[[], None] = lambda: None
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def __call__(self, request: Asked) -> Answer | None:
        said = {**request.query, **(request.json if request.body else {})}
        self.asked.append(said)
        if len(self.asked) in self.failing:
            return self.failing[len(self.asked)]
        if self.token is not None and request.headers.get("authorization") != f"Bearer {self.token}":
            return as_json({"error": "no"}, 401)
        since = said.get("since", "") if self.filters else ""
        found = sorted((one for one in self.tickets if one["updated_at"] >= since), key=lambda one: one["updated_at"])
        start = int(said["page"]) * 2 - 2 if "page" in said else int(said.get("skip") or said.get("after") or 0)
        if self.forgets and start:
            return as_json({"error": "that place is gone"}, 410)
        more = start + 2 < len(found)
        query = f"?skip={start + 2}" + (f"&since={since}" if since else "")
        meta = {"next": f"{self.url}/api/tickets{query}", "after": str(start + 2)} if more else {"next": None}
        answer = as_json({"tickets": found[start : start + 2], "meta": meta | {"more": more}})
        self.after()
        return answer


class House:
    """An installation that reads a desk.

    Attributes:
        desk: that it reads.
        service: that runs the desk.
        veridical: the facade, opened anew for each sync.
    """

    def __init__(self, folder: Path, desk: Desk, running: Service) -> None:
        self.desk = desk
        self.service = running
        self._home = folder / "home"
        self.environment = {"HELPDESK_TOKEN": TOKEN}
        self._home.mkdir()
        self.file = self._home / "settings.toml"

    def declare(self, *lines: str, fields: str = _FIELDS) -> None:
        """Write the settings, and approve the places that they name."""
        self.file.write_text(_SETTINGS.format(url=self.service.url, more="\n".join([fields, *lines])))
        with self.open() as veridical:
            veridical.enable_plugin("http-json")

    def open(self) -> Veridical:
        return Veridical(home=self._home, environment=self.environment)

    def sync(self, *, full: bool = False) -> Synced:
        """Add the source, or sync it when it was added; what is asked is counted anew."""
        self.desk.asked.clear()
        with self.open() as veridical:
            if "desk" not in veridical.settings().sources:
                return veridical.add_source("desk", plugin="http-json")
            return veridical.sync_sources(["desk"], full=full)["desk"]

    def documents(self) -> list[dict[str, Any]]:
        """Every current document."""
        with self.open() as veridical:
            gateway = veridical._installation.gateway()
            names = gateway.scan(ScanRequest(limit=10_000))
            return [found.model_dump(mode="json") for found in gateway.fetch(names).documents.values()]

    def titles(self) -> list[str]:
        return sorted(found["title"] for found in self.documents())

    def texts(self) -> list[str]:
        return sorted(found["text"] for found in self.documents())


@contextmanager
def house(folder: Path, desk: Desk) -> Generator[House]:
    """Run `desk`, and yield an installation that knows it."""
    with service(desk) as running:
        desk.url = running.url
        yield House(folder, desk, running)
