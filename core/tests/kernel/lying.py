"""Values of subclasses whose metaclass says that they are of any type: `type(value) == str` believes it, `type(value) is str` does not."""

from __future__ import annotations

from typing import Any

__all__ = ["LyingBytes", "LyingDict", "LyingInt", "LyingList", "LyingStr", "LyingTuple"]


class _AnyType(type):
    def __eq__(cls, other: object) -> bool:
        return True

    def __ne__(cls, other: object) -> bool:
        return False

    def __hash__(cls) -> int:
        return hash(str)


class LyingStr(str, metaclass=_AnyType):
    __slots__ = ()


class LyingBytes(bytes, metaclass=_AnyType):
    pass


class LyingInt(int, metaclass=_AnyType):
    pass


class LyingList(list[Any], metaclass=_AnyType):
    pass


class LyingTuple(tuple[Any, ...], metaclass=_AnyType):
    __slots__ = ()


class LyingDict(dict[str, Any], metaclass=_AnyType):
    pass
