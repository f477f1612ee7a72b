"""What a driver gives for a column, and what a person reads of it."""

from __future__ import annotations

import enum
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from ipaddress import ip_address
from uuid import UUID

import pytest
from veridical_sql._values import UnknownTypeError, as_published, as_text, row_number


class Colour(enum.StrEnum):
    RED = "red"


NAME = UUID("12345678-1234-5678-1234-567812345678")


class Words(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        ("as it is \x00 with NUL", "as it is \x00 with NUL"),
        (Words("plain"), "plain"),
        (0, "0"),
        (True, "true"),
        (False, "false"),
        (10**30, "1" + "0" * 30),
        (Decimal("1E+3"), "1000"),
        (Decimal("12.50"), "12.50"),
        (Decimal("NaN"), "NaN"),
        (0.1, "0.1"),
        (b"caf\xc3\xa9", "café"),
        (bytearray(b"x"), "x"),
        (memoryview(b"x"), "x"),
        (b"\xff\xfe", None),
        (NAME, str(NAME)),
        (ip_address("192.0.2.1"), "192.0.2.1"),
        (Colour.RED, "red"),
        (datetime(2026, 6, 1, 12, 30, tzinfo=UTC), "2026-06-01T12:30:00+00:00"),
        (datetime(2026, 6, 1, 12, 30), "2026-06-01T12:30:00"),  # noqa: DTZ001 - one without a zone
        (date(2026, 6, 1), "2026-06-01"),
        (time(12, 30), "12:30:00"),
        (timedelta(days=1, hours=2), "1 day, 2:00:00"),
        ({"b": [1, None, True], "a": {"c": "é"}}, '{"b":[1,null,true],"a":{"c":"é"}}'),
        ([Decimal("1.50"), NAME, date(2026, 6, 1)], f'["1.50","{NAME}","2026-06-01"]'),
        (("a", ["b"]), '["a",["b"]]'),
        ([], "[]"),
    ],
    ids=lambda value: "memoryview" if isinstance(value, memoryview) else repr(value),
)
def test_a_value_as_text(value: object, text: str | None) -> None:
    found = as_text(value)
    assert text == found
    assert found is None or type(found) is str


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        (None, None),
        (1_780_000_000, 1_780_000_000),
        (Decimal(1_780_000_000), 1_780_000_000),
        (1_780_000_000.0, 1_780_000_000),
        (1_780_000_000.5, "1780000000.5"),
        (float("inf"), "inf"),
        (Decimal("Infinity"), "Infinity"),
        (True, "true"),
        (datetime(2026, 6, 1, 14, tzinfo=timezone(timedelta(hours=2))), "2026-06-01T14:00:00+02:00"),
        (datetime(2026, 6, 1, 12), "2026-06-01T12:00:00"),  # noqa: DTZ001 - one without a zone
        (date(2026, 6, 1), "2026-06-01"),
        ("1 June 2026", "1 June 2026"),
    ],
    ids=repr,
)
def test_a_value_as_a_moment(value: object, moment: str | int | None) -> None:
    found = as_published(value)
    assert (moment, type(moment)) == (found, type(found))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1, 1),
        (Decimal(7), 7),
        (0, None),
        (-1, None),
        (True, None),
        (Decimal("1.5"), None),
        (Decimal("NaN"), None),
        ("7", None),
        (None, None),
    ],
    ids=repr,
)
def test_a_key_that_is_a_number_is_the_number_of_its_row(value: object, number: int | None) -> None:
    found = row_number(value)
    assert (number, type(number)) == (found, type(found))


def test_a_type_that_nobody_described_is_named_and_not_guessed() -> None:
    class Range:
        pass

    with pytest.raises(UnknownTypeError, match="Range"):
        as_text(Range())
    with pytest.raises(UnknownTypeError, match="Range"):
        as_text([Range()])
