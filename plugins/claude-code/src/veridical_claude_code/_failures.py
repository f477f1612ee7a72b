"""What went wrong in a run, as one line with the way out.

the API not reached    ProviderError, connection or timeout
the API refused        ProviderError, by what the program calls it, or by the status
too many turns         PluginError
the program crashed    PluginError, with the last line it wrote to stderr
no result, no JSON     ProviderError, malformed
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from veridical_contract import PluginError, ProviderError, ProviderFailure, VeridicalError

from ._messages import ended, error_kind

if TYPE_CHECKING:
    from claude_agent_sdk import Message, ResultMessage

__all__ = ["failure", "one_line"]

_KINDS: Final[dict[str, ProviderFailure]] = {
    "authentication_failed": "auth",
    "billing_error": "quota",
    "rate_limit": "rate-limit",
}
_STATUSES: Final[dict[int, ProviderFailure]] = {401: "auth", 402: "quota", 403: "auth", 408: "timeout", 429: "rate-limit"}
_HINTS: Final[dict[ProviderFailure, str]] = {
    "auth": "Log in again: claude auth login (or correct ANTHROPIC_API_KEY)",
    "quota": "See the plan or the credit of the account.",
    "rate-limit": "Wait, or use another plugin: veridical plugins list",
    "server": "Try again in a moment.",
    "connection": "See whether the machine reaches the API.",
}
_LONGEST = 200


def failure(messages: Sequence[Message], error: Exception | None, stderr: Sequence[str], now: float) -> VeridicalError:
    """Return the error to raise for a run that failed.

    Args:
        messages: of the run, as far as it came.
        error: what the SDK raised, if anything; or the recorded client, which knows better why the API was not reached.
        stderr: the last lines that the program wrote there.
        now: seconds since the epoch.
    """
    import claude_agent_sdk as sdk
    import httpx

    if isinstance(error, httpx.TransportError):
        kind: ProviderFailure = "timeout" if isinstance(error, httpx.TimeoutException) else "connection"
        said = one_line(str(error)) or type(error).__name__
        return ProviderError(f"The API was not reached: {said}", failure=kind, hint=_HINTS["connection"])
    result = ended(messages)
    if result is not None and result.is_error:
        return _refused(messages, result, now)
    if isinstance(error, sdk.ProcessError):
        said = one_line(stderr[-1]) if stderr else "it wrote nothing to stderr"
        return PluginError(f"Claude Code ended with code {error.exit_code}: {said}", hint="Look at it: claude doctor")
    if isinstance(error, sdk.CLIConnectionError):
        return PluginError(f"Claude Code did not start: {one_line(str(error))}", hint="Look at it: claude doctor")
    if error is not None and not isinstance(error, sdk.ClaudeSDKError):
        return PluginError(f"Claude Code failed: {one_line(str(error)) or type(error).__name__}")
    said = f"wrote what is none of its protocol: {one_line(str(error))}" if error else "ended without a result."
    return ProviderError(f"Claude Code {said}", failure="malformed")


def one_line(text: str) -> str:
    """Return `text` in one line of a length to read."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _refused(messages: Sequence[Message], result: ResultMessage, now: float) -> VeridicalError:
    said = one_line(result.result or "; ".join(result.errors or []) or result.subtype)
    if result.subtype == "error_max_turns":
        hint = "Raise max_turns under [plugin.claude-code] in the settings file."
        return PluginError(f"Claude Code came to no end within {result.num_turns} turns.", hint=hint)
    if result.subtype == "error_max_structured_output_retries":
        return ProviderError(f"The model answered with no JSON of the schema: {said}", failure="malformed")
    if result.subtype != "success":
        return PluginError(f"Claude Code failed ({result.subtype}): {said}")
    kind = _kind(error_kind(messages), result.api_error_status)
    status = f" with status {result.api_error_status}" if result.api_error_status else ""
    wait = _wait(messages, now) if kind == "rate-limit" else None
    return ProviderError(f"The API failed{status}: {said}", failure=kind, retry_after=wait, hint=_HINTS.get(kind, ""))


def _kind(named: str, status: int | None) -> ProviderFailure:
    if named in _KINDS:
        return _KINDS[named]
    if status is None:
        # "server_error" without a status is a connection that failed.
        return "connection" if named == "server_error" else "malformed"
    return _STATUSES.get(status, "server" if status >= 500 else "malformed")


def _wait(messages: Sequence[Message], now: float) -> float | None:
    """Return the seconds until the limit of the login is lifted, when the program said it."""
    from claude_agent_sdk import RateLimitEvent

    infos = [message.rate_limit_info for message in messages if isinstance(message, RateLimitEvent)]
    times = [info.resets_at for info in infos if info.status == "rejected" and info.resets_at is not None]
    return max(0.0, times[-1] - now) if times else None
