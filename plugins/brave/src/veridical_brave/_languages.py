"""From a BCP 47 tag to the languages that Brave's `search_lang` knows."""

from __future__ import annotations

from veridical_contract import UsageError

__all__ = ["search_lang"]

# fmt: off
_KNOWN = frozenset([
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "en-gb", "es", "et", "eu", "fi", "fr", "gl", "gu",
    "he", "hi", "hr", "hu", "is", "it", "jp", "kn", "ko", "lt", "lv", "ml", "mr", "ms", "nb", "nl", "pa",
    "pl", "pt-br", "pt-pt", "ro", "ru", "sk", "sl", "sr", "sv", "ta", "te", "th", "tr", "uk", "vi", "zh-hans", "zh-hant",
])
# fmt: on
_SPELLED = {"ja": "jp", "no": "nb", "pt": "pt-pt", "zh": "zh-hans", "zh-cn": "zh-hans", "zh-sg": "zh-hans"}
_TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo")


def search_lang(tag: str) -> str:
    """Return Brave's name of the language `tag`: `de-AT` is `de`, `ja` is `jp`, `zh-TW` is `zh-hant`.

    Raises:
        UsageError: Brave has no results in that language alone.
    """
    parts = tag.lower().replace("_", "-").split("-")
    for length in range(min(len(parts), 2), 0, -1):
        name = "-".join(parts[:length])
        name = "zh-hant" if name in _TRADITIONAL else _SPELLED.get(name, name)
        if name in _KNOWN:
            return name
    raise UsageError(
        f"brave: Brave cannot be asked for results in {tag!r} alone.", hint="Leave the language out, or choose another search."
    )
