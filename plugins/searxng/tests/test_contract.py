"""The contract of a search plugin, held as any publisher holds it."""

from __future__ import annotations

from veridical_contract.testing import contract_suite

TestSearxng = contract_suite("searxng", kind="search", settings={"base_url": "https://searx.example"})
