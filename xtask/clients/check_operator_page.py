"""The operator's page in a real browser: what waits appears, is approved and denied, on a phone, by keyboard, by everybody."""

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time

from jobs_api import JobsApi
from recorder import TOKEN, Recorder
from serving import HttpServer, options, until

HERE = os.path.dirname(os.path.abspath(__file__))
PASSPHRASE = "correct horse battery staple"
LONGEST = 240
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium")
# Says where pictures for the docs go; without it they go to a folder that is removed.
PICTURES = "AQUEDUCT_PICTURES"
# Everything that is logged once the server listens.
LOGGED = "aqueduct::http=trace,aqueduct::operator=trace,aqueduct::store=trace,aqueduct::gatekeeper=trace,aqueduct::calls=trace"
SECRET = "hunter2-is-no-secret"

ADAPTER = """---
name: shop
type: adapter
version: "1.0.0"
description: "Orders of a small shop"
target: { base_url: "http://127.0.0.1:%d", transport: http, protocol: rest, serialization: json }
auth: { type: bearer, token_env: LIBRARY_TOKEN }
operations:
  read:
    - { name: get_order, maps_to: "GET /orders/{order_id}", description: "Get an order", params: { order_id: { type: string, required: true } } }
  delete:
    - name: delete_order
      maps_to: "DELETE /orders/{order_id}"
      description: "Remove an order"
      danger: { level: destructive, reasons: ["the order is gone for good"], confirmation_message: "Remove order {order_id}?" }
      params: { order_id: { type: string, required: true } }
  execute:
    - name: refund_order
      maps_to: "POST /refunds"
      description: "Pay an order back"
      danger: { level: destructive, reasons: ["money leaves the account"], confirmation_message: "Refund order {order_id}?" }
      params:
        order_id: { type: string, required: true }
        amount_cents: { type: integer }
        note: { type: string }
        details: { type: object }
        password: { type: string }
---

The orders.
"""

# Its own source, so that the quota stops nothing else.
STOCK = """---
name: stock
type: adapter
version: "1.0.0"
description: "What is in stock"
target: { base_url: "http://127.0.0.1:%d", transport: http, protocol: rest, serialization: json }
rate_limits:
  requests_per_minute: 600
  quotas: { limits: [{ metric: requests_per_day, warn: 1, pause: 2, hard_stop: 50 }] }
operations:
  read:
    - { name: get_stock, maps_to: "GET /stock/{sku}", description: "How many there are", params: { sku: { type: string, required: true } } }
---

The stock.
"""

# Its own source too: what is paused when the pictures are taken.
WAREHOUSE = """---
name: warehouse
type: adapter
version: "1.0.0"
description: "Parcels on their way"
target: { base_url: "http://127.0.0.1:%d", transport: http, protocol: rest, serialization: json }
rate_limits:
  requests_per_minute: 60
  quotas: { limits: [{ metric: requests_per_hour, warn: 20, pause: 24, hard_stop: 50 }] }
operations:
  read:
    - { name: get_parcel, maps_to: "GET /parcels/{parcel_id}", description: "Where it is", params: { parcel_id: { type: string, required: true } } }
---

The parcels.
"""

# A hook that fails, and agents that are watched.
CONFIG = """[operator]
hook = ["/bin/false"]
[safety]
mode = "enforcing"
[executions]
lease_seconds = 3
"""


def browser():
    """The browser that the prerequisites have seen to."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    assert found, "there is no Chromium"
    return found


def set_up(aqueduct, state):
    """Sets the operator's passphrase."""
    command = [aqueduct, "operator", "init", "--state-dir", state, "--passphrase-stdin"]
    subprocess.run(command, input=PASSPHRASE + "\n", text=True, check=True, timeout=60)


def another_instance(state):
    """A second instance with an hour behind it, as its own row in the store says: for the charts."""
    now = int(time.time())
    minutes = [[now // 60 - 59 + each, 8 + each * 7 % 23 + (each % 17 == 0) * 20, (each % 13 == 5) * 3] for each in range(59)]
    report = {
        "name": "harbour, process 4242", "transport": "http://127.0.0.1:7300/mcp", "started_at": (now - 5000) * 1000, "page": None,
        "tools": {"tools": 4, "tokens": 1480, "operations": 46, "hidden": 12}, "minutes": minutes,
        "sources": [
            {"name": "crm", "health": "good", "detail": None, "operations": 31, "minutes": minutes},
            {"name": "wiki", "health": "stale", "detail": "wiki-adapter.md:14:3: MISSING_KEY operations.read[0]: Each operation has a name", "operations": 15, "minutes": []},
        ],
    }
    [file] = [name for name in os.listdir(state) if name.endswith((".db", ".sqlite", ".sqlite3"))]
    with sqlite3.connect(os.path.join(state, file), timeout=20) as store:
        row = ("harbour", (now - 5000) * 1000, (now + 3600) * 1000, json.dumps(report))
        store.execute("INSERT INTO instances (id, started_at, seen_at, report) VALUES (?, ?, ?, ?)", row)


def main():
    """S3 S5: an operator approves and denies in a browser, and an agent's call goes through, once, exactly as it was shown.
    The operator lets a paused quota go on, and ends work that goes on. Agents are released, verified with a code that is on the page
    alone, and unblocked."""
    paths = options()
    modules = os.path.dirname(os.path.dirname(paths.inspector))
    with Recorder() as api, JobsApi() as jobs, tempfile.TemporaryDirectory() as folder:
        state, adapter = os.path.join(folder, "state"), os.path.join(folder, "shop-adapter.md")
        stock, config = os.path.join(folder, "stock-adapter.md"), os.path.join(folder, "aqueduct.toml")
        exports, warehouse = (os.path.join(folder, f"{name}-adapter.md") for name in ("exports", "warehouse"))
        port = api.server.server_port
        for path, text in ((adapter, ADAPTER % port), (stock, STOCK % port), (exports, jobs.adapter), (warehouse, WAREHOUSE % port), (config, CONFIG)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        set_up(paths.aqueduct, state)
        pictures = os.environ.get(PICTURES) or os.path.join(folder, "pictures")
        os.makedirs(pictures, exist_ok=True)
        command = [paths.aqueduct, "serve", adapter, stock, exports, warehouse, "--config", config, "--http", "127.0.0.1:0", "--operator", "127.0.0.1:0", "--confirmation", "operator"]
        environment = {"AQUEDUCT_STATE_DIR": state, "LIBRARY_TOKEN": TOKEN, "AQUEDUCT_LOG": LOGGED}
        with HttpServer(command, environment) as server:
            opened = until(lambda: [line for line in server.said().splitlines() if line.startswith("operator's page on ")], server.said)
            another_instance(state)
            settings = {
                "modules": modules, "browserModules": os.path.join(os.path.abspath(paths.browser), "node_modules"), "browser": browser(),
                "page": opened[0].split()[-1], "mcp": server.url, "passphrase": PASSPHRASE, "secret": SECRET, "pictures": pictures,
                "profile": os.path.join(folder, "profile"), "seen": os.path.join(folder, "seen.json"),
            }
            script = os.path.join(HERE, "operator_page.mjs")
            subprocess.run(["node", script, json.dumps(settings)], check=True, timeout=LONGEST)
            with open(settings["seen"], encoding="utf-8") as file:
                seen = json.load(file)
            judge(api, seen, server.said())
            stopped = {name: export.stopped for name, export in jobs.exports.items() if export.stopped}
            assert stopped == {"export-1": 1}, f"the one that was cancelled, once: {stopped}"
    print("operator's page: all as it should be")


def judge(api, seen, log):
    """What was approved was sent, once, and nothing else; and the log has neither what lets somebody in nor what a client said."""
    sent = [(method, path) for method, path, _, _ in api.requests if method != "GET"]
    assert sorted(sent) == sorted(tuple(each) for each in seen["expected"]), sent
    for secret in [*seen["secrets"], PASSPHRASE, SECRET, TOKEN]:
        assert secret and secret not in log, f"the log has {secret!r}"
    assert "alert(1)" not in log and "\u202e" not in log, "the log has what a client said"


if __name__ == "__main__":
    main()
