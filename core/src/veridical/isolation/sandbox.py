"""What a process may do from now on: the Landlock and seccomp of Linux, which need no privilege and cannot be undone.

    Landlock   files: only what is listed is read, run or written; no signal and no abstract socket to anybody outside (since Linux 6.12)
    seccomp    no process is started, nobody else is signalled, no connection is opened unless it is allowed, owners and modes of files stay
    limits     memory, no core dump

A process that may start no other one can be killed as a whole. Neither of the two knows paths or addresses that are tunnelled through
somebody else: the pipe to the host is the only way out that is left, and the host answers there for itself.

Standard library alone, called by number: there is no wrapper for these calls in it.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import struct
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["SandboxError", "confine", "die_with_parent", "limit_memory", "unsupported"]

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_NODES = 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11  # devices, sockets, pipes: nobody needs to make one
_KNOWN = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_SCOPES, _SCOPES_SINCE = 0b11, 6

_NO_NEW_PRIVS, _SET_SECCOMP, _SET_PDEATHSIG, _FILTER = 38, 22, 1, 2
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _BITS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCH, _FIRST = 0, 4, 16  # offsets in struct seccomp_data
_THREAD = 0x10000
_INTERNET = (2, 10, 16)  # AF_INET, AF_INET6, AF_NETLINK, which name look-up asks
_EPERM, _EACCES, _ENOSYS = 1, 13, 38
_CAPABILITIES = 0x20080522


class SandboxError(Exception):
    """The sandbox cannot be set up; the message says why."""


@dataclass(frozen=True, slots=True)
class _Machine:
    """System calls by number, which differ from one kind of machine to the other."""

    arch: int
    clone: int
    kill: int
    tgkill: int
    socket: int
    prctl: int
    capset: int
    refused: tuple[int, ...]
    foreign: int | None = field(default=None)
    """From this number on calls are those of another interface (x32)."""


_COMMON = (424, 425, 452)  # pidfd_send_signal, io_uring_setup (which opens sockets behind a filter), fchmodat2
_CLONE3 = 435
_MACHINES = {
    "x86_64": _Machine(
        arch=0xC000003E,
        clone=56,
        kill=62,
        tgkill=234,
        socket=41,
        prctl=157,
        capset=126,
        # fork, vfork, execve, execveat; tkill, rt_sigqueueinfo, rt_tgsigqueueinfo; truncate; chmod, fchmod, fchmodat; chown, fchown,
        # lchown, fchownat; setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr; unshare, setns
        refused=(
            *(57, 58, 59, 322),
            *(200, 129, 297),
            76,
            *(90, 91, 268),
            *(92, 93, 94, 260),
            *(188, 189, 190, 197, 198, 199),
            *(272, 308),
            *_COMMON,
        ),
        foreign=0x40000000,
    ),
    "aarch64": _Machine(
        arch=0xC00000B7,
        clone=220,
        kill=129,
        tgkill=131,
        socket=198,
        prctl=167,
        capset=91,
        refused=(*(221, 281), *(130, 138, 240), 45, *(52, 53), *(54, 55), *(5, 6, 7, 14, 15, 16), *(97, 268), *_COMMON),
    ),
}


def unsupported() -> str:
    """Return why a process cannot be confined here; empty when it can."""
    if sys.platform != "linux":
        return "only Linux has a sandbox that veridical can use"
    if platform.machine() not in _MACHINES:
        return f"the sandbox is not known for machines of type {platform.machine()}"
    if _abi() < 1:
        return "this kernel has no Landlock (Linux 5.13 has it, when it is not switched off)"
    return ""


def confine(*, read: Iterable[str], listed: Iterable[str], write: Iterable[str], network: bool) -> None:
    """Confine this process, and all threads that it will start; call it before there is a second one.

    Args:
        read: files and folders that may be read and run, with all that is below them; what is not there is left out.
        listed: folders of which the names may be seen, below them too, but nothing read.
        write: folders that may be written to, with all that is below them.
        network: whether connections may be opened.

    Raises:
        SandboxError: it is not possible; the process is not to go on.
    """
    if why := unsupported():
        raise SandboxError(why)
    machine = _MACHINES[platform.machine()]
    _call(machine.prctl, _NO_NEW_PRIVS, 1, 0, 0, 0)
    _restrict_files([*_rules(read, _READ), *_rules(listed, _READ_DIR), *_rules(write, ~_NODES)])
    _drop_capabilities(machine)
    _filter_calls(machine, network=network)


def limit_memory(megabytes: int) -> None:
    """Let this process have no more address space than this, and leave no core dump."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    size = megabytes << 20
    size = size if most == resource.RLIM_INFINITY else min(size, most)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def die_with_parent(parent: int) -> None:
    """Have the kernel end this process when the one with the number `parent`, its parent, ends; where it can (Linux)."""
    if sys.platform == "linux" and platform.machine() in _MACHINES:
        _call(_MACHINES[platform.machine()].prctl, _SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # it ended before it was asked


# Landlock


def _abi() -> int:
    try:
        return _call(_CREATE_RULESET, None, 0, _VERSION)
    except SandboxError:
        return 0


def _rules(paths: Iterable[str], rights: int) -> Iterator[tuple[str, int]]:
    for path in paths:
        if Path(path).exists():
            yield path, rights if Path(path).is_dir() else rights & _OF_FILES


def _restrict_files(rules: Iterable[tuple[str, int]]) -> None:
    abi = _abi()
    known = _KNOWN[min(abi, max(_KNOWN))]
    attributes = struct.pack("<QQQ", known, 0, _SCOPES if abi >= _SCOPES_SINCE else 0)
    size = 24 if abi >= _SCOPES_SINCE else 8
    ruleset = _call(_CREATE_RULESET, attributes, size, 0)
    try:
        for path, rights in rules:
            _allow_beneath(ruleset, path, rights & known)
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow_beneath(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what this user cannot reach anyway
    try:
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("<Qi", rights, place), 0)
    finally:
        os.close(place)


# seccomp


def _drop_capabilities(machine: _Machine) -> None:
    """A process of root keeps its files, and nothing else of what root may do."""
    _call(machine.capset, struct.pack("<Ii", _CAPABILITIES, 0), bytes(24))


def _filter_calls(machine: _Machine, *, network: bool) -> None:
    program = b"".join(_program(machine, network=network))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
    _call(machine.prctl, _SET_SECCOMP, _FILTER, header, 0, 0)


def _program(machine: _Machine, *, network: bool) -> Iterator[bytes]:
    """Yield the instructions of the filter (classic BPF): what is not refused is allowed."""
    yield _instruction(_LOAD, _ARCH)
    yield _instruction(_EQUAL, machine.arch, when=1)
    yield _instruction(_RETURN, _KILL)
    yield _instruction(_LOAD, _NUMBER)
    if machine.foreign is not None:
        yield _instruction(_AT_LEAST, machine.foreign, otherwise=1)
        yield _instruction(_RETURN, _ERRNO | _EPERM)
    for number in machine.refused:
        yield from _when(number, [_instruction(_RETURN, _ERRNO | _EPERM)])
    # Its flags lie in memory, where a filter cannot look: without it, the C library takes `clone`.
    yield from _when(_CLONE3, [_instruction(_RETURN, _ERRNO | _ENOSYS)])
    yield from _when(machine.clone, [*_argument(_BITS, _THREAD, allowed=True)])
    for number in (machine.kill, machine.tgkill):
        yield from _when(number, [*_argument(_EQUAL, os.getpid(), allowed=True)])
    yield from _when(machine.prctl, [*_argument(_EQUAL, _SET_PDEATHSIG, allowed=False)])
    families = [_instruction(_EQUAL, one, when=len(_INTERNET) - at) for at, one in enumerate(_INTERNET)] if network else []
    tail = [_instruction(_RETURN, _ERRNO | _EACCES), *([_instruction(_RETURN, _ALLOW)] if network else [])]
    yield from _when(machine.socket, [_instruction(_LOAD, _FIRST), *families, *tail])
    yield _instruction(_RETURN, _ALLOW)


def _when(number: int, then: list[bytes]) -> Iterator[bytes]:
    """Do `then`, which ends, when the call is `number`."""
    yield _instruction(_EQUAL, number, otherwise=len(then))
    yield from then


def _argument(test: int, value: int, *, allowed: bool) -> Iterator[bytes]:
    """Allow the call, or refuse it, when its first argument passes the test; the other when it does not."""
    yield _instruction(_LOAD, _FIRST)
    yield _instruction(test, value, otherwise=1)
    yield _instruction(_RETURN, _ALLOW if allowed else _ERRNO | _EPERM)
    yield _instruction(_RETURN, _ERRNO | _EPERM if allowed else _ALLOW)


def _instruction(code: int, value: int, *, when: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("<HBBI", code, when, otherwise, value)


def _call(number: int, *arguments: int | bytes | None) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result: int = library.syscall(ctypes.c_long(number), *given)
    if result < 0:
        raise SandboxError(f"system call {number}: {os.strerror(ctypes.get_errno())}")
    return result
