"""The two ends of a server of ours, with nothing in between: a session over stdio, and an upstream that keeps every byte."""

import contextlib
import json
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OPENING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}


class Session:
    """A process, and one MCP session with it; it ends when the `with` block does."""

    def __init__(self, command, environment=None):
        self.command, self.environment, self.number = command, environment or {}, 0

    def __enter__(self):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.environment
        )
        self.ask("initialize", OPENING)
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(30)
        finally:
            self.process.kill()
            self.process.stdout.close()

    def ask(self, method, params):
        """The answer to one request."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.process.stdin.write((json.dumps(request) + "\n").encode())
        self.process.stdin.flush()
        while line := self.process.stdout.readline():
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer
        raise AssertionError("the server ended without an answer")

    def tools(self):
        """The tools that it offers."""
        return self.ask("tools/list", {})["result"]["tools"]

    def call(self, endpoint, operation, params):
        """The result object of one call."""
        arguments = {"operation": operation, "params": params}
        answer = self.ask("tools/call", {"name": f"mcp_aql_{endpoint}", "arguments": arguments})
        assert "result" in answer, (operation, answer)
        return json.loads(answer["result"]["content"][0]["text"])

    def confirmed(self, endpoint, operation, params):
        """The same, by somebody who agrees when asked."""
        result = self.call(endpoint, operation, params)
        if result.get("error", {}).get("code") == "CONFIRMATION_REQUIRED":
            token = result["error"]["details"]["confirmation_token"]
            result = self.call(endpoint, operation, {**params, "confirmation_token": token})
        return result

    def operations(self):
        """Name and endpoint of every operation, page after page."""
        found, after = {}, {}
        while True:
            data = self.call("read", "introspect", {"query": "operations", **after})["data"]
            found |= {each["name"]: each["endpoint"] for each in data["operations"]}
            page = data["_protocol"].get("page", {})
            if not page.get("after"):
                return found
            after = {"after": page["after"]}

    def parameters(self, operation):
        """The parameters of one operation, by name."""
        data = self.call("read", "introspect", {"query": "operations", "name": operation})["data"]
        return {each["name"]: each for each in data["operation"]["parameters"]}

    def megabytes(self):
        """What the process holds in memory now."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as status:
            return int(next(line.split()[1] for line in status if line.startswith("VmRSS:"))) / 1024


class Upstream:
    """Answers everything with an empty object while the `with` block runs; `requests` has what came, as it came."""

    def __enter__(self):
        self.requests = []
        upstream = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else b""
                if self.headers.get("Transfer-Encoding") == "chunked":
                    body = self.chunks()
                upstream.requests.append((self.command, self.path, dict(self.headers), body))
                data = b"" if self.command == "HEAD" else b"{}"
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def chunks(self):
                body = b""
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = do_HEAD = do_OPTIONS = do_TRACE = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def taken(self):
        """The requests since this was last asked."""
        taken, self.requests = self.requests, []
        return taken
