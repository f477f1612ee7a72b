"""The contract of a embedding plugin, held as any publisher holds it."""

from __future__ import annotations

from veridical_contract.testing import contract_suite

TestHashing = contract_suite("hashing", kind="embedding")
