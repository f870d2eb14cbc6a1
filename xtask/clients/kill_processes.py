"""Processes by a mark in their environment: whatever a server starts carries it, wherever it hangs in the tree."""

import contextlib
import os
import signal
import uuid


def new_mark():
    """A mark that nothing has yet."""
    return f"kill-{uuid.uuid4()}"


def marked(mark):
    """Numbers and command lines of the living that carry a mark."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{name}/environ", "rb") as file:
                is_marked = mark.encode() in file.read()
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state = file.read().rpartition(")")[2].split()[0]
            with open(f"/proc/{name}/cmdline", "rb") as file:
                line = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
            if is_marked and state not in "ZX":
                found[int(name)] = line
    return found


def servers(mark):
    """Those among them that are no guard of ours."""
    return {number: line for number, line in marked(mark).items() if " __guard " not in line}


def end(mark):
    """Ends what is left, by number."""
    for number in marked(mark):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
