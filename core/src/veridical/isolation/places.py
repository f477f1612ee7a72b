"""What a confined plugin is imported from and may read: Python, what is installed, the system's libraries, what the operator names.

Of the folders that this process imports from, those count where something is installed: not the folder of a script, which may be the
operator's own with all that is in it.

The operator's data, settings and cache are never among it. Where one of these lies below a folder that may be read, the folder is taken
apart: what leads there is left out, and everything beside it is allowed one by one, as it is there when the process starts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import veridical_contract

from veridical.discovery import Listing
from veridical.discovery.places import editable_root, split_path, working_directory
from veridical.homes import Home

from .messages import Confined

__all__ = ["confined", "import_path"]

_SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/opt/homebrew"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/mime.types", "/etc/os-release", "/etc/passwd"),
    *("/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted", "/etc/ca-certificates"),
    *("/etc/hosts", "/etc/host.conf", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/services", "/etc/gai.conf"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/version", "/sys/devices/system/cpu"),
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def import_path(listing: Listing) -> list[str]:
    """Return `sys.path` for the process of a plugin: as here, but only where something is installed, and never the working directory.

    A distribution that is in development, in editable mode, is imported from its own folder.
    """
    here = working_directory()
    trusted, inside = split_path(sys.path, here)
    editable = editable_root(listing.metadata)
    own = [here] if here is not None and inside and editable == here else []
    return [entry for entry in (str(Path(one).absolute()) for one in (*trusted, *own)) if _is_installed(_real(entry), editable)]


def _is_installed(entry: str, editable: str) -> bool:
    python = (sys.prefix, sys.base_prefix, sys.exec_prefix)
    ours = [Path(__file__).resolve().parents[2], Path(veridical_contract.__file__).resolve().parents[1]]
    if any(_below(entry, _real(prefix)) for prefix in python) or Path(entry) in ours:
        return True
    if editable and _below(entry, editable):
        return True
    return any(name.endswith((".dist-info", ".egg-info")) for name in _names(entry))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names are enough
    except OSError:
        return []


def confined(listing: Listing, home: Home, cache: Path, *, path: Sequence[str], read: Sequence[str], network: bool) -> Confined:
    """Return what the plugin of `listing` is confined to.

    Args:
        listing: of the plugin.
        home: of the operator, of which nothing may be read.
        cache: the plugin's own folder, which it may write to.
        path: `sys.path` of the process.
        read: what the operator lets it read besides.
        network: whether it may open connections of its own.
    """
    secret = [_real(home.data), _real(home.settings), _real(home.cache)]
    python = (sys.prefix, sys.base_prefix, sys.exec_prefix)
    libraries = [one for one in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if one.startswith("/")]
    wanted = dict.fromkeys(_real(one) for one in (*_SYSTEM, *python, *path, *_sources(listing), *libraries, *read) if one)
    allowed, listed = list[str](), list[str]()
    for one in wanted:
        allowed += _without(one, secret, listed)
    return Confined(read=(*allowed, *_DEVICES), listed=tuple(listed), write=(_real(cache), "/dev/null"), network=network)


def _without(folder: str, secret: Iterable[str], listed: list[str]) -> Iterator[str]:
    """Yield `folder`, or what is in it besides that which leads to something secret; then its names are put into `listed`."""
    inside = [one for one in secret if _below(one, folder)]
    if not inside:
        yield folder
    elif folder not in inside:
        listed.append(folder)
        for entry in _entries(folder):
            yield from _without(entry, inside, listed)


def _entries(folder: str) -> list[str]:
    try:
        return [entry.path for entry in os.scandir(folder) if not entry.is_symlink()]
    except OSError:
        return []


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _sources(listing: Listing) -> Iterator[str]:
    """Yield where a distribution in development is read from."""
    if root := editable_root(listing.metadata):
        yield root


def _real(path: str | Path) -> str:
    return os.path.realpath(path)
