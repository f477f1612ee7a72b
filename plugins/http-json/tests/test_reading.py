"""What is read of an API: every record once, proved on the recorded replies, page by page and sync by sync."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from veridical_contract import ConfigurationError, PluginError, ProviderError

from tests.providers.service import as_json

from .desk import CURSOR, NEXT, OFFSET, PAGE, TOKEN, Desk, House, tickets

SINCE = 'incremental = { field = "updated_at", parameter = "since" }'
MORE = 'paging = { kind = "page", parameter = "page", more = "/meta/more" }'
EMPTY = 'paging = { kind = "page", parameter = "page" }'
POST = 'method = "POST"\nbody = { state = "open" }\n'
KINDS = {
    "page": PAGE,
    "page until it is empty": EMPTY,
    "page while there is more": MORE,
    "offset": OFFSET,
    "next-url": NEXT,
    "cursor": CURSOR,
    "page in a body": f'{POST}paging = {{ kind = "page", parameter = "/page", size = 2 }}',
    "cursor in a body": f'{POST}paging = {{ kind = "cursor", parameter = "/after", pointer = "/meta/after" }}',
}
ANSWERED_429 = as_json({"error": "slowly"}, 429, Retry_After="7")
every_kind = pytest.mark.parametrize("paging", KINDS.values(), ids=KINDS)


def titled(*numbers: int) -> list[str]:
    return sorted(f"Ticket {number}" for number in numbers)


@every_kind
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 7])
def test_every_record_is_there_once(home: House, desk: Desk, paging: str, count: int) -> None:
    desk.tickets = tickets(count)
    home.declare(paging)
    synced = home.sync()
    assert (synced.added, synced.refused, synced.failure) == (count, {}, None)
    assert home.titles() == titled(*range(1, count + 1))


def test_a_record_is_what_the_reply_says_and_all_of_it_is_on_the_wire(home: House, desk: Desk) -> None:
    desk.tickets = tickets(1)
    home.declare(PAGE)
    home.sync()
    (found,) = home.documents()
    assert found["text"] == "The printer on floor 1 stops."
    assert (found["url"], found["title"], found["origin"]) == ("https://desk.example.com/t/1", "Ticket 1", "desk")
    assert found["author"] == {"site": "desk.example.com", "id": "u1", "name": None}
    assert found["published"]["value"] == "2026-03-01T10:00:01Z"
    assert set(found["grades"].values()) == {"wire"}
    assert found["locator"]["container"].startswith(f"{home.service.url}/api/tickets?page=1")


def test_a_reply_is_kept_once_for_all_of_its_records(home: House, tmp_path: Path) -> None:
    home.declare(PAGE)
    home.sync()
    (store,) = tmp_path.rglob("store.sqlite3")
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM raws").fetchone() == (3,)


def test_a_record_may_have_several_texts(home: House, desk: Desk) -> None:
    desk.tickets = [one | {"comments": [{"body": "Dry paper helps."}, {"body": "It does not."}]} for one in tickets(1)]
    fields = 'fields = { text = ["body", "comments/*/body"], url = "link" }'
    desk.tickets[0]["link"] = "https://desk.example.com/t/1"
    home.declare(fields=fields)
    home.sync()
    assert home.texts() == ["Dry paper helps.", "It does not.", "The printer on floor 1 stops."]
    assert {found["url"] for found in home.documents()} == {"https://desk.example.com/t/1"}


def test_a_record_without_a_text_is_counted_and_no_evidence(home: House, desk: Desk) -> None:
    desk.tickets[0]["body"] = None
    home.declare(PAGE)
    assert home.sync().refused == {"no-text": 1}
    assert home.titles() == titled(2, 3, 4, 5)


def test_what_does_not_fit_a_slot_leads_nowhere(home: House, desk: Desk) -> None:
    desk.tickets = tickets(1)
    desk.tickets[0]["id"] = "1/../../evil"
    home.declare(PAGE)
    assert home.sync().refused == {"wire-url": 1}
    assert home.documents() == []


# What is new


def test_only_what_is_new_is_asked_for(home: House, desk: Desk) -> None:
    home.declare(PAGE, SINCE)
    home.sync()
    assert [asked.get("since") for asked in desk.asked] == [None, None, None]
    desk.tickets = tickets(7)
    synced = home.sync()
    assert [asked.get("since") for asked in desk.asked] == ["2026-03-01T10:00:05Z"] * 2
    assert (synced.added, home.titles()) == (2, titled(1, 2, 3, 4, 5, 6, 7))


@every_kind
def test_nothing_new_adds_nothing(home: House, desk: Desk, paging: str) -> None:
    home.declare(paging, SINCE)
    home.sync()
    synced = home.sync()
    assert [(record.status, record.documents) for record in synced.inputs] == [("unchanged", 5)]
    assert (synced.added, len(desk.asked) <= 2) == (0, True)


def test_a_record_that_changed_is_there_once(home: House, desk: Desk) -> None:
    home.declare(PAGE, SINCE)
    home.sync()
    desk.tickets[1] |= {"body": "The printer on floor 2 was repaired.", "updated_at": "2026-03-02T09:00:00Z"}
    home.sync()
    assert home.titles() == titled(1, 2, 3, 4, 5)
    assert "The printer on floor 2 was repaired." in home.texts()
    assert "The printer on floor 2 stops." not in home.texts()


def test_a_record_that_changed_within_the_same_second_is_seen(home: House, desk: Desk) -> None:
    home.declare(PAGE, SINCE)
    home.sync()
    desk.tickets[4] |= {"body": "The printer on floor 5 was repaired."}
    assert home.sync().added == 1
    assert len(home.texts()) == 5
    assert "The printer on floor 5 was repaired." in home.texts()


def test_a_service_that_does_not_filter_costs_requests_and_nothing_else(home: House, desk: Desk) -> None:
    desk.filters = False
    home.declare(PAGE, SINCE)
    home.sync()
    assert home.sync().added == 0
    assert home.titles() == titled(1, 2, 3, 4, 5)


def test_the_order_of_pages_does_not_matter(home: House, desk: Desk) -> None:
    desk.filters = False
    desk.tickets = [one | {"changed": 100 - one["id"]} for one in tickets(5)]
    home.declare(PAGE, 'incremental = { field = "changed", parameter = "since" }')
    home.sync()
    home.sync()
    assert {asked["since"] for asked in desk.asked} == {"99"}


def test_a_first_value_may_be_given(home: House, desk: Desk) -> None:
    home.declare(PAGE, 'incremental = { field = "updated_at", parameter = "since", start = "2026-03-01T10:00:04Z" }')
    home.sync()
    assert home.titles() == titled(4, 5)


def test_times_are_compared_as_times(home: House, desk: Desk) -> None:
    desk.tickets = tickets(2)
    desk.tickets[0]["updated_at"] = "2026-03-01T12:00:00+03:00"
    home.declare(SINCE)
    home.sync()
    home.sync()
    assert [asked["since"] for asked in desk.asked] == ["2026-03-01T10:00:02Z"]


def test_a_full_sync_asks_for_everything_and_drops_what_is_gone(home: House, desk: Desk) -> None:
    home.declare(PAGE, SINCE)
    home.sync()
    del desk.tickets[2]
    home.sync()
    assert home.titles() == titled(1, 2, 3, 4, 5)
    home.sync(full=True)
    assert {asked.get("since") for asked in desk.asked} == {None}
    assert home.titles() == titled(1, 2, 4, 5)


def test_without_a_value_that_grows_each_sync_reads_everything(home: House, desk: Desk) -> None:
    home.declare(PAGE)
    home.sync()
    del desk.tickets[0]
    home.sync()
    assert home.titles() == titled(2, 3, 4, 5)


def test_another_declaration_is_another_reading(home: House, desk: Desk) -> None:
    home.declare(PAGE, SINCE)
    home.sync()
    with home.open() as veridical:
        source = veridical.settings().sources["desk"]
    home.declare(PAGE, SINCE, 'query = { state = "open" }')
    with home.open() as veridical:
        veridical._installation.file.put_source("desk", source)
    home.sync()
    assert [asked.get("since") for asked in desk.asked] == [None] * 3


# What breaks off


@every_kind
def test_what_broke_off_is_gone_on_with(home: House, desk: Desk, paging: str) -> None:
    home.declare(paging, SINCE)
    desk.failing = {3: ANSWERED_429}
    synced = home.sync()
    assert isinstance(synced.failure, ProviderError)
    assert home.titles() == titled(1, 2, 3, 4)
    assert [(record.status, record.documents) for record in synced.inputs] == [("unreadable", 4)]
    desk.failing = {}
    assert home.sync().failure is None
    assert len(desk.asked) <= 2
    assert home.titles() == titled(1, 2, 3, 4, 5)


def test_a_place_that_the_service_forgot_is_no_dead_end(home: House, desk: Desk) -> None:
    home.declare(CURSOR, SINCE)
    desk.failing = {2: ANSWERED_429}
    home.sync()
    assert home.titles() == titled(1, 2)
    desk.failing, desk.forgets = {}, True
    desk.after = lambda: setattr(desk, "forgets", False)
    assert home.sync().failure is None
    assert home.titles() == titled(1, 2, 3, 4, 5)


def test_a_service_with_more_pages_than_are_allowed_is_read_in_several_syncs(home: House, desk: Desk) -> None:
    desk.tickets = tickets(7)
    home.declare('paging = { kind = "page", parameter = "page", size = 2, most = 2 }', SINCE)
    synced = home.sync()
    (record,) = synced.inputs
    assert (record.status, record.documents) == ("unreadable", 4)
    assert record.reason is not None
    assert "paging.most = 2" in record.reason.text
    home.sync()
    assert home.titles() == titled(1, 2, 3, 4, 5, 6, 7)


# What an API must not do


def test_a_service_that_ignores_the_page_is_caught(home: House, desk: Desk) -> None:
    home.declare('paging = { kind = "page", parameter = "seite", size = 2 }')
    synced = home.sync()
    assert synced.failure is not None
    assert "sends the same page again and again" in str(synced.failure)


def test_pages_that_lead_in_a_circle_are_caught(home: House, desk: Desk) -> None:
    home.declare('paging = { kind = "cursor", parameter = "after", pointer = "/meta/after" }')
    desk.tickets = tickets(6)
    first = desk.__call__
    circle = {"2": "4", "4": "2"}

    def answer(asked: Any) -> Any:
        reply = first(asked)
        body = reply.body.replace(b'"after": "6"', f'"after": "{circle["4"]}"'.encode())
        return type(reply)(body, reply.status, {k: v for k, v in reply.headers.items() if k != "Content-Length"})

    home.service.answer = answer
    desk.tickets = tickets(8)
    synced = home.sync()
    assert "sends the same page again and again" in str(synced.failure)


@pytest.mark.parametrize(
    "leads",
    ["https://elsewhere.example/api/tickets?skip=2", "//elsewhere.example/", "/admin?skip=2", "http://127.0.0.1:1/api/tickets", "http://["],
)
def test_a_next_page_that_leads_elsewhere_is_not_asked_for(home: House, desk: Desk, leads: str) -> None:
    home.declare(NEXT)
    first = desk.__call__

    def answer(asked: Any) -> Any:
        reply = first(asked)
        return type(reply)(reply.body.replace(f"{desk.url}/api/tickets?skip=2".encode(), leads.encode()), reply.status, reply.headers)

    home.service.answer = answer
    with pytest.raises(ProviderError, match="somewhere else") as raised:
        home.sync()
    assert raised.value.failure == "malformed"
    assert len(desk.asked) == 1


def test_a_next_page_may_be_said_by_its_path_alone(home: House, desk: Desk) -> None:
    home.declare(NEXT)
    first = desk.__call__

    def answer(asked: Any) -> Any:
        reply = first(asked)
        return type(reply)(reply.body.replace(desk.url.encode(), b""), reply.status, reply.headers)

    home.service.answer = answer
    home.sync()
    assert home.titles() == titled(1, 2, 3, 4, 5)


def test_a_page_that_has_no_records_where_they_are_declared_is_no_empty_source(home: House, desk: Desk) -> None:
    home.declare()
    home.file.write_text(home.file.read_text().replace('item = "/tickets/*"', 'item = "/issues/*"'))
    with home.open() as veridical:
        veridical.enable_plugin("http-json")
    with pytest.raises(ProviderError, match="no records at /issues"):
        home.sync()


def test_a_record_without_its_key_is_named(home: House, desk: Desk) -> None:
    desk.tickets[1]["id"] = None
    home.declare(SINCE)
    with pytest.raises(ProviderError, match=re.escape("what it is known by (id) at /tickets/1")):
        home.sync()


@pytest.mark.parametrize("value", [1.5, True, ["now"], 7])
def test_a_value_that_cannot_grow_is_named(home: House, desk: Desk, value: object) -> None:
    desk.tickets = tickets(2)
    home.declare(SINCE.replace("updated_at", "changed"))
    desk.tickets = [one | {"changed": value if one["id"] == 2 else "yesterday"} for one in desk.tickets]
    with pytest.raises(ProviderError) as raised:
        home.sync()
    assert raised.value.failure == "malformed"


# Secrets and approval


def test_a_secret_goes_into_the_header_and_nowhere_else(home: House, tmp_path: Path) -> None:
    home.declare(PAGE)
    home.sync()
    assert {asked.headers["authorization"] for asked in home.service.asked} == {f"Bearer {TOKEN}"}
    kept = "".join(path.read_text("latin-1") for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN not in kept


def test_a_secret_that_is_not_set_is_named(home: House) -> None:
    home.declare(PAGE)
    home.environment = {}
    with pytest.raises(ConfigurationError, match="HELPDESK_TOKEN"):
        home.sync()
    assert home.service.asked == []


def test_a_reply_that_holds_the_secret_is_refused(home: House, desk: Desk) -> None:
    desk.tickets[0]["body"] = f"My token is {TOKEN}."
    home.declare(PAGE)
    with pytest.raises(ProviderError, match="secret"):
        home.sync()
    assert home.documents() == []


def test_a_declaration_that_changed_has_to_be_approved_again(home: House) -> None:
    home.declare(PAGE)
    home.file.write_text(home.file.read_text().replace("desk.example.com", "elsewhere.example"))
    with pytest.raises((ConfigurationError, PluginError), match="veridical plugins enable http-json"):
        home.sync()


def test_a_host_that_is_not_listed_is_no_evidence_without_tls(home: House) -> None:
    home.declare(PAGE)
    home.file.write_text(home.file.read_text().replace('http-json = ["127.0.0.1"]', ""))
    with pytest.raises(ConfigurationError, match="without TLS"):
        home.sync()


def test_a_source_that_is_not_declared_is_named(home: House) -> None:
    home.declare(PAGE)
    with home.open() as veridical, pytest.raises(ConfigurationError, match="the source dask is read from") as raised:
        veridical.add_source("dask", plugin="http-json")
    assert "'desk'" in str(raised.value)
