"""A page of results, read with the standard library: hits by their number, and the form that leads to the next page."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

__all__ = ["Hit", "Page", "read"]


@dataclass(slots=True)
class Hit:
    """An element `div.web-result`.

    Attributes:
        number: among all of these, from 0: how the host counts them.
        is_ad: somebody paid for it.
        href: of its first `a.result__a`; empty when there is none.
        has_text: it has an `a.result__snippet`.
    """

    number: int
    is_ad: bool
    href: str = ""
    has_text: bool = False


@dataclass(slots=True)
class Page:
    """What a page holds.

    Attributes:
        hits: in order.
        has_results: it has the list of results, which may be empty.
        is_challenge: it asks whether a human is there.
        forms: the hidden fields of each form.
    """

    hits: list[Hit] = field(default_factory=list[Hit])
    has_results: bool = False
    is_challenge: bool = False
    forms: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    def following(self, form: dict[str, str]) -> dict[str, str] | None:
        """Return the form that leads on from this page, which `form` led to: one that starts at a later result."""
        later = [each for each in self.forms if "vqd" in each and _start(each) > _start(form)]
        return min(later, key=_start, default=None)


def read(source: str) -> Page:
    """Return what the page holds."""
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return reader.page


def _start(form: dict[str, str]) -> int:
    start = form.get("s", "")
    return int(start) if start.isascii() and start.isdecimal() and len(start) < 10 else 0


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._hit: Hit | None = None
        self._in_form = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Of two attributes of one name the first counts, as for the host.
        attributes = {name: value or "" for name, value in reversed(attrs)}
        classes = attributes.get("class", "").split()
        self.page.has_results |= attributes.get("id") == "links"
        match tag:
            case "div":
                self._div(classes)
            case "a" if self._hit:
                self._link(self._hit, classes, attributes.get("href", ""))
            case "form":
                self.page.is_challenge |= attributes.get("id") == "challenge-form"
                self.page.forms.append({})
                self._in_form = True
            case "input" if self._in_form and attributes.get("type") == "hidden":
                self.page.forms[-1][attributes.get("name", "")] = attributes.get("value", "")
            case _:
                pass

    def handle_endtag(self, tag: str) -> None:
        self._in_form = self._in_form and tag != "form"

    def _div(self, classes: list[str]) -> None:
        if "web-result" in classes:
            self._hit = Hit(len(self.page.hits), "result--ad" in classes)
            self.page.hits.append(self._hit)
        elif "result" in classes:
            self._hit = None

    def _link(self, hit: Hit, classes: list[str], href: str) -> None:
        if "result__a" in classes:
            hit.href = hit.href or href
        hit.has_text |= "result__snippet" in classes
