"""Drivers are the user's: one that is not there is named with what to type."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from veridical_contract import ConfigurationError, MissingExtraError, MissingSecretError

from .conftest import Read

SOURCE = {"query": "SELECT 1 AS body", "fields": {"text": "body"}}


@pytest.mark.parametrize(
    ("url", "module", "package"),
    [
        ("postgresql+psycopg://reader@db.example/x", "psycopg", "psycopg[binary]"),
        ("postgresql+psycopg2://reader@db.example/x", "psycopg2", "psycopg2-binary"),
        ("mysql+pymysql://reader@db.example/x", "pymysql", "pymysql"),
        ("mysql://reader@db.example/x", "MySQLdb", "mysqlclient"),
        ("oracle+oracledb://reader@db.example/x", "oracledb", "oracledb"),
        ("mssql+pyodbc://reader@db.example/x", "pyodbc", "pyodbc"),
    ],
)
def test_a_driver_that_is_not_installed_is_named_with_the_command(
    read: Read, monkeypatch: pytest.MonkeyPatch, url: str, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError) as missing:
        read({**SOURCE, "url": url})
    assert f'needs the driver {module}, which is not installed. Type: pip install "{package}"' in str(missing.value)


def test_a_database_that_sqlalchemy_knows_nothing_of_is_named(read: Read) -> None:
    with pytest.raises(MissingExtraError, match="nothing for acme databases"):
        read({**SOURCE, "url": "acme://reader@db.example/x"})


def test_a_driver_for_asynchronous_programs_is_refused(read: Read) -> None:
    with pytest.raises(ConfigurationError, match="asynchronous driver"):
        read({**SOURCE, "url": "postgresql+psycopg_async://reader@db.example/x"})


def test_a_password_that_is_not_set_is_named(read: Read) -> None:
    with pytest.raises(MissingSecretError, match="HELPDESK_DB_PASSWORD"):
        read({**SOURCE, "url": "postgresql+psycopg://reader@db.example/x", "password_secret": "HELPDESK_DB_PASSWORD"})


def test_importing_the_plugin_loads_no_driver_and_reads_nothing(tmp_path: Path) -> None:
    import subprocess

    code = "import sys, veridical_sql; print([name for name in ('psycopg', 'psycopg2', 'veridical') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
