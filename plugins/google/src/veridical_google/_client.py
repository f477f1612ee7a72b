"""The SDK's client, made from the context alone, and what is looked at before it is imported.

Its types are written here, as far as they are used: the SDK's own name classes of packages that need not be installed (PIL, MCP), so that a
type checker knows them in part alone, and no plain `dict` fits them, which the SDK takes all the same.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, cast

from veridical_contract import IncompatibleError, MissingExtraError, MissingSecretError, PluginContext

from ._settings import GoogleSettings

if TYPE_CHECKING:
    from google.genai import types

__all__ = ["Client", "api_key", "check_sdk", "make_client"]

_SDK = (3, 4)


class Models(Protocol):
    """`google.genai.models.Models`."""

    def generate_content(self, *, model: str, contents: list[dict[str, Any]], config: dict[str, Any]) -> types.GenerateContentResponse:
        """Return the reply."""
        ...

    def generate_content_stream(
        self, *, model: str, contents: list[dict[str, Any]], config: dict[str, Any]
    ) -> Iterator[types.GenerateContentResponse]:
        """Yield the events of the reply."""
        ...

    def embed_content(self, *, model: str, contents: list[types.Content], config: types.EmbedContentConfig) -> types.EmbedContentResponse:
        """Return a vector for each of `contents`."""
        ...


class Client(Protocol):
    """`google.genai.Client`."""

    @property
    def models(self) -> Models:
        """Everything that asks a model."""
        ...


def make_client(context: PluginContext, settings: GoogleSettings, key: str) -> Client:
    """Return a client whose every request is recorded."""
    import httpx2
    from google import genai
    from google.genai import types

    options = types.HttpOptions(
        base_url=settings.base_url,
        api_version=settings.api_version,
        timeout=max(1, round(settings.timeout * 1000)),
        retry_options=types.HttpRetryOptions(attempts=1 + settings.retries),
        httpx_client=httpx2.Client(transport=context.httpx2_transport()),
        httpx_async_client=httpx2.AsyncClient(transport=context.httpx2_async_transport()),
    )
    return cast("Client", genai.Client(vertexai=False, api_key=key, http_options=options))


def api_key(context: PluginContext) -> str:
    """Return the key.

    Raises:
        MissingSecretError: it is not set under either name.
    """
    try:
        return context.secret("GEMINI_API_KEY")
    except MissingSecretError:
        try:
            return context.secret("GOOGLE_API_KEY")
        except MissingSecretError:
            pass
        raise


def check_sdk() -> None:
    """Look at the SDK's version without importing it.

    Raises:
        MissingExtraError: it is not installed.
        IncompatibleError: it is too old or too new.
    """
    install = 'Type: pip install "veridical[google]"'
    try:
        version = importlib.metadata.version("google-genai")
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtraError("google needs the package google-genai, which is not installed.", hint=install) from None
    if not _SDK <= tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < (_SDK[0] + 1,):
        raise IncompatibleError(f"google-genai {version} is installed; 3.4 or later, below 4, is needed.", hint=install)
