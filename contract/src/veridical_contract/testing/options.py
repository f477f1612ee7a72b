"""What a plugin's author may tell the kit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from veridical_contract import KINDS, Kind

from .registry import check_ids

__all__ = ["Options"]

Server = Callable[[], AbstractContextManager[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the kit is told; all but name and kind may be left out.

    Attributes:
        name: of the entry point.
        kind: of the plugin.
        settings: its table of the settings file.
        secrets: values of the secrets that it asks for; a secret that is not here gets one made up.
        variables: of the environment, for settings that take their value from there.
        cassettes: folder of the recorded replies.
        server: makes a fake provider that runs until the end of the block, and gives its root URL: with `--record` it is asked instead of
            the provider.
        record: ask the provider, or the fake one, and keep what it answers.
        hosts: private hosts that its URLs may name and that may be asked without TLS.
        locations: what a source that reads no files is asked for.
        inputs: files that a source reads, name to bytes.
        documents: how many documents a store is filled with; less makes the run shorter, and finds less.
        waive: id of a check to the reason why it does not hold for this plugin.
    """

    name: str
    kind: Kind
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    secrets: Mapping[str, str] = field(default_factory=dict[str, str])
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    cassettes: Path | None = None
    server: Server | None = None
    record: bool = False
    hosts: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    inputs: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    documents: int = 10_000
    waive: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, name: str, kind: str, given: Mapping[str, Any]) -> Options:
        """Return the options of a call.

        Raises:
            ValueError: one is unknown or off; the message names it.
        """
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}, expected one of {', '.join(KINDS)}")
        known = [each.name for each in fields(cls)][2:]
        if unknown := sorted(set(given) - set(known)):
            raise ValueError(f"there is no option {unknown[0]!r}; there are {', '.join(known)}")
        found = cls(name=name, kind=kind, **given)
        for check, reason in found.waive.items():
            if check not in check_ids(found.kind):
                raise ValueError(f"waive names {check!r}, which is no check of kind {kind}: see the page reference/conformance")
            if not reason.strip():
                raise ValueError(f"waive gives no reason for {check}")
        return found
