"""Cost against size, as an SVG drawing: two logarithmic axes, a line for each series, its name at its end."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

__all__ = ["drawing"]

_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 230, 40, 50
_COLOURS = ("#1b6ca8", "#c1440e", "#3a7d44", "#7b4b94", "#b8860b", "#555555", "#008080", "#a0522d")

Points = Sequence[tuple[float, float]]


def drawing(title: str, across: str, up: str, series: Mapping[str, Points], *, shown: Callable[[float], str]) -> str:
    """Return an SVG document.

    Args:
        title: above the drawing.
        across: name of the horizontal axis.
        up: name of the vertical axis.
        series: name to points, all above zero.
        shown: writes a value of the vertical axis.
    """
    points = [point for line in series.values() for point in line]
    x = _axis([point[0] for point in points], _LEFT, _WIDTH - _RIGHT)
    y = _axis([point[1] for point in points], _HEIGHT - _BOTTOM, _TOP)
    parts = [_text(_LEFT, 22, title, size=15), _text(_LEFT, _HEIGHT - 12, across), _text(_LEFT, _TOP - 4, up)]
    parts += [_tick_across(x(value), f"{value:,.0f}") for value in _decades([point[0] for point in points])]
    parts += [_tick_up(y(value), shown(value)) for value in _decades([point[1] for point in points])]
    ends = _apart({name: y(line[-1][1]) for name, line in series.items()})
    for index, (name, line) in enumerate(series.items()):
        parts += _line([(x(a), y(b)) for a, b in line], name, ends[name], _COLOURS[index % len(_COLOURS)])
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">'
    ground = f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>'
    return "\n".join([head, ground, *parts, "</svg>", ""])


def _axis(values: Sequence[float], first: float, last: float) -> Callable[[float], float]:
    decades = _decades(values)
    low, high = math.log10(decades[0]), math.log10(decades[-1])
    return lambda value: round(first + (last - first) * (math.log10(value) - low) / (high - low), 1)


def _decades(values: Sequence[float]) -> list[float]:
    """The powers of ten around `values`: at least two."""
    low = math.floor(math.log10(min(values)))
    high = max(low + 1, math.ceil(math.log10(max(values))))
    return [10.0**power for power in range(low, high + 1)]


def _apart(ends: Mapping[str, float]) -> dict[str, float]:
    """Move names that would lie on each other down by a line."""
    placed: dict[str, float] = {}
    for name, at in sorted(ends.items(), key=lambda end: end[1]):
        placed[name] = max(at, max(placed.values(), default=-math.inf) + 15)
    return placed


def _line(points: Points, name: str, at: float, colour: str) -> list[str]:
    path = " ".join(f"{x},{y}" for x, y in points)
    dots = [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in points]
    line = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    return [line, *dots, _text(_WIDTH - _RIGHT + 8, round(at + 4, 1), name, colour=colour)]


def _tick_across(x: float, label: str) -> str:
    grid = f'<line x1="{x}" y1="{_TOP}" x2="{x}" y2="{_HEIGHT - _BOTTOM}" stroke="#dddddd"/>'
    return grid + _text(x, _HEIGHT - _BOTTOM + 16, label, anchor="middle")


def _tick_up(y: float, label: str) -> str:
    grid = f'<line x1="{_LEFT}" y1="{y}" x2="{_WIDTH - _RIGHT}" y2="{y}" stroke="#dddddd"/>'
    return grid + _text(_LEFT - 6, y + 4, label, anchor="end")


def _text(x: float, y: float, words: str, *, size: int = 12, anchor: str = "start", colour: str = "#222222") -> str:
    look = f'font-family="sans-serif" font-size="{size}" text-anchor="{anchor}" fill="{colour}"'
    return f'<text x="{x}" y="{y}" {look}>{escape(words)}</text>'
