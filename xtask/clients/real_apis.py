"""Servers that others wrote, each in an empty folder on this machine, and a session of ours that reads them."""

import contextlib
import itertools
import json
import os
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request

from mcp import Client, StdioServerParameters

from check_python_sdk import inside
from serving import WAIT, until

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
# A list with more pages than this has no end.
MOST_PAGES = 100


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class RealApi:
    """Runs while the `with` block does. `command` has PORT where the port goes, `files` are what is in its folder."""

    def __init__(self, command, files, path="", headers=None):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}{path}"
        self.command = [word.replace("PORT", str(self.port)) for word in command]
        self.files, self.headers = files, headers or {}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        for name, text in self.files.items():
            with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.log = os.path.join(self.folder.name, "log")
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, cwd=self.folder.name, stdout=log, stderr=subprocess.STDOUT)
        try:
            until(self.answers, self.said)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(WAIT)
        finally:
            self.process.kill()
            self.folder.cleanup()

    def answers(self):
        """Whether it is there."""
        assert self.process.poll() is None, self.said()
        with contextlib.suppress(urllib.error.URLError):
            return self.send("GET", "/") is not None
        return False

    def said(self):
        """What it printed so far."""
        with open(self.log, encoding="utf-8") as log:
            return log.read()

    def send(self, method, path, body=None):
        """Asks the server itself; gives status, headers and body."""
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=WAIT) as answer:
            text = answer.read()
            is_json = "json" in answer.headers["Content-Type"]
            return answer.status, answer.headers, json.loads(text) if is_json else text

    def get(self, path):
        """What the server itself has there."""
        return self.send("GET", path)[2]


class Asker:
    """A session with a server of ours."""

    def __init__(self, client):
        self.client = client

    async def ask(self, operation, tool="mcp_aql_read", **params):
        """The result object of a call."""
        return inside(await self.client.call_tool(tool, {"operation": operation, "params": params}))

    async def data(self, operation, tool="mcp_aql_read", **params):
        """The data of a call that succeeds."""
        result = await self.ask(operation, tool, **params)
        assert result["success"] is True, (operation, params, result)
        return result["data"]

    async def code(self, operation, tool="mcp_aql_read", **params):
        """The code of a call that fails."""
        result = await self.ask(operation, tool, **params)
        assert result["success"] is False, (operation, params, result)
        return result["error"]["code"]

    async def pages(self, operation, *sizes, **params):
        """Page after page up to the end, in these sizes in turn."""
        found, after = [], {}
        for size in itertools.islice(itertools.cycle(sizes), MOST_PAGES):
            page = await self.data(operation, first=size, **after, **params)
            found.append(page)
            info = page["pageInfo"]
            assert info["hasPreviousPage"] is (len(found) > 1 and bool(page["items"])), info
            if not info["hasNextPage"]:
                return found
            after = {"after": info["endCursor"]}
        raise AssertionError(f"{operation} has no end after {MOST_PAGES} pages")


@contextlib.asynccontextmanager
async def served(aqueduct, api, example, state, *flags, environment=None):
    """A session over stdio with an example adapter, as it is in the examples but for the port."""
    adapter = os.path.join(EXAMPLES, example)
    arguments = ["serve", adapter, "--base-url", api.url, "--state-dir", state, *flags]
    server = StdioServerParameters(command=aqueduct, args=arguments, env=environment, cwd=api.folder.name)
    async with Client(server) as client:
        yield Asker(client)


def items_of(pages):
    """The items of some pages, in order."""
    return [item for page in pages for item in page["items"]]
