"""Times: real, not after retrieval, no more precise than given."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.times import AdmittedTime, TimeRefused, admit_time

from core.tests.kernel.lying import LyingInt, LyingStr

RETRIEVED = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "iso", "precision", "labels"),
    [
        ("2026", "2026", "year", {"precision:year"}),
        ("1859", "1859", "year", {"precision:year"}),
        ("1000", "1000", "year", {"precision:year"}),
        ("1970", "1970", "year", {"precision:year"}),
        ("2026-11", "2026-11", "month", {"precision:month"}),
        ("2026-06-01", "2026-06-01", "day", set()),
        ("2024-02-29", "2024-02-29", "day", set()),
        ("2026-11-21", "2026-11-21", "day", set()),
        ("April 30, 2025", "2025-04-30", "day", set()),
        ("April 30 2025", "2025-04-30", "day", set()),
        ("Apr. 3, 2025", "2025-04-03", "day", set()),
        ("Sept 3, 2025", "2025-09-03", "day", set()),
        ("May 1st, 2025", "2025-05-01", "day", set()),
        ("30 April 2025", "2025-04-30", "day", set()),
        ("3 MAY 2025", "2025-05-03", "day", set()),
        ("Tuesday, 15 October 2024", "2024-10-15", "day", set()),
        ("Tuesday, October 15, 2024", "2024-10-15", "day", set()),
        ("April 2025", "2025-04", "month", {"precision:month"}),
        ("2026-06-01T12:00Z", "2026-06-01", "day", {"precision:day"}),
        ("2026-06-01T12:00", "2026-06-01", "day", {"precision:day"}),
    ],
)
def test_a_date_keeps_its_precision(value: str, iso: str, precision: Any, labels: set[str]) -> None:
    assert admit_time(value, retrieved=RETRIEVED) == AdmittedTime(iso, precision, zone_known=False, labels=frozenset(labels))


@pytest.mark.parametrize(
    ("value", "iso", "zone_known"),
    [
        ("2026-06-01T00:00:00Z", "2026-06-01T00:00:00Z", True),
        ("2026-06-01t00:00:00z", "2026-06-01T00:00:00Z", True),
        ("2026-06-01 00:00:00+00:00", "2026-06-01T00:00:00+00:00", True),
        ("2026-06-01 00:00:00 UTC", "2026-06-01T00:00:00Z", True),
        ("2026-06-01T05:00:00+0900", "2026-06-01T05:00:00+09:00", True),
        ("2026-06-01T05:00:00+09", "2026-06-01T05:00:00+09:00", True),
        ("2026-06-01T05:00:00-03:30", "2026-06-01T05:00:00-03:30", True),
        ("2026-06-01T05:00:00+14:00", "2026-06-01T05:00:00+14:00", True),
        ("2026-06-01T05:00:00-13:59", "2026-06-01T05:00:00-13:59", True),
        ("2026-06-01T05:00:00+05:59", "2026-06-01T05:00:00+05:59", True),
        ("2026-06-01T05:00:00.123456Z", "2026-06-01T05:00:00.123456Z", True),
        ("2026-11-21T00:00:00Z", "2026-11-21T00:00:00Z", True),
        ("2026-11-21T05:00:00+09:00", "2026-11-21T05:00:00+09:00", True),
        ("Tue, 15 Oct 2024 08:00:00 GMT", "2024-10-15T08:00:00Z", True),
        ("15 Oct 2024 08:00:00 +0200", "2024-10-15T08:00:00+02:00", True),
        ("2016-08-02T15:44:46.497", "2016-08-02T15:44:46.497", False),
        ("2026-11-21T05:00:00", "2026-11-21T05:00:00", False),
        ("2026-11-21T14:00:00", "2026-11-21T14:00:00", False),
        ("2026-06-01T05:00:00-00:00", "2026-06-01T05:00:00", False),
    ],
)
def test_a_clock_time_keeps_its_zone_or_says_that_it_has_none(value: str, iso: str, zone_known: bool) -> None:
    labels = frozenset[str]() if zone_known else frozenset({"zone-unknown"})
    assert admit_time(value, retrieved=RETRIEVED) == AdmittedTime(iso, "second", zone_known=zone_known, labels=labels)


@pytest.mark.parametrize(
    ("value", "unit", "iso", "label"),
    [
        (1761955200, None, "2025-11-01T00:00:00Z", "epoch-s"),
        (1761955200000, None, "2025-11-01T00:00:00Z", "epoch-ms"),
        (1761955200999, None, "2025-11-01T00:00:00Z", "epoch-ms"),
        (1761955200, "epoch-s", "2025-11-01T00:00:00Z", "epoch-s"),
        (500000000, "epoch-s", "1985-11-05T00:53:20Z", "epoch-s"),
        (1761955200000, "epoch-ms", "2025-11-01T00:00:00Z", "epoch-ms"),
        (500000000000, "epoch-ms", "1985-11-05T00:53:20Z", "epoch-ms"),
    ],
)
def test_an_epoch_is_read_in_its_unit(value: int, unit: Any, iso: str, label: str) -> None:
    assert admit_time(value, retrieved=RETRIEVED, unit=unit) == AdmittedTime(iso, "second", zone_known=True, labels=frozenset({label}))


@pytest.mark.parametrize(
    ("first", "last", "unit"),
    [
        (10**9, 10**10 - 1, None), (10**12, 10**13 - 1, None), (10**8, 10**10 - 1, "epoch-s"), (10**11, 10**13 - 1, "epoch-ms"),
    ],
)  # fmt: skip
def test_an_epoch_has_so_many_digits_and_no_others(first: int, last: int, unit: Any) -> None:
    assert admit_time(first, retrieved=RETRIEVED, unit=unit).precision == "second"
    for value, rule in ((first - 1, "time-epoch"), (last, "time-future"), (last + 1, "time-epoch")):
        with pytest.raises(TimeRefused, match=rule):
            admit_time(value, retrieved=RETRIEVED, unit=unit)


REFUSED: dict[str, list[object]] = {
    "date-unknown": [None],
    "time-form": [
        "",
        " ",
        " 2026-06-01",
        "2026-06-01 ",
        "2026-06-01\n",
        "26-06-01",
        "2026-6-1",
        "02026-06-01",
        "20260601",
        "2026/06/01",
        "2026.06.01",
        "04/05/2025",
        "4/5/25",
        "31.12.2025",
        "12-31-2025",
        "2026-W23",
        "2026-W23-1",
        "2026-152",
        "2026-06-01T",
        "2026-06-01T05",
        "2026-06-01T05:00:00.Z",
        "2026-06-01T05:00:00.1234567890Z",
        "2026-06-01T05:00:00 PST",
        "2026-06-01T05:00:00Europe/Berlin",
        "2026-06-01Z",
        "2026-06-01 (updated 2027-01-01)",
        "2026-06-01/2026-07-01",
        "2025, 2026",
        "2025-2026",
        "c. 2025",
        "~2025",
        "yesterday",
        "2 days ago",
        "Spring 2025",
        "April 30",
        "30 April",
        "April 30, 25",
        "30 Aprel 2025",
        "Avril 30, 2025",
        "April 30, 2025 or later",
        "Someday, 30 April 2025",
        "\u0662\u0660\u0662\u0666",
        "\uff12\uff10\uff12\uff16",
        "2026-06-0\u0661",
        "1761955200",
        "1761955200.0",
        "null",
        "N/A",
        True,
        1.5,
        1761955200.0,
        [2026],
        {"year": 2026},
        b"2026",
        LyingStr("2026"),
        LyingInt(1761955200),
        datetime(2026, 1, 1, tzinfo=UTC),
    ],
    "time-not-real": [
        "2026-02-30",
        "2025-02-29",
        "2026-13-01",
        "2026-00-01",
        "2026-13",
        "2026-01-00",
        "2026-01-32",
        "0000-01-01",
        "April 31, 2025",
        "0 May 2025",
        "2026-06-01T24:00:00Z",
        "2026-06-01T25:00:00Z",
        "2026-06-01T05:60:00Z",
        "2016-12-31T23:59:60Z",
    ],
    "time-zone": ["2026-06-01T05:00:00+25:00", "2026-06-01T05:00:00+14:01", "2026-06-01T05:00:00-15:00", "2026-06-01T05:00:00+05:60"],
    "time-weekday": ["Mon, 15 Oct 2024 08:00:00 GMT", "Wednesday, October 15, 2024"],
    "time-zero": [
        "0001-01-01T00:00:00Z",
        "0001-01-01",
        "0999",
        "1601-01-01",
        "1900-01-01T00:00:00Z",
        "1904-01-01",
        "1970-01-01",
        "1970-01-01T00:00:00",
        "1970-01-01T00:00:00Z",
        "1970-01-01T05:30:00+05:30",
        "1969-12-31T16:00:00-08:00",
        "1969-12-31T23:59:59Z",
        "January 1, 1970",
    ],
    "time-future": [
        "2027",
        "2026-12",
        "2026-11-22",
        "9999-12-31",
        "November 23, 2026",
        "2026-11-21T00:00:01Z",
        "2026-11-21T00:00:00-01:00",
        "2026-11-21T14:00:01",
        "2027-01-01T00:00:00Z",
        1900000000,
        1900000000000,
    ],
    "time-epoch": [0, 1, -1, 2026, 20260601, 999999999, 10**10, 10**12 - 1, 10**13, 1761955200000000, 1761955200000000000, 10**40],
}


@pytest.mark.parametrize(("rule", "value"), [(rule, value) for rule, values in REFUSED.items() for value in values])
def test_what_is_no_real_past_unambiguous_time_is_refused_with_its_rule(rule: str, value: object) -> None:
    with pytest.raises(TimeRefused) as refused:
        admit_time(value, retrieved=RETRIEVED)
    assert refused.value.rule == rule


@pytest.mark.parametrize(
    ("value", "unit"), [(1761955200, "epoch-ms"), (1761955200000, "epoch-s"), (2026, "epoch-s"), (0, "epoch-s"), (0, "epoch-ms")]
)
def test_a_number_that_does_not_fit_its_declared_unit_is_refused(value: int, unit: Any) -> None:
    with pytest.raises(TimeRefused, match="time-epoch"):
        admit_time(value, retrieved=RETRIEVED, unit=unit)


@pytest.mark.parametrize(
    ("unit", "first", "last", "label"),
    [
        (None, 10**9, 10**10 - 1, "epoch-s"),
        (None, 10**12, 10**13 - 1, "epoch-ms"),
        ("epoch-s", 10**8, 10**10 - 1, "epoch-s"),
        ("epoch-ms", 10**11, 10**13 - 1, "epoch-ms"),
    ],
)
def test_an_epoch_is_read_only_between_the_declared_ends(unit: Any, first: int, last: int, label: str) -> None:
    late = datetime(3000, 1, 1, tzinfo=UTC)
    for number in (first, last):
        assert admit_time(number, retrieved=late, unit=unit).labels == {label}
    for number in (first - 1, last + 1):
        with pytest.raises(TimeRefused, match="time-epoch"):
            admit_time(number, retrieved=late, unit=unit)


OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
INSTANTS = st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1), timezones=OFFSETS)  # noqa: DTZ001 - the zone is drawn


@given(INSTANTS, INSTANTS)
def test_a_time_is_admitted_as_it_was_written_exactly_when_it_is_not_after_retrieval(published: datetime, retrieved: datetime) -> None:
    written = published.isoformat()
    if published.replace(microsecond=0) <= retrieved:
        found = admit_time(written, retrieved=retrieved)
        assert (datetime.fromisoformat(found.value), found.precision) == (published, "second")
    else:
        with pytest.raises(TimeRefused, match="time-future"):
            admit_time(written, retrieved=retrieved)


@given(st.dates(date(1971, 1, 1), date(2100, 1, 1)), INSTANTS, st.sampled_from(["%Y", "%Y-%m", "%Y-%m-%d"]))
def test_a_date_is_refused_only_when_nowhere_on_earth_it_had_begun(published: Any, retrieved: datetime, form: str) -> None:
    written = published.strftime(form)
    first = datetime.strptime(written, form).replace(tzinfo=timezone(timedelta(hours=14)))
    if first <= retrieved:
        assert admit_time(written, retrieved=retrieved).value == written
    else:
        with pytest.raises(TimeRefused, match="time-future"):
            admit_time(written, retrieved=retrieved)


@given(INSTANTS.map(lambda instant: instant.replace(microsecond=0)), st.sampled_from(["epoch-s", "epoch-ms"]))
def test_an_epoch_is_its_instant(instant: datetime, unit: Any) -> None:
    number = int(instant.timestamp()) * (1000 if unit == "epoch-ms" else 1)
    if instant.timestamp() >= 10**8:
        found = admit_time(number, retrieved=datetime(2200, 1, 1, tzinfo=UTC), unit=unit)
        assert datetime.fromisoformat(found.value) == instant


@given(st.text(max_size=12))
def test_text_that_is_no_date_is_never_a_time(text: str) -> None:
    try:
        found = admit_time(text, retrieved=RETRIEVED)
    except TimeRefused:
        return
    assert text.isascii()
    assert found.value[:4] in text
