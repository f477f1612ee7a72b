"""The `[plugins]` table of the settings file, read without pydantic: `plugins list` needs it and nothing else of the file.

A table that is not as expected is read again by `veridical.settings`, which says what is wrong with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from .listing import Allow, Pinned


def read_allow(settings: Path) -> Allow:
    """Return what the operator enabled and disabled in the file `settings`, which need not exist.

    Raises:
        ConfigurationError: the file cannot be read, is not TOML, or its `[plugins]` table is not as expected.
    """
    try:
        content = settings.read_bytes()
    except FileNotFoundError:
        return Allow()
    except OSError:
        return _read_strictly(settings)
    if b"plugins" not in content:
        return Allow()
    import tomllib

    try:
        return _allow(tomllib.loads(content.decode("utf-8")))
    except (ValueError, TypeError, KeyError):
        return _read_strictly(settings)


def _read_strictly(settings: Path) -> Allow:
    from veridical.settings import SettingsFile

    return SettingsFile(settings).read().allow()


def _allow(tables: dict[str, object]) -> Allow:
    plugins = _table(tables.get("plugins", {}))
    if plugins.keys() - {"enabled", "disabled", "attested", "hosts", "pins"}:
        raise KeyError
    pins = {name: _pinned(_table(pin)) for name, pin in _table(plugins.get("pins", {})).items()}
    return Allow(_names(plugins.get("enabled", [])), _names(plugins.get("disabled", [])), pins)


def _pinned(pin: dict[str, object]) -> Pinned:
    found = (pin["distribution"], pin.get("version", ""), pin.get("files", ""))
    if not all(type(part) is str for part in found):
        raise TypeError
    return Pinned(*cast("tuple[str, str, str]", found))


def _table(value: object) -> dict[str, object]:
    if type(value) is not dict:
        raise TypeError
    return cast("dict[str, object]", value)


def _names(value: object) -> frozenset[str]:
    names = cast("list[object]", value) if type(value) is list else [None]
    if not all(type(name) is str for name in names):
        raise TypeError
    return frozenset(cast("list[str]", names))
