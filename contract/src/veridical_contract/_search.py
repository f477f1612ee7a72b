"""What a search plugin is asked."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ._model import Model


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
    since: str | None = None
    until: str | None = None
    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
