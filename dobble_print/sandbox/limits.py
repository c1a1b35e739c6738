"""What limits a process that opens untrusted files, and how a clean interpreter is started.

Invariant: a process under limits takes no more processor time and memory than it was given, writes no file, and opens
none unless it may; where the system knows no such limits, the program outside still ends it by the clock.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

UNKNOWN_BYTES = 320 << 20  # what a process has when it starts, where the system does not tell
End = Literal["slow", "late", "large", "crash", "error"]
HAS_CPU_CLOCK = hasattr(signal, "setitimer")
PATIENCE = 30.0 if HAS_CPU_CLOCK else 5.0  # how many times longer than its processor time a task may take by the clock


@dataclass(frozen=True)
class Limits:
    """What a task may take: seconds of processor time, memory beyond what its process has, and files to open.

    A task may `grant` itself more as it learns what its file holds, up to `more_seconds` and `more_bytes`.
    """

    seconds: float
    memory_bytes: int
    may_open_files: bool = True
    more_seconds: float = 0.0
    more_bytes: int = 0

    @property
    def longest_s(self) -> float:
        """How long the task may take by the clock: on a busy machine that says little, so it is much."""
        return (self.seconds + self.more_seconds) * PATIENCE + (60.0 if HAS_CPU_CLOCK else 0.0)

    @contextlib.contextmanager
    def enforce(self) -> Iterator[None]:
        """Hold the limits as long as the task runs; that no file can be written holds for ever."""
        if not HAS_CPU_CLOCK:
            yield
            return
        import resource

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        files, data = resource.getrlimit(resource.RLIMIT_NOFILE), resource.getrlimit(resource.RLIMIT_DATA)
        most = _count_data_bytes() + self.memory_bytes
        signal.setitimer(signal.ITIMER_PROF, self.seconds)  # nobody listens to its signal, so it ends the process
        _left[:], _granted[:] = [self.more_seconds, self.more_bytes], [0.0]
        try:
            resource.setrlimit(resource.RLIMIT_DATA, (most if data[1] < 0 else min(most, data[1]), data[1]))
            resource.setrlimit(resource.RLIMIT_NOFILE, files if self.may_open_files else (0, files[1]))
            yield
        finally:
            _left.clear()
            resource.setrlimit(resource.RLIMIT_NOFILE, files)
            resource.setrlimit(resource.RLIMIT_DATA, data)
            signal.setitimer(signal.ITIMER_PROF, 0.0)


_left: list[float] = []  # seconds and bytes that the task which runs here may still grant itself
_granted = [0.0]  # seconds that it has


def grant(seconds: float = 0.0, memory_bytes: int = 0) -> None:
    """Give the task that runs here more time and memory, up to what was agreed; without limits there is no need."""
    if not _left:
        return
    import resource

    more_seconds, more_bytes = min(seconds, _left[0]), min(memory_bytes, int(_left[1]))
    _left[:], _granted[:] = [_left[0] - more_seconds, _left[1] - more_bytes], [_granted[0] + more_seconds]
    signal.setitimer(signal.ITIMER_PROF, signal.getitimer(signal.ITIMER_PROF)[0] + more_seconds)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft >= 0:
        most = soft + more_bytes
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


def find_granted() -> float:
    """Return the seconds that the task which runs here has granted itself."""
    return _granted[0]


def _count_data_bytes() -> int:
    """Return what the process has already, as Linux counts it; elsewhere the limit is not enforced anyway."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return UNKNOWN_BYTES


def silence_streams() -> None:
    """Throw away what libraries print about a broken file."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


_CHILD = """\
import sys
from importlib import import_module, util
sys.path[:] = [path for path in {paths!a} if path in sys.path or path not in {working!a}]
spec = util.spec_from_file_location("dobble_print", {package!a})
sys.modules["dobble_print"] = package = util.module_from_spec(spec)
spec.loader.exec_module(package)
import_module({module!a}).main(*{arguments!a})
"""


def make_child_command(module: str, *arguments: Any) -> list[str]:
    """Return the command that calls `main` of a module in an interpreter of its own.

    The working folder may be full of somebody else's files, so none of them may pass for a module: the interpreter is
    isolated (-I), gets the folders in which this one finds its modules without the working folder (unless every
    interpreter here searches it), and is told where this very package lies.
    """
    paths = [path for path in sys.path if os.path.isabs(path)]
    program = _CHILD.format(
        paths=paths,
        working=[path for path in paths if _is_working_folder(path)],
        package=str(Path(__file__).resolve().parent.parent / "__init__.py"),
        module=module,
        arguments=arguments,
    )
    taken_over = [f"-Xutf8={sys.flags.utf8_mode}", *(["-B"] if sys.dont_write_bytecode else [])]  # -I ignores PYTHON…
    return [sys.executable, "-I", *taken_over, "-c", program]


def make_child_environment() -> dict[str, str]:
    """Return the environment for a process that this one starts, or that a library starts for it.

    Nothing in it, nor the working folder, comes before the standard library; which folders are searched is said by
    `make_child_command`, or by `multiprocessing`. A process computes in one thread and handles memory as usual: Dask
    tells its workers to give freed memory back at once (MALLOC_TRIM_THRESHOLD_), which makes layouts twice as slow.
    """
    kept = {name: os.environ[name] for name in os.environ if name != "PYTHONPATH" and not name.startswith("MALLOC_")}
    return kept | {"PYTHONSAFEPATH": "1", "OMP_NUM_THREADS": "1"}


def _is_working_folder(path: str) -> bool:
    try:
        return os.path.samefile(path, os.curdir)
    except OSError:
        return False
