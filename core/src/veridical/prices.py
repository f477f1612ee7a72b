"""What a call of a model costs, in exact decimal micro-dollars: no float, no rounding.

    prices.toml (dated, by provider) + [prices] of the settings --Prices.of--> Price --cost(usage)--> micro-dollars, or not known

A dollar for a million tokens is a micro-dollar for one. A model that is in neither table has no price; none is guessed from its name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from decimal import ROUND_CEILING, Context, Decimal, DecimalException, Inexact, InvalidOperation, Overflow
from importlib.resources import files
from typing import Annotated

from pydantic import AfterValidator, Field, TypeAdapter
from veridical_contract import Count, Model, PluginName, Usage, UsageError

__all__ = ["Price", "Prices", "dollars", "micro_dollars"]

_EXACT = Context(prec=60, traps=[Inexact, InvalidOperation, Overflow])
_AMOUNT = r"^(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,9})?$"
_DATED = re.compile(r"-(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8})$")


def _day(value: str) -> str:
    if value != date.fromisoformat(value).isoformat():
        raise ValueError("expected a day, YYYY-MM-DD")
    return value


Amount = Annotated[str, Field(pattern=_AMOUNT)]
"""Dollars, as decimal digits: a float could not hold most prices exactly."""
Day = Annotated[str, AfterValidator(_day)]


class Long(Model):
    """What a long request costs, from its first token on.

    Attributes:
        above: it has more tokens than this.
        input: dollars for a million tokens of the request.
        cached: for a million of those that the provider had kept; left out, as `input`.
        written: for a million of those that it keeps now; left out, as `input`.
        output: for a million of the reply.
    """

    above: Count
    input: Amount
    cached: Amount | None = None
    written: Amount | None = None
    output: Amount


class Price(Model):
    """What calls of a model cost.

    Attributes:
        input: dollars for a million tokens of the request.
        cached: for a million of those that the provider had kept from before; left out, as `input`.
        written: for a million of those that it keeps now for later; left out, as `input`.
        output: for a million of the reply.
        search: for a thousand searches of the provider's own; left out, not known.
        long: of a long request.
        since: first day of this price; left out, from the beginning.
    """

    input: Amount
    cached: Amount | None = None
    written: Amount | None = None
    output: Amount
    search: Amount | None = None
    long: Long | None = None
    since: Day | None = None

    def cost(self, usage: Usage) -> Decimal | None:
        """Return micro-dollars for `usage`, exactly; None when it searched and the price of a search is not known.

        `usage.cached_tokens` and `usage.written_tokens` are some of `usage.input_tokens`.
        """
        if usage.searches and self.search is None:
            return None
        rate = self.long if self.long is not None and usage.input_tokens > self.long.above else self
        fresh = max(usage.input_tokens - usage.cached_tokens - usage.written_tokens, 0)
        parts = (
            (fresh, rate.input),
            (usage.cached_tokens, rate.cached if rate.cached is not None else rate.input),
            (usage.written_tokens, rate.written if rate.written is not None else rate.input),
            (usage.output_tokens, rate.output),
            (1000 * usage.searches, self.search or "0"),
        )
        total = Decimal(0)
        for count, amount in parts:
            total = _EXACT.add(total, _EXACT.multiply(Decimal(count), Decimal(amount)))
        return total

    def most(self, *, input_tokens: int, output_tokens: int, searches: int = 0) -> Decimal | None:
        """Return micro-dollars that a call of at most so many tokens and searches costs at most; None when that is not known."""
        sizes = {input_tokens, min(input_tokens, self.long.above)} if self.long is not None else {input_tokens}
        usages = (
            Usage(input_tokens=size, output_tokens=output_tokens, searches=searches, **{kept: size} if kept else {})
            for size in sizes
            for kept in ("", "cached_tokens", "written_tokens")
        )
        return max((cost for usage in usages if (cost := self.cost(usage)) is not None), default=None)


class _Provider(Model):
    source: str
    noted: Day
    models: dict[str, tuple[Price, ...]]


class Prices:
    """Every price that is known.

    Args:
        own: the operator's, by plugin and model; they come before all others.
        today: decides between prices of different days.
    """

    def __init__(self, own: Mapping[str, Mapping[str, Price]], *, today: date) -> None:
        self._own = own
        self._noted = _noted()
        self._today = today.isoformat()

    def of(self, plugin: str, model: str) -> Price | None:
        """Return the price of `model` as the chat plugin `plugin` names it; a dated version of a model costs what the model does."""
        names = (model, _DATED.sub("", model))
        found = [each for name in names if (each := self._found(plugin, name)) is not None]
        return found[0] if found else None

    def sources(self) -> dict[str, tuple[str, str]]:
        """Return for each plugin whose prices come with veridical the page and the day on which they were noted."""
        return {plugin: (provider.source, provider.noted) for plugin, provider in self._noted.items()}

    def _found(self, plugin: str, name: str) -> Price | None:
        if (own := self._own.get(plugin, {}).get(name)) is not None:
            return own
        provider = self._noted.get(plugin)
        in_force = [price for price in (provider.models.get(name, ()) if provider else ()) if (price.since or "") <= self._today]
        return max(in_force, key=lambda price: price.since or "", default=None)


def micro_dollars(text: str) -> Decimal:
    """Return the micro-dollars of an amount in dollars that a person typed: `0.50`, `$2`.

    Raises:
        UsageError: it is no amount.
    """
    try:
        amount = _EXACT.multiply(Decimal(text.strip().removeprefix("$")), Decimal(1_000_000))
    except DecimalException:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0 or amount != amount.to_integral_value():
        raise UsageError(f"{text!r} is no amount of money.", hint="Expected dollars, with six decimal places at most: --max-cost 0.50")
    return amount


def dollars(amount: Decimal) -> str:
    """Return micro-dollars as a person reads them, `$0.0123`, rounded up: what was spent is never shown as less."""
    exact = amount / 1_000_000
    return f"${exact.quantize(Decimal('0.01') if exact >= 1 else Decimal('0.0001'), rounding=ROUND_CEILING)}" if exact else "$0"


def _noted() -> dict[str, _Provider]:
    tables = tomllib.loads(files("veridical").joinpath("prices.toml").read_text("utf-8"))
    return TypeAdapter(dict[PluginName, _Provider]).validate_python(tables, strict=False)
