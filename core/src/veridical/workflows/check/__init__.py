"""Check somebody's draft against the evidence: every quotation, address, number and citation, judged.

workflow   from drafts to a report
evidence   what the store proposes, fetched and checked; the drafts themselves are none
quotes, numbers (with mentions), links, speakers   the judges
judged, verdicts   what they give back, and what it is called in plain words
fixing, copies   what `--fix` does, and where to
"""

from __future__ import annotations

from .copies import copy_paths
from .workflow import Checked, DraftFile, check

__all__ = ["Checked", "DraftFile", "check", "copy_paths"]
