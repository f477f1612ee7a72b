"""How services fail: on the first page nothing is kept and the kind is said; later on what was read is kept, and gone on with."""

from __future__ import annotations

import pytest
from veridical_contract import ConfigurationError, ProviderError, ProviderFailure

from tests.providers.failures import FAILURES
from tests.providers.service import Answer

from .desk import PAGE, Desk, House

SINCE = 'incremental = { field = "updated_at", parameter = "since" }'
failures = pytest.mark.parametrize(("answer", "failure", "wait"), FAILURES)


def recorded(answer: Answer | None, failure: ProviderFailure) -> ProviderFailure:
    """What the host's record calls it, which goes before what the plugin calls it."""
    if answer is not None and answer.cut:
        return "malformed"
    return "server" if answer is not None and answer.status == 504 else failure


@failures
def test_a_failure_on_the_first_page_is_of_its_kind(
    home: House, desk: Desk, answer: Answer | None, failure: ProviderFailure, wait: float | None
) -> None:
    home.declare(PAGE)
    desk.failing = {1: answer}
    if failure == "auth":
        with pytest.raises(ConfigurationError, match=r"plugin\.http-json\.sources\.desk"):
            home.sync()
    else:
        with pytest.raises(ProviderError) as raised:
            home.sync()
        assert (raised.value.failure, raised.value.retry_after) == (recorded(answer, failure), wait)
    assert home.documents() == []


@failures
def test_a_failure_later_on_keeps_what_was_read_and_the_next_sync_goes_on(
    home: House, desk: Desk, answer: Answer | None, failure: ProviderFailure, wait: float | None
) -> None:
    home.declare(PAGE, SINCE)
    desk.failing = {2: answer}
    if failure == "auth":
        with pytest.raises(ConfigurationError):
            home.sync()
    else:
        synced = home.sync()
        assert isinstance(synced.failure, ProviderError)
        assert (synced.failure.failure, synced.failure.retry_after) == (recorded(answer, failure), wait)
        (record,) = synced.inputs
        assert (record.status, record.documents) == ("unreadable", 2)
        assert record.reason is not None
        assert record.reason.text.startswith("it stopped half-way: http-json (read): ")
    desk.failing = {}
    home.sync()
    assert [asked["page"] for asked in desk.asked] == ["2", "3"]
    assert home.titles() == [f"Ticket {number}" for number in range(1, 6)]
