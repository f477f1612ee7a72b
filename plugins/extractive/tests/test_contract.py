"""The contract: it asks no service, and composes."""

from __future__ import annotations

from veridical_contract.testing import contract_suite

TestExtractive = contract_suite("extractive", kind="chat")
