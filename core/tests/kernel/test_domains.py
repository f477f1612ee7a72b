"""Registrable domains: what counts as one source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.domains import SuffixTable, registrable_domain
from veridical.kernel.policy import load_policy

POLICY = load_policy()
SUFFIXES = POLICY.table("suffixes", SuffixTable).suffixes
LABELS = st.text("abcdefgh-0123456789", min_size=1, max_size=4).filter(lambda label: not label.isdigit())


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("example.com", "example.com"),
        ("www.example.com", "example.com"),
        ("a.b.c.example.com", "example.com"),
        ("EXAMPLE.com", "example.com"),
        ("example.com.", "example.com"),
        ("bbc.co.uk", "bbc.co.uk"),
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("co.uk", "co.uk"),
        ("www.abc.net.au", "abc.net.au"),
        ("cs.u-tokyo.ac.jp", "u-tokyo.ac.jp"),
        ("ann.github.io", "ann.github.io"),
        ("github.io", "github.io"),
        ("www.ann.blogspot.co.uk", "ann.blogspot.co.uk"),
        ("ann.blogspot.com", "ann.blogspot.com"),
        ("old.reddit.com", "reddit.com"),
        ("ai.stackexchange.com", "stackexchange.com"),
        ("one.unknown.zz", "unknown.zz"),
        ("one.co.zz", "co.zz"),
        ("localhost", "localhost"),
        ("8.8.8.8", "8.8.8.8"),
        ("1.example.com", "example.com"),
        ("[2606:4700::1111]", "[2606:4700::1111]"),
        ("source:notes.2024.csv", "source:notes.2024.csv"),
    ],
)
def test_the_part_that_somebody_registered(host: str, domain: str) -> None:
    assert registrable_domain(host, POLICY) == domain


@given(LABELS, LABELS, st.sampled_from(sorted(SUFFIXES)))
def test_every_suffix_of_the_table_tells_its_names_apart(sub: str, name: str, suffix: str) -> None:
    domain = registrable_domain(f"{sub}.{name}.{suffix}", POLICY)
    assert domain == (f"{name}.{suffix}" if f"{name}.{suffix}" not in SUFFIXES else f"{sub}.{name}.{suffix}")


@given(st.lists(LABELS, min_size=2, max_size=5))
def test_names_below_an_unknown_suffix_are_one_source(labels: list[str]) -> None:
    assert registrable_domain(".".join([*labels, "zz"]), POLICY) == f"{labels[-1]}.zz"


@given(st.lists(LABELS, min_size=1, max_size=5).map(".".join))
def test_a_domain_is_its_own_domain(host: str) -> None:
    domain = registrable_domain(host, POLICY)
    assert registrable_domain(domain, POLICY) == domain
