"""The checker, asked thousands of times: each leaf of a report and of a document is replaced by what it must not be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from veridical.bundle import checker

from .cases import Case, answered, refused
from .changes import at, drop, put, stop


def _leaves(value: Any, path: str = ""):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield f"{path}/{key}".strip("/")
        yield from _leaves(item, f"{path}/{key}".strip("/"))


WRONG: list[Any] = [True, 1, -1, 1.5, "x", None, [], {}, [None], "1" * 65]


@pytest.mark.parametrize("of", [answered, refused])
def test_no_value_of_another_type_is_read_anywhere_in_a_report(of):
    """Each leaf of the report is replaced by a value of each other type; what a string says is the business of other tests."""
    case = of()
    spelled = case.members()["report.json"]
    report = json.loads(spelled)
    for path in _leaves(report):
        holder, last = at(report, path)
        for wrong in WRONG:
            if type(wrong) is not type(holder[last]) and not _may_be(path, wrong):
                assert _stops_at(case, spelled, put(path, wrong)), (path, wrong)


def _stops_at(case: Case, spelled: bytes, change: Any) -> str:
    """Return where a changed report is stopped: by its shape, or else as a whole."""
    report = json.loads(spelled)
    change(report)
    try:
        checker.check_shape(report, "Report", "report.json")
    except checker.DoesNotVerify as error:
        return error.args[0]
    return stop(case.build(report=change))


def _may_be(path: str, wrong: Any) -> bool:
    """Whether a report with `wrong` there is another true report."""
    last = path.rsplit("/", 1)[-1]
    free = {"sha256": None, "reason": None}
    optional_line = last == "line" and "quotes" in path and not isinstance(wrong, bool) and wrong in (None, 1)
    return (
        (last in free and free[last] is wrong and path.startswith(("inputs", "plugins")))
        or optional_line
        or (last in ("before", "after") and wrong is None)
    )


def test_no_member_of_an_object_may_be_missing_or_added():
    case = answered()
    spelled = case.members()["report.json"]
    report = json.loads(spelled)
    for path in _leaves(report):
        holder, last = at(report, path)
        if isinstance(holder, dict):
            assert _stops_at(case, spelled, drop(path)) == f"report.json/{path}"
        if isinstance(holder[last], dict):
            assert _stops_at(case, spelled, put(f"{path}/zz\u202e", 1)) == f"report.json/{path}/zz⟦U+202E⟧"


HOSTILE: list[Any] = [
    *WRONG,
    "\x00",
    "\u202e",
    "/" * 999,
    "0" * 64,
    2**70,
    -(2**70),
    "2026-99-99T99:99:99Z",
    "https://[::1]:0/",
    "https://xn--a.\u00ad/",
]


@pytest.mark.parametrize("letter", "abcmpw")
def test_nothing_that_a_document_may_hold_makes_the_checker_stumble(letter):
    """Whatever stands in a field, the verdict is one of the two: the checker raises nothing of its own."""
    for path in list(_leaves(answered().documents[letter])):
        for hostile in HOSTILE:
            case = answered()
            put(path, hostile)(case.documents[letter])
            stop(case.build())
