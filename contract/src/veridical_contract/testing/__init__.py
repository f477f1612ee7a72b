"""The conformance kit: what a plugin has to do, and what it must not be able to do.

    TestAcme = contract_suite("acme", kind="search")        in a test file, with pytest
    run_contract("acme", kind="search")                     without one; `veridical plugins check acme`

    suite.py, pytest_plugin.py   one test for each check; `--record`; the report at the end
    runner.py                    checks in their order, what became of each -> report.py
    |-- checks/                  the checks, by what they are about: each an id, a sentence, a fix and a function
    |-- subject.py               the installed plugin, made and called as the host does, with somebody else than the network to answer it
    |-- judging.py               what the host's kernel makes of what the plugin hands in
    |-- process.py              what belongs to the whole process, put back after each check
    |-- leaves.py                what recorded replies of a chat say, whatever their form
    |-- stores.py, material.py   a store, what is put into it, and child.py: a process of its own that uses it and may be killed
    `-- wires.py                 who answers: a cassette, replies made up from the wire map, failures

The kit judges with the host itself, so that what passes here is what passes there: it needs `pip install "veridical-contract[testing]"`.
"""

from __future__ import annotations

from . import checks
from .registry import CHECKS, Check, check_ids
from .report import ContractReport, Result
from .runner import run_contract
from .suite import contract_suite

__all__ = ["CHECKS", "Check", "ContractReport", "Result", "check_ids", "checks", "contract_suite", "run_contract"]
