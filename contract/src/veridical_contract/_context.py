"""What a plugin is given. There are no globals: nothing is read behind the context, and nothing raises at import."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import Field

from ._documents import Locator, Raw, RecordFormat
from ._model import Model
from ._source import InputFile

if TYPE_CHECKING:
    import httpx
    import httpx2
    import requests

_Settings = TypeVar("_Settings", bound=Model)


class Record(Model):
    """One record of a file that the host read.

    Attributes:
        raw: which bytes it is.
        format: how they are laid out.
        encoding: the character encoding that the host found.
        delimiter: of a `csv` record.
        names: column name or JSON member to the pointer of its atom (see `Derivation.pointers`); header names and `part/N` of a mail.
        locator: where a person finds the record again.
    """

    raw: Raw
    format: RecordFormat
    encoding: str = "utf-8"
    delimiter: str = ","
    names: dict[str, str] = Field(default_factory=dict)
    locator: Locator


class HostFiles(Protocol):
    """Files as the host reads them: bytes are hashed and kept, so that what is derived from them is `held`."""

    def records(self, file: InputFile, *, format: RecordFormat) -> Iterator[Record]:  # noqa: A002 - the field's name
        """Split `file` into its records, in their order: a `text` file is one record, a `pdf` file one for each page.

        Files whose name ends in `.gz` are decompressed. The bytes must still hash to `file.sha256`.

        Raises:
            UnreadableError: the file cannot be read as `format`, changed since it was enumerated, or is encrypted or too large.
        """
        ...

    def atoms(self, record: Record, pointers: Mapping[str, str]) -> dict[str, str]:
        """Return what stands at `pointers` (any name to pointer) in `record`, one of those that `records` gave since the last batch.

        What the record does not have is left out. A plugin looks at values to choose pointers and the projection; it need not copy
        them into an `Item`, since the host derives them again.

        Raises:
            UnreadableError: the record is not laid out as `record.format` says, or what stands at a pointer is not a value.
        """
        ...


class PluginContext(Protocol):
    """What the host hands to a plugin's constructor."""

    @property
    def name(self) -> str:
        """The plugin's name."""
        ...

    @property
    def files(self) -> HostFiles:
        """Files as the host reads them."""
        ...

    @property
    def data_dir(self) -> Path:
        """The folder for what has to last (the store); made when it is first asked for."""
        ...

    @property
    def cache_dir(self) -> Path:
        """A folder of the plugin's own for what may be lost; made when it is first asked for."""
        ...

    @property
    def logger(self) -> logging.Logger:
        """A logger that takes the plugin's secrets out of every record."""
        ...

    def now(self) -> datetime:
        """The time, aware, in UTC."""
        ...

    def cancelled(self) -> bool:
        """Whether the call that runs now passed its deadline or is no longer wanted."""
        ...

    def settings(self, model: type[_Settings]) -> _Settings:
        """The plugin's own table of the settings file, as `model`.

        A field with `json_schema_extra={"variable": NAME}` takes the value of that environment variable where the table has none: for
        what is no secret, such as an address.

        Raises:
            ConfigurationError: a setting has the wrong type or is unknown; the message names it.
        """
        ...

    def secret(self, name: str) -> str:
        """The value of the environment variable or secret called `name`.

        Raises:
            MissingSecretError: it is not set.
        """
        ...

    def http(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> httpx.Client:
        """A client whose life is the plugin's; httpx is imported on the first call. Every reply to it is recorded.

        It works during a hook call only, in its thread and in those that were started with `contextvars.copy_context()`.

        Raises:
            MissingExtraError: httpx is not installed.
        """
        ...

    def ahttp(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        """The same for asynchronous hooks."""
        ...

    def httpx2_transport(self) -> httpx2.BaseTransport:
        """A transport that records, for an SDK that brings an httpx2 client of its own.

        Raises:
            MissingExtraError: httpx2 is not installed.
        """
        ...

    def httpx2_async_transport(self) -> httpx2.AsyncBaseTransport:
        """The same for an asynchronous client."""
        ...

    def requests_session(self) -> requests.Session:
        """A session that records, for an SDK that uses requests; its life is the plugin's.

        Raises:
            MissingExtraError: requests is not installed.
        """
        ...
