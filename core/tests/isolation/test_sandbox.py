"""What a plugin in a process of its own cannot do, tried from inside."""

from __future__ import annotations

import re
import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from veridical.isolation import sandbox
from veridical.isolation.places import confined, import_path
from veridical_contract import ConfigurationError, PluginError

from .conftest import Making, row, sandboxed

SECRET = "the-key-of-nobody"


def test_it_has_no_variable_of_the_host_and_no_secret_that_is_not_listed(isolate: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_KEY", SECRET)
    monkeypatch.setenv("VERIDICAL_HOME", "/somewhere")
    one = isolate(
        """
        found = [attempt(lambda: self.context.secret(name)) for name in ("ACME_KEY", "OTHER_KEY", "LISTED")]
        return texts(*sorted(os.environ), *found)
        """,
        environment={"ACME_KEY": SECRET, "LISTED": "given"},
        secrets=("LISTED",),
    )
    found = one.search()
    assert ["MissingSecretError", "MissingSecretError", "given"] == found[-3:]
    assert set() == {*found[:-3]} - {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "MALLOC_ARENA_MAX", "PATH", "TMPDIR", "TZ"}


@sandboxed
def test_the_file_of_the_store_cannot_be_reached_by_its_path(isolate: Making) -> None:
    one = isolate(
        """
        import ctypes, pathlib, shutil, sqlite3
        path = query.text
        link = self.context.cache_dir / "link"
        link.symlink_to(path)
        read = lambda at: attempt(lambda: open(at, "rb").read())
        return texts(
            read(path), read(link), attempt(lambda: open(path, "ab")), attempt(lambda: os.truncate(path, 0)),
            attempt(lambda: os.chmod(path, 0)), attempt(lambda: os.unlink(path)), attempt(lambda: os.rename(path, str(link) + "2")),
            attempt(lambda: os.rename(link, path)), attempt(lambda: os.link(path, str(link) + "3")),
        attempt(lambda: os.setxattr(path, "user.x", b"")),
            attempt(lambda: os.listdir(os.path.dirname(path))), attempt(lambda: os.mkdir(os.path.dirname(path) + "/more")),
            attempt(lambda: sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT 1 FROM t")),
            attempt(lambda: open(os.path.dirname(path) + "/settings.toml").read()),
        )
        """
    )
    one.home.data.mkdir(parents=True)
    store = one.home.data / "store.sqlite3"
    store.write_bytes(b"words")
    one.home.settings.write_text("[plugins]\n")
    found = one.search(str(store))
    assert {"PermissionError", "OSError", "OperationalError"} >= {*found}
    assert (b"words", 0o600) == (store.read_bytes(), store.stat().st_mode & 0o600)


@sandboxed
def test_nothing_else_of_the_operator_is_read_or_written(isolate: Making, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("private")
    (tmp_path / "given.txt").write_text("given")
    code = """
    host = os.getppid()
    read = lambda at: attempt(lambda: open(at).read())
    paths = (query.text + "/given.txt", query.text + "/notes.txt", f"/proc/{host}/environ", f"/proc/{host}/mem", "/etc/shadow")
    return texts(
        *(read(at) for at in paths),
        attempt(lambda: open(query.text + "/made", "w")), attempt(lambda: os.listdir(query.text)),
        attempt(lambda: open(os.environ["TMPDIR"] + "/made", "w").close()),
    )
    """
    found = isolate(code, read=(str(tmp_path / "given.txt"),)).search(str(tmp_path))
    assert ["given", *["PermissionError"] * 6, "None"] == found


@sandboxed
@pytest.mark.parametrize("network", [False, True])
def test_it_opens_no_connection_of_its_own_unless_it_may(network: bool, isolate: Making) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        found = isolate(
            f"""
            import socket
            made = [attempt(lambda: socket.create_connection(("127.0.0.1", {port}), 5).close())]
            made.append(attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", {port}))))
            made.append(attempt(lambda: socket.socket(socket.AF_UNIX)))
            return texts(*made)
            """,
            network=network,
        ).search()
    assert (["None", "1"] if network else ["PermissionError"] * 2) == found[:2]
    assert "PermissionError" == found[2]


@sandboxed
def test_it_starts_no_process_and_signals_nobody(isolate: Making) -> None:
    found = isolate(
        """
        import ctypes, multiprocessing, signal, subprocess
        library = ctypes.CDLL(None, use_errno=True)
        return texts(
            attempt(os.fork), attempt(lambda: os.posix_spawn("/bin/true", ["true"], {})), attempt(lambda: os.execv("/bin/true", ["true"])),
            attempt(lambda: subprocess.run(["/bin/true"])), attempt(lambda: os.kill(os.getppid(), signal.SIGKILL)),
            attempt(lambda: os.killpg(os.getpgid(os.getppid()), 9)), library.prctl(1, 0, 0, 0, 0), library.ptrace(16, os.getppid(), 0, 0),
            attempt(lambda: os.setuid(0) if os.getuid() else os.setuid(1)), os.system("true") != 0,
        )
        """
    ).search()
    assert ["PermissionError"] * 6 + ["-1", "-1", "PermissionError", "True"] == found


@sandboxed
def test_it_may_do_what_plugins_do(isolate: Making) -> None:
    """Threads, event loops, temporary files, databases of its own, time zones, random numbers, encodings, data of packages."""
    found = isolate(
        """
        import asyncio, importlib.resources, platform, random, sqlite3, tempfile, zoneinfo
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(4) as pool, tempfile.TemporaryFile() as file:
            numbers = list(pool.map(lambda n: n + 1, range(3)))
            file.write(os.urandom(3))
        database = sqlite3.connect(self.context.cache_dir / "own.sqlite3")
        database.execute("CREATE TABLE IF NOT EXISTS t (x)")
        database.commit()
        return texts(numbers, asyncio.run(asyncio.sleep(0, 1)), zoneinfo.ZoneInfo("Europe/Prague"), platform.platform()[:5] != "",
            len(importlib.resources.files("certifi").joinpath("cacert.pem").read_text()) > 1000, random.random() < 1, os.cpu_count() > 0)
        """
    ).search()
    assert ["[1, 2, 3]", "1", "Europe/Prague", "True", "True", "True", "True"] == found


def test_too_much_memory_is_an_error_that_names_the_limit(isolate: Making) -> None:
    one = isolate("return texts(len(bytearray(1 << 30)) if query.text == 'much' else 'little')", memory_megabytes=512)
    with pytest.raises(PluginError, match="more than the 512 MB") as error:
        one.search("much")
    assert "memory_megabytes = 1024" in error.value.hint
    assert ["little"] == one.search()


def test_without_a_sandbox_it_is_not_started_unless_that_is_meant(isolate: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.isolation.plugin.unsupported", lambda: "there is none")
    one = isolate()
    with pytest.raises(ConfigurationError, match="without_sandbox = true"):
        one.search()
    assert 0 == one.number
    assert "[isolation.acme]" in row(one.calls)[1]
    meant = isolate("return texts(attempt(lambda: open('/proc/self/comm').read()))", without_sandbox=True)
    assert "PermissionError" not in meant.search()
    (status,) = meant.calls.statuses()
    assert "unsandboxed" == status.isolated
    (record,) = meant.calls.records()
    assert "unsandboxed" == record.isolated


def test_a_folder_that_leads_to_the_store_is_taken_apart(isolate: Making, tmp_path: Path) -> None:
    one = isolate()
    (listing,) = one.calls._listings
    project = tmp_path / "home/.."  # the data folder lies in it
    for name in ("home/cache/plugins/acme", "src", "home/below"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    found = confined(listing, one.home, tmp_path / "home/cache/plugins/acme", path=[str(project)], read=(), network=False)
    inside = [path for path in found.read if path.startswith(str(tmp_path))]
    assert sorted([str(tmp_path / "site"), str(tmp_path / "src")]) == sorted(inside)
    assert [str(tmp_path)] == list(found.listed)
    assert str(tmp_path / "home/cache/plugins/acme") in found.write


@sandboxed
def test_modules_beside_the_store_are_still_imported(isolate: Making, tmp_path: Path) -> None:
    one = isolate("return texts(attempt(lambda: open(query.text).read()))")
    one.home.data.mkdir(parents=True)
    (isolate.site / "home").mkdir()
    inside = isolate.site / "home"
    moved = type(one.home).below(inside)
    host = one.calls._host
    object.__setattr__(host, "home", moved)
    (inside / "store.sqlite3").write_text("words")
    assert ["PermissionError"] == one.search(str(inside / "store.sqlite3"))


def test_a_kind_of_machine_that_is_not_known_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "vax")
    assert "vax" in sandbox.unsupported()
    with pytest.raises(sandbox.SandboxError, match="vax"):
        sandbox.confine(read=(), listed=(), write=(), network=False)


ALLOWED, KILLED = "allowed", "killed"
EPERM, EACCES, ENOSYS = 1, 13, 38


def decided(kind: str, number: int, *arguments: int, network: bool = False, arch: int | None = None) -> str | int:
    """What the filter says of a system call: a small reading of classic BPF, so that it is tried for machines that are not here too."""
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, arch if arch is not None else sandbox._ARCHES[kind], 0, *given)
    program = list(sandbox._program(kind, 4711, network=network))
    at, value = 0, 0
    while True:
        code, when, otherwise, operand = struct.unpack("<HBBI", program[at])
        if code == 0x06:
            return {0x7FFF0000: ALLOWED, 0x80000000: KILLED}.get(operand) or operand & 0xFFFF
        if code == 0x20:
            value = struct.unpack_from("<I", data, operand)[0]
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
            at += when if holds else otherwise
        at += 1


def call(kind: str, name: str, *arguments: int, **options: bool) -> str | int:
    number = sandbox._number(name, kind)
    assert number is not None
    return decided(kind, number, *arguments, **options)


@pytest.mark.parametrize("kind", ["x86_64", "aarch64"])
def test_the_filter_refuses_what_it_is_to_refuse_on_each_kind_of_machine(kind: str) -> None:
    names = [name for name in sandbox._REFUSED if sandbox._number(name, kind) is not None]
    assert {EPERM} == {call(kind, name) for name in names}
    assert (ALLOWED, EPERM) == (call(kind, "clone", 0x3D0F00), call(kind, "clone", 0x1200011))
    assert ENOSYS == call(kind, "clone3")
    assert (ALLOWED, EPERM, EPERM, EPERM) == tuple(call(kind, "kill", number) for number in (4711, 4712, 0, 2**32 - 1))
    assert (ALLOWED, EPERM) == (call(kind, "tgkill", 4711), call(kind, "tgkill", 1))
    assert (ALLOWED, ALLOWED, EPERM) == tuple(call(kind, "prlimit64", number) for number in (0, 4711, 1))
    assert (EPERM, ALLOWED) == (call(kind, "prctl", 1), call(kind, "prctl", 15))
    assert (EPERM, EPERM, ALLOWED) == tuple(call(kind, "fcntl", 3, command) for command in (8, 15, 4))
    assert (EPERM, EPERM, ALLOWED) == tuple(call(kind, "ioctl", 3, command) for command in (0x8901, 0x8902, 0x5401))
    families = (1, 2, 10, 16, 17, 40)
    assert {EACCES} == {call(kind, "socket", family) for family in families}
    assert [EACCES, ALLOWED, ALLOWED, ALLOWED, EACCES, EACCES] == [call(kind, "socket", family, network=True) for family in families]


@pytest.mark.parametrize("kind", ["x86_64", "aarch64"])
def test_the_filter_lets_everything_else_through_on_its_own_machine_alone(kind: str) -> None:
    known = {sandbox._number(name, kind) for name in {**sandbox._REFUSED, **sandbox._CALLS}}
    others = [number for number in range(500) if number not in known]
    assert {ALLOWED} == {decided(kind, number) for number in others}
    assert KILLED == decided(kind, 0, arch=0x40000003)
    assert (EPERM if kind == "x86_64" else ALLOWED) == decided(kind, 0x40000000)


@pytest.mark.skipif(not Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h").exists(), reason="the headers of the system are not here")
def test_the_numbers_are_those_of_the_headers() -> None:
    files = ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm-generic/unistd.h")
    for kind, file in zip(("x86_64", "aarch64"), files, strict=True):
        found = re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)\n", Path(file).read_text("ascii"))
        numbers = {name: int(number) for name, number in found}
        wrong = [name for name in {**sandbox._REFUSED, **sandbox._CALLS} if numbers.get(name) not in (None, sandbox._number(name, kind))]
        assert [] == wrong
        assert {"socket", "clone", "execve", "ptrace", "prctl"} <= numbers.keys()


@sandboxed
def test_a_process_with_a_second_thread_is_not_confined_by_half() -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        with pytest.raises(sandbox.SandboxError, match="second thread"):
            sandbox.confine(read=(), listed=(), write=(), network=False)


def test_the_folder_of_a_script_is_nothing_to_import_from(isolate: Making, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = isolate()
    (listing,) = one.calls._listings
    (tmp_path / "mine").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "mine"))
    found = import_path(listing)
    assert str(isolate.site) in found
    assert str(tmp_path / "mine") not in found
    assert str(Path.cwd()) not in found
