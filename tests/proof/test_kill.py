"""A few of the kills that `python -m tests.proof.kill` makes by the hundred, and that it would see what it looks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context, batch, document
from tests.proof.kill import Killer, Lost, kill
from tests.proof.killed import Model


def test_processes_that_are_killed_lose_nothing_and_leave_nothing_half_there(tmp_path: Path) -> None:
    assert kill(12, tmp_path, seed=7).rounds.total() == 12


def kept() -> Model:
    held = document("one"), document("two")
    return Model(containers={"notes/a.txt": ("f1", tuple(one.id for one in held))}, bodies={one.id: one.body for one in held})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda model: None, None),
        (lambda model: model.containers.clear(), "containers"),
        (lambda model: model.bodies.update({document("three").id: document("three").body}), "documents"),
        (lambda model: model.bodies.update({document("one").id: b"other"}), "documents"),
        (lambda model: model.records.update({"0" * 64: b"record"}), "records"),
        (lambda model: model.gone.update({document("one").id: (b"", b"")}), "what was deleted"),
        (lambda model: model.gone.update({"0" * 64: (b"two", b"two")}), "bytes that were deleted"),
        (lambda model: model.runs.update({"run": ("0" * 64,)}), "run run"),
    ],
)
def test_a_store_that_is_not_what_it_has_to_be_is_seen(tmp_path: Path, change, said: str | None) -> None:
    held = (document("one"), document("two"))
    SqliteStorage(Context(tmp_path)).put(batch(*held))
    model = kept()
    change(model)
    with Killer(tmp_path, 0) as killer:
        if said is None:
            killer.same(tmp_path, model)
        else:
            with pytest.raises(Lost, match=said):
                killer.same(tmp_path, model)
