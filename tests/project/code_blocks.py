"""The fenced code blocks of the documentation: where they are, what the comments above them say, and how each is run.

    blocks(page)    parses     -> Block(language, text, marks)
    Runner.run()    runs a page's blocks in order, in one empty folder with one home, and says of the first that does not do what it shows

The comments that a block may have right above it, each a line of its own:

    <!-- not run: REASON -->       it is not run, and why
    <!-- run by: tests/... -->     a test of its own runs it; the file names the page
    <!-- needs: PROGRAM -->        where it is not installed, the page is skipped from here on, visibly
    <!-- exit code: 3 -->          how its last command ends, when that is not 0; `0, 4` says it of the last two
    <!-- first: COMMAND -->        typed before the block, and not shown
    <!-- file: NAME -->            what the block shows is written to the file NAME of the page's folder
    <!-- settings -->              a TOML block that becomes part of the home's settings file
    <!-- schema: NAME -->          a JSON block that docs/reference/schemas/NAME.schema.json describes; `NAME#PART` of it; or `none, REASON`

What a page's commands read lies in tests/project/pages/PAGE/, and is copied into the folder first. A `pyproject.toml` there, or one that a
block writes, is a package with its modules below `src`, and counts as installed. In what is typed, IDENTIFIER, DIGEST and RUN stand for
what an earlier command printed, and `uv run` for nothing. In what is shown, `...` and `…` stand for anything.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
import tomlkit
import yaml
from veridical.cli import main
from veridical.settings import Settings, checked

from tests.distributions import Distribution
from tools.settings_tables import settings_model

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SAMPLES = Path(__file__).resolve().parent / "pages"
OTHERS = [ROOT / "contract", ROOT / "core", ROOT / "cookiecutter-adapter", *ROOT.glob("plugins/*")]
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in OTHERS for page in folder.glob("*.md")), *DOCS.rglob("*.md")])
MARKS = ("not run", "run by", "needs", "exit code", "first", "file", "settings", "schema")
STANDS_FOR = {
    "IDENTIFIER": r"^([0-9a-f]{12})  ",
    "DIGEST": r"[Rr]oot digest ([0-9a-f]{64})",
    "RUN": r"^([0-9a-f]{12})\b",
}
_SHELL = re.compile(r"""[|&;<>$*?`(){}~\\\n]""")
_QUOTED = re.compile(r"""'[^']*'|"[^"$`\\]*\"""")
_UV = re.compile(r"^uv run (--no-dev )?(?=\w)")
_COMMENT = re.compile(r"<!-- (.*?) -->")


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        page: that it stands on.
        line: of its first fence, from 1.
        language: as the fence says.
        text: between the fences, with the last newline.
        marks: what the comments above it say, by the name of the mark; "" for one without a value.
        comments: those above it that are no mark.
    """

    page: Path
    line: int
    language: str
    text: str
    marks: dict[str, str]
    comments: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def generated(page: Path) -> str:
    """Return the command that wrote the page, or "" when a person did."""
    found = re.search(r"^<!-- Written by (python -m \S+)[;,] ", page.read_text("utf-8"), re.MULTILINE)
    return found[1] if found else ""


def blocks(page: Path, text: str | None = None) -> Iterator[Block]:
    """Yield the blocks of a page, or of `text` as if it were the page, in their order."""
    lines = (page.read_text("utf-8") if text is None else text).splitlines(keepends=True)
    above: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        if line.startswith("```"):
            fence = re.match("`+", line)
            assert fence is not None
            end = next(n for n in range(at + 1, len(lines)) if lines[n].strip() == fence[0])
            indent = len(lines[at]) - len(lines[at].lstrip())
            inside = "".join(one[indent:] if one.strip() else "\n" for one in lines[at + 1 : end])
            marks, others = _marks(above)
            yield Block(page, at + 1, line.strip("`").strip(), inside, marks, others)
            above, at = [], end
        elif found := _COMMENT.fullmatch(line):
            above.append(found[1])
        elif line:
            above = []
        at += 1


def _marks(comments: list[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    marks: dict[str, str] = {}
    others: list[str] = []
    for comment in comments:
        name, _, value = comment.partition(":")
        if name in MARKS:
            marks[name] = f"{marks[name]}\n{value.strip()}" if name in marks else value.strip()
        else:
            others.append(comment)
    return marks, tuple(others)


def folder_of(page: Path) -> Path:
    """Return where the files lie that a page's commands read; it need not exist."""
    return SAMPLES / page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT).with_suffix("")


def differences(shown: str, output: str) -> list[str]:
    """Return the lines of `shown` that `output` does not have in their order; how much space is between words does not matter."""
    rest = iter([" ".join(line.split()) for line in output.splitlines()])
    missing: list[str] = []
    for line in filter(None, (" ".join(line.split()) for line in shown.splitlines())):
        pattern = re.compile(".*".join(re.escape(part) for part in re.split(r"\.\.\.|…", line)))
        if not any(pattern.fullmatch(each) for each in rest):
            missing.append(line)
            rest = iter(())
    return missing


def typed(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block, with the output that is shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = 1
        while lines[end - 1].rstrip().endswith("\\"):
            end += 1
        if here := re.search(r"<<'?(\w+)'?", lines[0]):
            end = next(n for n, line in enumerate(lines) if line.strip() == here[1]) + 1
        yield "".join(lines[:end]).rstrip(), "".join(lines[end:])


@dataclass
class Runner:
    """Runs the blocks of one page, in one folder.

    Args:
        folder: empty; the commands are typed in it.
        home: of veridical.
        patch: for the environment and the folder.
        printed: returns what was printed since it was last called, stdout and stderr together.
    """

    folder: Path
    home: Path
    patch: pytest.MonkeyPatch
    printed: Callable[[], str]
    output: str = ""
    last: str = ""
    names: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.patch.chdir(self.folder)
        self.patch.setenv("VERIDICAL_HOME", str(self.home))
        self.patch.setenv("COLUMNS", "100")
        self.patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        self.patch.setenv("PYTHONPATH", str(self.folder / "src"), prepend=os.pathsep)

    def run(self, page: Path, text: str | None = None) -> int:
        """Run the blocks of a page that are to be run; return how many that were."""
        return self._all(page, text, lambda block: "not run" not in block.marks and "run by" not in block.marks)

    def run_for(self, test: str, page: Path) -> int:
        """Run the blocks of a page that are run by the file `test`; return how many that were."""
        return self._all(page, None, lambda block: (ROOT / block.marks.get("run by", "")) == Path(test))

    def _all(self, page: Path, text: str | None, wanted: Callable[[Block], bool]) -> int:
        if folder_of(page).is_dir():
            shutil.copytree(folder_of(page), self.folder, dirs_exist_ok=True)
        self._install()
        return sum(self._run(block) for block in blocks(page, text) if wanted(block))

    def _run(self, block: Block) -> int:
        if (program := block.marks.get("needs")) and shutil.which(program) is None:
            pytest.skip(f"{block.place} needs {program}, which is not installed")
        for command in filter(None, block.marks.get("first", "").splitlines()):
            self._type(command, "", 0, block.place)
        if "file" in block.marks:
            self._write(block)
        kind = f"_{block.language}"
        assert hasattr(self, kind), f"{block.place}: a block of {block.language!r} cannot be run: say why with <!-- not run: REASON -->"
        getattr(self, kind)(block)
        return 1

    def _write(self, block: Block) -> None:
        path = self.folder / block.marks["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        self._install()

    def _install(self) -> None:
        path = self.folder / "pyproject.toml"
        if path.exists():
            project = tomllib.loads(path.read_text("utf-8"))["project"]
            needs = tuple(project.get("dependencies", ()))
            Distribution(project["name"], project["version"], {}, project.get("entry-points", {}), needs).install(self.folder / "src")

    def _console(self, block: Block) -> None:
        commands = list(typed(block.text))
        assert commands, f"{block.place}: no line begins with `$ `"
        self.last = ""
        codes = [int(code) for code in block.marks.get("exit code", "0").split(",")]
        for (command, shown), expected in zip(commands, [0] * (len(commands) - len(codes)) + codes, strict=True):
            self._type(command, shown, expected, block.place)

    def _type(self, command: str, shown: str, expected: int, place: str) -> None:
        command = self._filled(command, place)
        code, output = self._execute(command)
        self.output += output
        self.last += output
        assert expected == code, f"{place}: {command}\nended with {code}, and not with {expected}:\n{output}"
        missing = differences(shown, output)
        assert [] == missing, f"{place}: {command}\ndoes not print {missing[0]!r} there. It prints:\n{output}"

    def _filled(self, command: str, place: str) -> str:
        for word, pattern in STANDS_FOR.items():
            if re.search(rf"\b{word}\b", command):
                found = re.findall(pattern, self.output, re.MULTILINE)
                assert found, f"{place}: no command before printed {word}"
                command = re.sub(rf"\b{word}\b", found[-1], command)
        return command

    def _execute(self, command: str) -> tuple[int, str]:
        """Return exit code and output; what is `veridical` alone is run in this process, everything else by a shell."""
        self.printed()
        command = _UV.sub("", command)
        if not _SHELL.search(_QUOTED.sub("", command)):
            words = shlex.split(command, comments=True)
            if words[0] == "veridical":
                return main(words[1:]), self.printed()
            if words[0] == "export":
                name, _, value = words[1].partition("=")
                self.patch.setenv(name, value)
                return 0, ""
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout + done.stderr

    def _text(self, block: Block) -> None:
        """What a block of text shows is what the console block before it printed, unless it is a file."""
        if "file" not in block.marks:
            missing = differences(block.text, self.last)
            assert [] == missing, f"{block.place}: the commands above do not print {missing[0]!r} there. They print:\n{self.last}"

    def _python(self, block: Block) -> None:
        code = compile("\n" * block.line + block.text, str(block.page), "exec")
        if "file" in block.marks:
            return
        self.names["__name__"] = "__example__"
        exec(code, self.names)
        self.last = self.printed()
        self.output += self.last

    def _toml(self, block: Block) -> None:
        tables = tomllib.loads(block.text)
        if "file" not in block.marks:
            check_settings(tables, block.page)
        if "settings" in block.marks:
            self._settle(tables)

    def _settle(self, tables: Mapping[str, Any]) -> None:
        path = self.home / "settings.toml"
        before = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tomlkit.dumps(merged(before, tables)), "utf-8")
        path.chmod(0o600)

    def _json(self, block: Block) -> None:
        """JSON below commands that printed JSON is what they printed."""
        value = json.loads(block.text)
        if "file" in block.marks:
            return
        assert "schema" in block.marks, f"{block.place}: no <!-- schema: NAME --> says which of our schemas it has to fit"
        if self.last.lstrip().startswith("{"):
            printed = json.loads(self.last)
            assert like(value, printed), f"{block.place}: the commands above print something else:\n{self.last}"
            value = printed
        name, _, reason = block.marks["schema"].partition(", ")
        assert name != "none" or reason, f"{block.place}: no reason why it is none of our schemas"
        if name != "none":
            check_schema(value, name)

    def _yaml(self, block: Block) -> None:
        check_workflow(yaml.safe_load(block.text), block.place)

    def _csv(self, block: Block) -> None:
        assert "file" in block.marks, f"{block.place}: no <!-- file: NAME --> says which file of the page's folder it is"

    _bash = _csv


def like(shown: Any, printed: Any) -> bool:
    """Whether JSON that is shown is what was printed; "..." stands for any value."""
    if isinstance(shown, dict) and isinstance(printed, dict):
        one, other = cast("dict[str, Any]", shown), cast("dict[str, Any]", printed)
        return one.keys() == other.keys() and all(like(value, other[key]) for key, value in one.items())
    if isinstance(shown, list) and isinstance(printed, list):
        pairs = list(zip_longest(cast("list[Any]", shown), cast("list[Any]", printed)))
        return all(like(*pair) for pair in pairs)
    return shown in ("...", printed)


def check_schema(value: Any, name: str) -> None:
    """Raise ValidationError when a value is not what the schema `NAME`, or `NAME#PART`, describes."""
    whole, _, part = name.partition("#")
    schema = json.loads((DOCS / f"reference/schemas/{whole}.schema.json").read_text("utf-8"))
    if part:
        schema = {"$defs": schema["$defs"], "$ref": f"#/$defs/{part}"}
    jsonschema.validate(value, schema, cls=jsonschema.Draft202012Validator)


def merged(under: Any, over: Any) -> Any:
    """Return the tables of both; what `over` says holds."""
    if not isinstance(under, dict) or not isinstance(over, dict):
        return over
    one, other = cast("dict[str, Any]", under), cast("dict[str, Any]", over)
    return one | {key: merged(one.get(key), value) for key, value in other.items()}


def check_settings(tables: Mapping[str, Any], page: Path) -> None:
    """Raise ConfigurationError when a table is none that the program takes, or that an installed plugin takes for itself."""
    settings = checked(Settings, tables, file=page)
    for name, table in settings.plugin.items():
        if model := settings_model(name):
            checked(model, table, file=page, within=f"plugin.{name}")


def check_workflow(tables: Any, place: str) -> None:
    """Raise AssertionError when YAML that has jobs of GitHub does not have their shape; other YAML has none."""
    if not isinstance(tables, dict) or "jobs" not in tables:
        return
    workflow = cast("dict[Any, Any]", tables)
    # YAML 1.1 reads the key `on` as true.
    assert {True, "on"} & workflow.keys(), f"{place}: nothing says when it runs"
    for name, job in workflow["jobs"].items():
        assert "runs-on" in job, f"{place}: the job {name} has no machine"
        for step in job["steps"]:
            assert len({"uses", "run"} & step.keys()) == 1, f"{place}: a step of {name} either uses or runs: {step}"
