"""Traces in a real collector: the stages of calls arrive as spans, with names and decisions alone.

Run by `cargo xtask traces`: traces.py --aqueduct PROGRAM --collector PROGRAM. Both run on this machine and end with it.
"""

import argparse
import os
import re
import socket
import subprocess
import tempfile

from dashboard import Session
from recorder import TOKEN, Recorder
from serving import HttpServer, until

STAGES = ["call", "envelope", "route", "validate", "gatekeep", "run", "shape", "upstream"]
# What a collector must never see: a credential, a value, and text of a client where a name belongs.
PRIVATE = [TOKEN, "4242424242", "<script>", "hunter2"]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--collector", required=True)
    options = parser.parse_args()
    with Recorder() as api, tempfile.TemporaryDirectory() as folder:
        port, log = free_port(), os.path.join(folder, "spans")
        command = [options.collector, "start", "--exporter", "blackhole", "--debug-log", "traces", "--debug-log-verbosity", "detailed"]
        command += ["--otlp-http-endpoint", f"127.0.0.1:{port}", "--otlp-grpc-endpoint", f"127.0.0.1:{free_port()}"]
        with open(log, "w", encoding="utf-8") as file:
            collector = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        try:
            until(lambda: is_open(port), lambda: "the collector does not begin")
            environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "LIBRARY_TOKEN": TOKEN}
            with HttpServer([options.aqueduct, "serve", api.adapter, "--http", "127.0.0.1:0"], environment) as server:
                session = Session(server.url)
                assert session.call("read", "get_book", book_id=4242424242)["success"]
                assert session.call("read", "get_book", book_id="hunter2")["error"]
                assert session.call("read", "<script>alert(1)</script>")["error"]
                secret = session.headers["mcp-session-id"]
            # The last spans are sent when the server ends.
            found = until(lambda: spans(log, 3), lambda: read(log))
        finally:
            collector.terminate()
            collector.wait(30)
        judge(found, read(log), secret)
    print(f"traces: {len(found)} spans of {sum(span['name'] == 'call' for span in found)} calls arrived, with names and decisions alone")


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def read(log):
    with open(log, encoding="utf-8", errors="replace") as file:
        return file.read()


def spans(log, calls):
    """The spans that the collector has shown, once there are those of so many calls."""
    found = []
    for block in re.split(r"^Span #\d+", read(log), flags=re.M)[1:]:
        field = lambda name: (re.search(rf"{name}\s*: (.*)", block) or [None, ""])[1].strip()
        attributes = dict(re.findall(r"-> ([\w.]+): \w+\((.*)\)", block))
        found.append({"name": field("Name"), "id": field(r"^\s+ID") or re.search(r"^\s+ID\s+: (\w+)", block, re.M)[1], "parent": field("Parent ID"), "attributes": attributes})
    return found if sum(span["name"] == "call" for span in found) >= calls else None


def judge(found, text, secret):
    """Every stage is there, beneath its call, and nothing private is anywhere."""
    names = {span["name"] for span in found}
    assert names == set(STAGES), names
    first = next(span for span in found if span["name"] == "call" and span["attributes"].get("outcome") == "success")
    assert {key: first["attributes"][key] for key in ("operation", "source", "gate", "danger")} == {"operation": "get_book", "source": "library", "gate": "allowed", "danger": "safe"}, first
    beneath = {span["name"] for span in found if span["parent"] == first["id"]}
    assert beneath == {"envelope", "route", "validate", "gatekeep", "run", "shape"}, beneath
    for private in [*PRIVATE, secret]:
        assert private not in text, f"the collector has {private!r}"


if __name__ == "__main__":
    main()
