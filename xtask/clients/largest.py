"""The largest documents that there are: imported, the written files read back, and both served, within bounds of time and memory.

Each step is a process of its own, measured by the clock and through what the kernel says of it when it ends: the most memory that
was resident, and the seconds of processor time, which are shown beside. Run it on a machine that does nothing else.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

IMPORT_SECONDS, IMPORT_MEGABYTES = 60, 1_536
LOAD_SECONDS, LOAD_MEGABYTES = 60, 1_536
# The document, and operations that it has.
DOCUMENTS = (
    ("microsoft.com/graph-beta.json", 22_361),
    ("microsoft.com/graph.json", 11_422),
    ("amazonaws.com/ec2.json", 1_188),
    ("kubernetes.io.json", 845),
    ("stripe.com.json", 452),
)
HELLO = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "largest", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "mcp_aql_read", "arguments": {"operation": "introspect", "params": {"query": "operations"}}}},
)


class Step:
    """One process and what it took."""

    def __init__(self, name, command, bounds, said=None):
        self.name, self.bounds = name, bounds
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as told:
            started = time.monotonic()
            way_in = subprocess.PIPE if said else subprocess.DEVNULL
            child = subprocess.Popen(command, stdin=way_in, stdout=subprocess.PIPE if said else output, stderr=told)
            answer = converse(child, said) if said else None
            self.seconds_to_answer = time.monotonic() - started
            _, status, usage = os.wait4(child.pid, 0)
            self.seconds_on_the_clock = time.monotonic() - started
            self.seconds = usage.ru_utime + usage.ru_stime
            child.returncode = os.waitstatus_to_exitcode(status)
            self.megabytes = usage.ru_maxrss / 1024
            output.seek(0)
            told.seek(0)
            self.output, self.told = output.read(), told.read().decode("utf-8", "replace")
        self.answer, self.code = answer, child.returncode

    def problems(self):
        seconds, megabytes = self.bounds
        if self.code != 0:
            yield f"ended with {self.code}: {self.told.strip()[-300:]}"
        if self.seconds_on_the_clock > seconds:
            yield f"took {self.seconds_on_the_clock:.1f} s, more than {seconds}"
        if self.megabytes > megabytes:
            yield f"held {self.megabytes:.0f} MB, more than {megabytes}"


def converse(child, said):
    """Says some messages to a server, waits for the last answer, and hangs up."""
    for message in said:
        child.stdin.write(json.dumps(message).encode() + b"\n")
    child.stdin.flush()
    wanted = max(message.get("id", 0) for message in said)
    answer = None
    for line in child.stdout:
        message = json.loads(line)
        if message.get("id") == wanted:
            answer = message
            break
    child.stdin.close()
    child.stdout.close()
    return answer


def steps(aqueduct, document, folder):
    """The steps for one document, each made when the one before is over."""
    file = folder / "largest-adapter.md"
    bounds = (LOAD_SECONDS, LOAD_MEGABYTES)
    state = ["--state-dir", str(folder / "state")]
    yield Step("import", [aqueduct, "import", "openapi", str(document), "-o", str(file), "--force", "--format", "json"], (IMPORT_SECONDS, IMPORT_MEGABYTES))
    yield Step("validate the file", [aqueduct, "validate", str(file)], bounds)
    yield Step("introspect the file", [aqueduct, "introspect", str(file)], bounds)
    yield Step("serve the file", [aqueduct, "serve", str(file), *state], bounds, HELLO)
    yield Step("serve the document", [aqueduct, "serve", str(document), *state], bounds, HELLO)


def complaints(step, operations):
    yield from step.problems()
    if step.name == "import" and step.code == 0:
        report = json.loads(step.output)
        if report["found"] != operations or report["loaded"] + len([each for each in report["left_out"] if each["is_operation"]]) != operations:
            yield f"found {report['found']}, loaded {report['loaded']} of {operations} operations"
        changed = [each for each in report["warnings"] if "not the same in the file" in each["what"]]
        if changed:
            yield f"{len(changed)} operations are not the same in the file, such as {changed[0]}"
    if step.name.startswith("serve") and "result" not in (step.answer or {}):
        yield f"did not answer: {step.answer}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--documents", required=True, type=pathlib.Path)
    options = parser.parse_args()
    missed = 0
    for name, operations in DOCUMENTS:
        document = options.documents / name
        print(f"{name}: {document.stat().st_size / 1e6:.1f} MB, {operations} operations")
        with tempfile.TemporaryDirectory() as folder:
            for step in steps(options.aqueduct, document, pathlib.Path(folder)):
                size = f", {os.path.getsize(pathlib.Path(folder) / 'largest-adapter.md') / 1e6:.1f} MB written" if step.name == "import" and step.code == 0 else ""
                answered = f", answered after {step.seconds_to_answer:.1f} s" if step.answer else ""
                print(f"  {step.name:20} {step.seconds:6.1f} s {step.megabytes:7.0f} MB, {step.seconds_on_the_clock:.1f} s on the clock{size}{answered}", flush=True)
                for complaint in complaints(step, operations):
                    missed += 1
                    print(f"    MISSED: {complaint}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
