"""The processes that a run has started, and their end."""

import ctypes
import os
import signal
import subprocess
import sys
import time


def adopt():
    """Become the parent of descendants whose own parent ends, so that none is lost (Linux)."""
    if sys.platform == "linux":
        PR_SET_CHILD_SUBREAPER = 36
        try:
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        except (OSError, AttributeError):
            pass  # no C library to ask; descendants are found as elsewhere


def table():
    """The parent of each process that is not a zombie."""
    parents = {}
    try:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        pids = []
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat") as stat:
                state, parent = stat.read().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state != "Z":
            parents[pid] = int(parent)
    if parents:
        return parents
    listed = subprocess.Popen(["ps", "-A", "-o", "pid=,ppid=,state="], stdout=subprocess.PIPE, text=True)
    for line in listed.communicate()[0].splitlines():
        pid, parent, state = line.split()[:3]
        if not state.startswith("Z") and int(pid) != listed.pid:
            parents[int(pid)] = int(parent)
    return parents


def descendants():
    parents, found = table(), {os.getpid()}
    for _ in parents:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            break
        found |= more
    return found - {os.getpid()}


def has(pid, folder):
    """Whether a process was started with this folder in its environment; None where the system does not tell."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:
            return folder.encode() + b"\0" in environ.read() + b"\0"
    except OSError:
        return None


def end(folder=None):
    """Kill all descendants, or those with this folder, whole, as a value in their environment."""
    for _ in range(200):
        pids = [pid for pid in descendants() if folder is None or has(pid, folder)]
        if not pids:
            return
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass  # it has ended by itself
        time.sleep(0.005)
