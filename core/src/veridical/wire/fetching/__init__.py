"""Page fetching: the host reads a cited page itself, which makes its text and its URL `held`, the strongest witness.

fetcher    one page: robots.txt, pace, redirects, what the server asks for
|-- client     one hop after the other, each checked anew
|   |-- addresses  a URL taken apart, its name resolved once, every address checked
|   `-- exchange   one request to a checked address, within limits; decoding undoes content codings
|-- pace       how often, and what robots.txt allows
`-- page       the bytes as parts: text, map, and with main_text what it is about
admitting  a page through the kernel's door
upgrading  a provider's excerpt found on the page, or not
refused    every reason for which a page is not read
"""

from __future__ import annotations

from .admitting import PLUGIN, admit_page
from .fetcher import AGENT, Fetcher
from .limits import Limits
from .page import Hop, NotModified, Page, Part
from .refused import FetchRefused
from .upgrading import Absent, PagePlace, Upgrade, find_excerpt, is_unbroken, upgrade

__all__ = [
    "AGENT",
    "PLUGIN",
    "Absent",
    "FetchRefused",
    "Fetcher",
    "Hop",
    "Limits",
    "NotModified",
    "Page",
    "PagePlace",
    "Part",
    "Upgrade",
    "admit_page",
    "find_excerpt",
    "is_unbroken",
    "upgrade",
]
