"""The contract of a source plugin, held as any publisher holds it."""

from __future__ import annotations

from veridical_contract.testing import contract_suite

TestFiles = contract_suite("files", kind="source")
