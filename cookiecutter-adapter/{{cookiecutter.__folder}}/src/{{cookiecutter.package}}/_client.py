{%- set kinds = cookiecutter.kinds.replace(" ", "").split(",") -%}
{%- set stem = cookiecutter.name if cookiecutter.name[0].isalpha() else "plugin-" ~ cookiecutter.name -%}
{%- set sdk = cookiecutter.client == "sdk" -%}
"""How the provider is asked, and how its replies are read. Put the addresses and members of your provider in their place.

    hook --Client.get, Client.post--> {{ "SDK over the host's transport" if sdk else "client of the host" }}, which records --> JSON --read--> a model

Only what the host recorded can be evidence, so nothing here opens a connection of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import {{ "" if sdk else "TYPE_CHECKING, " }}Annotated, ClassVar, TypeVar{{ "" if sdk else ", cast" }}

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from veridical_contract import Model, PluginContext, ProviderError, ProviderFailure, provider_call
{% if sdk %}
from ._sdk import make_sdk
{% else %}
if TYPE_CHECKING:
    import httpx
{% endif %}
NAME = "{{ cookiecutter.name }}"
KEY = "{{ stem.upper().replace("-", "_") }}_API_KEY"
BASE_URL = "https://api.provider.example"
HINTS: dict[ProviderFailure, str] = {
    "auth": f"Set {KEY} to a key of the service.",
    "rate-limit": "Wait, and run it again.",
}

Reply = TypeVar("Reply", bound="Part")


class Settings(Model):
    """The table of this plugin in the settings file. It is one table for all kinds, since they carry one name.

    Attributes:
        base_url: what stands before the paths of the API.
{%- if "chat" in kinds %}
        model: that answers.
{%- endif %}
{%- if "embedding" in kinds %}
        embedding_model: that embeds.
{%- endif %}
    """

    base_url: Annotated[str, Field(pattern=r"^https?://[^\s?#@]+$")] = BASE_URL
{%- if "chat" in kinds %}
    model: str = "example-chat-1"
{%- endif %}
{%- if "embedding" in kinds %}
    embedding_model: str = "example-embedding-1"
{%- endif %}


class Part(BaseModel):
    """A part of a reply. Members that nobody here reads may be anything; those that are read must be what they should be."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


class Client:
    """The provider, asked with the key of the operator.

    Raises:
        ConfigurationError: a setting is wrong.
        MissingSecretError: the key is not set.
    """

    def __init__(self, context: PluginContext) -> None:
        self.settings = context.settings(Settings)
        self.base_url = self.settings.base_url.rstrip("/")
{%- if sdk %}
        # SDKs look into the environment for what they are not given, and make a connection of their own when they are given no
        # client: give yours everything, and one of context.httpx2_transport(), context.requests_session() or context.http().
        self._sdk = make_sdk(self.base_url, context.secret(KEY), context)
{%- else %}
        self._http = context.http(headers={"Authorization": f"Bearer {context.secret(KEY)}"})
{%- endif %}

    def get(self, path: str, parameters: Mapping[str, str]) -> JsonValue:
        """Return the JSON at `path`.

        Raises:
            ProviderError: the request failed, or the reply is no JSON.
        """
        with provider_call(NAME, hints=HINTS):
{%- if sdk %}
            return self._sdk.get(path, parameters)
{%- else %}
            return _json(self._http.get(f"{self.base_url}{path}", params=dict(parameters)))
{%- endif %}

    def post(self, path: str, body: Mapping[str, JsonValue]) -> JsonValue:
        """Return the JSON that `path` answers `body` with.

        Raises:
            ProviderError: the request failed, or the reply is no JSON.
        """
        with provider_call(NAME, hints=HINTS):
{%- if sdk %}
            return self._sdk.post(path, body)
{%- else %}
            return _json(self._http.post(f"{self.base_url}{path}", json=dict(body)))


def _json(reply: httpx.Response) -> JsonValue:
    return cast("JsonValue", reply.raise_for_status().json())
{%- endif %}


def read(model: type[Reply], value: JsonValue) -> Reply:
    """Return a reply as `model`.

    Raises:
        ProviderError: it is none.
    """
    try:
        return model.model_validate(value)
    except ValidationError:
        raise malformed("a reply that is not as its API says") from None


def malformed(what: str) -> ProviderError:
    """Return the error for a reply that cannot be used. It repeats nothing of the reply, which may hold anything."""
    return ProviderError(f"{NAME} sent {what}.", failure="malformed", hint="Look for a new version of the plugin.")
