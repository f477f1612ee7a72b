"""Every answer that could break something is refused in one line, or the project holds it as it was given."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from .baking import Baked, bake, typed
from .looking import linted, sound

# Written apart, so that no line here is longer than what it says.
LONG = "x" * 101

REFUSED: dict[str, tuple[str, ...]] = {
    "name": (
        *("Acme", "acme_web", "-acme", "acme-", "a--b", "acme web", " acme", "ac/me", "../up", "caf\u00e9", "\u0430cme"),
        *("brave", "claude-code", "sqlite", "a" * 65, "acme.web", "acme\nweb", "acme\n", 'a"b', "a\\b", "acme\x00", "\u0663\u0664"),
    ),
    "kinds": (
        "web",
        "search,search",
        "search;chat",
        "Search",
        ",",
        "search,",
        "chat embedding",
        "search\n",
        "s\u0435arch",
        "search,\tchat",
    ),
    "client": ("curl", "HTTP", "http "),
    "description": (
        *(" words", "words ", "two\nlines", "two\r\nlines", "a\ttab", "a null\x00", "\x1b[31mred", "delete\x7f", "\u0085next"),
        *("hidden \u202e turn", "a line\u2028more", "\ufeffmark", "half \ud83d of one", "x" * 501),
    ),
    "author": ("Doe, Jane", " Ada", "Ada\nLovelace", "Ada \u202e", "A\x00da", "half \udc00", "x" * 201),
    "email": (
        "ada",
        "ada@",
        "@example.org",
        "ada@example",
        "ada @example.org",
        "a@b.org, c@d.org",
        "<a@b.org>",
        "a@b.org\n",
        "\u00e9@b.org",
    ),
    "license": ("WTFPL", "apache-2.0", "MIT OR Apache-2.0", "../../secret"),
    "repository": (
        "http://example.org/a",
        "https://ada:key@example.org/a",
        "https://example.org/a b",
        "javascript:alert(1)",
        'https://e.org/"',
    ),
    "distribution": (
        *("veridical", "Veridical_Core", "veridical.brave", "veridical-contract", "-acme", "acme-", "a/b", "../../up", "/tmp/up", "a b"),
        *("caf\u00e9", LONG, ".", "..", "acme\n", "\u540d"),
    ),
    "package": (
        *("class", "match", "None", "print", "json", "tomllib", "test", "tests", "httpx", "veridical", "veridical_contract", "__init__"),
        *("1acme", "acme-web", "acme.web", "Acme", "caf\u00e9", LONG, "a/b", "..", "acme\n", "_", "\ufb01le"),
    ),
}
NAMES = (
    "a",
    "0",
    "4chan",
    "3-2-1",
    "a" * 64,
    "class",
    "import",
    "none",
    "true",
    "null",
    "yes",
    "no",
    "inf",
    "1e5",
    "json",
    "test",
    "x-" * 31 + "x",
)
LINES = (
    "She said \"no\" and 'yes'",
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    'a \\" b',
    "\\n \\u0000 \\x41 \\N{DASH}",
    "C:\\new\\table",
    "# not a heading",
    "1. no list",
    "- no list",
    "[no](https://link.example) ![image](x) <b>bold</b> <https://link.example>",
    "`code` *no* __no__ ~~no~~ | a | b |",
    "&amp; &#65; &copy;",
    "%s %(name)s {0} {name} $HOME ${HOME} `id` $(id)",
    "key: value # comment",
    "= > [table] ; drop",
    "{ } }} %} #}",
    "\u00c5ngstr\u00f6m, \u0141\u00f3d\u017a",
    "\u6f22\u5b57\u3068\u304b\u306a",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u0648\u05e2\u05d1\u05e8\u05d9\u05ea",
    "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\U0001f680 \U0001f469\u200d\U0001f52c \u00e9 e\u0301",
    "\U0001d504\U0010fffd\uffff",
    "no\u00a0break",
    "---",
    "...",
    "null",
    "=",
    "x" * 200,
)
DISTRIBUTIONS = {"a": "a", "4chan": "chan", "Acme.Web_X": "acme_web_x", "n" * 100: "n" * 100, "0.0": "zero"}
TEMPLATES = ("{{ cookiecutter.name }}", "{{ 7 * 7 }}", "{% raw %}", "{# hidden #}", "a {{")
"""What cookiecutter would fill in, when a project is updated."""


def paragraph(page: str, number: int) -> str:
    """Return the words of a paragraph of Markdown, as they are shown."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page)
    inline = [tokens[index + 1] for index, token in enumerate(tokens) if token.type == "paragraph_open"][number]
    assert all(each.type == "text" for each in inline.children or ()), inline
    return "".join(each.content for each in inline.children or ())


def refused(baked: Baked, question: str) -> str:
    """Return the line about `question`, after a look at the others."""
    assert (None, ()) == (baked.project, baked.left), baked.said
    (line,) = re.findall(rf"\b{question}: got .*", baked.said)  # what is typed is not shown, so that it may follow the last question
    assert "; expected " in line
    assert line.isascii()
    assert len(line) < 300
    return line


@pytest.mark.parametrize(
    ("question", "answer"), [(name, answer) for name, answers in REFUSED.items() if name not in ("client", "license") for answer in answers]
)
def test_an_answer_that_makes_no_package_is_refused_in_one_line(tmp_path: Path, question: str, answer: str) -> None:
    refused(bake(tmp_path / "out", {question: answer}), question)
    assert ["out"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize("question", ["name", "kinds", "description", "author", "distribution", "package"])
def test_an_empty_answer_is_refused(tmp_path: Path, question: str) -> None:
    baked = bake(tmp_path, {"name": "acme", "distribution": "acme", "package": "acme", question: ""})
    assert refused(baked, question).startswith(f"{question}: got nothing; expected ")


@pytest.mark.parametrize(("question", "answer"), [(name, answer) for name in ("client", "license") for answer in REFUSED[name]])
def test_a_choice_that_there_is_not_is_refused(tmp_path: Path, question: str, answer: str) -> None:
    baked = bake(tmp_path, {question: answer})
    assert (None, ()) == (baked.project, baked.left)
    assert question in baked.said


def test_every_mistake_has_its_line(tmp_path: Path) -> None:
    baked = bake(tmp_path, {"name": "brave", "kinds": "web", "author": "Doe, Jane", "package": "class"})
    assert {"name", "kinds", "author", "package", "distribution"} == {
        line.partition(":")[0] for line in baked.said.splitlines() if "; expected " in line
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_looks_like_something_else_is_a_name(tmp_path: Path, name: str) -> None:
    baked = sound(bake(tmp_path, {"name": name}))
    package = f"veridical_{name.replace('-', '_')}"
    assert {"veridical.v1.search": {name: f"{package}:Search"}} == baked.pyproject()["project"]["entry-points"]
    assert f"veridical-{name}" == baked.pyproject()["project"]["name"]
    assert f'NAME = "{name}"' in baked.read(f"src/{package}/_client.py")
    assert re.search(r'^KEY = "[A-Z][A-Z0-9_]*_API_KEY"$', baked.read(f"src/{package}/_client.py"), re.MULTILINE)
    linted(baked)


@pytest.mark.parametrize("line", LINES)
def test_free_text_is_read_back_as_it_was_given(tmp_path: Path, line: str) -> None:
    author = line.replace(",", "")
    baked = sound(bake(tmp_path, {"description": line, "author": author, "email": "ada@example.org", "license": "MIT"}))
    project = baked.pyproject()["project"]
    assert (line, [{"name": author, "email": "ada@example.org"}]) == (project["description"], project["authors"])
    assert f"Copyright (c) {author}" == baked.read("LICENSE").splitlines()[2]
    assert line == paragraph(baked.read("README.md"), 0)
    assert f"MIT, see LICENSE. By {author}." == paragraph(baked.read("README.md"), -1)


@pytest.mark.parametrize(("distribution", "package"), DISTRIBUTIONS.items())
def test_a_distribution_and_its_package_may_have_names_of_their_own(tmp_path: Path, distribution: str, package: str) -> None:
    baked = sound(bake(tmp_path, {"distribution": distribution, "package": package}))
    assert distribution == baked.pyproject()["project"]["name"]
    assert [f"src/{package}"] == baked.pyproject()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert f"src/{package}/__init__.py" in baked.files()
    linted(baked)


@pytest.mark.parametrize("words", TEMPLATES)
def test_what_is_typed_is_no_template(tmp_path: Path, words: str) -> None:
    baked = typed(tmp_path, ["acme", "search", "1", words, "Ada", "", "1", "", "", ""])
    assert "got" in refused(baked, "description")


def test_a_person_answers_at_the_command_line(tmp_path: Path) -> None:
    answers = [
        "4chan",
        "search, chat",
        "2",
        'Say "hi" \\o/ \U0001f44b',
        "Ren\u00e9 D.",
        "rene@example.org",
        "2",
        "https://git.example.org/r/4",
        "",
        "",
    ]
    project = sound(typed(tmp_path, answers)).pyproject()["project"]
    assert {"veridical.v1.search", "veridical.v1.chat"} == set(project["entry-points"])
    expected: dict[str, Any] = {
        "name": "veridical-4chan",
        "description": 'Say "hi" \\o/ \U0001f44b',
        "authors": [{"name": "Ren\u00e9 D.", "email": "rene@example.org"}],
        "license": "MIT",
    }
    assert expected == {name: project[name] for name in expected}
    assert "https://git.example.org/r/4" == project["urls"]["Repository"]


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "veridical-acme").mkdir()
    (tmp_path / "veridical-acme" / "mine.txt").write_text("mine")
    said = bake(tmp_path, {})
    assert said.project is None
    assert ["mine.txt"] == [path.name for path in (tmp_path / "veridical-acme").iterdir()]
