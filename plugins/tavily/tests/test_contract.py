"""The contract of a search plugin, held as any publisher holds it."""

from __future__ import annotations

from veridical_contract.testing import contract_suite

TestTavily = contract_suite("tavily", kind="search")
