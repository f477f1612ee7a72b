"""A JSON API becomes a source with a few lines of TOML, and a report about it cites its records by the URL template."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.providers.service import Answer, Asked, as_json, service

from .conftest import Ran

QUESTION = "Why does the printer stop?"
TOKEN = "t0ken-of-the-help-desk"
TICKETS = [
    ("7", "The printer stops", "The printer stops when the paper is damp. Dry paper helps."),
    ("8", "Printer stops again", "Our printer stops because the fuser is too hot after an hour."),
    ("9", "Printer in the hall", "The printer in the hall stops since its firmware was updated."),
    ("10", "Coffee", "The coffee machine needs a new filter every month."),
    ("11", "Printer stops in the cold", "In the cold the printer stops until it has warmed up for ten minutes."),
]


@dataclass
class Desk:
    """A help desk with pages of two tickets, which wants a token."""

    tickets: list[dict[str, Any]] = field(default_factory=lambda: [ticket(*row) for row in TICKETS])
    failing: dict[str, Answer] = field(default_factory=dict[str, Answer])

    def __call__(self, asked: Asked) -> Answer:
        if asked.headers.get("authorization") != f"Bearer {TOKEN}":
            return as_json({"error": "no"}, 401)
        page = asked.query.get("page", "1")
        if page in self.failing:
            return self.failing[page]
        found = [one for one in self.tickets if one["updated_at"] >= asked.query.get("since", "")]
        found.sort(key=lambda one: one["updated_at"])
        start = (int(page) - 1) * 2
        return as_json({"tickets": found[start : start + 2], "meta": {"count": len(found)}})


def ticket(number: str, subject: str, body: str, *, day: int = 1) -> dict[str, Any]:
    return {
        "id": int(number),
        "subject": subject,
        "body": body,
        "requester": {"id": f"u{number}"},
        "updated_at": f"2026-03-{day:02}T10:00:{int(number):02}Z",
    }


def settings(url: str, more: str = "") -> str:
    return f"""
[plugins]
hosts = {{ http-json = ["127.0.0.1"] }}

[plugin.http-json.sources.tickets]
url = "{url}/api/tickets"
headers = {{ Authorization = "Bearer {{secret:HELPDESK_TOKEN}}" }}
item = "/tickets/*"
url_template = "https://desk.example.com/t/{{id}}"
fields = {{ text = "body", title = "subject", author = "requester/id", published = "updated_at" }}
paging = {{ kind = "page", parameter = "page", size = 2 }}
incremental = {{ field = "updated_at", parameter = "since" }}
{more}
"""


class Installation:
    """A home with the settings of a help desk, whose commands know its token."""

    def __init__(self, run: Callable[..., Ran], folder: Path, url: str) -> None:
        self._run = run
        self.folder = folder
        self.file = folder / "home" / "settings.toml"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(settings(url))

    def __call__(self, *arguments: str, **environment: str) -> Ran:
        return self._run(*arguments, **{"HELPDESK_TOKEN": TOKEN, **environment})

    def ok(self, *arguments: str) -> Ran:
        ran = self(*arguments)
        assert ran.code == 0, ran.err
        return ran

    def texts(self) -> list[str]:
        found = json.loads(self.ok("evidence", "search", "printer coffee", "--limit", "100", "--json").out)
        return sorted(row["text"] for row in found)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def installed(veridical: Callable[..., Ran], tmp_path: Path, desk: Desk) -> Any:
    with service(desk) as running:
        yield Installation(veridical, tmp_path, running.url)


def test_a_report_cites_tickets_by_the_template_and_the_checker_agrees(installed: Installation) -> None:
    enabled = installed.ok("plugins", "enable", "http-json")
    assert "https://desk.example.com/t/{id}" in enabled.out + enabled.err
    added = installed.ok("sources", "add", "tickets", "--plugin", "http-json")
    assert "Read 5 new documents; it holds 5 now." in added.err
    report = json.loads(installed.ok("research", QUESTION, "--from", "tickets", "-o", "report.zip", "--json").out)
    urls = {f"https://desk.example.com/t/{number}": body for number, _, body in TICKETS}
    assert report["citations"]
    for citation in report["citations"]:
        assert citation["url"] in urls
        assert citation["witness"] == "wire"
        assert citation["grades"] == dict.fromkeys(("text", "url", "title", "author", "published"), "wire")
    quotes = [quote["span"]["text"] for theme in report["themes"] for claim in theme["claims"] for quote in claim["quotes"]]
    assert quotes
    for quote in quotes:
        assert any(quote in body for body in urls.values())
    (record,) = report["inputs"]
    assert (record["path"], record["sha256"], record["status"], record["documents"]) == ("tickets", None, "unchanged", 5)
    verified = installed.ok("verify", "report.zip")
    assert "consistent" in verified.out + verified.err
    assert TOKEN not in "".join(path.read_text("latin-1") for path in installed.folder.rglob("*") if path.is_file())
