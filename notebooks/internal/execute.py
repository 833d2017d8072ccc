"""Execute notebooks without a browser, and fail where GoNB itself says nothing.

    python execute.py [--out DIR] [--timeout SECONDS] [--kernels DIR] NOTEBOOK...

Each notebook runs in its own folder, as Jupyter would run it, on the kernel that
`reproduce.sh --setup` has put into .tools/. DIR gets NAME.ipynb (normalised: two
runs that print the same are the same file), NAME.html and NAME.log (what the
kernel logged). The first failing cell ends the run with status 1 and a message
that names notebook, cell and error. Needs nbclient, nbformat and nbconvert.
"""

import argparse
import itertools
import logging
import os
import re
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

# Notices about Jupyter's own future; nothing a reader of these notebooks can act on.
warnings.filterwarnings("ignore", category=DeprecationWarning)
warnings.filterwarnings("ignore", category=FutureWarning)
# nbclient abandons a task when a cell runs out of time, and asyncio says so.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert import HTMLExporter

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "gonb"
SETUP = "run ./reproduce.sh --setup"

# GoNB writes these to a cell's stderr and still reports success: a shell line
# that failed, a program that a signal ended, a % command that does not exist.
SILENT = re.compile(
    r"^(exit status \d+|signal: .*|.*unknown or not implemented.*)$", re.MULTILINE
)
# The colours of error output mean nothing in a log file.
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Failure(Exception):
    """A message for the person who started the run."""


def main():
    args = parse_args()
    # Without this a cancelled run would leave its kernels behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bnlab-", ignore_cleanup_errors=True) as scratch:
        set_environment(args.kernels, scratch)
        for path in args.notebooks:
            start = time.monotonic()
            try:
                count = execute(path, args.out, args.timeout)
            except Failure as failure:
                sys.exit(f"execute.py: {path}{failure}")
            except KeyboardInterrupt:
                print(f"execute.py: {path}: interrupted", file=sys.stderr)
                sys.exit(130)
            print(f"{path}: {count} cells, {time.monotonic() - start:.1f} s", flush=True)


def parse_args():
    parser = argparse.ArgumentParser(prog="execute.py", description="Execute notebooks headlessly.")
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "notebooks")
    parser.add_argument("--timeout", type=positive, metavar="SECONDS", help="for one cell",
                        default=os.environ.get("BNLAB_CELL_TIMEOUT") or "600")
    parser.add_argument("--kernels", type=Path, default=ROOT / ".tools" / "jupyter",
                        help="the Jupyter data folder that holds the kernel")
    args = parser.parse_args()
    for path in args.notebooks:
        if not path.is_file():
            parser.error(f"{path}: no such notebook")
    return args


def positive(text):
    seconds = int(text)
    if seconds <= 0:
        raise ValueError(text)
    return seconds


def set_environment(kernels, scratch):
    """Point Jupyter and Go at the checkout's own tools, whatever the user has set.

    The kernel's description, which is in these tools, has Go's flags.
    """
    env = os.environ
    env["JUPYTER_PATH"] = env["JUPYTER_DATA_DIR"] = str(kernels.resolve())
    env["JUPYTER_RUNTIME_DIR"] = str(Path(scratch, "runtime"))
    env["JUPYTER_CONFIG_DIR"] = str(Path(scratch, "config"))
    env["BNLAB_KEEP"] = str(Path(scratch, "kept"))  # what nb.Keep keeps is computed in each run
    # GoNB compiles in a folder below TMPDIR and leaves it there when it is killed.
    env["TMPDIR"] = scratch
    env["PATH"] = str(ROOT / ".tools" / "bin") + os.pathsep + env["PATH"]


def execute(path, out, timeout):
    """Run one notebook, write it below out, and return its number of code cells."""
    try:
        notebook = nbformat.read(path, as_version=4)
    except ValueError as error:
        raise Failure(f": not a notebook: {error}") from None
    cells = [(i, cell) for i, cell in enumerate(notebook.cells)
             if cell.cell_type == "code" and cell.source.strip()]
    client = NotebookClient(
        notebook,
        kernel_name=KERNEL,
        timeout=timeout,
        startup_timeout=60,
        record_timing=False,
        resources={"metadata": {"path": str(path.resolve().parent)}},
    )
    log = out / f"{path.stem}.log"
    try:
        with open(log, "w") as log_file, kernel(client, log_file, log):
            for number, (index, cell) in enumerate(cells, start=1):
                try:
                    run_cell(client, cell, index)
                except Failure as failure:
                    first_line = cell.source.strip().splitlines()[0]
                    raise Failure(f", code cell {number} (`{first_line}`): {failure}") from None
    finally:
        # A notebook that failed is written too: its outputs show what happened.
        normalise(notebook)
        nbformat.write(notebook, out / path.name)
    html, _ = HTMLExporter().from_notebook_node(notebook)
    (out / f"{path.stem}.html").write_text(html, encoding="utf-8")
    return len(cells)


class kernel:
    """A running kernel: `with kernel(client, ...)`; says why when it does not start."""

    def __init__(self, client, log_file, log):
        self.setup = client.setup_kernel(stdout=log_file, stderr=log_file)
        self.log = log

    def __enter__(self):
        try:
            self.setup.__enter__()
        except NoSuchKernel:
            raise Failure(f": the Jupyter kernel {KERNEL!r} is not installed; {SETUP}") from None
        except (RuntimeError, OSError) as error:
            lines = self.log.read_text(errors="replace").splitlines()[-10:]
            raise Failure(f": the Jupyter kernel {KERNEL!r} did not start: {error}\n"
                          + "".join(f"    {line}\n" for line in lines)
                          + f"its log is {self.log}; to install it anew, remove .tools/ and {SETUP}") from None

    def __exit__(self, *exception):
        return self.setup.__exit__(*exception)


def run_cell(client, cell, index):
    lines = [line.strip() for line in cell.source.splitlines() if line.strip()]
    if any(line.startswith("%exec ") for line in lines) and all(line[0] in "%!" for line in lines):
        raise Failure("GoNB ignores %exec in a cell without Go code; call the function under %% instead")
    try:
        client.execute_cell(cell, index)
    except CellTimeoutError:
        raise Failure(f"still running after {client.timeout} s; "
                      "if it needs longer, set BNLAB_CELL_TIMEOUT to more seconds") from None
    except CellExecutionError as error:
        # GoNB puts a compiler's message into the traceback, a program's into stderr.
        traceback = [line for out in cell.outputs if out.output_type == "error" for line in out.traceback]
        raise Failure(describe("\n".join(traceback) or error.evalue, cell)) from None
    except DeadKernelError:
        raise Failure(describe("the kernel died while it ran this cell", cell)) from None
    silent = SILENT.search(stderr(cell))
    if silent:
        raise Failure(describe(silent.group(0).strip(), cell))


def stderr(cell):
    return "".join(out.text for out in cell.outputs
                   if out.output_type == "stream" and out.name == "stderr")


def describe(error, cell):
    """The error with the end of what the cell wrote to stderr below it."""
    lines = ANSI.sub("", error.strip() + "\n" + stderr(cell)).strip().splitlines()
    # The two often repeat each other.
    unique = list(dict.fromkeys(line.rstrip() for line in lines if line.strip()))
    return "\n    ".join(unique if len(unique) <= 30 else unique[:5] + ["..."] + unique[-24:])


def normalise(notebook):
    """Remove what differs between two runs with the same results."""
    notebook.metadata = nbformat.from_dict({
        "kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": KERNEL},
        "language_info": {"file_extension": ".go", "mimetype": "text/x-go", "name": "go"},
    })
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = merge_streams(cell.outputs)


def merge_streams(outputs):
    """How a program's output is cut into messages, and which of two streams comes
    first, is chance: adjacent ones become one of each, stdout before stderr."""
    merged = []
    for streams, group in itertools.groupby(outputs, lambda out: out.output_type == "stream"):
        group = list(group)
        for name in ("stdout", "stderr") if streams else ():
            text = "".join(out.text for out in group if out.name == name)
            if text:
                merged.append(nbformat.v4.new_output("stream", name=name, text=text))
        if not streams:
            merged += group
    return merged


if __name__ == "__main__":
    main()
