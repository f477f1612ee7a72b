"""Take a value that a plugin made apart, and build it again from exact parts.

A subclass of `str`, `int`, `list` or of a contract model can lie: answer one thing when it is checked and another when it is
used. So nothing of the value itself is kept. Its parts are read without calling any code of the plugin's, each must be exactly of
a plain type, and a new model is validated from the copy.
"""

from __future__ import annotations

import json
from typing import TypeVar, cast

from pydantic import ValidationError

import veridical_contract
from veridical_contract import Model

__all__ = ["NotExactError", "rebuild"]

# Identities, not equality: the metaclass of a plugin's class may define __eq__ and __hash__.
_SCALARS = frozenset(id(kind) for kind in (str, int, float, bool, type(None)))
_MODELS = frozenset(
    id(found)
    for found in (getattr(veridical_contract, name) for name in veridical_contract.__all__)
    if isinstance(found, type) and issubclass(found, Model)
)
_DEPTH = 32

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
        raise NotExactError("inexact-type", f"expected {model.__name__}, got {type(value).__name__}")
    try:
        # JSON is the copy: it holds nothing but plain values, and its decoder refuses lone surrogates.
        return model.model_validate_json(json.dumps(_parts(value, 0), allow_nan=False))
    except NotExactError:
        raise
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise NotExactError("invalid-shape", f"{model.__name__}.{where}: {first['msg']}") from None
    except ValueError as error:
        raise NotExactError("invalid-shape", f"{model.__name__}: {error}") from None


def _parts(value: object, depth: int) -> object:
    kind = type(value)
    if depth > _DEPTH:
        raise NotExactError("invalid-shape", "nested too deeply")
    if id(kind) in _SCALARS:
        return value
    if kind is tuple or kind is list:
        return [_parts(item, depth + 1) for item in cast("list[object]", value)]
    if kind is dict:
        return {_key(key): _parts(item, depth + 1) for key, item in cast("dict[object, object]", value).items()}
    if id(kind) in _MODELS:
        # The instance dictionary, not the attributes: an instance may carry anything there, and it is data.
        fields = cast("dict[object, object]", object.__getattribute__(value, "__dict__"))
        return {_key(key): _parts(item, depth + 1) for key, item in dict(fields).items()}
    raise NotExactError("inexact-type", f"{kind.__name__} where a plain value is due")


def _key(key: object) -> str:
    if type(key) is not str:
        raise NotExactError("inexact-type", f"{type(key).__name__} where a str key is due")
    return key
