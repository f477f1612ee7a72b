"""The digest of a distribution's files: every file that can be imported counts, nothing that differs between installers does."""

from __future__ import annotations

import json
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veridical.discovery.files import covered, files_digest

from tests.distributions import Distribution

ACME = Distribution(
    "veridical-acme",
    "1.0",
    {
        "veridical_acme/__init__.py": "raise AssertionError('it was imported')\n",
        "veridical_acme/deep/table.json": "[1, 2]\n",
        "veridical_acme/inner/__init__.py": "",
        "veridical_acme_extra.py": "EXTRA = 1\n",
    },
    {"veridical.v1.search": {"acme": "veridical_acme:Acme"}, "other.group": {"x": "elsewhere:X"}},
    ("veridical-contract>=0.1,<0.2",),
)
INFO = "veridical_acme-1.0.dist-info"
COUNTED = [*ACME.modules, f"{INFO}/METADATA", f"{INFO}/entry_points.txt"]


def _digest(site: Path) -> str:
    return files_digest(str(site / INFO))


@pytest.fixture
def installed(site: Path) -> Path:
    ACME.install(site)
    return site


@pytest.fixture
def editable(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A site with an editable install, and the folder of its package, which a path entry leads to as it would in an environment."""
    project = tmp_path / "project"
    ACME.install(project)
    sources = Distribution(ACME.name, ACME.version, {"veridical_acme.pth": f"{project}\n"}, ACME.entry_points)
    sources.install(site)
    (site / INFO / "direct_url.json").write_text(json.dumps({"url": project.as_uri(), "dir_info": {"editable": True}}))
    monkeypatch.syspath_prepend(str(project))
    return site, project / "veridical_acme"


def test_what_counts_is_what_the_wheel_brings_without_what_only_describes_it(installed: Path) -> None:
    assert sorted(COUNTED) == sorted(covered(str(installed / INFO)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(COUNTED), st.binary(max_size=40))
def test_changing_any_file_that_counts_changes_the_digest_and_putting_it_back_restores_it(
    installed: Path, name: str, content: bytes
) -> None:
    path, before = installed / name, _digest(installed)
    kept = path.read_bytes()
    try:
        path.write_bytes(content)
        assert (before == _digest(installed)) == (content == kept)
    finally:
        path.write_bytes(kept)
    assert before == _digest(installed)


@pytest.mark.parametrize("name", [*ACME.modules])
def test_a_file_that_is_gone_changes_the_digest(name: str, installed: Path) -> None:
    before = _digest(installed)
    (installed / name).unlink()
    assert before != _digest(installed)


@pytest.mark.parametrize("name", ["new.py", "__init__.abi3.so", "deep/new", "inner/x.py"])
def test_a_file_that_was_put_into_its_package_changes_the_digest(name: str, installed: Path) -> None:
    before = _digest(installed)
    (installed / "veridical_acme" / name).write_bytes(b"")
    assert before != _digest(installed)


def test_a_folder_that_was_linked_into_its_package_changes_the_digest(installed: Path, tmp_path: Path) -> None:
    before = _digest(installed)
    (installed / "veridical_acme" / "linked").symlink_to(tmp_path)
    assert before != _digest(installed)


def test_moving_bytes_from_one_file_to_another_changes_the_digest(installed: Path) -> None:
    first, second = installed / "veridical_acme/deep/table.json", installed / "veridical_acme_extra.py"
    before, kept = _digest(installed), first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(kept)
    assert before != _digest(installed)


@pytest.mark.parametrize("name", ["RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "WHEEL", "uv_cache.json"])
def test_what_an_installer_writes_does_not_count(name: str, installed: Path) -> None:
    before, path = _digest(installed), installed / INFO / name
    written = f"{path.read_text()}{INFO}/{name},,\n" if name == "RECORD" else "{}"
    path.write_text(written)
    assert before == _digest(installed)


def test_the_order_of_the_record_and_what_it_lists_elsewhere_do_not_count(installed: Path) -> None:
    record = installed / INFO / "RECORD"
    before, lines = _digest(installed), record.read_text().splitlines()
    record.write_text(
        "\n".join(["../../bin/acme,,", "/etc/acme,,", "veridical_acme/__pycache__/__init__.cpython-311.pyc,,", *reversed(lines)])
    )
    assert before == _digest(installed)


def test_compiled_files_do_not_count(installed: Path) -> None:
    before = _digest(installed)
    py_compile.compile(str(installed / "veridical_acme_extra.py"))
    py_compile.compile(str(installed / "veridical_acme/__init__.py"))
    (installed / "veridical_acme/old.pyc").write_bytes(b"x")
    assert before == _digest(installed)


def test_other_distributions_do_not_count(installed: Path) -> None:
    before = _digest(installed)
    Distribution("other", "2.0", {"other/__init__.py": "", "veridical_acme_other/__init__.py": ""}).install(installed)
    assert before == _digest(installed)


def test_of_a_folder_that_several_distributions_share_the_own_package_counts(site: Path) -> None:
    folder = Distribution("veridical-shared", "1.0", {"shared/acme/__init__.py": "", "shared/acme/part.py": ""}).install(site)
    before = files_digest(str(folder))
    Distribution("other", "2.0", {"shared/other/__init__.py": "", "shared/acmes.py": ""}).install(site)
    assert before == files_digest(str(folder))
    (site / "shared/acme/new.py").touch()
    assert before != files_digest(str(folder))


def test_the_same_wheel_has_the_same_digest_wherever_it_is_installed(installed: Path, tmp_path: Path) -> None:
    ACME.install(tmp_path / "elsewhere")
    assert _digest(installed) == _digest(tmp_path / "elsewhere")


def test_an_installer_makes_the_same_digest(installed: Path, tmp_path: Path) -> None:
    if (uv := shutil.which("uv")) is None:
        pytest.skip("uv is not on the PATH")
    command = [uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", sys.executable, "--target", tmp_path / "target"]
    subprocess.run([*command, ACME.wheel(tmp_path)], check=True, capture_output=True)
    assert _digest(installed) == _digest(tmp_path / "target")


def test_nothing_of_it_is_imported(installed: Path) -> None:
    _digest(installed)
    assert "veridical_acme" not in sys.modules


@pytest.mark.parametrize("name", ["__init__.py", "new.py"])
def test_of_an_editable_install_the_files_of_its_package_folder_count(name: str, editable: tuple[Path, Path]) -> None:
    site, package = editable
    before = _digest(site)
    assert {"veridical_acme/__init__.py", "veridical_acme/deep/table.json", "veridical_acme/inner/__init__.py"} <= covered(
        str(site / INFO)
    ).keys()
    (package / name).write_text("x = 1")
    assert before != _digest(site)


def test_of_an_install_without_a_record_the_packages_count_that_its_entry_points_name(installed: Path) -> None:
    (installed / INFO / "RECORD").unlink()
    expected = {name for name in COUNTED if name != "veridical_acme_extra.py"}
    assert expected == covered(str(installed / INFO)).keys()


def test_of_an_old_egg_info_the_packages_and_the_metadata_count(site: Path) -> None:
    ACME.install(site)
    egg = site / "veridical_acme.egg-info"
    (site / INFO).rename(egg)
    (egg / "METADATA").rename(egg / "PKG-INFO")
    (egg / "RECORD").unlink()
    expected = {"PKG-INFO", "entry_points.txt", "__init__.py", "table.json"}
    assert expected == {Path(name).name for name in covered(str(egg))}


def test_a_file_that_cannot_be_read_is_no_digest(installed: Path) -> None:
    (installed / "veridical_acme_extra.py").unlink()
    (installed / "veridical_acme_extra.py").symlink_to(installed / "veridical_acme_extra.py")
    with pytest.raises(OSError, match="symbolic links"):
        _digest(installed)
