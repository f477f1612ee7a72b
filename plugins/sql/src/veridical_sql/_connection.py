"""A connection that reads: opened read-only where the database can be, rolled back whatever happens, and never shown with its password.

PostgreSQL          a transaction that is read-only; `statement_timeout`
SQLite              the file opened with `mode=ro`, `query_only`; a look at the clock and at the caller between its own steps
MySQL, MariaDB      a session whose transactions are read-only; `max_execution_time`, `max_statement_time`
Oracle              a transaction that is read-only
any other           what the account may do is all that holds it: give it no more than SELECT
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool
from veridical_contract import ConfigurationError, MissingExtraError, ProviderError, ProviderFailure

__all__ = ["opened", "parsed_url", "refused"]

_PACKAGES: Final = {
    "psycopg": "psycopg[binary]",
    "psycopg2": "psycopg2-binary",
    "MySQLdb": "mysqlclient",
    "cx_Oracle": "cx_Oracle",
}
"""Module of a driver to the package that brings it, where their names differ."""

_READ_ONLY: Final = {
    "mysql": "SET SESSION TRANSACTION READ ONLY",
    "mariadb": "SET SESSION TRANSACTION READ ONLY",
    "oracle": "SET TRANSACTION READ ONLY",
}
_CONNECT_SECONDS: Final = 15
_KNOW_CONNECT_TIMEOUT: Final = frozenset({"psycopg", "psycopg2", "pymysql", "mysqldb"})
_STEPS: Final = 10_000
"""Instructions of SQLite's machine between two looks at the caller."""

_AUTH: Final = ("password", "authentication", "access denied", "no pg_hba", "permission denied")
_LATE: Final = (
    "statement timeout",
    "interrupted",
    "timeout expired",
    "max_execution_time",
    "max_statement_time",
    "maximum statement execution time",
    "timed out",
)


def parsed_url(name: str, url: str, password: str | None) -> URL:
    """Return the address of the database of the source `name`, with its password.

    Raises:
        ConfigurationError: it is none, or holds a password.
    """
    from sqlalchemy import make_url

    try:
        found = make_url(url)
    except (ArgumentError, ValueError):
        raise ConfigurationError(
            f"The url of the source {name} is none that SQLAlchemy reads.",
            hint='Expected, as an example: url = "postgresql+psycopg://reader@db.example/helpdesk"',
        ) from None
    if found.password is not None:
        raise ConfigurationError(
            f"The url of the source {name} holds a password, which does not belong into a file.",
            hint='Take it out, and name a variable that holds it: password_secret = "HELPDESK_DB_PASSWORD"',
        )
    return found.set(password=password) if password is not None else found


@contextmanager
def opened(name: str, url: URL, *, seconds: float, cancelled: Callable[[], bool]) -> Generator[Connection]:
    """Open the database of the source `name` for reading, and roll back at the end.

    Args:
        name: of the source, for errors.
        url: with the password.
        seconds: that one step may take.
        cancelled: whether nobody waits any more.

    Raises:
        MissingExtraError: the driver is not installed.
        ConfigurationError: the address is not one that can be read from here.
        ProviderError: the database cannot be reached.
    """
    engine = _sqlite(name, url, seconds, cancelled) if url.get_backend_name() == "sqlite" else _engine(name, url)
    try:
        with refused(name, url), engine.connect() as connection:
            try:
                yield _limited(connection, seconds)
            finally:
                connection.rollback()
    finally:
        engine.dispose()


@contextmanager
def refused(name: str, url: URL) -> Generator[None]:
    """Turn what the database refuses into one line that names the source, and neither the statement nor the password."""
    try:
        yield
    except DBAPIError as error:
        said = _said(error, url)
        raise ProviderError(f"the database of {name} said: {said.removesuffix('.')}.", failure=_failure(said), hint=_hint(said)) from None
    except SQLAlchemyError as error:
        raise ProviderError(f"{name} cannot be read: {_said(error, url)}", failure="malformed") from None


def _engine(name: str, url: URL) -> Engine:
    try:
        dialect = url.get_dialect()
        if dialect.is_async:
            raise ConfigurationError(
                f"{url.drivername} is an asynchronous driver.", hint='Name another, as in: url = "postgresql+psycopg://..."'
            )
        timeout = {"connect_timeout": _CONNECT_SECONDS} if url.get_driver_name() in _KNOW_CONNECT_TIMEOUT else {}
        return create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=timeout)
    except NoSuchModuleError:
        raise MissingExtraError(
            f"SQLAlchemy has nothing for {url.drivername} databases, which the source {name} is read from.",
            hint="Install the package that brings it: https://docs.sqlalchemy.org/dialects/",
        ) from None
    except ModuleNotFoundError as error:
        module = (error.name or url.get_driver_name()).partition(".")[0]
        package = _PACKAGES.get(module, module)
        raise MissingExtraError(
            f"The source {name} needs the driver {module}, which is not installed.", hint=f'Type: pip install "{package}"'
        ) from None


def _sqlite(name: str, url: URL, seconds: float, cancelled: Callable[[], bool]) -> Engine:
    path = Path(url.database or "")
    if not path.is_absolute():
        raise ConfigurationError(
            f"The url of the source {name} names no file by its whole path.", hint='Expected: url = "sqlite:////home/me/tickets.db"'
        )
    if not path.is_file():
        raise ConfigurationError(f"There is no file {path}, which the source {name} is read from.", hint="Correct its url.")

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, check_same_thread=False)
        connection.text_factory = _text
        connection.execute("PRAGMA query_only = ON")
        end = time.monotonic() + seconds
        connection.set_progress_handler(lambda: cancelled() or time.monotonic() > end, _STEPS)
        return connection

    return create_engine(url, creator=connect, poolclass=NullPool, hide_parameters=True)


def _text(value: bytes) -> str:
    """SQLite keeps any bytes as text; what is no UTF-8 must cost its row, not the reading."""
    return value.decode("utf-8", "surrogateescape")


def _limited(connection: Connection, seconds: float) -> Connection:
    dialect = connection.dialect.name
    if dialect == "postgresql":
        connection = connection.execution_options(postgresql_readonly=True)
        connection.execute(text(f"SET LOCAL statement_timeout = {int(seconds * 1000)}"))
    elif dialect in _READ_ONLY:
        connection.execute(text(_READ_ONLY[dialect]))
    if getattr(connection.dialect, "is_mariadb", False):
        connection.execute(text(f"SET SESSION max_statement_time = {seconds:f}"))
    elif dialect == "mysql":
        connection.execute(text(f"SET SESSION max_execution_time = {int(seconds * 1000)}"))
    return connection


def _said(error: SQLAlchemyError, url: URL) -> str:
    """Return the first line of what the driver said, without the password."""
    origin: Any = getattr(error, "orig", None)
    match getattr(origin, "args", ()):
        case (int(), str(words)):  # number and words, as MySQL's drivers have it
            whole = words
        case _:
            whole = str(origin if origin is not None else error)
    lines = whole.strip().splitlines() or [type(error).__name__]
    said = lines[0].strip()
    return said.replace(url.password, "***") if url.password else said


def _failure(said: str) -> ProviderFailure:
    lower = said.lower()
    if any(word in lower for word in _LATE):
        return "timeout"
    if any(word in lower for word in _AUTH):
        return "auth"
    return "connection" if "connect" in lower else "server"


def _hint(said: str) -> str:
    failure = _failure(said)
    hints: dict[ProviderFailure, str] = {
        "timeout": "Allow it more: seconds in the source's table, and [limits] source.",
        "auth": "Check the account, its password_secret, and what it may read.",
        "connection": "Check the url, and whether the database runs.",
    }
    return hints.get(failure, "Check the query.")
