"""The evidence of a run is fixed before anything is phrased."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.canonical import parse
from veridical.kernel.policy import load_policy
from veridical.kernel.run import Run, SealError, chain_digest

names = st.lists(st.binary(min_size=32, max_size=32).map(bytes.hex), max_size=8)


def run(**changes: object) -> Run:
    facts = {
        "run": "r1",
        "created_at": "2026-01-02T03:04:05Z",
        "query": "q",
        "must_address": (),
        "policy": load_policy(),
        "seed": 0,
        "version": "0",
    }
    return Run(**(facts | changes))  # pyright: ignore[reportArgumentType]


@given(names)
def test_the_seal_is_the_chain_that_the_documentation_describes(documents: list[str]) -> None:
    policy = load_policy()
    head = hashlib.sha256(
        json.dumps({"policy": policy.name, "policy_fingerprint": policy.fingerprint, "run": "r1"}, separators=(",", ":")).encode()
    ).digest()
    for document in dict.fromkeys(documents):
        head = hashlib.sha256(head + bytes.fromhex(document)).digest()
    made = run()
    for document in documents:
        made.admit(document)
    assert made.seal() == head.hex()
    assert made.record().sealed == len(made.documents)


@given(names, names)
def test_two_orders_or_sets_never_share_a_seal(one: list[str], other: list[str]) -> None:
    assert (chain_digest("r", "p", "f", one) == chain_digest("r", "p", "f", other)) == (one == other)


@pytest.mark.parametrize(("name", "policy", "print_"), [("r2", "p", "f"), ("r", "p2", "f"), ("r", "p", "f2")])
def test_run_and_policy_are_part_of_the_seal(name: str, policy: str, print_: str) -> None:
    assert chain_digest(name, policy, print_, ()) != chain_digest("r", "p", "f", ())


def test_nothing_is_admitted_after_the_seal() -> None:
    made = run()
    made.admit("0" * 64)
    made.seal()
    with pytest.raises(SealError, match="came after the evidence of run r1 was sealed"):
        made.admit("1" * 64)
    assert made.documents == ("0" * 64,)


def test_nothing_is_held_before_the_seal_or_without_admission() -> None:
    made = run()
    made.admit("0" * 64)
    assert not made.holds("0" * 64)
    made.seal()
    assert made.holds("0" * 64)
    assert not made.holds("1" * 64)


def test_a_new_run_has_seen_nothing() -> None:
    made = run()
    assert (0, 0, 0) == (made.in_scope, made.retrieved, made.selected)
    assert ((), (), (), [], ()) == (made.inputs, made.plugins, made.shown, made.rejections, made.documents)


def test_an_unsealed_run_has_no_record_and_no_chain() -> None:
    with pytest.raises(SealError, match="run r1 is not sealed"):
        run().chain_bytes()


def test_the_chain_can_be_recomputed_from_its_own_bytes() -> None:
    made = run()
    made.admit("0" * 64)
    made.admit("1" * 64)
    made.seal()
    chain = parse(made.chain_bytes())
    assert isinstance(chain, dict)
    documents = [str(name) for name in chain["documents"]]  # pyright: ignore[reportOptionalIterable, reportGeneralTypeIssues]
    again = chain_digest(str(chain["run"]), str(chain["policy"]), str(chain["policy_fingerprint"]), documents)
    assert chain["seal"] == again == made.seal()
