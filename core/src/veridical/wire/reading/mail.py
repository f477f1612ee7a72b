"""Mail: one record is one message, as it lies in the file (`.eml`) or between two `From ` lines of an mbox (RFC 4155)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from email.message import Message
from typing import Final

from veridical_contract import UnreadableError

from .content import Limits
from .lines import Piece

__all__ = ["identifier", "names", "read_mbox"]

_SEPARATOR: Final = b"From "
_BLANK_END: Final = re.compile(rb"(?<=\n)\r?\n\Z")
_IDENTIFIER: Final = re.compile(r"<[!-~]{1,990}>")


def read_mbox(lines: Iterable[bytes], limits: Limits) -> Iterator[Piece]:
    """Yield each message without its `From ` line and the blank line before the next one.

    Raises:
        UnreadableError: it does not begin with a `From ` line, or a message is too large.
    """
    offset = 0
    message: list[bytes] = []
    start: tuple[int, int] | None = None
    size = 0
    for number, line in enumerate(lines, 1):
        offset += len(line)
        if line.startswith(_SEPARATOR):
            if start is not None:
                yield _piece(start, message)
            start, message, size = (number + 1, offset), [], 0
        elif start is not None:
            message.append(line)
            size += len(line)
            if size > limits.record:
                raise UnreadableError(f"the message in line {start[0]} is larger than {limits.record >> 20} MiB")
        elif line.strip():
            raise UnreadableError("it is no mbox: it does not begin with a 'From ' line")
    if start is not None:
        yield _piece(start, message)


def names(raw: bytes) -> tuple[dict[str, str], str | None]:
    """Return what a message holds, name to pointer, and its identifier.

    The names are those of its headers, `part/N` of each text part, and `text/plain` and `text/html` for the first of each that is no
    attachment.
    """
    message = message_from_bytes(raw)
    found: dict[str, str] = {}
    for header in message:
        found.setdefault(str(header), str(header))
    texts = [part for part in message.walk() if part.get_content_maintype() == "text"]
    for number, part in enumerate(texts, 1):
        found[f"part/{number}"] = f"part/{number}"
        if part.get_content_disposition() != "attachment":
            found.setdefault(part.get_content_type(), f"part/{number}")
    return found, identifier(message)


def identifier(message: Message) -> str | None:
    """Return the Message-ID (RFC 5322 3.6.4), when it is one."""
    found = _IDENTIFIER.search(str(message.get("Message-ID", "")))
    return found[0] if found is not None else None


def _piece(start: tuple[int, int], message: list[bytes]) -> Piece:
    number, offset = start
    return Piece(number, offset, _BLANK_END.sub(b"", b"".join(message)))
