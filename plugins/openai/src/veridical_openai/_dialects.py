"""What a server of this API understands, found out by asking: OpenAI's own API has moved on, and others follow at their own pace.

    json_schema -> json_object -> text      how a structured reply is asked for
    stream_options                          usage at the end of a stream, or none
    max_completion_tokens <-> max_tokens    the name of the limit

A request that a server refuses is sent again in a weaker dialect, and the one that it took is kept for this base URL as long as the
plugin lives. A server that names the member it refuses has that one taken away first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from ._settings import Form, OpenAISettings

Limit = Literal["max_completion_tokens", "max_tokens"]

_WEAKER: dict[Form, Form] = {"json_schema": "json_object", "json_object": "text"}
_LIMIT: dict[Limit, Limit] = {"max_completion_tokens": "max_tokens", "max_tokens": "max_completion_tokens"}
_FORM_NAMES = ("response_format", "json_schema", "json_object", "grammar", "schema")
# A request that is refused for what it holds is refused in every dialect.
_NOT_THE_FORM = {"context_length_exceeded", "content_filter", "content_policy_violation", "model_not_found", "invalid_api_key"}
_REFUSED = {400, 415, 422, 500, 501}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a server is asked.

    Attributes:
        form: of a structured reply.
        usage: whether a stream is asked for its usage.
        limit: name of the limit of tokens.
        turned: whether the name of the limit was changed already.
    """

    form: Form
    usage: bool
    limit: Limit
    turned: bool = False


def first_dialect(settings: OpenAISettings) -> Dialect:
    """Return what to try first: OpenAI's models of today refuse `max_tokens`, many other servers know nothing else."""
    host = urlsplit(settings.base_url).hostname or ""
    own = host.endswith((".openai.com", ".openai.azure.com"))
    return Dialect(settings.form, usage=True, limit="max_completion_tokens" if own else "max_tokens")


def weaker(dialect: Dialect, *, status: int, code: str, said: str, structured: bool, streamed: bool) -> Dialect | None:
    """Return the dialect to try next, None when it is not the dialect that was refused.

    Args:
        dialect: that was refused.
        status: of the refusal.
        code: that the server gave.
        said: the refusal, in which members of the request may be named.
        structured: whether the request asked for a structured reply.
        streamed: whether it asked for a stream.
    """
    if status not in _REFUSED or code in _NOT_THE_FORM:
        return None
    form = replace(dialect, form=_WEAKER[dialect.form]) if structured and dialect.form in _WEAKER else None
    usage = replace(dialect, usage=False) if streamed and dialect.usage else None
    if not dialect.turned and dialect.limit in said:
        return replace(dialect, limit=_LIMIT[dialect.limit], turned=True)
    if usage is not None and "stream_options" in said:
        return usage
    if form is not None or any(name in said for name in _FORM_NAMES):
        return form
    return usage if status < 500 else None
