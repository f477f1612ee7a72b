"""The tests are tested: with a rule of the kernel taken out, the check of its invariant goes red, by an assertion of its own.

`pytest tests/properties/test_removed_rules.py -s` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import veridical.bundle.checker
import veridical.gateway.asking
import veridical.gateway.verified
import veridical.kernel.admission
import veridical.kernel.exit
import veridical.kernel.recheck
import veridical.kernel.report
import veridical.workflows.release
import veridical.workflows.research
from veridical.kernel.admission import Trust
from veridical.kernel.counts import count_set
from veridical.kernel.prose import Prose
from veridical.kernel.quotes import Confirmed
from veridical.kernel.run import Run
from veridical_contract import Counts, Document

from tests.properties import checks

Patch = pytest.MonkeyPatch
kernel = veridical.kernel
admission, exit_, recheck, report = kernel.admission, kernel.exit, kernel.recheck, kernel.report
asking, verified, release, research = (
    veridical.gateway.asking,
    veridical.gateway.verified,
    veridical.workflows.release,
    veridical.workflows.research,
)


def confirm_accepts_anything(patch: Patch) -> None:
    def yes(text: str, start: int, end: int, quote: str, **_: object) -> Confirmed:
        return Confirmed("exact", start, end, (), (), (start, end))

    patch.setattr(report, "confirm", yes)


def no_recheck(patch: Patch) -> None:
    patch.setattr(exit_, "recheck", lambda *_: None)


def every_plugin_is_trusted(patch: Patch) -> None:
    real = verified.admit
    patch.setattr(verified, "admit", lambda item, **rest: real(item, **(rest | {"trust": Trust(attested=True)})))
    patch.setattr(exit_, "_raws", lambda *_: ({}, {}, {}))


def any_url_is_admitted(patch: Patch) -> None:
    patch.setattr(admission, "admit_url", lambda url, **_: url)
    # They read the URL again, and would stop at it before it is released.
    patch.setattr(admission, "url_host", lambda *_: "host")
    patch.setattr(report, "url_host", lambda *_: "host")


def prose_is_not_checked(patch: Patch) -> None:
    def as_it_is(text: str, sentences: Any, *_: object, **__: object) -> Prose:
        return Prose(text, "", frozenset())

    patch.setattr(recheck, "check_prose", as_it_is)


def everything_supports(patch: Patch) -> None:
    patch.setattr(release, "supports", lambda _: True)
    patch.setattr(recheck, "supports", lambda _: True)


def no_clipping(patch: Patch) -> None:
    patch.setattr("veridical.kernel.quotes.clipped", lambda *_, **__: ())


def counts_are_sums(patch: Patch) -> None:
    def summed(rows: Any) -> Counts:
        found = [count_set([row]).model_dump() for row in rows]
        return Counts(**{name: sum(one[name] for one in found) for name in found[0]})

    patch.setattr(report, "count_set", summed)


def counts_are_not_compared(patch: Patch) -> None:
    real = recheck._same
    patch.setattr(recheck, "_same", lambda where, came, due: None if where.endswith("/counts") else real(where, came, due))


def thin_evidence_is_enough(patch: Patch) -> None:
    patch.setattr(research, "COVERAGE_MINIMUM", 0)
    patch.setattr(research, "FOCUS_MINIMUM", 0)


def outcome_is_not_compared(patch: Patch) -> None:
    patch.setattr(recheck, "_outcome", lambda *_: None)


def no_exact_copy(patch: Patch) -> None:
    patch.setattr(exit_, "rebuild", lambda value, _: value)
    patch.setattr(asking, "rebuild", lambda value, _: value)
    patch.setattr(Run, "released", lambda *_: True)


def nothing_need_be_released(patch: Patch) -> None:
    patch.setattr(Run, "released", lambda *_: True)


def no_hash(patch: Patch) -> None:
    def read(_name: str, body: Any, _tag: object, _key: bytes) -> Document:
        return Document.model_validate_json(bytes(body))

    patch.setattr(verified, "admit_stored", read)
    patch.setattr(exit_, "admit_stored", read)


def no_tag(patch: Patch) -> None:
    patch.setattr(admission.hmac, "compare_digest", lambda *_: True)


def no_hash_of_bytes(patch: Patch) -> None:
    patch.setattr(exit_, "_raws", lambda *_: ({}, {}, {}))


def rejections_are_not_kept(patch: Patch) -> None:
    patch.setattr(release._Release, "_reject", lambda *_: None)


def no_seal(patch: Patch) -> None:
    patch.setattr("veridical.kernel.run.chain_digest", lambda *_: "0" * 64)


def the_archive_is_not_spelled_again(patch: Patch) -> None:
    patch.setattr(veridical.bundle.checker, "_same_bytes", lambda *_: None)


def shapes_are_believed(patch: Patch) -> None:
    patch.setattr(asking, "rebuild", lambda value, _: value)


def failures_are_not_caught(patch: Patch) -> None:
    patch.setattr(research, "PluginError", ZeroDivisionError)


RULES: list[tuple[str, Callable[[Patch], None], Callable[[], None]]] = [
    ("I1", confirm_accepts_anything, checks.i1_words_that_do_not_stand_there),
    ("I1", no_recheck, checks.i1_a_minted_report_with_other_words),
    ("I2", every_plugin_is_trusted, checks.i2_an_invented_url),
    ("I2", any_url_is_admitted, checks.i2_an_inadmissible_url),
    ("I2", prose_is_not_checked, checks.i2_a_url_in_prose),
    ("I3", everything_supports, checks.i3_only_somebody_elses_words),
    ("I3", no_clipping, checks.i3_a_negation_cut_off),
    ("I4", counts_are_sums, checks.i4_a_count_is_a_set),
    ("I4", prose_is_not_checked, checks.i4_a_models_own_count),
    ("I4", counts_are_not_compared, checks.i4_a_minted_count),
    ("I5", thin_evidence_is_enough, checks.i5_a_question_that_nothing_answers),
    ("I5", outcome_is_not_compared, checks.i5_an_empty_success),
    ("I6", no_exact_copy, checks.i6_an_object_that_lies),
    ("I6", nothing_need_be_released, checks.i6_a_label_is_taken_off),
    ("I7", no_hash, checks.i7_an_altered_document),
    ("I7", no_tag, checks.i7_an_added_document),
    ("I7", no_hash_of_bytes, checks.i7_altered_bytes),
    ("I8", rejections_are_not_kept, checks.i8_a_rejection_is_recorded),
    ("I9", no_seal, checks.i9_the_chain),
    ("I9", the_archive_is_not_spelled_again, checks.i9_one_changed_byte),
    ("I10", shapes_are_believed, checks.i10_junk_costs_its_own_results),
    ("I10", failures_are_not_caught, checks.i10_junk_costs_its_own_results),
]


@pytest.fixture(scope="module")
def table() -> Iterator[list[str]]:
    rows: list[str] = []
    yield rows
    print("\n" + "\n".join([f"{'':5} {'rule taken out':32} check that goes red", *rows]))


@pytest.mark.parametrize(("invariant", "remove", "check"), RULES, ids=[f"{name}-{rule.__name__}" for name, rule, _ in RULES])
def test_the_check_goes_red_without_its_rule(
    invariant: str, remove: Callable[[Patch], None], check: Callable[[], None], table: list[str]
) -> None:
    check()
    with pytest.MonkeyPatch.context() as patch:
        remove(patch)
        # Another error would show that something stumbled, not that the check saw it.
        with pytest.raises((AssertionError, pytest.fail.Exception)) as caught:
            check()
    table.append(f"{invariant:5} {remove.__name__:32} {check.__name__}  ({type(caught.value).__name__})")


def test_every_invariant_has_a_rule_and_every_check_a_row() -> None:
    assert {f"I{number}" for number in range(1, 11)} == {name for name, _, _ in RULES}


@pytest.mark.parametrize("check", [check for found in checks.CHECKS.values() for check in found], ids=lambda check: check.__name__)
def test_the_kernel_holds(check: Callable[[], None]) -> None:
    check()
