"""Registrable domains: what counts as one source.

The table is our own and short. Where it does not know a suffix the last two labels are taken, which may make two sources one and never
makes one source two.
"""

from __future__ import annotations

from veridical_contract import Model

from .policy import Policy

__all__ = ["SuffixTable", "registrable_domain"]


class SuffixTable(Model):
    """Suffixes of two labels and more under which anyone can have a name; every single label is one anyway."""

    suffixes: frozenset[str]


def registrable_domain(host: str, policy: Policy) -> str:
    """Return the part of `host` that somebody registered, in lower case. An address, and what is no dotted name, is itself."""
    name = host.lower()
    labels = name.rstrip(".").split(".")
    if ":" in name or labels[-1].isdigit():
        return name
    suffixes = policy.table("suffixes", SuffixTable).suffixes
    longest = max((len(labels) - at for at in range(len(labels)) if ".".join(labels[at:]) in suffixes), default=1)
    return ".".join(labels[-longest - 1 :])
