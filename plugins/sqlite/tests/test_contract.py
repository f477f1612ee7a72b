"""The store is held by the conformance kit, as every plugin is."""

from __future__ import annotations

from veridical_contract.testing import contract_suite

TestSqlite = contract_suite("sqlite", kind="storage")
