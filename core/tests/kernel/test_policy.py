"""A policy is its tables; the fingerprint is of all of them."""

import pytest
from veridical.kernel.canonical import canonical_bytes
from veridical.kernel.policy import LATEST, POLICIES, Policy, load_policy
from veridical_contract import Model


class Words(Model):
    words: tuple[str, ...]


def test_every_listed_policy_loads_and_is_loaded_once() -> None:
    for name in POLICIES:
        assert load_policy(name) is load_policy(name)
        assert load_policy(name).name == name
    assert LATEST in POLICIES


def test_an_unknown_policy_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="unknown policy 'veridical-policy-0'; known: veridical-policy-1"):
        load_policy("veridical-policy-0")


def test_a_table_is_validated_as_the_model_that_reads_it() -> None:
    policy = Policy("p", {"t": {"words": ["a", "b"]}})
    assert policy.table("t", Words) == Words(words=("a", "b"))
    assert policy.table("t", Words) is policy.table("t", Words)
    with pytest.raises(KeyError):
        policy.table("u", Words)


def test_any_change_of_any_table_or_of_the_name_changes_the_fingerprint() -> None:
    made = {
        Policy(name, {"t": {"words": words}}).fingerprint
        for name in ("p", "q")
        for words in (["a"], ["b"], ["a", "b"])
        if canonical_bytes(words)
    }
    assert len(made) == 6
