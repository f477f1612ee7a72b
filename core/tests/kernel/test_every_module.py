"""What holds in every module of the kernel."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import veridical.kernel

FOLDER = Path(veridical.kernel.__path__[0])
MODULES = [import_module(f"veridical.kernel.{path.stem}") for path in sorted(FOLDER.glob("*.py")) if path.stem != "__init__"]
DATACLASSES: list[Any] = [
    found
    for module in MODULES
    for found in vars(module).values()
    if isinstance(found, type) and is_dataclass(found) and found.__module__ == module.__name__
]


def test_no_value_of_the_kernel_is_changed_after_it_was_made() -> None:
    assert [] == [found.__name__ for found in DATACLASSES if not found.__dataclass_params__.frozen]
    assert len(DATACLASSES) > 8


def test_no_value_of_the_kernel_carries_more_than_its_fields() -> None:
    assert [] == [
        found.__name__ for found in DATACLASSES if tuple(field.name for field in fields(found)) != found.__dict__.get("__slots__")
    ]


def test_what_a_module_offers_is_there_and_sorted() -> None:
    for module in MODULES:
        assert all(hasattr(module, name) for name in module.__all__)
        assert [] == [name for name in module.__all__ if name.startswith("_")]
