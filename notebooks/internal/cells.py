"""Run the cells of a notebook on its kernel."""

import asyncio
import inspect
import itertools
import os
import re

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert import HTMLExporter

import parameters
import processes

KERNEL = "gonb"
SETUP = "run ./reproduce.sh --setup"

# GoNB writes these to a cell's stderr and still reports success: a shell line
# that failed, a program that a signal ended, a % command that does not exist.
SILENT = re.compile(
    r"^(exit status \d+|signal: .*|.*unknown or not implemented.*)$", re.MULTILINE
)
# The colours of error output mean nothing in a log file.
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# What a compiler says that cannot help who has written a cell, and what does.
HINTS = [
    (re.compile(r"expected declaration, found|non-declaration statement outside function body"),
     "statements to run stand below a line with %% alone: write %% above them"),
    (re.compile(r"fork/exec (\S+): permission denied"),
     "programs cannot run in the temporary folder (noexec?): set TMPDIR to one where they can"),
]


class Failure(Exception):
    """A message for the person who started the run, to be read behind the notebook's path."""


async def execute(path, out, timeout, given, own):
    """Run one notebook, write it below out, and return its number of code cells.

    given are names with values for its parameters. own is a temporary folder: GoNB compiles there, what nb.Keep keeps
    is there, and what has it in its environment was started by this notebook.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
    except ValueError as error:
        raise Failure(f": not a notebook: {error}") from None
    try:
        parameters.inject(notebook, given, nbformat.v4.new_code_cell)
    except ValueError as error:
        raise Failure(f": {error}") from None
    cells = [(i, cell) for i, cell in enumerate(notebook.cells)
             if cell.cell_type == "code" and cell.source.strip()]
    client = NotebookClient(
        notebook,
        kernel_name=KERNEL,
        timeout=timeout,
        startup_timeout=60,
        # nbclient would wait 4 s for the rest of a cell's output, and then go on without it.
        iopub_timeout=max(timeout, 60),
        raise_on_iopub_timeout=True,
        record_timing=False,
        resources={"metadata": {"path": str(path.resolve().parent)}},
    )
    log = out / f"{path.stem}.log"
    try:
        with open(log, "w") as log_file:
            async with kernel(client, log_file, log, own):
                for number, (index, cell) in enumerate(cells, start=1):
                    try:
                        await run_cell(client, cell, index)
                    except Failure as failure:
                        first_line = cell.source.strip().splitlines()[0]
                        raise Failure(f", code cell {number} (`{first_line}`): {failure}") from None
    finally:
        # A notebook that failed is written too: its outputs show what happened.
        normalise(notebook)
        nbformat.write(notebook, out / path.name)
    html, _ = await asyncio.get_running_loop().run_in_executor(None, HTMLExporter().from_notebook_node, notebook)
    (out / f"{path.stem}.html").write_text(html, encoding="utf-8")
    return len(cells)


class kernel:
    """A running kernel: `async with kernel(client, ...)`; says why when it does not start."""

    def __init__(self, client, log_file, log, own):
        self.client, self.log_file, self.log, self.own = client, log_file, log, own

    async def __aenter__(self):
        env = dict(os.environ, TMPDIR=str(self.own), BNLAB_KEEP=str(self.own / "kept"))
        try:
            self.client.create_kernel_manager()
            await self.client.async_start_new_kernel(env=env, stdout=self.log_file, stderr=self.log_file)
            await self.client.async_start_new_kernel_client()
        except NoSuchKernel:
            raise Failure(f": the Jupyter kernel {KERNEL!r} is not installed; {SETUP}") from None
        except (RuntimeError, OSError) as error:
            lines = self.log.read_text(errors="replace").splitlines()[-10:]
            raise Failure(f": the Jupyter kernel {KERNEL!r} did not start: {error}\n"
                          + "".join(f"    {line}\n" for line in lines)
                          + f"its log is {self.log}; to install it anew, remove .tools/ and {SETUP}") from None

    async def __aexit__(self, *_):
        km, kc = self.client.km, self.client.kc
        processes.end(str(self.own))
        for stop in (lambda: km.shutdown_kernel(now=True), km.cleanup_resources, kc.stop_channels):
            done = stop()
            if inspect.isawaitable(done):
                await done


async def run_cell(client, cell, index):
    lines = [line.strip() for line in cell.source.splitlines() if line.strip()]
    if any(line.startswith("%exec ") for line in lines) and all(line[0] in "%!" for line in lines):
        raise Failure("GoNB ignores %exec in a cell without Go code; call the function under %% instead")
    try:
        await client.async_execute_cell(cell, index)
    except CellTimeoutError as error:
        if "IOPub" in str(error):
            raise Failure(f"the end of its output has not come {client.iopub_timeout} s after the cell ended; "
                          "print less, or into a file") from None
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
    """The error with the end of what the cell wrote to stderr below it, and with what helps."""
    lines = ANSI.sub("", error.strip() + "\n" + stderr(cell)).strip().splitlines()
    # The two often repeat each other.
    unique = list(dict.fromkeys(line.rstrip() for line in lines if line.strip()))
    unique = unique if len(unique) <= 30 else unique[:5] + ["..."] + unique[-24:]
    unique += [hint for pattern, hint in HINTS if pattern.search("\n".join(unique))]
    return "\n    ".join(unique)


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
