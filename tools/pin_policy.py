"""Pin the latest policy in the stand-alone checker: `python -m tools.pin_policy`.

The checker shares no code and no tables with the kernel; it knows a policy by name and fingerprint. Whoever changes a table of a policy
that was not released yet runs this, and a released policy is never changed: a change of it is a new policy, beside the old one.
"""

from __future__ import annotations

import re

from veridical.bundle import CHECKER
from veridical.kernel.policy import load_policy

__all__ = ["main"]

_PIN = re.compile(r"(policy_fingerprint:)(=[0-9a-f]{64}|hex)")


def main() -> None:
    """Write the fingerprint into the checker's table of shapes."""
    source = CHECKER.read_text("utf-8")
    pinned, places = _PIN.subn(rf"\g<1>={load_policy().fingerprint}", source)
    if places != 1:
        raise SystemExit(f"expected one fingerprint in {CHECKER}, found {places}")
    CHECKER.write_text(pinned, "utf-8")


if __name__ == "__main__":
    main()
