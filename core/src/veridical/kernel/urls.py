"""URLs: which may be evidence at all, and when a proposed one is a recorded one.

    proposed --admit_url--> well-formed, public, not a look-alike --same_url--> equal to a recorded one --resolve--> the recorded string

Equality is RFC 3986 section 6.2.2 (case of scheme, host and escapes; unreserved characters are not escaped), the default port of 6.2.3, the
URI form of an IRI (RFC 3987 3.1), the A-label of a host (RFC 5891), and the declared tracking parameters. Nothing else: "www.", a slash
(also the one after a bare host), an empty or dot segment, the order of parameters and a fragment make another URL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import quote

from veridical_contract import Model

from .policy import Policy

__all__ = ["UrlMatch", "UrlRefused", "UrlTable", "admit_url", "resolve", "same_url", "url_host"]

# ASCII flag: without it the long s (U+017F) is an "s" in any case.
_URL = re.compile(r"(?ais)(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^][@:%]+)(?::([1-9][0-9]{0,4}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_QUAD = re.compile(r"(?<![0-9])(?=([0-9]{1,3})[.-]([0-9]{1,3})[.-]([0-9]{1,3})[.-]([0-9]{1,3})(?![0-9]))")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_DEFAULT_PORT = {"http": "80", "https": "443"}


class Script(Model):
    """The letters of a script in a host label. `lookalikes` may not be all of it; `typed`: it may come as a U-label."""

    name: str
    letters: str
    lookalikes: str
    typed: bool


class UrlTable(Model):
    """The tables of this module.

    Attributes:
        invisible: inside of a regular expression class: control, format and other characters that no text of ours holds.
        refused: the same: further characters that no URL holds, those that look like a slash among them.
        scripts: of which a host label may be written, one at a time.
        special_networks: private, local, reserved and translating address ranges.
        private_suffixes: names that resolve on one network only.
        address_suffixes: domains whose names resolve to the address that they spell, or to this machine.
        tracking: names of query parameters that do not change the page.
        redirects: host and path prefix of short-lived redirects.
    """

    invisible: str
    refused: str
    scripts: tuple[Script, ...]
    special_networks: tuple[IPv4Network | IPv6Network, ...]
    private_suffixes: frozenset[str]
    address_suffixes: frozenset[str]
    tracking: frozenset[str]
    redirects: dict[str, str]

    @cached_property
    def unwritten(self) -> re.Pattern[str]:
        """Any of the characters that no URL holds."""
        return re.compile(f"[{self.invisible}{self.refused}]")


class UrlRefused(ValueError):  # noqa: N818 - the name says what happened to the URL
    """A URL is not admitted, or is not a recorded one. `rule` says why."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class UrlMatch(NamedTuple):
    """The recorded string, and what was passed over to find it."""

    url: str
    labels: frozenset[str]


class _Url(NamedTuple):
    host: str  # as written, in lower case
    key: tuple[str, str, str, str, str]  # scheme, A-label host, port, path, fragment
    query: str
    kept: str  # the query without tracking parameters
    written: tuple[str, ...]  # scheme, authority, path, fragment and query as they came


def admit_url(url: object, *, policy: Policy, allowed_hosts: frozenset[str] = frozenset()) -> str:
    """Return `url` unchanged when it may be evidence. `allowed_hosts` are private hosts that the operator listed, in lower case.

    Raises:
        UrlRefused: it may not.
    """
    if type(url) is not str:
        raise UrlRefused("url-type")
    host = _parse(url, policy).key[1]
    if host not in allowed_hosts and _is_private(host, policy):
        raise UrlRefused("private-host")
    return url


def same_url(proposed: str, ledger_url: str, policy: Policy) -> frozenset[str] | None:
    """Return the labels of the differences when both are one URL (none for one string), or None when they are not."""
    try:
        mine, theirs = _parse(proposed.strip(" "), policy), _parse(ledger_url, policy)
    except UrlRefused:
        return None
    if mine.key != theirs.key or mine.kept != theirs.kept:
        return None
    a_labels = mine.host != theirs.host
    different = {index for index, (one, other) in enumerate(zip(mine.written, theirs.written, strict=True)) if one != other}
    labels = {
        "url-trimmed": proposed != proposed.strip(" "),
        "url-idna": a_labels,
        "url-tracking": mine.query != theirs.query,
        "url-canonical": bool(different - ({1} if a_labels else set()) - ({4} if mine.query != theirs.query else set())),
    }
    return frozenset(label for label, found in labels.items() if found)


def resolve(proposed: object, ledger: Iterable[str], policy: Policy, allowed_hosts: frozenset[str] = frozenset()) -> UrlMatch:
    """Return the recorded URL that `proposed` is, in the ledger's own characters; the same string before an equal one.

    Raises:
        UrlRefused: it is not admitted (nor are recorded ones that the rules refuse), or it is not recorded.
    """
    if type(proposed) is not str:
        raise UrlRefused("url-type")
    token = admit_url(proposed.strip(" "), policy=policy, allowed_hosts=allowed_hosts)
    for url in sorted(ledger, key=lambda recorded: recorded != token):
        labels = same_url(proposed, url, policy)
        if labels is not None:
            table = policy.table("urls", UrlTable)
            _, host, _, path, _ = _parse(url, policy).key
            unresolved = path.startswith(table.redirects.get(host, "\0"))
            return UrlMatch(url, labels | {"redirect-unresolved"} if unresolved else labels)
    raise UrlRefused("not-in-ledger")


def url_host(url: str, policy: Policy) -> str:
    """Return the host of an admitted URL in lower-case ASCII (A-labels): one spelling for one site.

    Raises:
        UrlRefused: the URL is not well-formed.
    """
    return _parse(url, policy).key[1]


@lru_cache(maxsize=256)
def _parse(url: str, policy: Policy) -> _Url:
    table = policy.table("urls", UrlTable)
    if table.unwritten.search(url) is not None:
        raise UrlRefused("url-character")
    found = _URL.fullmatch(url)
    if found is None:
        raise UrlRefused("url-scheme")
    place = _AUTHORITY.fullmatch(found[2])
    # A letter that composes with its mark, or is another letter in disguise (the Kelvin sign), is not what it looks like.
    if place is None or int(place[2] or 0) > 65535 or normalize("NFC", place[1]) != place[1]:
        raise UrlRefused("url-authority")
    scheme, host = found[1].lower(), place[1].lower()
    port = place[2] or _DEFAULT_PORT[scheme]
    path, query, fragment = (_canonical(part or "") for part in found.group(3, 4, 5))
    if {".", ".."} & set(path.split("/")):
        raise UrlRefused("url-dot-segment")
    written = (found[1], found[2], found[3], found[5] or "", found[4] or "")
    return _Url(host, (scheme, _ascii_host(host, policy), port, path, fragment), query, _without_tracking(query, table), written)


def _canonical(part: str) -> str:
    """Return the URI form of `part`, with escapes in upper case and only where they are needed."""

    def one(escape: re.Match[str]) -> str:
        character = chr(int(escape[1] or "0", 16))
        if character < " " or character == "\x7f":
            raise UrlRefused("url-escape")
        return character if _UNRESERVED.fullmatch(character) else escape[0].upper()

    return re.sub(r"[^\x00-\x7f]+", lambda run: quote(run[0]), _ESCAPE.sub(one, part))


def _without_tracking(query: str, table: UrlTable) -> str:
    parameters = query[1:].split("&")
    kept = [parameter for parameter in parameters if parameter.split("=")[0] not in table.tracking]
    return query if len(kept) == len(parameters) else "?" * bool(kept) + "&".join(kept)


@lru_cache(maxsize=1024)
def _ascii_host(host: str, policy: Policy) -> str:
    table = policy.table("urls", UrlTable)
    try:
        if host.startswith("["):
            IPv6Address(host[1:-1])
            return host
        labels = [_ascii_label(label, table) for label in host.split(".")]
        if _NUMBER.fullmatch(labels[-1]):
            IPv4Address(host)  # four decimal numbers: every other spelling of an address is refused
    except (AddressValueError, UnicodeError):
        raise UrlRefused("url-host") from None
    if len(".".join(labels)) > 253:
        raise UrlRefused("url-host")
    return ".".join(labels)


def _ascii_label(label: str, table: UrlTable) -> str:
    """Return the A-label of `label`; one that is not plain must decode to, and encode again from, honest letters."""
    typed = not label.isascii()
    if not typed and not label.startswith("xn--"):
        if _LABEL.fullmatch(label):
            return label
        raise UrlRefused("url-host")
    shown = label if typed else label[4:].encode().decode("punycode")
    encoded = "xn--" + shown.encode("punycode").decode()
    if not _is_legible(shown, table, typed=typed) or not _LABEL.fullmatch(encoded) or (encoded != label and not typed):
        raise UrlRefused("look-alike-host")
    return encoded


def _is_legible(label: str, table: UrlTable, *, typed: bool) -> bool:
    """Whether the label is written in one known script and cannot be taken for a Latin word."""
    scripts = [script for script in table.scripts if re.fullmatch(f"[{script.letters}-]+", label)]
    return (
        not label.isascii()
        and normalize("NFC", label) == label.strip("-")
        and label[2:4] != "--"
        and any((script.typed or not typed) and not set(label) <= {*script.lookalikes, *"-0123456789"} for script in scripts)
    )


@lru_cache(maxsize=1024)
def _is_private(host: str, policy: Policy) -> bool:
    table = policy.table("urls", UrlTable)
    labels = host.split(".")
    if host.startswith("["):
        addresses: list[IPv4Address | IPv6Address] = [IPv6Address(host[1:-1])]
    else:
        quads = [[int(number) for number in quad.groups()] for quad in _QUAD.finditer(host)]
        addresses = [IPv4Address(bytes(quad)) for quad in quads if max(quad) < 256]
        above = {".".join(labels[start:]) for start in range(len(labels))}
        if len(labels) == 1 or above & table.private_suffixes or above & table.address_suffixes:
            return True
    return any(address in network for address in addresses for network in table.special_networks)
