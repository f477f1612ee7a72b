"""What a run may spend, of money and of time, asked before each call and told after it.

    Budget           reserve: may this call be made?   settle: what did it cost?
    ProviderLimits   slot: how many calls at once, how many in a minute
    Deadline         how long the whole run may take

Calls come from several threads; each object here is safe to share between them. Clock and sleep are given.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal

from veridical_contract import CancelledError, ConfigurationError, PluginError, Usage

from veridical.prices import Price, Prices, dollars

__all__ = ["Budget", "Deadline", "ProviderLimits", "Reservation", "Spent"]

_MINUTE = 60.0
_STEP = 0.05
"""Seconds between two looks at whether a slot is free: nobody waits for it longer than a call takes anyway."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that may be made.

    Attributes:
        plugin: that makes it.
        model: that it asks.
        price: of the model; None when it is not known.
        most: micro-dollars that were set aside for it; None when it is not known what it may cost.
    """

    plugin: str
    model: str
    price: Price | None
    most: Decimal | None


@dataclass(slots=True)
class Spent:
    """What the calls of one model cost so far.

    Attributes:
        calls: that were made.
        cost: micro-dollars of those whose cost is known, exactly.
        unknown: calls whose cost is not known.
        estimated: calls that did not say what they used, of which `cost` holds what they cost at most.
        input_tokens: as the provider counted them.
        output_tokens: the same.
        cached_tokens: those of the input that it had kept.
        written_tokens: those of the input that it kept for later.
        searches: of the provider's own.
    """

    calls: int = 0
    cost: Decimal = field(default_factory=Decimal)
    unknown: int = 0
    estimated: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    searches: int = 0


class Budget:
    """What a run may cost. Without a limit nothing is refused, and everything is counted.

    A call is made when what was spent, what is set aside for calls that are under way, and what this one costs at most stay within the
    limit together. A token is at least one byte of what is sent, so the bytes bound the tokens; what a provider adds by itself (pages that
    it finds, templates) cannot be known before, and may pass the limit once.

    Args:
        prices: that are known.
        max_cost: micro-dollars; None for no limit.
    """

    def __init__(self, prices: Prices, max_cost: Decimal | None = None) -> None:
        self._prices = prices
        self._max = max_cost
        self._rows: dict[tuple[str, str], Spent] = {}
        self._aside = Decimal(0)
        self._lock = threading.Lock()

    def reserve(self, plugin: str, model: str, *, sent_bytes: int, output_tokens: int, searches: int = 0) -> Reservation:
        """Set aside what a call costs at most.

        Args:
            plugin: that makes the call.
            model: that it asks.
            sent_bytes: length of the request in UTF-8.
            output_tokens: upper bound of the reply.
            searches: upper bound of the provider's own searches.

        Raises:
            ConfigurationError: there is a limit, and it is not known what the call may cost.
            PluginError: it might pass the limit.
        """
        price = self._prices.of(plugin, model)
        most = price.most(input_tokens=sent_bytes, output_tokens=output_tokens, searches=searches) if price is not None else None
        with self._lock:
            if self._max is not None:
                self._check(plugin, model, most, self._max)
            self._aside += most or 0
        return Reservation(plugin, model, price, most)

    def settle(self, reservation: Reservation, usage: Usage | None) -> Decimal | None:
        """Count a call that was made, and return its cost in micro-dollars; None when it is not known.

        Args:
            reservation: of the call.
            usage: as the provider counted it; None, or nothing at all, when it did not: then the call costs what was set aside.
        """
        told = usage is not None and usage != Usage()
        price = reservation.price
        cost = price.cost(usage) if usage is not None and told and price is not None else reservation.most
        with self._lock:
            self._aside -= reservation.most or 0
            row = self._rows.setdefault((reservation.plugin, reservation.model), Spent())
            row.calls += 1
            row.cost += cost or 0
            row.unknown += cost is None
            row.estimated += not told and cost is not None
            if usage is not None:
                row.input_tokens += usage.input_tokens
                row.output_tokens += usage.output_tokens
                row.cached_tokens += usage.cached_tokens
                row.written_tokens += usage.written_tokens
                row.searches += usage.searches
        return cost

    def release(self, reservation: Reservation) -> None:
        """Give back what was set aside for a call that cost nothing: it was never sent, or was refused."""
        with self._lock:
            self._aside -= reservation.most or 0

    def spent(self) -> Decimal:
        """Return micro-dollars of all calls whose cost is known."""
        with self._lock:
            return self._spent()

    def rows(self) -> dict[tuple[str, str], Spent]:
        """Return what was spent, by plugin and model, as it is now."""
        with self._lock:
            return {key: Spent(**{name: getattr(row, name) for name in Spent.__slots__}) for key, row in self._rows.items()}

    def _spent(self) -> Decimal:
        return sum((row.cost for row in self._rows.values()), Decimal(0))

    def _check(self, plugin: str, model: str, most: Decimal | None, limit: Decimal) -> None:
        if most is None:
            raise ConfigurationError(
                f"It is not known what {model} of {plugin} costs, and this run may cost {dollars(limit)} at most.",
                hint=(
                    f'Add its price in dollars for a million tokens to the settings file, [prices.{plugin}."{model}"] with input and '
                    "output, or leave --max-cost out."
                ),
            )
        left = limit - self._spent() - self._aside
        if most > left:
            rest = dollars(max(left, Decimal(0)))
            raise PluginError(
                f"{plugin} is not asked: the call may cost {dollars(most)}, and {rest} of {dollars(limit)} is left.",
                plugin=plugin,
                hint="Allow more with --max-cost, or choose a cheaper model.",
            )


class Deadline:
    """When the whole run has to end.

    Args:
        seconds: from now; None for never.
        clock: seconds, monotonic.
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._end = math.inf if seconds is None else clock() + seconds

    def left(self) -> float:
        """Return the seconds that are left, 0 when it has passed, infinity when there is none."""
        return max(0.0, self._end - self._clock())

    def within(self, limit: float) -> float:
        """Return the seconds that a call with a limit of its own may take.

        Raises:
            CancelledError: it has passed.
        """
        self.check()
        return min(limit, self.left())

    def check(self) -> None:
        """Raise when it has passed.

        Raises:
            CancelledError: it has.
        """
        if not self.left():
            raise CancelledError(f"The run passed its deadline of {self._seconds:g} s; what was done before is kept.")


class ProviderLimits:
    """How often one provider is called.

    Args:
        concurrent: calls at once; None for no limit.
        per_minute: calls that begin within any 60 seconds; None for no limit.
        clock: seconds, monotonic.
        sleep: for so many seconds.
    """

    def __init__(
        self,
        concurrent: int | None = None,
        per_minute: int | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._concurrent = math.inf if concurrent is None else concurrent
        self._per_minute = per_minute
        self._clock = clock
        self._sleep = sleep
        self._running = 0
        self._begun: deque[float] = deque(maxlen=per_minute)
        self._not_before = -math.inf
        self._lock = threading.Lock()

    @contextmanager
    def slot(self, deadline: Deadline | None = None, *, cancelled: Callable[[], bool] = bool) -> Generator[None]:
        """Wait until a call may begin, and hold its place while the block runs.

        Args:
            deadline: of the run.
            cancelled: whether nobody waits any more.

        Raises:
            CancelledError: the deadline passed, or nobody waits any more.
        """
        while wait := self._take():
            if cancelled():
                raise CancelledError("The call was cancelled before it began.")
            if deadline is not None:
                deadline.check()
            self._sleep(min(wait, _STEP))
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1

    def hold(self, seconds: float) -> None:
        """Let no call begin for so many seconds: the provider asked for it."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def _take(self) -> float:
        """Take a place and return 0, or return how long there is none for certain."""
        with self._lock:
            now = self._clock()
            wait = max(self._not_before - now, self._window(now), 0.0 if self._running < self._concurrent else _STEP)
            if wait <= 0:
                self._running += 1
                self._begun.append(now)
                return 0.0
            return wait

    def _window(self, now: float) -> float:
        full = self._per_minute is not None and len(self._begun) == self._per_minute
        return self._begun[0] + _MINUTE - now if full else 0.0
