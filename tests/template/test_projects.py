"""What the template makes of each kind and client, and what of it has to agree with this repository."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml
from veridical_contract import KINDS as CONTRACT_KINDS

from .baking import CLIENTS, KINDS, ROOT, TEMPLATE, Baked, bake, constants
from .looking import linted, sound

PACKAGE = "src/veridical_acme"


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Baked:
    """A project of every kind."""
    return bake(tmp_path_factory.mktemp("everything"), {"kinds": ",".join(KINDS), "repository": "https://git.example.org/ada/acme"})


def rules() -> dict[str, Any]:
    """Return the constants of the hook that looks at the answers."""
    tree = ast.parse((TEMPLATE / "hooks/pre_gen_project.py").read_text("utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple)]
    return {target.id: ast.literal_eval(node.value) for node in found for target in node.targets if isinstance(target, ast.Name)}


def expected_modules(kinds: tuple[str, ...], client: str) -> set[str]:
    remote = ["_client.py", *(["_sdk.py"] if client == "sdk" else [])] if set(kinds) - {"storage"} else []
    store = ["_file.py", "_problems.py", "_tables.py"] if "storage" in kinds else []
    return {"__init__.py", "py.typed", *(f"_{kind}.py" for kind in kinds), *remote, *store}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("kinds", [*((kind,) for kind in KINDS), KINDS], ids="+".join)
def test_a_project_has_the_files_of_its_kinds_and_client(tmp_path: Path, kinds: tuple[str, ...], client: str) -> None:
    baked = sound(bake(tmp_path, {"kinds": ", ".join(kinds), "client": client}))
    modules = {name.removeprefix(f"{PACKAGE}/") for name in baked.files() if name.startswith(PACKAGE)}
    assert expected_modules(kinds, client) == modules
    groups = baked.pyproject()["project"]["entry-points"]
    assert {f"veridical.v1.{kind}": {"acme": f"veridical_acme:{kind.capitalize()}"} for kind in kinds} == groups
    linted(baked)


def test_kinds_together_make_sound_projects(tmp_path: Path) -> None:
    for pair in combinations(KINDS, 2):
        linted(sound(bake(tmp_path / "-".join(pair), {"kinds": ",".join(pair)})))


def test_the_order_of_the_kinds_makes_no_module_different(tmp_path: Path) -> None:
    first, second = (bake(tmp_path / kinds, {"kinds": kinds}) for kinds in ("search,chat", "chat,search"))
    sources = [{name: text.read_text("utf-8") for name, text in baked.files().items() if name.endswith(".py")} for baked in (first, second)]
    assert sources[0] == sources[1]


def test_the_pin_of_the_contract_holds_this_version_and_ends_before_the_next_minor_one() -> None:
    version = tomllib.loads((ROOT / "contract/pyproject.toml").read_text("utf-8"))["project"]["version"]
    major, minor = version.split(".")[:2]
    assert f">={major}.{minor},<{major}.{int(minor) + 1}" == constants()["_contract"]


def test_the_pin_stands_wherever_the_contract_is_asked_for(everything: Baked) -> None:
    pin = constants()["_contract"]
    project = everything.pyproject()
    asked = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    assert [f"veridical-contract{pin}", f"veridical-contract[testing]{pin}"] == [each for each in asked if "veridical" in each]
    assert f"`veridical-contract{pin}`" in everything.read("README.md")


def test_no_name_of_a_plugin_of_this_repository_may_be_taken() -> None:
    projects = [tomllib.loads(path.read_text("utf-8"))["project"] for path in ROOT.glob("plugins/*/pyproject.toml")]
    names = {name for project in projects for group in project.get("entry-points", {}).values() for name in group}
    folders = {path.parent.name for path in ROOT.glob("plugins/*/pyproject.toml")}
    assert set() == (names | folders) - set(constants()["_taken"])


def test_kinds_clients_and_licences_are_the_same_everywhere() -> None:
    assert set(KINDS) <= set(CONTRACT_KINDS)
    assert KINDS == rules()["KINDS"]
    assert list(CLIENTS) == constants()["client"]
    assert list(rules()["LICENSES"]) == constants()["license"]
    assert set(rules()["LICENSES"]) == {path.name for path in (TEMPLATE / "templates/licenses").iterdir()}


def test_the_apache_licence_is_the_one_of_this_repository() -> None:
    assert (ROOT / "LICENSE").read_bytes() == (TEMPLATE / "templates/licenses/Apache-2.0").read_bytes()


@pytest.mark.parametrize("terms", constants()["license"])
def test_a_project_comes_with_its_licence(tmp_path: Path, terms: str) -> None:
    baked = sound(bake(tmp_path, {"license": terms, "author": "Ada Lovelace"}))
    assert (terms, ["LICENSE"]) == (baked.pyproject()["project"]["license"], baked.pyproject()["project"]["license-files"])
    assert ("Copyright (c) Ada Lovelace" in baked.read("LICENSE")) == (terms != "Apache-2.0")
    assert "cookiecutter" not in baked.read("LICENSE")


def test_every_question_is_explained() -> None:
    found = constants()
    assert [name for name in found if not name.startswith("_")] == list(found["__prompts__"])


def workflows(baked: Baked) -> dict[str, Any]:
    return {name: yaml.safe_load(baked.read(f".github/workflows/{name}.yml")) for name in ("ci", "release")}


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_actions_are_pinned_by_their_digest(everything: Baked) -> None:
    used = [step["uses"] for workflow in workflows(everything).values() for step in steps(workflow) if "uses" in step]
    assert used
    assert [] == [action for action in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action)]


def test_a_release_is_published_with_a_token_of_minutes_and_no_secret(everything: Baked) -> None:
    release = workflows(everything)["release"]
    publish = release["jobs"]["publish"]
    assert {"id-token": "write"} == publish["permissions"]
    assert "pypi" == publish["environment"]
    assert {"contents": "read"} == release["permissions"]
    assert "secrets." not in everything.read(".github/workflows/release.yml")
    assert ["download-artifact", "gh-action-pypi-publish"] == [
        step["uses"].partition("@")[0].rpartition("/")[2] for step in publish["steps"]
    ]


def test_the_workflow_tests_on_the_versions_that_the_package_is_said_to_run_on(everything: Baked) -> None:
    classifiers = everything.pyproject()["project"]["classifiers"]
    said = [each.rpartition(" ")[2] for each in classifiers if re.search(r":: 3\.\d+$", each)]
    assert said == workflows(everything)["ci"]["jobs"]["test"]["strategy"]["matrix"]["python"]


def test_the_workflow_does_what_the_readme_says(everything: Baked) -> None:
    run = "\n".join(step["run"] for step in steps(workflows(everything)["ci"]) if "run" in step)
    said = re.findall(r"^\$ (uv run .+)$", everything.read("README.md"), re.MULTILINE)
    assert [] == [command for line in said for command in line.split(" && ") if command not in run]
    assert "twine check --strict" in run


def test_every_kind_is_held_by_the_kit_in_one_line(everything: Baked) -> None:
    suites = re.findall(r"^Test\w+ = contract_suite\((.*)\)$", everything.read("tests/test_contract.py"), re.MULTILINE)
    remote = {kind: f'"acme", kind="{kind}", server=running' for kind in KINDS}
    remote["source"] += ', locations=("records",)'
    assert [remote[kind] for kind in sorted(KINDS[:4])] == suites[:4]
    assert ['"acme", kind="storage"'] == suites[4:]


def test_every_kind_that_asks_a_provider_has_a_cassette(everything: Baked) -> None:
    cassettes = {name for name in everything.files() if name.startswith("tests/cassettes/")}
    assert {f"tests/cassettes/{kind}-acme.json" for kind in KINDS if kind != "storage"} == cassettes
    for name in cassettes:
        assert "acme" == json.loads(everything.read(name))["plugin"]


def test_a_store_asks_nobody(tmp_path: Path) -> None:
    baked = bake(tmp_path, {"kinds": "storage"})
    asking = {"tests/connecting.py", "tests/fake_server.py", "tests/test_failures.py", ".env.example"}
    assert not asking & baked.files().keys()
    assert not (tmp_path / "veridical-acme/tests/cassettes").exists()
    assert "API_KEY" not in baked.read("README.md")
    assert [f"veridical-contract{constants()['_contract']}"] == baked.pyproject()["project"]["dependencies"]


def test_the_example_of_the_environment_names_the_key_and_holds_none(everything: Baked) -> None:
    lines = [line for line in everything.read(".env.example").splitlines() if not line.startswith("#")]
    assert ["ACME_API_KEY="] == lines
    assert ".env" in everything.read(".gitignore").splitlines()
