"""A recorded reply in a layout that the checker does not recompute is said to be as recorded, and never to be recomputed."""

from __future__ import annotations

import pytest
from veridical.bundle import checker

from .cases import Change, answered, nothing
from .changes import put

LAYOUTS: list[tuple[Change, str]] = [
    (nothing, checker.FOUND),
    (put("derivation/format", "sse"), checker.RECORDED),
    (put("derivation/format", "html"), checker.RECORDED),
    (put("derivation/pointers/url", "https://www.a.example/q/{id}"), checker.RECORDED),
    (put("derivation/pointers/url", "?link={href}"), checker.RECORDED),
]


@pytest.mark.parametrize(("change", "state"), LAYOUTS)
def test_the_state_of_a_document_is_that_of_what_was_recomputed(change: Change, state: str) -> None:
    case = answered(lambda case: change(case.documents["b"]))
    assert state == checker.Bundle(case.build(), None).traces[case.ids()["b"]]
