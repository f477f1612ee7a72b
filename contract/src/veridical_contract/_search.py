"""What a search plugin is asked."""

from __future__ import annotations

from datetime import date
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from ._model import Model


def _is_day(value: str) -> str:
    date.fromisoformat(value)
    return value


Day = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_is_day)]


class SearchQuery(Model):
    """A search.

    Attributes:
        text: what to look for, in the words of the operator or of a brief.
        limit: how many results at most.
        page: from 1.
        language: BCP 47 tag that results should be in.
        since: first day of publication, `YYYY-MM-DD`.
        until: last day of publication, `YYYY-MM-DD`.
        include_domains: only these hosts and those below them.
        exclude_domains: none of these.
    """

    text: Annotated[str, Field(min_length=1)]
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    page: Annotated[int, Field(ge=1)] = 1
    language: str | None = None
    since: Day | None = None
    until: Day | None = None
    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()

    def covers(self, url: str) -> bool:
        """Whether the host of `url` is one that the query asks for: what a service could not filter, or did not, is filtered with it."""
        try:
            host = _ascii(urlsplit(url).hostname or "")
        except ValueError:
            host = ""
        included = not self.include_domains or any(_below(host, domain) for domain in self.include_domains)
        return bool(host) and included and not any(_below(host, domain) for domain in self.exclude_domains)


def _below(host: str, domain: str) -> bool:
    return f".{host}".endswith(f".{_ascii(domain)}")


def _ascii(host: str) -> str:
    """Return `host` in the spelling that goes over the wire (RFC 5890), without the dots around it; as it is when it has none."""
    plain = host.strip(".").lower()
    try:
        return plain.encode("idna").decode("ascii")
    except UnicodeError:
        return plain
