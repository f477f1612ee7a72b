"""Take a value that a plugin made apart, and build it again from exact parts.

A subclass of `str`, `int`, `list` or of a contract model can lie: answer one thing when it is checked and another when it is
used. So nothing of the value itself is kept. Its parts are read without calling any code of the plugin's, each must be exactly of
a plain type, and a new model is validated from the copy.
"""

from __future__ import annotations

import json
from typing import TypeVar, cast

import veridical_contract
from pydantic import ValidationError
from veridical_contract import Model

__all__ = ["NotExactError", "rebuild", "type_name"]

# Identities, not equality: the metaclass of a plugin's class may define __eq__ and __hash__.
_SCALARS = frozenset(id(kind) for kind in (str, int, float, bool, type(None)))
_MODELS = frozenset(
    id(found)
    for found in (getattr(veridical_contract, name) for name in veridical_contract.__all__)
    if isinstance(found, type) and issubclass(found, Model)
)
_DEPTH, _PARTS = 32, 4_000_000
_NAME = type.__dict__["__name__"]

_M = TypeVar("_M", bound=Model)


class NotExactError(ValueError):
    """A value is not what its hook allows.

    Attributes:
        rule: `inexact-type` or `invalid-shape`.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


def rebuild(value: object, model: type[_M]) -> _M:
    """Return a new `model` with the parts of `value`, which must be exactly a `model`.

    Raises:
        NotExactError: a part is of another type than exactly the one that is due, or does not validate.
    """
    if type(value) is not model:
        raise NotExactError("inexact-type", f"expected {model.__name__}, got {type_name(value)}")
    try:
        # JSON is the copy: it holds nothing but plain values, and its decoder refuses lone surrogates.
        return model.model_validate_json(json.dumps(_Copy().parts(value, 0), allow_nan=False))
    except NotExactError:
        raise
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise NotExactError("invalid-shape", f"{model.__name__}.{_shown(where)}: {first['msg']}") from None
    except ValueError as error:
        raise NotExactError("invalid-shape", f"{model.__name__}: {error}") from None


def type_name(value: object) -> str:
    """Return the name of a value's type, on one line; a metaclass may compute `__name__`, so it is not asked."""
    return _shown(str(_NAME.__get__(type(value))))


class _Copy:
    """One copy: counts its parts, since a list that holds itself twice has more of them than there is time."""

    def __init__(self) -> None:
        self._left = _PARTS

    def parts(self, value: object, depth: int) -> object:
        kind = type(value)
        self._left -= 1
        if depth > _DEPTH or self._left < 0:
            raise NotExactError("invalid-shape", "nested too deeply, or too large")
        if id(kind) in _SCALARS:
            return value
        if kind is tuple or kind is list:
            return [self.parts(item, depth + 1) for item in tuple(cast("list[object]", value))]
        if kind is dict:
            return self._members(value, depth)
        if id(kind) in _MODELS:
            # The instance dictionary, not the attributes: an instance may carry anything there, and it is data.
            return self._members(object.__getattribute__(value, "__dict__"), depth)
        raise NotExactError("inexact-type", f"{type_name(value)} where a plain value is due")

    def _members(self, value: object, depth: int) -> dict[str, object]:
        if type(value) is not dict:
            raise NotExactError("inexact-type", f"{type_name(value)} where a dict is due")
        return {_key(key): self.parts(item, depth + 1) for key, item in cast("dict[object, object]", value).copy().items()}


def _key(key: object) -> str:
    if type(key) is not str:
        raise NotExactError("inexact-type", f"{type_name(key)} where a str key is due")
    return key


def _shown(name: str) -> str:
    return ascii(name[:80])[1:-1]
