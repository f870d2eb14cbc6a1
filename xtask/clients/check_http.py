"""One process over HTTP for the official SDKs of Python and TypeScript, each with the protocol that it prefers, and a crowd."""

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import time
import urllib.parse

from mcp import Client, ClientSession
from mcp.client.streamable_http import streamable_http_client

from check_python_sdk import call_everything, confirm, fail
from crowd import get_book, visit
from recorder import SLOW_BOOK, TOKEN, Recorder
from serving import WAIT, HttpServer, options, until

HERE = os.path.dirname(os.path.abspath(__file__))
IDLE = 12
CONFIG = f"[http]\nsession_idle_seconds = {IDLE}\n"
# Two hundred clients: some of Python, which is slow, most of TypeScript, and ten of each that are killed.
PYTHON, TYPESCRIPT, DOOMED = 60, 120, 10
# What one client reads: a few books at once, then one that takes its time and comes as a stream where there is a session.
BOOKS = [1000, 2000, 3000, 4000, SLOW_BOOK]
# Megabytes by which memory may grow: what a second crowd leaves behind depends on chance, since the allocator keeps what
# it may need again; sessions one after the other leave the same memory to the next one, so little is enough to find a leak.
GROWTH_BY_CROWD, GROWTH_BY_SESSIONS = 25, 10
SESSIONS = 300


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


def node(script, inspector, *words):
    """The command that runs a script with the TypeScript SDK, which the Inspector brings along."""
    modules = os.path.dirname(os.path.dirname(inspector))
    return ["node", os.path.join(HERE, script), modules, *map(str, words)]


def come_and_go(url, count):
    """Opens sessions one after the other, makes a call in each, and ends it."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=WAIT)

    def send(verb, session, **message):
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **session}
        connection.request(verb, "/mcp", json.dumps({"jsonrpc": "2.0", **message}) if message else None, headers)
        answer = connection.getresponse()
        assert answer.status < 300, (answer.status, answer.read())
        return answer.headers["Mcp-Session-Id"], answer.read().decode()

    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}
    call = {"name": "mcp_aql_read", "arguments": {"operation": "get_book", "params": {"book_id": 7}}}
    for _ in range(count):
        name, _ = send("POST", {}, id=1, method="initialize", params=client)
        session = {"Mcp-Session-Id": name, "MCP-Protocol-Version": "2025-11-25"}
        send("POST", session, method="notifications/initialized")
        _, answer = send("POST", session, id=2, method="tools/call", params=call)
        assert "/books/7" in answer, answer
        send("DELETE", session)
    connection.close()


def sessions(server):
    """What belongs to a session goes with it."""
    come_and_go(server.url, SESSIONS)
    warm = server.megabytes("VmRSS")
    come_and_go(server.url, 2 * SESSIONS)
    end = server.megabytes("VmRSS")
    print(f"memory: after {SESSIONS} sessions {warm:.0f} MB, after {3 * SESSIONS} {end:.0f} MB")
    assert end <= warm + GROWTH_BY_SESSIONS, "sessions leave memory behind"


async def python_crowd(url, doomed):
    """Every client reads every book. While they do, the doomed processes are killed and every fifth client is torn away."""
    done = []

    def is_torn(number):
        return bool(doomed) and number % 5 == 0

    async def read(client, number):
        for book in BOOKS:
            if is_torn(number) and book == SLOW_BOOK:
                raise asyncio.CancelledError
            await get_book(client, book + number)
        done.append(number)
        if len(done) == PYTHON // 4:
            for process in doomed:
                process.kill()

    numbers = range(1, PYTHON + 1)
    visits = [asyncio.create_task(visit(url, number, read, hang_up=is_torn(number))) for number in numbers]
    outcomes = await asyncio.gather(*visits, return_exceptions=True)
    missing = [(number, outcomes[number - 1]) for number in numbers if number not in done and not is_torn(number)]
    assert not missing, missing


def crowd(url, inspector, doomed=()):
    """Python and TypeScript at once: everybody gets the right answers."""
    with subprocess.Popen(node("crowd.mjs", inspector, url, PYTHON + 1, TYPESCRIPT, *BOOKS)) as typescript:
        asyncio.run(python_crowd(url, doomed))
        assert typescript.wait(WAIT) == 0


def start_doomed(url, inspector, recorder):
    """The processes that will be killed, once each client of theirs waits for an answer."""
    first = PYTHON + TYPESCRIPT + 1
    processes = [
        subprocess.Popen([sys.executable, os.path.join(HERE, "crowd.py"), url, str(first), str(DOOMED)]),
        subprocess.Popen(node("crowd.mjs", inspector, url, first + DOOMED, DOOMED, "forever", SLOW_BOOK)),
    ]
    paths = {f"/books/{SLOW_BOOK + number}" for number in range(first, first + 2 * DOOMED)}
    until(lambda: paths <= {request[1] for request in recorder.requests}, lambda: "not everybody came")
    return processes


def everybody_leaves(server):
    """Sessions end with DELETE or, where nobody sent one, by themselves; connections are closed."""

    def left():
        # The metrics count the connection by which they are asked for.
        return server.metric("aqueduct_sessions"), server.metric("aqueduct_http_connections") - 1

    until(lambda: left() == (0, 0), lambda: "sessions and connections are left behind: %d, %d" % left(), IDLE + WAIT)


def crowds(server, inspector, recorder):
    """Nobody suffers from those who vanish, no session and no connection stays, and memory does not grow."""
    start = server.megabytes("VmRSS")
    crowd(server.url, inspector)
    everybody_leaves(server)
    warm = server.megabytes("VmRSS")
    doomed = start_doomed(server.url, inspector, recorder)
    try:
        crowd(server.url, inspector, doomed)
    finally:
        for process in doomed:
            process.kill()
    assert [process.wait(WAIT) for process in doomed] == [-signal.SIGKILL] * 2
    everybody_leaves(server)
    peak, end = server.megabytes("VmHWM"), server.megabytes("VmRSS")
    print(
        f"memory: before the crowds {start:.0f} MB, after the first {warm:.0f} MB,"
        f" at the peak {peak:.0f} MB, after the second {end:.0f} MB"
    )
    assert end <= warm + GROWTH_BY_CROWD, "memory does not return"


def main():
    paths = options()
    with Recorder() as recorder:
        config = os.path.join(recorder.folder.name, "aqueduct.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(CONFIG)
        command = [paths.aqueduct, "serve", recorder.adapter, "--http", "127.0.0.1:0", "--config", config]
        with HttpServer(command, {"LIBRARY_TOKEN": TOKEN}) as server:
            started = time.monotonic()
            asyncio.run(newest(server.url, recorder))
            asyncio.run(with_handshake(server.url, recorder))
            subprocess.run(node("http_client.mjs", paths.inspector, server.url), check=True, timeout=WAIT)
            sessions(server)
            crowds(server, paths.inspector, recorder)
            print(f"http: all well, {len(recorder.requests)} requests in {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
