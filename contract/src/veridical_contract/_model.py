"""The base of every model in the contract, and the types that many of them share."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Json: TypeAlias = "bool | int | str | list[Json] | tuple[Json, ...] | dict[str, Json] | None"
"""What canonical JSON can hold: no floats, since two machines may print one differently."""


class Model(BaseModel):
    """A strict, frozen model: no coercion (`True` is not `1`), no unknown field, no change after construction."""

    model_config: ClassVar[ConfigDict] = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)


def _leaf(kind: str) -> object:
    """Say of a string field of a report where its words come from; a test enumerates every leaf."""
    return Field(json_schema_extra={"leaf": kind})


SpanText = Annotated[str, _leaf("span")]
"""Characters of an admitted document, copied from the store."""
LedgerText = Annotated[str, _leaf("ledger")]
"""A field value of an admitted document (its URL, title, author, locator), copied from the store."""
ComputedText = Annotated[str, _leaf("computed")]
"""Computed by the host: a digest, an identifier, a time, a version."""
KernelText = Annotated[str, _leaf("kernel")]
"""One of the kernel's own constants."""
UserText = Annotated[str, _leaf("user")]
"""The operator's own words: the question, a path, the name of a source."""
ProseText = Annotated[str, _leaf("prose")]
"""Words under the claim rule: a span, kernel wording, or model wording that passed."""
UntrustedText = Annotated[str, _leaf("untrusted")]
"""Words of a plugin or provider: labelled, never linked, never evidence."""

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", json_schema_extra={"leaf": "computed"})]
"""SHA-256 as 64 lower-case hexadecimal digits."""
PluginName = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64, json_schema_extra={"leaf": "computed"})]
"""The name of an entry point: lower-case letters, digits and single hyphens."""
Count = Annotated[int, Field(ge=0)]
"""A size or a number of things: an exact int, not negative."""
