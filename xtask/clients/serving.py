"""What the checks share: their options, and a server of ours that runs over HTTP while a `with` block does."""

import argparse
import os
import signal
import subprocess
import tempfile
import time
import urllib.request

WAIT = 30


def options():
    """Where server and clients are, as every check is told."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--inspector", required=True, help="the MCP Inspector, beside the TypeScript SDK")
    parser.add_argument("--suite", required=True, help="the folder with Node 22 and the official conformance suite")
    parser.add_argument("--json-server", required=True, help="json-server, an API to read")
    parser.add_argument("--kinto", required=True, help="Kinto, another one")
    parser.add_argument("--httpbin", required=True, help="the Python that has httpbin, which gives back what it is sent")
    parser.add_argument("--prism", required=True, help="Prism, which mocks an OpenAPI document")
    parser.add_argument("--mcp-servers", required=True, help="the folder with MCP servers from npm")
    parser.add_argument("--browser", required=True, help="the folder with what drives a browser, from npm")
    return parser.parse_args()


def until(done, problem, seconds=WAIT):
    """Waits for the first true value of `done`, and fails with `problem` when none comes."""
    deadline = time.monotonic() + seconds
    while not (value := done()):
        assert time.monotonic() < deadline, problem()
        time.sleep(0.05)
    return value


class HttpServer:
    """Runs in an empty directory that holds its state too; it must end well when told to."""

    def __init__(self, command, environment=None):
        self.command, self.environment = command, environment or {}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.log = os.path.join(self.folder.name, "stderr")
        with open(self.log, "w", encoding="utf-8") as log:
            environment = {"AQUEDUCT_STATE_DIR": os.path.join(self.folder.name, "state"), **self.environment}
            self.process = subprocess.Popen(self.command, stderr=log, env=environment, cwd=self.folder.name)
        first = until(lambda: "\n" in self.said() and self.said().splitlines()[0], self.said)
        assert first.startswith("listening on http://"), first
        self.url = first.split()[-1]
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            assert self.process.wait(WAIT) == 0, self.said()
        finally:
            self.process.kill()
            self.folder.cleanup()

    def said(self):
        """Everything on standard error so far."""
        with open(self.log, encoding="utf-8") as log:
            return log.read()

    def metric(self, name):
        """A value of the metrics."""
        with urllib.request.urlopen(self.url.replace("/mcp", "/metrics"), timeout=10) as page:
            for line in page.read().decode().splitlines():
                if line.startswith(name + " "):
                    return float(line.split()[-1])
        raise AssertionError(f"no metric {name}")

    def megabytes(self, field):
        """Resident memory as Linux counts it (others do not, and get 0): `VmRSS` is now, `VmHWM` the most so far."""
        if not os.path.exists("/proc/self/status"):
            return 0
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as status:
            kilobytes = next(line.split()[1] for line in status if line.startswith(field + ":"))
        return int(kilobytes) / 1024
