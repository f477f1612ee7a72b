"""A small run of the load test, in which nothing fails; the 10,000 requests are made by hand: `python -m tests.load`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.load import Result, run
from tests.load.mix import Known, asked
from tests.load.run import GROWTH


def test_fifty_clients_at_a_time_are_all_answered(tmp_path: Path) -> None:
    result = run(tmp_path, requests=150, clients=50, threads=4)
    assert [] == result.problems()
    assert 150 == sum(map(len, result.seconds.values()))
    assert "Stopped; everything that was asked before is answered." == result.said


def test_the_mix_has_every_route_and_is_the_same_each_time() -> None:
    known = Known("0" * 32, "0" * 64, b"")
    routes = Counter(asked(number, known).route for number in range(1_000))
    assert {"ground", "complete", "agent", "research", "check", "evidence", "report", "verify", "readyz", "healthz"} == routes.keys()
    assert "ground" == routes.most_common(1)[0][0]
    assert [asked(number, known)[:4] for number in range(50)] == [asked(number, known)[:4] for number in range(50)]


def test_a_failed_request_growth_and_another_exit_code_are_problems() -> None:
    result = Result(memory=[0, 0, GROWTH + 1], code=1)
    result.failures["ground: status 503"] += 2
    failed, grew, ended = result.problems()
    assert "2 x ground: status 503" == failed
    assert grew.startswith("memory grew by 8 MiB")
    assert ended.startswith("the service ended with code 1")
    assert [] == Result(memory=[0, 0, GROWTH], code=0).problems()
