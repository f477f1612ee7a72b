"""The SDK's client, made from the context alone: no variable of the environment decides whom it asks, as whom, or for whose account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veridical_contract import IncompatibleError, MissingExtraError, PluginContext

from ._settings import OpenAISettings

if TYPE_CHECKING:
    import openai

INSTALL = 'Type: pip install "veridical[openai]"'
_MAJOR = "3"


def make_client(context: PluginContext, settings: OpenAISettings) -> openai.OpenAI:
    """Return a client whose every request is recorded, and which follows no redirect: evidence goes to `base_url` and nowhere else.

    Raises:
        MissingExtraError: the SDK is not installed.
        IncompatibleError: it is of another major version.
        MissingSecretError: the key is not set.
    """
    try:
        import openai
    except ImportError as error:
        raise MissingExtraError("openai needs the package openai, which is not installed.", hint=INSTALL) from error
    if openai.__version__.partition(".")[0] != _MAJOR:
        raise IncompatibleError(f"openai {openai.__version__} is installed; expected a version {_MAJOR}.", hint=INSTALL)
    # What is None the SDK would look up in the environment.
    absent = {"OpenAI-Organization": settings.organization, "OpenAI-Project": settings.project}
    return openai.OpenAI(
        base_url=settings.base_url,
        api_key=context.secret(settings.key) if settings.key else "none",
        admin_api_key="",
        webhook_secret="",
        organization=settings.organization or "",
        project=settings.project or "",
        default_headers={name: openai.omit for name, value in absent.items() if value is None},  # pyright: ignore[reportArgumentType]
        max_retries=settings.retries,
        timeout=settings.timeout,
        http_client=openai.DefaultHttpxClient(transport=context.httpx2_transport(), follow_redirects=False),
    )


def extra_headers(settings: OpenAISettings) -> dict[str, Any]:
    """Return the headers of each request: to leave out the key the SDK must be told every time."""
    import openai

    return {} if settings.key else {"Authorization": openai.omit}
