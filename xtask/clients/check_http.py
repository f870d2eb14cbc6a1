"""One process over HTTP for the official SDKs of Python and TypeScript, each with the protocol that it prefers, and a crowd."""

import argparse
import asyncio
import os
import signal
import subprocess
import time
import urllib.request

from mcp import Client, ClientSession
from mcp.client.streamable_http import streamable_http_client

from check_python_sdk import call_everything, confirm, fail, inside
from recorder import TOKEN, Recorder

CROWD = 200
CONFIG = "[http]\nsession_idle_seconds = 12\n"


class HttpServer:
    """`aqueduct serve --http` while the `with` block runs; it must end well when told to."""

    def __init__(self, aqueduct, recorder):
        self.aqueduct, self.recorder = aqueduct, recorder

    def __enter__(self):
        config = os.path.join(self.recorder.folder.name, "aqueduct.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(CONFIG)
        command = [self.aqueduct, "serve", self.recorder.adapter, "--http", "127.0.0.1:0", "--config", config]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={"LIBRARY_TOKEN": TOKEN})
        first = self.process.stderr.readline()
        assert first.startswith("listening on http://"), first
        self.url = first.split()[-1]
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(30) == 0

    def metric(self, name):
        """A value of the metrics."""
        with urllib.request.urlopen(self.url.replace("/mcp", "/metrics"), timeout=10) as page:
            for line in page.read().decode().splitlines():
                if line.startswith(name + " "):
                    return float(line.split()[-1])
        raise AssertionError(f"no metric {name}")


async def newest(url, recorder):
    """The high-level client, which speaks 2026-07-28 and has no session."""
    async with Client(url) as client:
        assert client.protocol_version == "2026-07-28", client.protocol_version
        await call_everything(client, recorder)
        await confirm(client, recorder)
        await fail(client)


async def with_handshake(url, recorder):
    """The session with the handshake."""
    async with streamable_http_client(url) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            opened = await session.initialize()
            assert opened.protocol_version == "2025-11-25", opened
            await call_everything(session, recorder)
            await confirm(session, recorder)
            await fail(session)


def typescript(url, inspector):
    """The TypeScript SDK that the Inspector brings along."""
    modules = os.path.dirname(os.path.dirname(inspector))
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "http_client.mjs")
    subprocess.run(["node", script, modules, url], check=True, timeout=60)


async def visitor(url, number, done):
    """One of the crowd: every second one has a session, every fifth one is torn away in the middle."""

    async def calls(client):
        for book in range(5):
            arguments = {"operation": "get_book", "params": {"book_id": number * 10 + book}}
            result = inside(await client.call_tool("mcp_aql_read", arguments))
            assert result["data"]["path"] == f"/books/{number * 10 + book}", result
            if number % 5 == 0 and book == 2:
                raise asyncio.CancelledError
        done.append(number)

    if number % 2:
        async with streamable_http_client(url, terminate_on_close=number % 5 != 0) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                await calls(session)
    else:
        async with Client(url) as client:
            await calls(client)


async def crowd(server):
    """Many at once: nobody suffers from those who vanish, and no session is left behind."""
    done = []
    visits = [asyncio.create_task(visitor(server.url, number, done)) for number in range(1, CROWD + 1)]
    await asyncio.gather(*visits, return_exceptions=True)
    expected = [number for number in range(1, CROWD + 1) if number % 5]
    assert sorted(done) == expected, sorted(set(expected) - set(done))
    until = time.monotonic() + 60
    while server.metric("aqueduct_sessions") > 0:
        assert time.monotonic() < until, "sessions are left behind"
        await asyncio.sleep(0.2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--inspector", required=True)
    options = parser.parse_args()
    with Recorder() as recorder, HttpServer(options.aqueduct, recorder) as server:
        started = time.monotonic()
        asyncio.run(newest(server.url, recorder))
        asyncio.run(with_handshake(server.url, recorder))
        typescript(server.url, options.inspector)
        asyncio.run(crowd(server))
        print(f"http: all well, {len(recorder.requests)} requests in {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
