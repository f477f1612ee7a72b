"""What is asked of a plugin before anything of it is imported, and of its hooks before any is called.

check_fit       pinned files as they were? -> imported from those files? -> its distribution takes the installed contract?
                ConfigurationError            ConfigurationError            IncompatibleError
unknown_to      hooks and arguments that only another contract has
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from email.parser import BytesHeaderParser
from importlib.metadata import version
from pathlib import Path

import pluggy
from packaging.requirements import InvalidRequirement, Requirement
from veridical_contract import SPECS, ConfigurationError, IncompatibleError, Kind

from .files import covered, digest
from .listing import Listing
from .metadata import normalise
from .places import origins

CONTRACT = "veridical-contract"


def check_fit(listing: Listing) -> None:
    """Raise unless the plugin of `listing`, which is ready, may be imported as it is installed now.

    Raises:
        IncompatibleError: its distribution asks for another version of the contract.
        ConfigurationError: its files are not those that were pinned.
    """
    if listing.files:
        _check_files(listing)
    _check_contract(listing)


def unknown_to(kind: Kind, implementations: list[tuple[str, pluggy.HookImpl]], listing: Listing) -> Iterator[str]:
    """Yield, in one line each, the hooks of a plugin that its kind does not have, and the arguments that a hook does not have.

    Args:
        kind: of the plugin.
        implementations: its hooks, by name.
        listing: of the plugin.
    """
    specified = {name: [*inspect.signature(hook).parameters][1:] for name, hook in vars(SPECS[kind]).items() if inspect.isfunction(hook)}
    for name, implementation in implementations:
        if name not in specified:
            yield _unknown(f"It implements the {kind} hook {name}", sorted(specified), listing)
            continue
        for argument in implementation.argnames:
            if argument not in specified[name]:
                yield _unknown(f"Its hook {name} asks for the argument {argument}", specified[name], listing)


def _unknown(what: str, known: list[str], listing: Listing) -> str:
    installed, owner = version(CONTRACT), f"{listing.distribution} {listing.version}"
    return (
        f"{what}, which {CONTRACT} {installed} does not have (it has {', '.join(known) or 'none'}): {owner} needs a {CONTRACT} later than "
        f"{installed}, or is wrong. Type: pip install --upgrade veridical {listing.distribution}"
    )


def _check_files(listing: Listing) -> None:
    owner = f"{listing.distribution} {listing.version}"
    ways = (
        f"If that is meant: veridical plugins enable {listing.name} --pin; "
        f"if not: pip install --force-reinstall --no-deps {listing.distribution}=={listing.version}"
    )
    try:
        files = covered(listing.metadata)
        same = digest(files) == listing.files
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"The files of {owner}, which are pinned, cannot be read: {error}.", hint=ways) from error
    if not same:
        raise ConfigurationError(f"The files of {owner} are not those that were pinned.", hint=ways)
    if astray := _astray(listing, files.values()):
        raise ConfigurationError(f"It would be imported from {astray}, which is not part of {owner} that is pinned.", hint=ways)


def _astray(listing: Listing, files: Iterable[Path]) -> str:
    """Return where the plugin would be imported from, when that is none of `files`."""
    pinned = {str(path) for path in files}
    found = origins(listing.value.partition(":")[0].partition(".")[0])
    ours = [one for one in found if one in pinned or any(path.startswith(f"{one}/") for path in pinned)]
    return "" if ours or not found else found[0]


def _check_contract(listing: Listing) -> None:
    installed = version(CONTRACT)
    for line in _requirements(listing):
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            raise IncompatibleError(
                f"{listing.distribution} {listing.version} says that it needs {line!r}, which is no requirement.",
                hint=f"Tell the authors of {listing.distribution}.",
            ) from None
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if applies and not requirement.specifier.contains(installed, prereleases=True):
            raise IncompatibleError(
                f"{listing.distribution} {listing.version} is made for {CONTRACT} {requirement.specifier}, and {installed} is installed.",
                hint=f"Install versions that fit: pip install --upgrade veridical {listing.distribution}",
            )


def _requirements(listing: Listing) -> Iterator[str]:
    """Yield what the distribution says that it needs of the contract, as it stands in its metadata."""
    for line in (*_headers(Path(listing.metadata, "METADATA")), *_lines(Path(listing.metadata, "requires.txt"))):
        name = re.match(r"[A-Za-z0-9._-]*", line)
        if name is not None and normalise(name[0]) == CONTRACT:
            yield line


def _headers(metadata: Path) -> list[str]:
    """Return the requirements in the METADATA of a dist-info."""
    try:
        with metadata.open("rb") as file:
            return [str(value) for value in BytesHeaderParser().parse(file).get_all("Requires-Dist", [])]
    except FileNotFoundError:
        return []


def _lines(requires: Path) -> list[str]:
    """Return the requirements in the requires.txt of an old egg-info: those of no section, which every install needs."""
    try:
        return requires.read_text("utf-8").partition("[")[0].splitlines() if requires.parent.suffix == ".egg-info" else []
    except FileNotFoundError:
        return []
