"""Mutants are made in memory, noise is known by rule, and each explanation is of a line that is there."""

from __future__ import annotations

import tomllib

import pytest

pytest.importorskip("cosmic_ray", reason="cosmic-ray is not installed: uv sync --group proof")

from tests.proof.mutants import Mutant, changed_lines, mutants, noise, source_of
from tests.proof.mutation import ROOT, SURVIVORS, TARGETS, judge

SOURCE = '''"""Map."""

from functools import cache


@cache
def f(one: int | None, *, two: int = 1) -> bool:
    """What."""
    return one == two + 3 and two is not None
'''


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("int | None", "int + None", "same-code"),
        ("-> bool", "-> 1 - bool", "same-code"),
        ("@cache\n", "", "same-code"),
        ('"""What."""', '"""Something else."""', "same-code"),
        (", *, two", ", /, two", "same-code"),
        ("two: int = 1", "two: int = = 1", "no-python"),
        ("two: int = 1", "two: int = 2", None),
        ("==", "!=", None),
        ("and", "or", None),
    ],
)
def test_what_changes_no_program_is_noise(before: str, after: str, rule: str | None) -> None:
    assert rule == noise(SOURCE, SOURCE.replace(before, after))


def test_every_place_has_a_mutant_and_no_file_is_touched() -> None:
    made = {source_of(mutant, SOURCE) for mutant in mutants(SOURCE)}
    assert SOURCE not in made
    for changed in ("one != two", "one <= two", "two - 3", "two + 4", "or two", "two is None", "int = 2"):
        assert any(changed in source for source in made), changed
    assert not any("one is two" in source or "two ** 3" in source for source in made)


def test_a_place_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="no place 99"):
        source_of(Mutant("core/AddNot", 99), SOURCE)


def test_a_mutant_is_known_by_its_lines() -> None:
    assert ("a = 1", "a = 2") == changed_lines("if x:\n    a = 1\n    b = 1\n", "if x:\n    a = 2\n    b = 1\n")


def test_a_mutant_is_loaded_in_the_place_of_the_module_and_killed() -> None:
    found = [mutant for mutant in mutants((ROOT / TARGETS["vectors"].path).read_text("utf-8")) if "NotEq_Eq" in mutant.operator]
    rows = judge({"vectors": found}, jobs=1)
    assert ["killed"] == [row["outcome"] for row in rows]
    assert "if len(vectors) == texts:" == rows[0]["after"]


def test_each_explanation_is_of_lines_that_are_there_and_says_why() -> None:
    for group in tomllib.loads(SURVIVORS.read_text("utf-8"))["survivors"]:
        lines = {line.strip() for line in (ROOT / TARGETS[group["module"]].path).read_text("utf-8").splitlines()}
        assert len(group["why"]) > 20
        for before, after in group["changes"]:
            assert before != after
            assert set(before.splitlines()) <= lines, f"{group['module']}: {before}"
