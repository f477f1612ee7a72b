"""One run of the program: what it may do, what it is told, and what comes of it.

It gets one tool at most, an empty folder, no settings, hooks, servers or instructions of the machine or of a project, and the prompt as it
is: by default it would add the file to a prompt that says `@/path`, also in a passage from outside, and take `/word` for a command.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, cast

from pydantic import JsonValue
from veridical_contract import ConfigurationError, MissingSecretError, PluginContext, PluginError, ProviderError, Usage, VeridicalError

from ._failures import failure
from ._messages import Searched, ended, error_kind, model_name, searched, text_of, usage_of, version_of
from ._program import Program, check_sdk, locate, sha256
from ._proxy import RecordingProxy
from ._replies import SearchReply, search_reply, wire_maps
from ._settings import Settings

if TYPE_CHECKING:
    import httpx
    from claude_agent_sdk import ClaudeAgentOptions, Message

__all__ = ["ClaudeCode", "Run", "Task"]

_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_KEY = "api_key"
_LOGIN_HINT = "The API may not take a login through the proxy: if it is good elsewhere, set proxy = false under [plugin.claude-code]."
_LONGEST_MESSAGE = 16 * 1024 * 1024
_REFUSAL = "refusal"
_CUT = "max_output_tokens"
Stop = Literal["end", "length", "refusal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the program is asked.

    Attributes:
        prompt: for the model.
        system: instructions for the model.
        schema: JSON Schema of the answer, an object; None for text.
        search: whether the model may search the web.
        tokens: upper bound of a reply, what the model thinks included; None for the program's own.
    """

    prompt: str
    system: str = ""
    schema: JsonValue = None
    search: bool = False
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What came of it.

    Attributes:
        text: of the model.
        structured: the answer to a schema; None when there is none.
        searched: what the program says that WebSearch returned.
        replies: of the API to WebSearch, as the host recorded them.
        stop: why the model ended.
        identity: model, version and SHA-256 of the program.
        usage: what it cost.
    """

    text: str
    structured: JsonValue
    searched: Searched
    replies: tuple[SearchReply, ...]
    stop: Stop
    identity: str
    usage: Usage


class ClaudeCode:
    """The program, found, asked for its login, and ready to run.

    Raises:
        MissingExtraError: the SDK is not installed.
        IncompatibleError: the SDK or the program is too old.
        ConfigurationError: there is no program, it does not answer, or it is not logged in; or the proxy cannot be used as told.
    """

    def __init__(self, context: PluginContext) -> None:
        check_sdk()
        # The SDK logs what it also raises; without a handler of its own that would go to stderr, and past the host's redaction.
        logging.getLogger("claude_agent_sdk").addHandler(logging.NullHandler())
        self._context = context
        self._settings = context.settings(Settings)
        self._keys = _keys(context)
        self._program = Program.ask(locate(self._settings.cli_path), self._keys)
        self._proxied = self._may_be_proxied()
        self._client: httpx.AsyncClient | None = None
        self.wire = wire_maps(self._settings.base_url)

    async def run(self, task: Task) -> Run:
        """Run the program for `task`, to its end.

        Cancelled, or at its deadline, it ends the program too: within 5 s, or 10 s when that does not listen.

        Raises:
            ProviderError: the API failed, or the deadline passed.
            PluginError: the program failed, or came to no end.
        """
        digest = await asyncio.to_thread(self._digest)
        async with AsyncExitStack() as stack:
            folder = stack.enter_context(TemporaryDirectory(prefix="veridical-", ignore_cleanup_errors=True))
            proxy = await stack.enter_async_context(self._proxy()) if self._proxied else None
            messages = await self._messages(task, folder, proxy)
        bodies = proxy.replies if proxy else []
        replies = tuple(reply for body in bodies if (reply := search_reply(body)))
        return self._outcome(messages, replies, digest)

    def _digest(self) -> str:
        try:
            return sha256(self._program.path, self._context.cache_dir / "program.json")
        except OSError as error:
            raise PluginError(f"Claude Code cannot be hashed before it runs: {error.strerror}: {error.filename}") from None

    async def _messages(self, task: Task, folder: str, proxy: RecordingProxy | None) -> list[Message]:
        import claude_agent_sdk as sdk

        messages: list[Message] = []
        stderr: deque[str] = deque(maxlen=5)
        options = self._options(task, folder, proxy, stderr)
        error: Exception | None = None
        try:
            async with asyncio.timeout(self._settings.timeout):
                async for message in sdk.query(prompt=task.prompt, options=options):
                    messages.append(message)  # noqa: PERF401 - what came before an error counts
        except TimeoutError:
            said = f"Claude Code took longer than {self._settings.timeout:g} s and was ended."
            raise ProviderError(said, failure="timeout", hint="Raise timeout under [plugin.claude-code] in the settings file.") from None
        except Exception as raised:  # noqa: BLE001 - the SDK raises bare ones too
            error = raised
        if proxy and isinstance(proxy.error, VeridicalError):
            raise proxy.error
        result = ended(messages)
        if _stop(messages) == "end" and (error or result is None or result.is_error):
            unreached = proxy.error if proxy and (result is None or result.api_error_status is None) else None
            failed = failure(messages, unreached or error, tuple(stderr), self._context.now().timestamp())
            if proxy and self._program.method != _KEY and isinstance(failed, ProviderError) and failed.failure == "auth":
                failed.hint = f"{failed.hint} {_LOGIN_HINT}"
            raise failed
        return messages

    def _outcome(self, messages: Sequence[Message], replies: tuple[SearchReply, ...], digest: str) -> Run:
        version = version_of(messages) or self._program.version
        self._context.logger.info("Claude Code %s at %s, SHA-256 %s", version, self._program.path, digest)
        result = ended(messages)
        return Run(
            text=text_of(messages),
            structured=cast("JsonValue", result.structured_output) if result else None,
            searched=searched(messages),
            replies=replies,
            stop=_stop(messages),
            identity=f"{model_name(messages)} (Claude Code {version}, SHA-256 {digest})",
            usage=usage_of(result) if result else Usage(),
        )

    def _options(self, task: Task, folder: str, proxy: RecordingProxy | None, stderr: deque[str]) -> ClaudeAgentOptions:
        from claude_agent_sdk import ClaudeAgentOptions

        tools = ["WebSearch"] if task.search else []
        return ClaudeAgentOptions(
            tools=list(tools),  # `allowed_tools` alone restricts nothing
            allowed_tools=tools,
            permission_mode="dontAsk",
            setting_sources=[],
            strict_mcp_config=True,
            verbatim_prompts=True,
            system_prompt=task.system,
            output_format={"type": "json_schema", "schema": task.schema} if task.schema is not None else None,
            max_turns=self._settings.max_turns,
            model=self._settings.model,
            cwd=folder,
            cli_path=self._program.path,
            env=self._environment(task, proxy),
            extra_args={"no-session-persistence": None},
            max_buffer_size=_LONGEST_MESSAGE,
            stderr=stderr.append,
        )

    def _environment(self, task: Task, proxy: RecordingProxy | None) -> dict[str, str]:
        """Return variables for the program, beside those of this process, which it inherits with its login."""
        found = {
            **self._keys,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": str(self._settings.max_retries),
            "CLAUDE_CODE_SAFE_MODE": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        if task.tokens is not None:
            found["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] = str(task.tokens)
        if proxy is not None:
            found["ANTHROPIC_BASE_URL"] = proxy.url
            # A proxy of the operator's own is for what leaves the machine, which is what the recorded client sends.
            found["NO_PROXY"] = found["no_proxy"] = ",".join(filter(None, [os.environ.get("NO_PROXY"), "127.0.0.1"]))
        return found

    def _proxy(self) -> RecordingProxy:
        if self._client is None:
            self._client = self._context.ahttp()
        return RecordingProxy(self._client, self._settings.base_url)

    def _may_be_proxied(self) -> bool:
        wanted = self._settings.proxy
        if wanted is False:
            return False
        elsewhere = os.environ.get("ANTHROPIC_BASE_URL", "").rstrip("/") not in ("", self._settings.base_url)
        if self._program.provider == "firstParty" and not elsewhere:
            return True
        said = "ANTHROPIC_BASE_URL leads elsewhere than base_url" if elsewhere else f"it calls the API of {self._program.provider}"
        if wanted is True:
            hint = "Set base_url or proxy under [plugin.claude-code] in the settings file."
            raise ConfigurationError(f"The calls of Claude Code cannot go through the proxy: {said}.", hint=hint)
        self._context.logger.warning("The calls of Claude Code are not recorded, and its hits are its own word: %s.", said)
        return False


def _keys(context: PluginContext) -> dict[str, str]:
    """Return the keys that are set; any of them wins over a login. The host takes them out of logs, and refuses replies that hold one."""
    found: dict[str, str] = {}
    for name in _KEYS:
        with suppress(MissingSecretError):
            found[name] = context.secret(name)
    return found


def _stop(messages: Sequence[Message]) -> Stop:
    """Return why the model ended; both outcomes other than `end` are errors to the program."""
    result = ended(messages)
    if result is not None and result.stop_reason == _REFUSAL:
        return "refusal"
    return "length" if error_kind(messages) == _CUT else "end"
