"""The table `[plugin.google]`: one table for the chat plugin and the embedding plugin, since both carry the name `google`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from veridical_contract import Model

__all__ = ["GoogleSettings"]


class GoogleSettings(Model):
    """The table `[plugin.google]`.

    Attributes:
        model: name of the model.
        base_url: where the API is.
        api_version: first part of the path of its URLs.
        timeout: seconds for each of connecting, sending and waiting for the next bytes.
        retries: how often a request is sent again after a failure that may pass.
        embedding_model: that embeds.
        dimensions: of a vector; left out, the embedding model's own.
    """

    model: str = "gemini-3.8-flash"
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s?#]*[^\s?#/]$")] = "https://generativelanguage.googleapis.com"
    api_version: Annotated[str, Field(pattern=r"^v[0-9][a-z0-9]*$")] = "v1beta"
    timeout: Annotated[float, Field(gt=0)] = 120.0
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    embedding_model: str = "gemini-embedding-001"
    dimensions: Annotated[int, Field(ge=1, le=65_536)] | None = None
