"""The SDK's client, made from the context alone, and what is looked at before it is imported."""

from __future__ import annotations

import importlib.metadata
import re
from typing import TYPE_CHECKING

from veridical_contract import IncompatibleError, MissingExtraError, MissingSecretError, PluginContext

from ._settings import GoogleSettings

if TYPE_CHECKING:
    from google import genai

__all__ = ["api_key", "check_sdk", "make_client"]

_SDK = (3, 4)


def make_client(context: PluginContext, settings: GoogleSettings, key: str) -> genai.Client:
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
    return genai.Client(vertexai=False, api_key=key, http_options=options)


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
