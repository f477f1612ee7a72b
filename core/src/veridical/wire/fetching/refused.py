"""Why a page was not read: one error, a stable rule, one line for a person.

url-*, private-host, look-alike-host   the kernel's own rules for URLs: nothing was looked up
port, unresolved, private-address      where the name leads; nothing was connected to
redirect-*                             a hop that is not followed
robots, robots-unreachable             the site does not want it read, or cannot say
connection, tls, timeout, malformed    the exchange failed
header-size, wire-size, body-size, content-coding, content-type, unreadable, status, gone, retry-later   the reply is none to be read
"""

from __future__ import annotations

from typing import ClassVar, Final

from veridical_contract import VeridicalError

__all__ = ["FetchRefused"]

_SHOWN: Final = 200
_SAID: Final = {
    "private-host": "the host is private, local or special; an operator may list it",
    "look-alike-host": "the host looks like another one",
    "port": "only ports 80 and 443 are read, and those of listed hosts",
    "unresolved": "the name of the host does not resolve",
    "private-address": "the name resolves to an address that is not public",
    "redirect-count": "too many redirects",
    "redirect-host": "it is no redirect of a provider that is known",
    "redirect-downgrade": "it redirects from https to http",
    "redirect-location": "it redirects to something that is no URL",
    "robots": "its robots.txt does not allow it",
    "robots-unreachable": "its robots.txt could not be read, so nothing else is",
    "connection": "the connection failed",
    "tls": "its certificate or TLS is not valid for the host",
    "timeout": "it took too long",
    "malformed": "the reply is not HTTP, or ended early",
    "header-size": "the header of the reply is too large",
    "wire-size": "the reply is too large",
    "body-size": "the reply is too large once it is decompressed",
    "content-coding": "the reply is compressed in a way that was not asked for, or damaged",
    "content-type": "it is neither HTML, text, PDF nor JSON",
    "unreadable": "its text cannot be read",
    "status": "the server answered with an error",
    "gone": "it is not there any more",
    "retry-later": "the server asks to come back later",
}


class FetchRefused(VeridicalError):  # noqa: N818 - the name says what happened to the page
    """A page was not read.

    Args:
        rule: stable name of the reason.
        url: that was being read, of the hop that failed.
        detail: more, in few words.
        status: of the reply, when there was one.
        retry_after: seconds that the server asked to wait.
    """

    code: ClassVar[str] = "fetch-refused"

    def __init__(self, rule: str, url: str, detail: str = "", *, status: int | None = None, retry_after: float | None = None) -> None:
        said = _SAID.get(rule, "it is no address that may be read")
        more = ", ".join(filter(None, [f"status {status}" if status is not None else "", detail]))
        super().__init__(f"{ascii(url[:_SHOWN])[1:-1]} was not read: {said}{f' ({more})' if more else ''}.")
        self.rule = rule
        self.url = url
        self.detail = detail
        self.status = status
        self.retry_after = retry_after
