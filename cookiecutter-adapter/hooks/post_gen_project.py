"""Remove the files of kinds, clients and licences that were not chosen."""

from __future__ import annotations

import json
from pathlib import Path

ANSWERS = json.loads(r"""{{ cookiecutter | jsonify }}""")

KINDS = {kind.strip(" ") for kind in ANSWERS["kinds"].split(",")}
SOURCE = Path("src", ANSWERS["package"])
OPTIONAL = {
    **{SOURCE / f"_{kind}.py": kind in KINDS for kind in ("search", "chat", "embedding", "source")},
    SOURCE / "_sdk.py": ANSWERS["client"] == "sdk",
}

for path, wanted in OPTIONAL.items():
    if not wanted:
        path.unlink()
