"""Strangers' files are opened in a process of their own: what limits it, and a way to do one piece of work in it.

Invariant: whatever a file does to the libraries that read it (hang, crash, fill the memory), the program itself goes on
and hears of it; and nothing that comes back is executed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from dobble_print.errors import DobbleError, Fault, UsageError

PATIENCE = 5.0  # how many times longer than its processor time it may take by the clock, on a busy machine
UNKNOWN_BYTES = 320 << 20  # what a process has when it starts, where the system does not tell
End = Literal["slow", "large", "crash"]
Plain = dict[str, Any]
Work = Callable[[], Plain]
_AGAIN = "Export or copy it anew."
_NO_SHEET = "It is damaged, or no sheet of cards: export it anew."
ENDS: dict[End, Fault] = {
    "slow": Fault("the file takes too long to read", _NO_SHEET),
    "large": Fault("the file needs too much memory", _NO_SHEET),
    "crash": Fault("the file breaks the library that reads it", _AGAIN),
}


def run_confined(work: Work, seconds: float, memory: int) -> Plain:
    """What `work` returns, done in a copy of this process within limits of processor time and memory.

    Raises a `UsageError` when the copy has to be ended. Where a process cannot be copied, there are no limits.
    """
    if not can_fork():
        return work()
    ours, theirs = os.pipe()
    copy = fork()
    if not copy:
        os.close(ours)
        _do(work, theirs, seconds, memory)
    os.close(theirs)
    clock = threading.Timer(seconds * PATIENCE, os.kill, (copy, signal.SIGPROF))  # as its own clock would
    clock.daemon = True
    clock.start()
    try:
        with os.fdopen(ours, "rb") as stream:
            answer = stream.read()
    except BaseException:  # Ctrl-C
        os.kill(copy, signal.SIGKILL)
        raise
    finally:
        clock.cancel()
        clock.join()
        _, status = os.waitpid(copy, 0)
    return _unpack(answer, os.waitstatus_to_exitcode(status))


def _do(work: Work, answers: int, seconds: float, memory: int) -> None:
    """The whole life of the copy."""
    try:
        silence_streams()
        limit_process()
        with limit_job(seconds, memory, needs_files=True):
            answer = json.dumps(_try(work)).encode()
        with os.fdopen(answers, "wb") as stream:
            stream.write(answer)
    finally:
        os._exit(0)  # nothing of the program's own may be flushed or closed twice


def _try(work: Work) -> Plain:
    try:
        return {"answer": work()}
    except DobbleError as error:
        return {"faults": [(fault.what, fault.hint) for fault in error.faults]}
    except MemoryError:
        return {"end": "large"}
    except Exception as error:  # a file may break a library in any way; the user must mend the file
        return {"broken": type(error).__name__, "trace": traceback.format_exc()}


def _unpack(answer: bytes, code: int) -> Plain:
    said: Plain = json.loads(answer) if answer and not code else {"end": explain_end(code)}
    if "broken" in said:  # with --debug one sees where
        raise UsageError(Fault(f"the file cannot be read ({said['broken']})", _AGAIN)) from RuntimeError(said["trace"])
    if "end" in said:
        raise UsageError(ENDS[said["end"]])
    if "faults" in said:
        raise UsageError(*(Fault(str(what), str(hint)) for what, hint in said["faults"]))
    return dict(said["answer"])


def explain_end(code: int) -> End:
    """What ended a process, by its exit code: a signal is negative."""
    if code == -getattr(signal, "SIGPROF", 0):
        return "slow"
    if code in (-getattr(signal, "SIGKILL", 9), -signal.SIGABRT):  # the system ran out of memory, or Rust did
        return "large"
    return "crash"


def can_fork() -> bool:
    """Linux, and no thread but this one; the one that turns a terminal's spinner holds nothing a copy needs."""
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    return sys.platform == "linux" and all(type(thread).__module__.startswith("rich.") for thread in others)


def fork() -> int:
    """A copy of this process; 0 in the copy itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of any thread; see `can_fork`
        return os.fork()


_CHILD = """\
import sys
from importlib import import_module, util
sys.path[:] = [path for path in {paths!a} if path in sys.path or path not in {working!a}]
spec = util.spec_from_file_location("dobble_print", {package!a})
sys.modules["dobble_print"] = package = util.module_from_spec(spec)
spec.loader.exec_module(package)
import_module({module!a}).main(*{arguments!a})
"""


def make_child_command(module: str, *arguments: int) -> list[str]:
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
    `make_child_command`, or by `multiprocessing`.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONSAFEPATH": "1"}


def _is_working_folder(path: str) -> bool:
    try:
        return os.path.samefile(path, os.curdir)
    except OSError:
        return False


def limit_process() -> None:
    """No core files and no written files, where the system has such limits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program decides when to stop
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        if hasattr(signal, "SIGXFSZ"):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


@contextlib.contextmanager
def limit_job(seconds: float, memory: int, needs_files: bool) -> Iterator[None]:
    """So much processor time and memory and no more; and no new file or connection."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    import resource

    files, data = resource.getrlimit(resource.RLIMIT_NOFILE), resource.getrlimit(resource.RLIMIT_DATA)
    room = _count_data_bytes() + memory
    signal.setitimer(signal.ITIMER_PROF, seconds)  # nobody listens to its signal, so it ends the process
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (room if data[1] < 0 else min(room, data[1]), data[1]))
        resource.setrlimit(resource.RLIMIT_NOFILE, files if needs_files else (0, files[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, files)
        resource.setrlimit(resource.RLIMIT_DATA, data)
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def _count_data_bytes() -> int:
    """What the process has already, as Linux counts it for the limit; elsewhere the limit is not enforced anyway."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return UNKNOWN_BYTES


def silence_streams() -> None:
    """What libraries print about a broken file is for nobody."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
