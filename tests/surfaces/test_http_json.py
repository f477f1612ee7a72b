"""A JSON API becomes a source with a few lines of TOML, and a report about it cites its records by the URL template."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.distributions.installing import on_path
from tests.project.code_blocks import DOCS, Runner
from tests.providers.service import Answer, Asked, as_json, service

from .conftest import Ran

PAGE = DOCS / "how-to/connect-a-json-api.md"
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


def test_what_broke_off_is_said_kept_and_gone_on_with(installed: Installation, desk: Desk) -> None:
    installed.ok("plugins", "enable", "http-json")
    desk.failing = {"2": as_json({"error": "slowly"}, 429, Retry_After="1")}
    added = installed("sources", "add", "tickets", "--plugin", "http-json")
    assert added.code == 1
    assert "Read 2 new documents; it holds 2 now." in added.err
    assert "unreadable: tickets: it stopped half-way: http-json (read): The API of tickets answered 429." in added.err
    report = json.loads(installed.ok("research", QUESTION, "--from", "tickets", "--json", "-o", "half.zip").out)
    (record,) = report["inputs"]
    assert (record["status"], record["documents"]) == ("unreadable", 2)
    assert record["reason"] == {"origin": "http-json", "text": "it was not read to its end"}
    assert "tickets was used in part (2 documents)" in installed.ok("research", QUESTION, "--from", "tickets").out
    installed.ok("verify", "half.zip")
    desk.failing = {}
    synced = installed.ok("sources", "sync", "tickets")
    assert "Read 3 new documents; it holds 5 now." in synced.err
    assert "was used in part" not in installed.ok("research", QUESTION, "--from", "tickets").out


def test_a_ticket_that_changed_is_cited_as_it_is_now_and_a_report_about_its_old_words_still_verifies(
    installed: Installation, desk: Desk
) -> None:
    installed.ok("plugins", "enable", "http-json")
    installed.ok("sources", "add", "tickets", "--plugin", "http-json")
    installed.ok("research", QUESTION, "--from", "tickets", "-o", "before.zip")
    desk.tickets[0] = ticket("7", "The printer stops", "The printer stops when somebody opens the lid while it warms up.", day=2)
    assert "Read 1 new documents; it holds 5 now." in installed.ok("sources", "sync").err
    installed.ok("research", QUESTION, "--from", "tickets", "-o", "after.json")
    after = (installed.folder / "after.json").read_text()
    assert "opens the lid" in after
    assert "Dry paper helps" not in after
    installed.ok("verify", "before.zip")
    assert json.loads(installed.ok("sources", "list", "--json").out)[0]["documents"] == 5


def test_a_ticket_that_is_gone_is_dropped_by_a_full_sync(installed: Installation, desk: Desk) -> None:
    installed.ok("plugins", "enable", "http-json")
    installed.ok("sources", "add", "tickets", "--plugin", "http-json")
    del desk.tickets[3]
    assert "it holds 5 now" in installed.ok("sources", "sync", "tickets").err
    assert "it holds 4 now" in installed.ok("sources", "sync", "tickets", "--full").err
    assert not any("coffee" in text for text in installed.texts())


def test_a_draft_is_checked_against_the_source_by_its_name(installed: Installation) -> None:
    installed.ok("plugins", "enable", "http-json")
    installed.ok("sources", "add", "tickets", "--plugin", "http-json")
    (installed.folder / "draft.md").write_text('Support says: "Our printer stops because the fuser is too hot after an hour."\n')
    assert installed("check", "draft.md", "--against", "tickets").code == 0
    (installed.folder / "draft.md").write_text('Support says: "Our printer stops because the fuser is too cold after an hour."\n')
    assert installed("check", "draft.md", "--against", "tickets").code == 4


def test_a_file_of_the_same_name_goes_before_the_source(installed: Installation) -> None:
    installed.ok("plugins", "enable", "http-json")
    installed.ok("sources", "add", "tickets", "--plugin", "http-json")
    (installed.folder / "tickets").mkdir()
    (installed.folder / "tickets" / "note.txt").write_text("The printer stops because nobody turned it on in the morning.")
    report = json.loads(installed.ok("research", QUESTION, "--from", "tickets", "--json").out)
    assert [record["path"] for record in report["inputs"]] == ["tickets/note.txt"]


def test_mistakes_are_one_line_that_says_what_to_do(installed: Installation, veridical: Callable[..., Ran]) -> None:
    not_enabled = installed("sources", "add", "tickets", "--plugin", "http-json")
    assert not_enabled.code == 6
    assert "veridical plugins enable http-json" in not_enabled.line()
    installed.ok("plugins", "enable", "http-json")
    no_token = installed("sources", "add", "tickets", "--plugin", "http-json", HELPDESK_TOKEN="")
    assert no_token.code == 6
    assert "HELPDESK_TOKEN" in no_token.line()
    wrong_token = installed("sources", "add", "tickets", "--plugin", "http-json", HELPDESK_TOKEN="another")
    assert wrong_token.code == 6
    assert "[plugin.http-json.sources.tickets]" in wrong_token.line()
    nothing = installed("sources", "add", "tickets")
    assert nothing.code == 2
    assert "veridical sources add tickets PATH" in nothing.line()
    unknown = installed("sources", "add", "tickets", "--plugin", "http-jason")
    assert unknown.code == 6
    assert "http-jason" in unknown.line()
    assert json.loads(installed.ok("sources", "list", "--json").out) == []
    undeclared = installed("sources", "add", "ticket", "--plugin", "http-json")
    assert undeclared.code == 6
    assert "Did you mean 'tickets'?" in undeclared.line()


DESCRIPTIONS = [
    (4711, "Badge reader", "The badge reader at the north gate refuses every second card since Monday."),
    (4712, "Lift", "The lift in house B stops between two floors."),
    (4713, "Coffee", "The coffee machine in house B needs a new filter every month."),
]


def test_the_page_about_json_apis_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    """connect-a-json-api.md, with its help desk on loopback."""

    def answer(asked: Asked) -> Answer:
        if asked.headers.get("authorization") != "Bearer ...":
            return as_json({"error": "who are you?"}, 401)
        assert asked.query["per_page"] == "100"
        second = asked.query.get("page") == "2"
        rows = [
            {"id": number, "subject": subject, "description": said, "requester": {"login": "ann"}, "updated_at": "2026-06-01T10:00:00Z"}
            for number, subject, said in DESCRIPTIONS[2 * second : 2 * second + 2]
        ]
        return as_json({"tickets": rows, "meta": {"next": None if second else "/api/tickets?page=2&per_page=100"}})

    mark = f"<!-- run by: {Path(__file__).relative_to(DOCS.parent)} -->\n"
    with service(answer) as running, on_path(tmp_path / "page" / "src"):
        runner = Runner(tmp_path / "page", tmp_path / "home", monkeypatch, lambda: "".join(capfd.readouterr()))
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / "settings.toml").write_text('[plugins.hosts]\nhttp-json = ["127.0.0.1"]\n')
        text = PAGE.read_text("utf-8").replace(mark, "").replace("https://desk.example.com/api", f"{running.url}/api")
        assert runner.run(PAGE, text) == 5
        assert [asked.query.get("page") for asked in running.asked] == [None, "2"]


def test_in_a_process_of_its_own_it_finds_the_same(installed: Installation) -> None:
    installed.file.write_text(installed.file.read_text() + '\n[isolation.http-json]\nisolate = true\nsecrets = ["HELPDESK_TOKEN"]\n')
    installed.ok("plugins", "enable", "http-json")
    assert "Read 5 new documents; it holds 5 now." in installed.ok("sources", "add", "tickets", "--plugin", "http-json").err
    report = json.loads(installed.ok("research", QUESTION, "--from", "tickets", "--json").out)
    assert {citation["witness"] for citation in report["citations"]} == {"wire"}
