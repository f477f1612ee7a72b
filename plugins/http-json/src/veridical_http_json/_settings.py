"""What the settings file says of each source: `[plugin.http-json.sources.NAME]`.

url, method, query, headers, body          the request
paging                                     how the next page is asked for, and when there is none
item, fields, url_template, slots, key     where a reply holds records, and what of them is evidence
incremental                                how only what is new is asked for
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, ValidationError, model_validator
from veridical_contract import Model, Projection, WireMap

__all__ = ["SECRET", "Declaration", "Incremental", "Paging", "Settings"]

SECRET = re.compile(r"\{secret:([A-Za-z_][A-Za-z0-9_]*)\}")
_ADDRESS = re.compile(r"https?://[^\s?#@{}]+")
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])+)+")
_WITHIN = re.compile(r"(?:[^~/]|~[01])+(?:/(?:[^~/]|~[01])+)*")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_ITEM = re.compile(r"(?:/(?!\*/)(?:[^~/]|~[01])+)*/\*")
_SLOT = re.compile(r"\{([^{}]+)\}")
_OWN_HEADERS = frozenset(["connection", "content-length", "host", "transfer-encoding"])
_ALWAYS_SECRET = frozenset(["authorization", "cookie", "proxy-authorization"])
_OF_MAP = {"base_url": "url", "url": "url_template"}
"""Names of settings that a wire map calls something else."""


def _address(value: str) -> str:
    if _ADDRESS.fullmatch(value) is None or not urlsplit(value).hostname:
        raise ValueError('expected the address of the API without a query, as in "https://desk.example.com/api/tickets"')
    return value


def _pointer(value: str) -> str:
    if value and _POINTER.fullmatch(value) is None:
        raise ValueError('expected a pointer into the reply that begins with a slash, as in "/meta/next"')
    return value


def _within(value: str) -> str:
    value = value.removeprefix("/")
    if value and _WITHIN.fullmatch(value) is None:
        raise ValueError('expected a pointer within a record, as in "subject" or "author/id"')
    return value


def _parameter(value: str) -> str:
    if value.startswith("/"):
        return _pointer(value)
    if "{" in value or "}" in value:
        raise ValueError("expected the name of a query parameter, or a pointer into the body that begins with a slash")
    return value


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _header(value: str) -> str:
    if any(character < " " or character > "~" for character in value):
        raise ValueError("expected printable ASCII")
    if {"{", "}"} & set(SECRET.sub("", value)):
        raise ValueError('expected braces only around the name of a secret, as in "Bearer {secret:HELPDESK_TOKEN}"')
    return value


Within = Annotated[str, AfterValidator(_within)]
Pointer = Annotated[str, AfterValidator(_pointer)]
Parameter = Annotated[str, AfterValidator(_parameter)]


class Fields(Model):
    """Where a record holds what; pointers within the record.

    Attributes:
        text: to words of the source; of several each is a document of its own.
        url: to the address of its page, where the API gives one; else see `url_template`.
        title: of the record.
        author: to the account.
        author_name: to its name.
        published: to the time.
    """

    text: Annotated[tuple[Within, ...], BeforeValidator(_several), Field(min_length=1, strict=False)]
    url: Within = ""
    title: Within = ""
    author: Within = ""
    author_name: Within = ""
    published: Within = ""


class Paging(Model):
    """How pages follow each other.

    Attributes:
        kind: `none`: there is one page. `page`: its number goes into `parameter`. `offset`: the number of records before it does.
            `next-url`: the reply holds the address of the next page. `cursor`: the reply holds what goes into `parameter`.
        parameter: of the query; or a pointer into the body (`/page`).
        pointer: to the next address or cursor in the reply; where it is absent, null or empty there is no next page.
        more: pointer to a boolean in the reply: false, absent or null where there is no next page.
        size: records that a page has; a shorter one is the last. `offset` needs it.
        first: number of the first page.
        most: pages that one sync reads at most.
    """

    kind: Literal["none", "page", "offset", "next-url", "cursor"] = "none"
    parameter: Parameter = ""
    pointer: Pointer = ""
    more: Pointer = ""
    size: Annotated[int, Field(ge=0, le=100_000)] = 0
    first: Annotated[int, Field(ge=0, le=1)] = 1
    most: Annotated[int, Field(ge=1, le=1_000_000)] = 10_000

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind in ("page", "offset", "cursor") and not self.parameter:
            raise ValueError(f'paging.kind {self.kind!r} needs parameter: the query parameter, or a pointer into the body ("/page")')
        if self.kind in ("next-url", "cursor") and not self.pointer:
            raise ValueError(f'paging.kind {self.kind!r} needs pointer: where the reply holds it, as in "/meta/next"')
        if self.kind == "offset" and not self.size:
            raise ValueError("paging.kind 'offset' needs size: the records that a page has")
        return self


class Incremental(Model):
    """How only what is new is asked for.

    Attributes:
        field: pointer within a record to what only grows: when it was changed last, or a number.
        parameter: of the query, or a pointer into the body: gets the greatest value so far.
        start: the value for the first sync; without it the first sync asks for everything.
    """

    field: Within = ""
    parameter: Parameter = ""
    start: str | int = ""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if bool(self.field) != bool(self.parameter):
            raise ValueError("incremental needs both field and parameter")
        return self


class Declaration(Model):
    """One source.

    Attributes:
        url: of the request, without a query.
        base_url: what the addresses of all pages start with, where that is less than `url`.
        method: of the request.
        query: its parameters.
        headers: of the request; `{secret:NAME}` in a value stands for a secret.
        body: sent as JSON, with POST.
        item: pointer to each record of a reply: `/tickets/*`; `/*` where the reply is a list.
        fields: where a record holds what.
        url_template: the address of a record's page, with pointers within the record in braces.
        slots: pattern for the value of a slot, where it is not only letters, digits, `_` and `-`.
        key: pointer within the record to what it is known by; else what fills `url_template`, or `fields.url`.
        projection: how the texts are marked up.
        paging: how pages follow each other.
        incremental: how only what is new is asked for.
    """

    url: Annotated[str, AfterValidator(_address)]
    base_url: str = ""
    method: Literal["GET", "POST"] = "GET"
    query: dict[str, str | int | bool] = Field(default_factory=dict)
    headers: dict[str, Annotated[str, AfterValidator(_header)]] = Field(default_factory=dict)
    body: dict[str, JsonValue] = Field(default_factory=dict)
    item: str
    fields: Fields
    url_template: str = ""
    slots: dict[str, str] = Field(default_factory=dict)
    key: Within = ""
    projection: Projection = "plain"
    paging: Paging = Paging()
    incremental: Incremental = Incremental()

    @model_validator(mode="after")
    def _request(self) -> Self:
        _check_headers(self.headers)
        if "{secret:" in repr((self.url, self.base_url, self.query, self.body)):
            raise ValueError("a secret may stand in the value of a header only: what is in an address or a body is kept")
        if self.base_url and not f"{self.url}/".startswith(f"{_address(self.base_url).rstrip('/')}/"):
            raise ValueError("base_url: expected the beginning of url")
        if self.body and self.method == "GET":
            raise ValueError('body: a GET has none; expected method = "POST"')
        if self.method == "GET" and any(name.startswith("/") for name in (self.paging.parameter, self.incremental.parameter)):
            raise ValueError('parameter: a pointer into the body needs method = "POST"')
        return self

    @model_validator(mode="after")
    def _records(self) -> Self:
        if _ITEM.fullmatch(self.item) is None:
            raise ValueError('item: expected a pointer to each record that ends in /*, as in "/tickets/*"')
        if self.url_template and self.fields.url:
            raise ValueError("fields.url and url_template both say where a record can be opened; expected one of them")
        if not (self.url_template or self.fields.url):
            raise ValueError(
                'url_template: expected the address of a record\'s page, as in "https://desk.example.com/t/{id}", or fields.url'
            )
        if self.url_template and not (self.url_template.startswith(("http://", "https://")) and _SLOT.search(self.url_template)):
            raise ValueError('url_template: expected a whole address with a slot, as in "https://desk.example.com/t/{id}"')
        self.wire()
        return self

    def wire(self) -> WireMap:
        """Return where the replies of this source hold evidence.

        Raises:
            ValueError: there is no such map.
        """
        fields = self.fields
        try:
            return WireMap(
                base_url=self.base_url or self.url,
                item=self.item,
                url=self.url_template or fields.url,
                title=fields.title or None,
                text=fields.text,
                author=fields.author or None,
                author_name=fields.author_name or None,
                published=fields.published or None,
                slots=self.slots,
                projection=self.projection,
            )
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            name = ".".join(map(str, first["loc"]))
            raise ValueError(f"{_OF_MAP.get(name, name)}: {first['msg'].removeprefix('Value error, ')}".removeprefix(": ")) from None

    def known_by(self) -> tuple[str, ...]:
        """Return the pointers within a record to what it is known by."""
        return (self.key,) if self.key else tuple(_SLOT.findall(self.url_template)) or (self.fields.url,)


class Settings(Model):
    """The table `[plugin.http-json]` of the settings file.

    Attributes:
        sources: by their names.
    """

    sources: dict[str, Declaration] = Field(default_factory=dict)


def _check_headers(headers: dict[str, str]) -> None:
    for name, value in headers.items():
        if _NAME.fullmatch(name) is None or name.lower() in _OWN_HEADERS:
            raise ValueError(f"headers: {name!r} is no header that can be set")
        if name.lower() in _ALWAYS_SECRET and SECRET.search(value) is None:
            raise ValueError(f'headers.{name}: expected the name of a secret, as in "Bearer {{secret:HELPDESK_TOKEN}}"')
