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
from collections.abc import Iterable, Iterator, Sequence
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
_NUMBER, _ARCH, _FIRST = 0, 4, 16  # offsets in struct seccomp_data; an argument has 8 bytes, of which the lower 4 are looked at
_THREAD = 0x10000
_INTERNET = (2, 10, 16)  # AF_INET, AF_INET6, AF_NETLINK, which name look-up asks
_EPERM, _EACCES, _ENOSYS = 1, 13, 38
_REFUSE = _ERRNO | _EPERM
_CAPABILITIES = 0x20080522


class SandboxError(Exception):
    """The sandbox cannot be set up; the message says why."""


_ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_KINDS = tuple(_ARCHES)
_FOREIGN = 0x40000000
"""From this number on calls of x86_64 are those of another interface (x32)."""

# By name, with the number on each kind of machine; None where it has no such call.
_CALLS: dict[str, tuple[int | None, int | None]] = {
    "capset": (126, 91),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "kill": (62, 129),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "socket": (41, 198),
    "tgkill": (234, 131),
}
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # other processes: starting one, looking into it, signalling it, slowing it down
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272), "pidfd_getfd": (438, 438),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424),
    "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # memory that is shared with others of the same user, or that no limit counts
    "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "semget": (64, 190),
    "semop": (65, 193), "semtimedop": (220, 192), "mq_open": (240, 180), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # what Landlock does not know of files
    "truncate": (76, 45), "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "removexattrat": (466, 466),
    # keys of the user, other name spaces, and ways around a filter or into the kernel
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "unshare": (272, 97), "setns": (308, 268),
    "io_uring_setup": (425, 425), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
}  # fmt: skip
_SET_OWNER = (8, 15)  # F_SETOWN, F_SETOWN_EX: who gets a signal when something can be read
_SET_OWNER_OF_SOCKET = (0x8901, 0x8902)  # FIOSETOWN, SIOCSPGRP


def _number(name: str, kind: str) -> int | None:
    return {**_CALLS, **_REFUSED}[name][_KINDS.index(kind)]


def unsupported() -> str:
    """Return why a process cannot be confined here; empty when it can."""
    if sys.platform != "linux":
        return "only Linux has a sandbox that veridical can use"
    if platform.machine() not in _ARCHES:
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
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - the others would not be confined
        raise SandboxError("there is a second thread already")
    _do("prctl", _NO_NEW_PRIVS, 1, 0, 0, 0)
    _restrict_files([*_rules(read, _READ), *_rules(listed, _READ_DIR), *_rules(write, ~_NODES)])
    _do("capset", struct.pack("<Ii", _CAPABILITIES, 0), bytes(24))  # root keeps its files, and nothing else of what root may do
    _filter_calls(platform.machine(), network=network)


def limit_memory(megabytes: int) -> None:
    """Let this process take no more addresses than this beside those that it has, and leave no core dump; only Linux counts them."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    size = pages * resource.getpagesize() + (megabytes << 20)
    size = size if most == resource.RLIM_INFINITY else min(size, most)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def die_with_parent(parent: int) -> None:
    """Have the kernel end this process when the one with the number `parent`, its parent, ends; where it can (Linux)."""
    if sys.platform == "linux" and platform.machine() in _ARCHES:
        _do("prctl", _SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
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


def _filter_calls(kind: str, *, network: bool) -> None:
    program = b"".join(_program(kind, os.getpid(), network=network))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
    _do("prctl", _SET_SECCOMP, _FILTER, header, 0, 0)


def _program(kind: str, process: int, *, network: bool) -> Iterator[bytes]:
    """Yield the instructions of the filter (classic BPF) for a kind of machine: what is not refused is allowed."""
    yield _instruction(_LOAD, _ARCH)
    yield _instruction(_EQUAL, _ARCHES[kind], when=1)
    yield _instruction(_RETURN, _KILL)
    yield _instruction(_LOAD, _NUMBER)
    if kind == "x86_64":
        yield _instruction(_AT_LEAST, _FOREIGN, otherwise=1)
        yield _instruction(_RETURN, _REFUSE)
    for name in _REFUSED:
        yield from _when(_number(name, kind), [_instruction(_RETURN, _REFUSE)])
    # Its flags lie in memory, where a filter cannot look: without it, the C library takes `clone`.
    yield from _when(_number("clone3", kind), [_instruction(_RETURN, _ERRNO | _ENOSYS)])
    yield from _when(_number("clone", kind), _only(0, _THREAD, test=_BITS))
    yield from _when(_number("kill", kind), _only(0, process))
    yield from _when(_number("tgkill", kind), _only(0, process))
    yield from _when(_number("prlimit64", kind), _only(0, 0, process))
    yield from _when(_number("prctl", kind), _none(0, _SET_PDEATHSIG))
    yield from _when(_number("fcntl", kind), _none(1, *_SET_OWNER))
    yield from _when(_number("ioctl", kind), _none(1, *_SET_OWNER_OF_SOCKET))
    yield from _when(_number("socket", kind), _only(0, *(_INTERNET if network else ()), refuse=_ERRNO | _EACCES))
    yield _instruction(_RETURN, _ALLOW)


def _when(number: int | None, then: list[bytes]) -> Iterator[bytes]:
    """Do `then`, which returns, when the call is `number`."""
    if number is not None:
        yield _instruction(_EQUAL, number, otherwise=len(then))
        yield from then


def _only(argument: int, *values: int, test: int = _EQUAL, refuse: int = _REFUSE) -> list[bytes]:
    """Allow the call when an argument is one of `values`, and refuse it otherwise."""
    return _compared(argument, values, test, hit=_ALLOW, miss=refuse)


def _none(argument: int, *values: int) -> list[bytes]:
    """Refuse the call when an argument is one of `values`, and allow it otherwise."""
    return _compared(argument, values, _EQUAL, hit=_REFUSE, miss=_ALLOW)


def _compared(argument: int, values: Sequence[int], test: int, *, hit: int, miss: int) -> list[bytes]:
    tests = [_instruction(test, value, when=len(values) - at) for at, value in enumerate(values)]
    ends = [_instruction(_RETURN, miss), _instruction(_RETURN, hit)]
    return [_instruction(_LOAD, _FIRST + 8 * argument), *tests, *ends]


def _instruction(code: int, value: int, *, when: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("<HBBI", code, when, otherwise, value)


def _do(name: str, *arguments: int | bytes | None) -> int:
    """Call the system by the name of the call."""
    number = _number(name, platform.machine())
    if number is None:
        raise SandboxError(f"there is no {name} here")
    return _call(number, *arguments)


def _call(number: int, *arguments: int | bytes | None) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result: int = library.syscall(ctypes.c_long(number), *given)
    if result < 0:
        raise SandboxError(f"system call {number}: {os.strerror(ctypes.get_errno())}")
    return result
