"""Remove the files of kinds, clients and licences that were not chosen."""

from __future__ import annotations

import json
from pathlib import Path

ANSWERS = json.loads(r"""{{ cookiecutter | jsonify }}""")

KINDS = {kind.strip(" ") for kind in ANSWERS["kinds"].split(",")}
REMOTE = {"storage"} != KINDS
SOURCE = Path("src", ANSWERS["package"])
OPTIONAL = {
    **{SOURCE / f"_{kind}.py": kind in KINDS for kind in ("search", "chat", "embedding", "source", "storage")},
    **{SOURCE / f"_{part}.py": "storage" in KINDS for part in ("file", "problems", "tables")},
    **{Path("tests", "cassettes", f"{kind}-{ANSWERS['name']}.json"): kind in KINDS for kind in ("search", "chat", "embedding", "source")},
    SOURCE / "_client.py": REMOTE,
    SOURCE / "_sdk.py": REMOTE and ANSWERS["client"] == "sdk",
    **{Path("tests", f"{module}.py"): REMOTE for module in ("connecting", "fake_server", "test_failures")},
    Path(".env.example"): REMOTE,
}

for path, wanted in OPTIONAL.items():
    if not wanted:
        path.unlink()
if not REMOTE:
    Path("tests", "cassettes").rmdir()
