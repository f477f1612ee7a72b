"""Prices, and what usage costs by them, to the last fraction of a micro-dollar."""

from __future__ import annotations

from datetime import date
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from veridical.prices import Long, Price, Prices, dollars, micro_dollars
from veridical_contract import Usage, UsageError

TODAY = date(2026, 11, 22)
SONNET = Price(input="2", cached="0.1", written="2.5", output="10", search="10")
LONG = Price(input="1", cached="0.05", output="5", long=Long(above=1000, input="2", cached="0.1", output="7.5"))

counts = st.integers(0, 10_000_000)
amounts = st.decimals(0, 1000, places=6).map(lambda amount: format(amount.normalize(), "f"))


@st.composite
def prices(draw: st.DrawFn) -> Price:
    above = st.builds(Long, above=counts, input=amounts, cached=st.none() | amounts, written=st.none() | amounts, output=amounts)
    return Price(
        input=draw(amounts),
        cached=draw(st.none() | amounts),
        written=draw(st.none() | amounts),
        output=draw(amounts),
        search=draw(st.none() | amounts),
        long=draw(st.none() | above),
    )


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    read = draw(counts)
    cached = draw(st.integers(0, read))
    written = draw(st.integers(0, read - cached))
    searches = draw(st.integers(0, 50))
    return Usage(input_tokens=read, cached_tokens=cached, written_tokens=written, output_tokens=draw(counts), searches=searches)


@pytest.mark.parametrize(
    ("price", "usage", "expected"),
    [
        (SONNET, Usage(), "0"),
        (SONNET, Usage(input_tokens=1_000_000, output_tokens=1_000_000), "12000000"),
        (SONNET, Usage(input_tokens=19, output_tokens=10, cached_tokens=4, written_tokens=8), "134.4"),
        (SONNET, Usage(input_tokens=1, searches=3), "30002"),
        (SONNET, Usage(cached_tokens=10), "1.0"),
        (LONG, Usage(input_tokens=1000, output_tokens=1), "1005"),
        (LONG, Usage(input_tokens=1001, output_tokens=1), "2009.5"),
        (LONG, Usage(input_tokens=1001, cached_tokens=1000), "102.0"),
        (Price(input="0.000001", output="0"), Usage(input_tokens=1), "0.000001"),
        (Price(input="3", output="0"), Usage(input_tokens=5, cached_tokens=2, written_tokens=1), "15"),
    ],
)
def test_usage_costs_what_the_page_says(price: Price, usage: Usage, expected: str) -> None:
    assert Decimal(expected) == price.cost(usage)


def test_searches_without_a_price_make_the_cost_unknown() -> None:
    assert LONG.cost(Usage(input_tokens=1, searches=1)) is None
    assert LONG.most(input_tokens=1, output_tokens=1, searches=1) is None


def _rate(amount: str | None, otherwise: str) -> Fraction:
    return Fraction(otherwise if amount is None else amount)


@given(prices(), usages())
def test_the_cost_is_exact(price: Price, usage: Usage) -> None:
    rate = price.long if price.long is not None and usage.input_tokens > price.long.above else price
    fresh = usage.input_tokens - usage.cached_tokens - usage.written_tokens
    expected = (
        fresh * Fraction(rate.input)
        + usage.cached_tokens * _rate(rate.cached, rate.input)
        + usage.written_tokens * _rate(rate.written, rate.input)
        + usage.output_tokens * Fraction(rate.output)
        + 1000 * usage.searches * Fraction(price.search or "0")
    )
    found = price.cost(usage)
    assert (expected if price.search is not None or not usage.searches else None) == (None if found is None else Fraction(found))


@given(prices(), usages())
def test_nobody_elses_decimal_context_changes_a_cost(price: Price, usage: Usage) -> None:
    expected = price.cost(usage)
    with localcontext(Context(prec=1)):
        assert expected == price.cost(usage)


@given(prices(), usages(), counts, counts)
def test_a_call_never_costs_more_than_its_most(price: Price, usage: Usage, more: int, longer: int) -> None:
    most = price.most(input_tokens=usage.input_tokens + more, output_tokens=usage.output_tokens + longer, searches=usage.searches)
    cost = price.cost(usage)
    assert (most is None) == (cost is None)
    assert most is None or cost is None or cost <= most


@pytest.mark.parametrize("amount", ["1,25", "-1", "1e3", "NaN", "", "01", "1.", ".5", "1.0000000001", "Infinity"])
def test_an_amount_is_plain_decimal_digits(amount: str) -> None:
    with pytest.raises(ValidationError):
        Price(input=amount, output="1")


def test_an_amount_is_no_float() -> None:
    with pytest.raises(ValidationError):
        Price.model_validate({"input": 0.1, "output": "1"})


@pytest.mark.parametrize(
    ("plugin", "model"),
    [
        ("openai", "gpt-6.1-terra"),
        ("openai", "gpt-6.1-terra-2026-10-26"),
        ("anthropic", "claude-sonnet-5-5"),
        ("anthropic", "claude-sonnet-5-5-20260928"),
        ("google", "gemini-3.8-flash"),
    ],
)
def test_a_model_and_its_dated_versions_have_a_price(plugin: str, model: str) -> None:
    assert Prices({}, today=TODAY).of(plugin, model) is not None


@pytest.mark.parametrize(
    ("plugin", "model"),
    [
        ("openai", "gpt-6.1-terra-pro"),
        ("openai", "gpt-6.1"),
        ("openai", "claude-sonnet-5-5"),
        ("openai", "llama3.2"),
        ("openai", ""),
        ("acme", "gpt-6.1-terra"),
        ("openai", "gpt-6.1-terra-2026"),
        ("google", "models/gemini-3.8-flash"),
    ],
)
def test_no_price_is_guessed_from_a_name(plugin: str, model: str) -> None:
    assert Prices({}, today=TODAY).of(plugin, model) is None


@pytest.mark.parametrize(
    ("today", "expected"), [("2026-11-22", "0.75"), ("2026-12-31", "0.75"), ("2027-01-01", "1.5"), ("2030-01-01", "1.5")]
)
def test_a_price_that_was_announced_counts_from_its_day_on(today: str, expected: str) -> None:
    price = Prices({}, today=date.fromisoformat(today)).of("google", "gemini-3.8-flash")
    assert price is not None
    assert expected == price.input


def test_the_operators_price_comes_first() -> None:
    own = Price(input="0", output="0")
    found = Prices({"openai": {"gpt-6.1-terra": own, "llama3.2": own}}, today=TODAY)
    assert (own, own) == (found.of("openai", "gpt-6.1-terra"), found.of("openai", "llama3.2"))
    assert own != found.of("openai", "gpt-6-luna")


def test_what_runs_on_this_machine_costs_nothing() -> None:
    price = Prices({}, today=TODAY).of("extractive", "veridical-extractive/1")
    assert price is not None
    assert 0 == price.cost(Usage(input_tokens=10**9, output_tokens=10**9))


def test_each_provider_names_its_page_and_the_day() -> None:
    sources = Prices({}, today=TODAY).sources()
    assert {"anthropic", "extractive", "google", "openai"} == sources.keys()
    assert all(page and date.fromisoformat(noted) <= TODAY for page, noted in sources.values())


@pytest.mark.parametrize(("text", "expected"), [("0.50", 500_000), ("$2", 2_000_000), (" 1.000001 ", 1_000_001), ("0", 0)])
def test_an_amount_that_is_typed_becomes_micro_dollars(text: str, expected: int) -> None:
    assert expected == micro_dollars(text)


@pytest.mark.parametrize("text", ["", "free", "-1", "NaN", "Infinity", "0.0000001", "1,5", "1e99999999", "$", "--"])
def test_what_is_no_amount_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=r"--max-cost 0\.50"):
        micro_dollars(text)


@pytest.mark.parametrize(
    ("amount", "expected"),
    [("0", "$0"), ("0.1", "$0.0001"), ("12345", "$0.0124"), ("500000", "$0.5000"), ("1000000", "$1.00"), ("12340001", "$12.35")],
)
def test_a_cost_is_shown_rounded_up(amount: str, expected: str) -> None:
    assert expected == dollars(Decimal(amount))
