"""Execute notebooks without a browser, and fail where GoNB itself says nothing.

    python execute.py [--out DIR] [-p NAME=VALUE]... NOTEBOOK...

Each notebook runs in its own folder, as Jupyter would run it, on the kernel that
`reproduce.sh --setup` has put into .tools/, as many at once as there are processors,
up to four. DIR gets NAME.ipynb (normalised: two runs that print the same are the same
file), NAME.html and NAME.log (what the kernel logged). The first failing cell, in the
order of the notebooks, ends the run with status 1 and a message that names notebook,
cell and error. No process that a cell has started outlives the run, however it ends.
Needs nbclient, nbformat and nbconvert.
"""

import argparse
import asyncio
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.dont_write_bytecode = True  # the modules beside this file may be in a folder that is tracked, or read-only

import parameters
import processes

# Notices about Jupyter's own future; nothing a reader of these notebooks can act on.
warnings.filterwarnings("ignore", category=DeprecationWarning)
warnings.filterwarnings("ignore", category=FutureWarning)
# nbclient abandons a task when a cell runs out of time, and asyncio says so.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)

ROOT = Path(__file__).resolve().parents[2]


def main():
    args = parse_args()
    try:
        import cells  # late, so that every Python can explain the command
    except ImportError as error:
        sys.exit(f"execute.py: this Python has no {error.name}: use the one that .tools/python names "
                 "(./reproduce.sh --setup chooses it)")
    processes.adopt()
    scratch = Path(tempfile.mkdtemp(prefix="bnlab-"))
    running = []  # what a signal interrupts

    def leave(status, message=None):
        """End the run with all that it started, whatever it is doing."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        processes.end()
        shutil.rmtree(scratch, ignore_errors=True)
        try:
            if message:
                print(f"execute.py: {message}", file=sys.stderr)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:  # a terminal that was closed takes no message
            os._exit(status)

    def interrupted(number, _):
        leave(128 + number, " and ".join(map(str, running)) + ": interrupted")

    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
            signal.signal(number, interrupted)
    try:
        args.out.mkdir(parents=True, exist_ok=True)
        tools(scratch)
        set_environment(args.kernels, scratch)
        asyncio.run(run_all(args, scratch, running, leave, cells))
    except OSError as error:
        leave(1, f"{error}; the results need a folder that can be written to: --out DIR")
    leave(0)


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


async def run_all(args, scratch, running, leave, cells):
    """Run the notebooks side by side, and report in their order."""
    gate = asyncio.Semaphore(min(os.cpu_count() or 1, 4))
    failed = False

    async def one(number, path):
        nonlocal failed
        async with gate:
            if failed:
                return 0, 0  # an earlier one has, which the report comes to first
            start = time.monotonic()
            running.append(path)
            own = scratch / str(number)
            own.mkdir()
            try:
                count = await cells.execute(path, args.out, args.timeout, args.parameters, own)
            except Exception:
                failed = True
                raise
            finally:
                running.remove(path)
                shutil.rmtree(own, ignore_errors=True)
            return count, time.monotonic() - start

    tasks = [asyncio.ensure_future(one(i, path)) for i, path in enumerate(args.notebooks)]
    for path, task in zip(args.notebooks, tasks):
        try:
            count, seconds = await task
        except cells.Failure as failure:
            leave(1, f"{path}{failure}")
        print(f"{path}: {count} cells, {seconds:.1f} s", flush=True)


def parse_args():
    parser = argparse.ArgumentParser(prog="execute.py", description="Execute notebooks headlessly.")
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    parser.add_argument("-p", dest="parameters", action="append", type=parameters.pair, default=[],
                        metavar="NAME=VALUE", help="instead of the value in the cell that is tagged 'parameters'")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "notebooks", metavar="DIR")
    parser.add_argument("--timeout", type=positive, metavar="SECONDS", help="for one cell",
                        default=os.environ.get("BNLAB_CELL_TIMEOUT") or "600")
    parser.add_argument("--kernels", type=Path, default=ROOT / ".tools" / "jupyter", metavar="DIR",
                        help="the Jupyter data folder that holds the kernel")
    args = parser.parse_args()
    for path in args.notebooks:
        if not path.is_file():
            parser.error(f"{path}: no such notebook")
    names = [path.stem for path in args.notebooks]
    for path in args.notebooks:
        if names.count(path.stem) > 1:
            parser.error(f"{path}: two notebooks of this name would be one in {args.out}; run them one by one")
    return args


def positive(text):
    seconds = int(text)
    if seconds <= 0:
        raise ValueError(text)
    return seconds


def tools(scratch):
    """Make the folder bin of the checkout's tools, without gopls: it reads the whole library for a user who presses Tab.

    `true` in its place hides one of the user's. The path of the checkout is not in PATH, where a colon would tear it.
    """
    made = scratch / "bin"
    made.mkdir()
    own = ROOT / ".tools" / "bin"
    for path in own.iterdir() if own.is_dir() else ():
        if path.name != "gopls":
            (made / path.name).symlink_to(path)
    (made / "gopls").symlink_to(shutil.which("true") or "/bin/true")


def set_environment(kernels, scratch):
    """Point Jupyter and Go at the checkout's own tools, whatever the user has set.

    The kernel's description, which is in these tools, has Go's flags.
    """
    env = os.environ
    env["JUPYTER_PATH"] = env["JUPYTER_DATA_DIR"] = str(kernels.resolve())
    env["JUPYTER_RUNTIME_DIR"] = str(scratch / "runtime")
    env["JUPYTER_CONFIG_DIR"] = str(scratch / "config")
    env["TMPDIR"] = tempfile.tempdir = str(scratch)
    env["PATH"] = str(scratch / "bin") + os.pathsep + env["PATH"]


if __name__ == "__main__":
    main()
