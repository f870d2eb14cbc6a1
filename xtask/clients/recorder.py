"""An HTTP server on this machine that records every request, and the small adapter that the checks serve against it."""

import json
import os
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "client-check-token"
# From this number on, a book takes a second to be found.
SLOW_BOOK = 9_000_000

ADAPTER = """---
name: library
type: adapter
version: "1.0.0"
description: "Books of a small library"
target:
  base_url: "http://127.0.0.1:%d"
  transport: http
  protocol: rest
  serialization: json
auth:
  type: bearer
  token_env: LIBRARY_TOKEN
operations:
  create:
    - name: create_book
      maps_to: "POST /books"
      description: "Add a book"
      params:
        title: { type: string, required: true }
        tags: { type: array, items: { type: string } }
  read:
    - name: list_books
      maps_to: "GET /books"
      description: "List books"
      params:
        per_page: { type: integer, default: 20 }
    - name: get_book
      maps_to: "GET /books/{book_id}"
      description: "Get one book"
      params:
        book_id: { type: integer, required: true }
  update:
    - name: update_book
      maps_to: "PATCH /books/{book_id}"
      description: "Change a book"
      params:
        book_id: { type: integer, required: true }
        title: { type: string }
  delete:
    - name: delete_book
      maps_to: "DELETE /books/{book_id}"
      description: "Remove a book"
      danger: { level: destructive, reasons: ["the book is gone"], confirmation_message: "Remove book {book_id}?" }
      params:
        book_id: { type: integer, required: true }
  execute:
    - name: execute_inventory
      maps_to: "POST /inventory"
      description: "Count all books"
---

The books.
"""

# Tool, operation, params, and what the upstream must see: method, path with query, body.
CALLS = [
    ("create", "create_book", {"title": "Emma", "tags": ["novel"]}, ("POST", "/books", {"title": "Emma", "tags": ["novel"]})),
    ("read", "list_books", {}, ("GET", "/books?per_page=20", None)),
    ("read", "get_book", {"book_id": 7}, ("GET", "/books/7", None)),
    ("update", "update_book", {"book_id": 7, "input": {"title": "Emma II"}}, ("PATCH", "/books/7", {"title": "Emma II"})),
    ("execute", "execute_inventory", {}, ("POST", "/inventory", None)),
]


class Recorder:
    """Runs while the `with` block does; `requests` holds (method, path, body, authorization) in order."""

    def __enter__(self):
        self.requests = []
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # else each answer waits 40 ms for an acknowledgement of its head

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                recorder.requests.append((self.command, self.path, body, self.headers.get("Authorization")))
                if self.is_slow():
                    time.sleep(1)
                data = json.dumps({"path": self.path}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                try:
                    self.end_headers()
                    self.wfile.write(data)
                except ConnectionError:  # the server gave up the call, because its client went away
                    self.close_connection = True

            def is_slow(self):
                number = self.path.removeprefix("/books/")
                return number.isdecimal() and int(number) >= SLOW_BOOK

            do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.folder = tempfile.TemporaryDirectory()
        self.adapter = os.path.join(self.folder.name, "library-adapter.md")
        with open(self.adapter, "w", encoding="utf-8") as file:
            file.write(ADAPTER % self.server.server_port)
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()

    def expect_last(self, method, path, body):
        """The newest request must be exactly this, with the token."""
        assert self.requests[-1] == (method, path, body, "Bearer " + TOKEN), self.requests[-1]
