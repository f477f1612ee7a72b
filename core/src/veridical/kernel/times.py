"""Times: real, no later than retrieval, no more precise than they were given.

Read are ISO 8601 calendar dates and times in the extended form (RFC 3339 and its prefixes), English dates that name the month, the
date of RFC 5322, and epoch seconds or milliseconds as exact ints. What can be read in two ways is refused: the date goes, not the source.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Literal, NamedTuple

from veridical_contract import Precision

__all__ = ["AdmittedTime", "TimeRefused", "admit_time"]

Unit = Literal["epoch-s", "epoch-ms"]

_CLOCK = r"(?P<clock>[0-9]{2}:[0-9]{2})(?P<seconds>:[0-9]{2}(?:\.[0-9]{1,9})?)?"
_ZONE = r"(?P<zone>Z|GMT|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)"
_WEEKDAY = r"(?:(?P<weekday>Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?,? )?"
_MONTH = (
    r"(?P<name>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sep(?:t|tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[0-9]{4})"
_FORMS = tuple(
    re.compile(form, re.ASCII | re.IGNORECASE)
    for form in (
        rf"{_YEAR}(?:-(?P<month>[0-9]{{2}})(?:-(?P<day>[0-9]{{2}})(?:[T ]{_CLOCK}(?: ?{_ZONE})?)?)?)?",
        rf"{_WEEKDAY}{_MONTH} {_DAY},? {_YEAR}",
        rf"{_WEEKDAY}{_DAY} {_MONTH},? {_YEAR}(?: {_CLOCK}(?: ?{_ZONE})?)?",
        rf"{_MONTH},? {_YEAR}",
    )
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
# What a clock or a file system shows when it was never set: POSIX, Windows, spreadsheets, Macintosh.
_ZEROS = {datetime(year, 1, 1) for year in (1601, 1900, 1904, 1970)}  # noqa: DTZ001 - compared without a zone
_UNSET = {datetime.fromtimestamp(seconds, UTC) for seconds in (-1, 0)}
_FARTHEST_EAST = timedelta(hours=14)
_RANGES: dict[Unit | None, dict[Unit, range]] = {
    None: {"epoch-s": range(10**9, 10**10), "epoch-ms": range(10**12, 10**13)},
    "epoch-s": {"epoch-s": range(10**8, 10**10)},
    "epoch-ms": {"epoch-ms": range(10**11, 10**13)},
}


class TimeRefused(ValueError):  # noqa: N818 - the name says what happened to the date
    """A date is dropped. `rule` says why; `date-unknown` when there was none."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class AdmittedTime(NamedTuple):
    """A time as ISO 8601 to its precision, and what to know of it: `zone-unknown`, `precision:X`, `epoch-s`, `epoch-ms`."""

    value: str
    precision: Precision
    zone_known: bool
    labels: frozenset[str]


def admit_time(value: object, *, retrieved: datetime, unit: Unit | None = None) -> AdmittedTime:
    """Return `value` as a time that lies no later than `retrieved` (aware), at the earliest instant that its precision and zone allow.

    Args:
        value: exactly a str or an int.
        retrieved: when the source was read.
        unit: of an int; without it only 10 digits (seconds) and 13 digits (milliseconds) are read.

    Raises:
        TimeRefused: it is missing, not a time, not real, ambiguous, an artefact of an unset clock, or in the future.
    """
    if value is None:
        raise TimeRefused("date-unknown")
    found, earliest = _epoch(value, unit) if type(value) is int else _written(value)
    if earliest in _UNSET:
        raise TimeRefused("time-zero")
    if earliest > retrieved:
        raise TimeRefused("time-future")
    return found


def _epoch(value: int, unit: Unit | None) -> tuple[AdmittedTime, datetime]:
    for name, numbers in _RANGES[unit].items():
        if value in numbers:
            instant = datetime.fromtimestamp(value // (1000 if name == "epoch-ms" else 1), UTC)
            return AdmittedTime(instant.strftime("%Y-%m-%dT%H:%M:%SZ"), "second", zone_known=True, labels=frozenset({name})), instant
    raise TimeRefused("time-epoch")


def _written(value: object) -> tuple[AdmittedTime, datetime]:
    found = next(filter(None, (form.fullmatch(value) for form in _FORMS)), None) if type(value) is str else None
    if found is None:
        raise TimeRefused("time-form")
    parts = found.groupdict()
    seconds = parts.get("seconds") or ""
    clock = parts.get("clock") or "00:00"
    month = f"{_MONTHS.index(parts['name'][:3].lower()) + 1:02}" if parts.get("name") else parts.get("month")
    day = parts["day"].zfill(2) if parts.get("day") else None
    try:
        start = datetime.fromisoformat(f"{parts['year']}-{month or '01'}-{day or '01'}T{clock}{seconds[:3]}")
    except ValueError:  # no such day or clock time; a leap second too
        raise TimeRefused("time-not-real") from None
    if start.year < 1000 or (day and start in _ZEROS):
        raise TimeRefused("time-zero")
    if (weekday := parts.get("weekday")) and _WEEKDAYS.index(weekday.lower()) != start.weekday():
        raise TimeRefused("time-weekday")
    suffix, zone = _zone(parts.get("zone"))
    earliest = start.replace(tzinfo=zone or timezone(_FARTHEST_EAST))
    date = "-".join(filter(None, (parts["year"], month, day)))
    if seconds:
        labels = frozenset[str]() if zone else frozenset({"zone-unknown"})
        return AdmittedTime(f"{date}T{clock}{seconds}{suffix}", "second", zone is not None, labels), earliest
    precision: Precision = "day" if day else "month" if month else "year"
    # A day is the plain case; a clock time without seconds is kept to its day, since no second may be made up.
    plain = precision == "day" and not parts.get("clock")
    labels = frozenset[str]() if plain else frozenset({f"precision:{precision}"})
    return AdmittedTime(date, precision, zone_known=False, labels=labels), earliest


def _zone(written: str | None) -> tuple[str, timezone | None]:
    """Return the zone in ISO form and as an offset; RFC 3339 4.3 writes an unknown one as -00:00."""
    digits = re.sub(r"[^0-9]", "", written or "").ljust(4, "0")
    if written is None or (written[0] == "-" and digits == "0000"):
        return "", None
    if written[0] not in "+-":
        return "Z", UTC
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    if digits[2:] > "59" or offset > _FARTHEST_EAST:
        raise TimeRefused("time-zone")
    return f"{written[0]}{digits[:2]}:{digits[2:]}", timezone(offset if written[0] == "+" else -offset)
