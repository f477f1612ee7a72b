"""The table `[plugin.openai]`: one table for the chat plugin and the embedding plugin, since both carry the name `openai`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue
from veridical_contract import Model

OPENAI = "https://api.openai.com/v1"

Form = Literal["json_schema", "json_object", "text"]
"""How a structured reply is asked for: by its schema; as any JSON, the schema in the prompt; by the prompt alone."""

_OWN = {
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "model",
    "n",
    "response_format",
    "stream",
    "stream_options",
    "tool_choice",
    "tools",
}


def _without_own(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if own := sorted(_OWN & parameters.keys()):
        raise ValueError(f"{own[0]!r} is set by the plugin itself")
    return parameters


class OpenAISettings(Model):
    """What the operator may set.

    Attributes:
        base_url: of the API, with its version.
        key: the environment variable that holds the key; empty for a server that needs none.
        organization: billed for the requests; left out, the key's own.
        project: the same.
        model: that answers.
        form: how a structured reply is asked for at first; a server that refuses a form is asked in a weaker one.
        parameters: more members of each chat request, `temperature` or `reasoning_effort`, as the server documents them.
        embedding_model: that embeds.
        dimensions: of a vector; left out, the embedding model's own.
        retries: of a request that failed in a way that may pass.
        timeout: seconds to wait for a connection, and for the next bytes.
    """

    base_url: Annotated[str, Field(pattern=r"^https?://[^\s?#@]+$")] = OPENAI
    key: Annotated[str, Field(pattern=r"^(?:[A-Za-z_][A-Za-z0-9_]*)?$")] = "OPENAI_API_KEY"
    organization: str | None = None
    project: str | None = None
    model: str = "gpt-6.1-terra"
    form: Form = "json_schema"
    parameters: Annotated[dict[str, JsonValue], AfterValidator(_without_own)] = Field(default_factory=dict[str, JsonValue])
    embedding_model: str = "text-embedding-3-small"
    dimensions: Annotated[int, Field(ge=1, le=65_536)] | None = None
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    timeout: Annotated[float, Field(gt=0, le=86_400)] = 240.0
