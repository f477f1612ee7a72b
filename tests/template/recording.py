"""The cassettes of the template: recorded by the kit from the generated fake server, and put back with the plugin's name left open."""

from __future__ import annotations

import json
from pathlib import Path

from .baking import KINDS, TEMPLATE, bake
from .whole_path import Environment, red_ones

__all__ = ["FOLDER", "record"]

FOLDER = TEMPLATE / "{{cookiecutter.__folder}}/tests/cassettes"
_NAME = "recorded-for-the-template"


def record(environment: Environment, folder: Path) -> int:
    """Record a cassette for each kind that asks a provider, and write it into the template; return an exit status."""
    baked = bake(folder / "recorded", {"name": _NAME, "kinds": ",".join(kind for kind in KINDS if kind != "storage")})
    assert baked.project is not None, baked.said
    environment.build(baked.project)
    ran = environment.run("record", environment.python, "-m", "pytest", "-q", "--record", "-p", "no:cacheprovider", at=baked.project)
    if not ran.right:
        print(red_ones([ran]))
        return 1
    FOLDER.mkdir(exist_ok=True)
    for path in sorted((baked.project / "tests/cassettes").iterdir()):
        (FOLDER / path.name.replace(_NAME, "{{cookiecutter.name}}")).write_text(_opened(path.read_text("utf-8")), "utf-8")
    return 0


def _opened(text: str) -> str:
    """Return a cassette as a template: nothing in it but the plugin's name is for cookiecutter to fill in."""
    assert "endraw" not in text
    before, after = text.split(json.dumps(_NAME))
    assert _NAME not in before + after
    return "{% raw %}" + before + '{% endraw %}"{{ cookiecutter.name }}"{% raw %}' + after.rstrip("\n") + "{% endraw %}\n"
