"""What the settings file says of each source: `[plugin.sql.sources.NAME]`."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from veridical_contract import Model

from ._statement import checked_select
from ._template import UrlTemplate

__all__ = ["Declaration", "Settings"]

FieldName = Literal["text", "url", "title", "author", "author_name", "published"]
Column = Annotated[str, Field(min_length=1, max_length=128)]


class Declaration(Model):
    """One source.

    Attributes:
        url: of the database, as SQLAlchemy writes it, without a password.
        password_secret: name of the environment variable that holds the password.
        query: one SELECT.
        fields: field to the column that holds it; `text` has to be there.
        url_template: of the page of a row, with columns in braces, instead of a column that holds its URL.
        key: column that names a row: a row that is read again takes the place of what it was.
        incremental: column that only grows: rows with what was read before are not read again.
        batch: rows that are fetched at once.
        seconds: that the database may take for one step.
    """

    url: str
    password_secret: str | None = None
    query: str
    fields: dict[FieldName, Column]
    url_template: str | None = None
    key: Column | None = None
    incremental: Column | None = None
    batch: Annotated[int, Field(ge=1, le=10_000)] = 500
    seconds: Annotated[float, Field(gt=0, le=86_400)] = 120.0

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        checked_select(self.query)
        if "text" not in self.fields:
            raise ValueError('fields: no column for the text; expected fields = { text = "COLUMN" }')
        if self.url_template is not None and "url" in self.fields:
            raise ValueError("fields.url and url_template both say where a row can be opened; expected one of them")
        if self.incremental is not None and self.key is None:
            raise ValueError("incremental needs key: rows of one value are told apart by it")
        if self.url_template is not None:
            UrlTemplate(self.url_template)
        return self

    def template(self) -> UrlTemplate | None:
        """Return how a row's URL is made; None when a column holds it, or there is none."""
        return UrlTemplate(self.url_template) if self.url_template is not None else None

    def columns(self) -> dict[str, str]:
        """Return each column that the query has to have, with the setting that names it."""
        template = self.template()
        named = {
            **dict.fromkeys(template.columns if template is not None else (), "url_template"),
            **{column: f"fields.{name}" for name, column in self.fields.items()},
        }
        order = {"key": self.key, "incremental": self.incremental}
        return named | {column: name for name, column in order.items() if column is not None}


class Settings(Model):
    """The table `[plugin.sql]` of the settings file.

    Attributes:
        sources: name of a source to where it is read.
    """

    sources: dict[str, Declaration] = Field(default_factory=dict[str, Declaration])
