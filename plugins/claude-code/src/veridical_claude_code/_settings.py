"""The table `[plugin.claude-code]` of the settings file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from veridical_contract import Model

__all__ = ["Settings"]


class Settings(Model):
    """How Claude Code is run.

    Attributes:
        cli_path: the program; the one that claude-agent-sdk brings, or else `claude` on the PATH, when it is not given.
        model: name or alias of the model; the program's own choice when it is not given.
        base_url: of the API that the proxy forwards to; the host approves its origin.
        proxy: whether the program's API calls go through a proxy of this plugin, so that the host records them. `"auto"`: when the program
            speaks to Anthropic itself and `ANTHROPIC_BASE_URL` does not lead elsewhere.
        max_turns: how often the model may answer; a search takes three.
        max_retries: of an API call that failed for the moment, by the program.
        timeout: seconds for a whole call; the limits of the host count too.
    """

    cli_path: str | None = None
    model: str | None = None
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s?#]+[^\s?#/]$")] = "https://api.anthropic.com"
    proxy: bool | Literal["auto"] = "auto"
    max_turns: Annotated[int, Field(ge=3, le=50)] = 6
    max_retries: Annotated[int, Field(ge=0, le=10)] = 2
    timeout: Annotated[float, Field(gt=0)] = 300.0
