"""The contract of an embedding plugin, held as any publisher holds it."""

from __future__ import annotations

import importlib.util

import pytest
from veridical_contract.testing import contract_suite

installed = importlib.util.find_spec("wordllama") is not None
pytestmark = pytest.mark.skipif(not installed, reason="the package wordllama is not installed: its vectors are not tested")

TestWordllama = contract_suite("wordllama", kind="embedding")
