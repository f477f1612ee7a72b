"""What each tool is asked: strict models. A field in a tool's `local` tuple names files of this machine, and is there over stdio only."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from veridical_contract import FieldMap, Model, PluginName

__all__ = [
    "AddSource",
    "Check",
    "Doctor",
    "FindQuote",
    "Ground",
    "ListSources",
    "ReadEvidence",
    "Research",
    "SearchEvidence",
    "Verify",
]

_Sources = Annotated[tuple[str, ...], Field(description="Names of sources that were added (list_sources names them).")]
_Paths = Annotated[
    tuple[str, ...],
    Field(description="Files, folders and globs to read and look in; absolute, or below the folder that the server was started in."),
]
_Search = Annotated[
    PluginName | None,
    Field(description="The search plugin to ask, by name; without one those whose keys are set are asked in their order."),
]
_Pages = Annotated[int, Field(ge=0, le=50, description="How many of the pages that were found are fetched and looked in too.")]


class Ground(Model):
    """Arguments of `ground`."""

    question: Annotated[str, Field(min_length=1, max_length=2000, description="In plain words; the name of a person as people write it.")]
    paths: _Paths = ()
    sources: _Sources = ()
    search: _Search = None
    pages: _Pages = 0
    limit: Annotated[int, Field(ge=1, le=100, description="How many results the search is asked for.")] = 10


class Research(Model):
    """Arguments of `research`."""

    question: Annotated[str, Field(min_length=1, max_length=2000, description="In plain words.")]
    paths: _Paths = ()
    sources: Annotated[
        tuple[str, ...],
        Field(description="Names of sources to look in (list_sources names them); all of them when nothing else is named."),
    ] = ()
    must_address: Annotated[
        tuple[str, ...], Field(max_length=20, description="Questions that the report has to answer one by one, or to call unaddressed.")
    ] = ()
    web: Annotated[bool, Field(description="Search the web too. Without it, and without search and pages, nothing leaves the machine.")] = (
        False
    )
    search: _Search = None
    pages: _Pages = 0
    chat: Annotated[
        PluginName | None, Field(description="The plugin that groups and names, by name; without one that of the settings.")
    ] = None
    max_cost: Annotated[
        str | None, Field(pattern=r"^\d{1,6}(\.\d{1,6})?$", description="Dollars that models may cost at most, as digits: 0.50")
    ] = None
    seconds: Annotated[float | None, Field(ge=1, le=86_400, description="How long the whole run may take.")] = None


class Check(Model):
    """Arguments of `check`."""

    text: Annotated[str | None, Field(max_length=2_000_000, description="The draft itself.")] = None
    path: Annotated[str | None, Field(description="Instead of text: the draft's file, Markdown, HTML or plain text by its suffix.")] = None
    format: Annotated[Literal["markdown", "html", "text"], Field(description="How text is written; a path says it by its suffix.")] = (
        "markdown"
    )
    against: _Paths = ()
    sources: Annotated[
        tuple[str, ...],
        Field(description="Names of sources that are the evidence (list_sources names them); all that is stored when nothing is named."),
    ] = ()
    strict: Annotated[bool, Field(description="Warnings are errors: a quotation whose cut changes what it says.")] = False

    @model_validator(mode="after")
    def _one_draft(self) -> Self:
        if (self.text is None) == (self.path is None):
            raise ValueError("give the draft as text, or name its file as path: one of the two")
        return self


class Verify(Model):
    """Arguments of `verify`."""

    report: Annotated[
        str | None, Field(pattern=r"^[0-9a-f]{4,32}$", description="A report of an earlier run, by its run.id or the first digits of it.")
    ] = None
    bundle: Annotated[str | None, Field(description="Instead of report: a bundle that somebody wrote, the path of a .zip file.")] = None
    root: Annotated[
        str | None,
        Field(pattern=r"^[0-9a-f]{64}$", description="The root digest, got elsewhere than with the bundle: shows where it comes from."),
    ] = None
    key: Annotated[str | None, Field(description="The path of the public key (PEM) that must have signed the bundle.")] = None

    @model_validator(mode="after")
    def _one_bundle(self) -> Self:
        if (self.report is None) == (self.bundle is None):
            raise ValueError("name a report of an earlier run, or the path of a bundle: one of the two")
        return self


class SearchEvidence(Model):
    """Arguments of `search_evidence`."""

    words: Annotated[str, Field(min_length=1, max_length=2000, description="Words to look for; a passage holds at least one of them.")]
    sources: _Sources = ()
    limit: Annotated[int, Field(ge=1, le=100, description="How many passages at most.")] = 10


class FindQuote(Model):
    """Arguments of `find_quote`."""

    quote: Annotated[str, Field(min_length=1, max_length=20_000, description="The words as they were quoted, without quotation marks.")]
    sources: _Sources = ()
    limit: Annotated[int, Field(ge=1, le=100, description="How many places are shown at most; all of them are counted.")] = 20


class ReadEvidence(Model):
    """Arguments of `read_evidence`."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{4,64}$", description="Identifier of the document, or the first digits of it.")]
    start: Annotated[int, Field(ge=0, description="First code point of the text to return.")] = 0
    limit: Annotated[int, Field(ge=1, le=200_000, description="How many code points to return at most.")] = 20_000


class ListSources(Model):
    """Arguments of `list_sources`."""


class AddSource(Model):
    """Arguments of `add_source`."""

    name: Annotated[str, Field(description="What to call it: letters, digits, dots, hyphens and underscores.")]
    paths: Annotated[
        tuple[str, ...],
        Field(min_length=1, description="Files, folders and globs; absolute, or below the folder that the server was started in."),
    ]
    field_map: Annotated[
        FieldMap | None,
        Field(description="For tables: which column or member holds text, url, title, author, author_name, published."),
    ] = None
    replace: Annotated[bool, Field(description="A source of that name is replaced. Without this it is refused.")] = False


class Doctor(Model):
    """Arguments of `doctor`."""

    check_store: Annotated[bool, Field(description="Read the whole store again and name everything that is wrong with it; slow.")] = False
