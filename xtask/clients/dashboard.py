"""Holds the Grafana dashboard against a real Prometheus: after calls of every kind, each of its queries has to give data.

Run by `cargo xtask dashboard`: dashboard.py --aqueduct PROGRAM --dashboard FILE. Everything is on this machine and ends with it.
"""

import argparse
import http.client
import json
import os
import re
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from serving import HttpServer, until

PASSPHRASE = "correct horse battery staple"
# Stands for Grafana's own variable.
INTERVAL = "30s"

ADAPTERS = {
    "shop": """
operations:
  read:
    - { name: get_order, maps_to: "GET /orders/{order_id}", description: "Get an order", params: { order_id: { type: string, required: true } } }
  delete:
    - name: delete_order
      maps_to: "DELETE /orders/{order_id}"
      description: "Remove an order"
      danger: { level: destructive, reasons: ["it is gone"] }
      params: { order_id: { type: string, required: true } }
""",
    "stock": """
rate_limits:
  burst_limit: 4
  quotas: { limits: [{ metric: requests_per_day, warn: 2, pause: 10, hard_stop: 100000 }] }
operations:
  read:
    - { name: get_stock, maps_to: "GET /stock/{sku}", description: "How many there are", params: { sku: { type: string, required: true } } }
""",
    "busy": """
operations:
  read:
    - { name: get_news, maps_to: "GET /busy", description: "What is new" }
""",
}

HEAD = """---
name: %s
type: adapter
version: "1.0.0"
description: "For the dashboard"
target: { base_url: "http://127.0.0.1:%d", transport: http, protocol: rest, serialization: json }
%s---

For the dashboard.
"""

CONFIG = """[confirmation]
mode = "operator"
[operator]
hook = ["/bin/true"]
[safety]
mode = "enforcing"
"""


class Api(BaseHTTPRequestHandler):
    """Answers everything; one path is too busy, and says so."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        is_busy = self.path == "/busy"
        data = json.dumps({"path": self.path}).encode()
        self.send_response(429 if is_busy else 200)
        if is_busy:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_DELETE = answer

    def log_message(self, *_):
        pass


class Session:
    """A session of an MCP client, as plain requests."""

    def __init__(self, url):
        self.address, self.headers, self.number = urllib.parse.urlsplit(url), {}, 0
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "dashboard", "version": "1"}}
        self.ask("initialize", about)

    def post(self, method, message, headers=None):
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
        head = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **self.headers, **(headers or {})}
        connection.request(method, self.address.path, message and json.dumps(message), head)
        response = connection.getresponse()
        return response, response.read().decode()

    def ask(self, method, params):
        self.number += 1
        response, text = self.post("POST", {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        if response.getheader("mcp-session-id"):
            self.headers = {"mcp-session-id": response.getheader("mcp-session-id"), "mcp-protocol-version": "2025-06-18"}
        lines = [line[5:] for line in text.splitlines() if line.startswith("data:") and line[5:].strip()] or [text]
        return json.loads(lines[-1])

    def call(self, tool, operation, **params):
        """What an operation answers."""
        found = self.ask("tools/call", {"name": f"mcp_aql_{tool}", "arguments": {"operation": operation, "params": params}})
        return json.loads(found["result"]["content"][0]["text"])

    def end(self):
        self.post("DELETE", None)


class Operator:
    """Somebody on the operator's page."""

    def __init__(self, url):
        self.address = urllib.parse.urlsplit(url)
        assert self.send("/sign-in", {"passphrase": "wrong one"})[0].status == 401
        response, _ = self.send("/sign-in", {"passphrase": PASSPHRASE})
        self.place = response.getheader("location")
        self.cookie = response.getheader("set-cookie").split(";")[0]
        self.token = re.search(r'name="token" value="(\w+)"', self.send(self.place)[1])[1]
        threading.Thread(target=self.follow, daemon=True).start()

    def send(self, path, form=None):
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
        headers = {"Cookie": getattr(self, "cookie", "")}
        body = None
        if form is not None:
            headers["Content-Type"], body = "application/x-www-form-urlencoded", urllib.parse.urlencode(form)
        connection.request("GET" if form is None else "POST", path, body, headers)
        response = connection.getresponse()
        return response, response.read().decode()

    def act(self, place, **form):
        """Sends a form of the page."""
        response, text = self.send(self.place + place, {"token": self.token, **form})
        assert response.status in (200, 303), (place, response.status, text)

    def follow(self):
        """Reads what changes until the page ends."""
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port)
        connection.request("GET", self.place + "events", headers={"Cookie": self.cookie})
        try:
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            pass


def use_everything(server, operator, state):
    """Calls of every kind, so that everything is counted."""
    session = Session(server.url)
    for number in range(20):
        assert session.call("read", "get_order", order_id=str(number))["success"]
    assert session.call("read", "get_order")["error"]
    asked = session.call("delete", "delete_order", order_id="7")
    operator.act("approve", id=asked["error"]["details"]["approval_id"])
    assert session.call("delete", "delete_order", order_id="7")["success"]
    operator.act("deny", id=session.call("delete", "delete_order", order_id="8")["error"]["details"]["approval_id"])
    session.call("read", "get_news")
    # Faster than the limit lets them out, and more than the quota has before it pauses.
    crowd = [threading.Thread(target=session.call, args=("read", "get_stock"), kwargs={"sku": str(each)}) for each in range(10)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    assert session.call("read", "get_stock", sku="x")["error"]["code"] == "RATE_LIMIT_QUOTA_PAUSE"
    operator.act("continue", source="stock", metric="requests_per_day")
    assert session.call("read", "get_stock", sku="x")["success"]
    agents = Session(server.url)
    asked = agents.call("execute", "execute_agent", element_name="clerk")
    operator.act("approve", id=asked["error"]["details"]["approval_id"])
    assert agents.call("execute", "execute_agent", element_name="clerk")["success"]
    agents.call("create", "record_execution_step", element_name="clerk", next_action_hint="drop_table orders")
    session.post("POST", {"jsonrpc": "2.0"}, {"Host": "elsewhere.example"})
    session.end()
    lock_store(server, state)


def lock_store(server, state):
    """Somebody else holds the store for longer than it is waited for."""
    [file] = [name for name in os.listdir(state) if name.endswith((".db", ".sqlite", ".sqlite3"))]
    with sqlite3.connect(os.path.join(state, file), timeout=20, isolation_level=None) as store:
        store.execute("BEGIN EXCLUSIVE")
        failed = Session(server.url).call("delete", "delete_order", order_id="9")
        assert failed["error"], failed
        store.execute("ROLLBACK")


class Prometheus:
    """A Prometheus that reads one server, every second."""

    def __init__(self, target, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        config = os.path.join(folder, "prometheus.yml")
        with open(config, "w", encoding="utf-8") as file:
            file.write("global: { scrape_interval: 1s }\nscrape_configs:\n")
            file.write(f"  - {{ job_name: aqueduct, static_configs: [{{ targets: ['{target}'] }}] }}\n")
        self.command = ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/data", f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=error"]

    def __enter__(self):
        self.process = subprocess.Popen(self.command)
        until(lambda: self.process.poll() is not None or self.is_ready(), lambda: "Prometheus does not begin")
        assert self.process.poll() is None, "Prometheus has ended"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)

    def is_ready(self):
        try:
            return self.values("up == 1")
        except OSError:
            return []

    def values(self, query):
        """The values that a query gives."""
        return [value for value, _ in self.found(query)]

    def found(self, query):
        """What a query gives: each value, with its labels."""
        url = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
        try:
            with urllib.request.urlopen(url, timeout=30) as page:
                found = json.load(page)
        except urllib.error.HTTPError as error:
            if error.code == 503:  # it is not ready yet
                return []
            raise AssertionError(f"{query}: {error.read().decode()}") from error
        return [(each["value"][1], each["metric"]) for each in found["data"]["result"]]


def queries(dashboard):
    """Every query, with the panel that it is in and its legend."""
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"].replace("$__rate_interval", INTERVAL), target.get("legendFormat", "")


def named_labels(query, legend):
    """The labels that a query groups by and its legend shows. Quantiles use up `le`."""
    groups = re.findall(r"\bby\s*\(([^)]*)\)", query)
    labels = {label.strip() for group in groups for label in group.split(",")} - {"le"}
    return labels | set(re.findall(r"{{\s*(\w+)\s*}}", legend))


def wrong_labels(found, labels):
    """Those of the labels that some of the values lack: a name that the metric does not have leaves it out."""
    return sorted(label for label in labels if any(not metric.get(label) for _, metric in found))


def check_labels():
    """A wrong label is found, and a right one is not."""
    labels = named_labels('histogram_quantile(0.9, sum by (le, sorce) (rate(x_bucket[30s])))', "{{sorce}} of {{ name }}")
    assert labels == {"sorce", "name"}, labels
    assert wrong_labels([("1", {"name": "a"}), ("2", {"name": "b"})], labels) == ["sorce"]
    assert wrong_labels([("1", {"name": "a", "sorce": "b"})], labels) == []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--dashboard", required=True)
    options = parser.parse_args()
    check_labels()
    with open(options.dashboard, encoding="utf-8") as file:
        dashboard = json.load(file)
    api = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=api.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        state, files = os.path.join(folder, "state"), [os.path.join(folder, "aqueduct.toml")]
        with open(files[0], "w", encoding="utf-8") as file:
            file.write(CONFIG)
        for name, blocks in ADAPTERS.items():
            files.append(os.path.join(folder, f"{name}-adapter.md"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(HEAD % (name, api.server_port, blocks.lstrip()))
        init = [options.aqueduct, "operator", "init", "--state-dir", state, "--passphrase-stdin"]
        subprocess.run(init, input=PASSPHRASE + "\n", text=True, check=True, timeout=60)
        command = [options.aqueduct, "serve", *files[1:], "--config", files[0], "--http", "127.0.0.1:0", "--operator", "127.0.0.1:0"]
        with HttpServer(command, {"AQUEDUCT_STATE_DIR": state}) as server:
            opened = until(lambda: [line for line in server.said().splitlines() if line.startswith("operator's page on ")], server.said)
            with Prometheus(urllib.parse.urlsplit(server.url).netloc, folder) as prometheus:
                operator = Operator(opened[0].split()[-1])
                use_everything(server, operator, state)
                missing = {query: title for title, query, _ in queries(dashboard)}
                labels = {query: named_labels(query, legend) for _, query, legend in queries(dashboard)}
                count = len(missing)

                def all_there():
                    for query in list(missing):
                        found = prometheus.found(query)
                        if any(value != "NaN" for value, _ in found):
                            wrong = wrong_labels(found, labels[query])
                            assert not wrong, f"{query}: nothing has {', '.join(wrong)}"
                            del missing[query]
                    return not missing

                until(all_there, lambda: "no data for " + json.dumps(missing, indent=1))
    api.shutdown()
    print(f"dashboard: {count} queries in {len(dashboard['panels'])} panels and rows, all with data")


if __name__ == "__main__":
    main()
