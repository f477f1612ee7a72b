"""Where veridical keeps things. Knowing it makes nothing: a folder is made, for its owner alone, when something is first put there.

    Home.locate(home=--home, environment)      --home DIR, else VERIDICAL_HOME, else the XDG base directories
    |-- data       store of the storage plugin       DIR             $XDG_DATA_HOME/veridical
    |   |-- runs   ledger of each run                DIR/runs        (below data)
    |   `-- logs   the operator's local log          DIR/logs        (below data)
    |-- settings   settings.toml                     DIR             $XDG_CONFIG_HOME/veridical
    `-- cache      what may be lost                  DIR/cache       $XDG_CACHE_HOME/veridical

It imports neither pydantic nor the contract while all is well: `veridical plugins list` passes through here.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn

HINT = "Choose another place with --home DIR, or set VERIDICAL_HOME."
_PRIVATE = 0o700


class Home(NamedTuple):
    """The places of one installation.

    Attributes:
        data: folder for what has to last.
        settings: the settings file, which need not exist.
        cache: folder for what may be lost.
    """

    data: Path
    settings: Path
    cache: Path

    @property
    def runs(self) -> Path:
        """Folder of the run ledgers, outside the storage plugin's file."""
        return self.data / "runs"

    @property
    def logs(self) -> Path:
        """Folder of the operator's local log."""
        return self.data / "logs"

    @classmethod
    def below(cls, folder: Path) -> Home:
        """Return the home that keeps everything in `folder`."""
        whole = folder.absolute()
        return cls(data=whole, settings=whole / "settings.toml", cache=whole / "cache")

    @classmethod
    def locate(cls, *, home: Path | None = None, environment: Mapping[str, str]) -> Home:
        """Return the home that the operator asked for.

        Args:
            home: one folder for everything; stands before the environment.
            environment: variables to read (`VERIDICAL_HOME`, `XDG_DATA_HOME`, `XDG_CONFIG_HOME`, `XDG_CACHE_HOME`, `HOME`). A relative
                XDG path is ignored, as the XDG Base Directory Specification says.

        Raises:
            ConfigurationError: nothing says where the operator's files are.
        """
        if home is not None:
            return cls.below(home)
        if named := environment.get("VERIDICAL_HOME"):
            return cls.below(Path(named))
        return cls(
            data=_base("XDG_DATA_HOME", ".local/share", environment),
            settings=_base("XDG_CONFIG_HOME", ".config", environment) / "settings.toml",
            cache=_base("XDG_CACHE_HOME", ".cache", environment),
        )


def make_folder(folder: Path) -> Path:
    """Make `folder` and what is missing above it, each open to its owner alone; return `folder`.

    Raises:
        StoreFullError: there is no room left.
        ConfigurationError: it cannot be made, or is not a folder.
    """
    try:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        for place in reversed(missing):
            place.mkdir(mode=_PRIVATE, exist_ok=True)
    except OSError as error:
        _refuse(folder, error)
    if not folder.is_dir():
        _refuse(folder, NotADirectoryError(errno.ENOTDIR, "it is not a folder"))
    return folder


def _base(variable: str, below_home: str, environment: Mapping[str, str]) -> Path:
    named = environment.get(variable, "")
    if named.startswith("/"):
        return Path(named) / "veridical"
    if owner := environment.get("HOME"):
        return Path(owner).absolute() / below_home / "veridical"
    from veridical_contract import ConfigurationError

    raise ConfigurationError("Nothing says where your files are: neither VERIDICAL_HOME nor HOME is set.", hint=HINT)


def _refuse(folder: Path, error: OSError) -> NoReturn:
    from veridical_contract import ConfigurationError, StoreFullError

    refusal = StoreFullError if error.errno in {errno.ENOSPC, errno.EDQUOT} else ConfigurationError
    raise refusal(f"The folder {folder} cannot be made: {error.strerror or error}.", hint=HINT) from error
