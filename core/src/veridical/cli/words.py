"""Words of others on a terminal: what cannot be seen is written out, so that nothing moves the cursor or hides."""

from __future__ import annotations

__all__ = ["visible"]


def visible(text: str, *, keep: str = "") -> str:
    """Return `text` with every character that does not print, apart from those in `keep`, as its code point."""
    return "".join(character if character.isprintable() or character in keep else f"⟦U+{ord(character):04X}⟧" for character in text)
