"""An API of exports that take a while, on this machine, and the adapter file for it: started, asked about, stopped, tried again."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ADAPTER = """---
name: exports
type: adapter
version: "1.0.0"
description: "Exports that take a while"
target: { base_url: "http://127.0.0.1:%d", transport: http, protocol: rest, serialization: json }
operations:
  execute:
    - name: run_export
      maps_to: "POST /exports"
      description: "Export all rows"
      params:
        rows: { type: integer, required: true }
        step: { type: integer, required: true }
        note: { type: string }
        ends: { type: string }
      lifecycle:
        id: { path: id }
        status: { operation: get_export }
        state_path: state
        states: { waiting_for_disk: running, finished: completed }
        progress: { current: rows_done, total: rows_all, message: note }
        result_path: file
        error_path: problem
        cancel: { operation: stop_export }
        retry: { operation: repeat_export }
        poll: { initial_ms: 50, max_ms: 200 }
    - name: stop_export
      maps_to: "POST /exports/{export_id}/stop"
      description: "Stop an export"
      danger: { level: destructive, reasons: ["what was written is lost"] }
      params: { export_id: { type: string, required: true } }
    - name: repeat_export
      maps_to: "POST /exports/{export_id}/again"
      description: "Run an export again"
      params: { export_id: { type: string, required: true } }
  read:
    - { name: get_export, maps_to: "GET /exports/{export_id}", description: "Get an export", params: { export_id: { type: string, required: true } } }
---

The exports.
"""


class Export:
    """One export: each question finds it `step` rows further; it ends as `ends` says."""

    def __init__(self, wanted):
        self.rows, self.step, self.note = wanted["rows"], wanted["step"], wanted.get("note")
        self.ends, self.done, self.stopped = wanted.get("ends", "finished"), 0, 0

    def state(self):
        """What it tells now."""
        told = {"rows_done": self.done, "rows_all": self.rows}
        if self.note:
            told["note"] = self.note
        if self.stopped:
            return {**told, "state": "canceled"}
        if self.done >= self.rows:
            return {**told, "state": self.ends, "file": {"url": "/files/1"}, "problem": "the disk is full"}
        self.done = min(self.rows, self.done + self.step)
        return {**told, "state": "waiting_for_disk" if self.done == self.step else "processing"}


class JobsApi:
    """Runs while the `with` block does; `exports` holds them by name."""

    def __enter__(self):
        self.exports = {}
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else {}
                status, said = api.answer(self.command, self.path.strip("/").split("/"), body)
                data = json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.adapter = ADAPTER % self.server.server_port
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, method, parts, body):
        """The answer to a request."""
        if (method, parts) == ("POST", ["exports"]):
            name = f"export-{len(self.exports) + 1}"
            self.exports[name] = Export(body)
            return 202, {"id": name, "state": "queued"}
        export = self.exports.get(parts[1]) if len(parts) > 1 else None
        if export is None:
            return 404, {"error": "no such export"}
        if (method, parts[2:]) == ("GET", []):
            return 200, export.state()
        if (method, parts[2:]) == ("POST", ["stop"]):
            export.stopped += 1
            return 200, {"id": parts[1]}
        if (method, parts[2:]) == ("POST", ["again"]):
            export.done, export.ends = 0, "finished"
            return 202, {"id": parts[1], "state": "processing"}
        return 404, {"error": "nothing here"}
