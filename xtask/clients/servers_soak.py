"""An MCP server killed again and again while callers do not stop: no call may hang, and memory must stay.

Run by `cargo xtask soak servers [RESTARTS]`, on Linux. A call that begins while the server is away must fail at once and
say so; one under way when it is killed must fail too, and soon. Calls of the servers beside it must never fail.
"""

import argparse
import asyncio
import collections
import json
import os
import re
import signal
import sys
import tempfile
import time

from mcp import Client, StdioServerParameters, stdio_client

from kill_processes import end, new_mark, servers

SERVERS = 3
# The one that is killed.
VICTIM = 0
CALLERS_EACH = 4
# Beyond this a call hangs.
MOST_SECONDS = 10.0
# Restarts before what aqueduct holds is measured for the first time, with all servers there.
WARM_UP = 10
# Growth of memory beyond which something is kept, in megabytes.
MOST_GROWTH = 10.0
# The longest wait for a server to be back; the longest of aqueduct's own is 30 seconds.
BACK = 90.0


class Soak:
    """What is counted, and whether it goes on."""

    def __init__(self, client, mark):
        self.client, self.mark = client, mark
        self.outcomes, self.failures = collections.Counter(), collections.Counter()
        self.slowest, self.is_over, self.done = 0.0, False, 0

    async def call(self, number):
        """One call of one server; whether it succeeded."""
        arguments = {"operation": f"s{number}__echo", "params": {"message": "x" * 1000}}
        began = time.monotonic()
        try:
            result = await asyncio.wait_for(self.client.call_tool("mcp_aql_read", arguments), MOST_SECONDS)
        except (asyncio.TimeoutError, TimeoutError):
            self.outcomes["hung"] += 1
            return False
        self.slowest = max(self.slowest, time.monotonic() - began)
        found = json.loads(result.content[0].text)
        self.outcomes["succeeded" if found["success"] else "failed"] += 1
        self.outcomes["failed beside"] += int(number != VICTIM and not found["success"])
        if not found["success"]:
            self.failures[shape(found["error"])] += 1
        return found["success"]

    async def keep_calling(self, number):
        """Under load until it is over."""
        while not self.is_over:
            if not await self.call(number):
                await asyncio.sleep(0.02)

    async def kill_until(self, restarts):
        """Kills the server until it has been so often; then it is there again."""
        running = await self.back(VICTIM, None)
        while self.done < restarts:
            self.done += 1
            os.kill(running, signal.SIGKILL)
            running = await self.back(VICTIM, running)

    async def back(self, number, killed):
        """The process of a server that is there again and answers."""
        deadline = time.monotonic() + BACK
        while True:
            running = [pid for pid in servers(f"{self.mark}-{number}-") if pid != killed]
            if running and await self.call(number):
                return running[0]
            assert time.monotonic() < deadline, f"server {number} does not come back"
            await asyncio.sleep(0.05)


def shape(error):
    """A failure without its numbers."""
    return f"{error['code']}: {re.sub(r'[0-9]+([.][0-9]+)?', '#', error['message'])[:160]}"


class Held:
    """What a process holds."""

    def __init__(self, pid):
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            fields = dict(line.split(":", 1) for line in file)
        self.megabytes = int(fields["VmRSS"].split()[0]) / 1024
        self.threads = int(fields["Threads"])
        self.files = len(os.listdir(f"/proc/{pid}/fd"))

    def __str__(self):
        return f"{self.megabytes:.1f} MB, {self.threads} threads, {self.files} files"


def configuration(npm, mark):
    """The same server many times."""
    program = os.path.join(npm, "node_modules", ".bin", "mcp-server-everything")
    return {"mcpServers": {f"s{n}": {"command": program, "env": {"MARK": f"{mark}-{n}-"}} for n in range(SERVERS)}}


def process_of(aqueduct, file):
    """The number of the aqueduct that serves a file."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as line:
                words = line.read().split(b"\0")
        except OSError:
            continue
        if words[:3] == [aqueduct.encode(), b"serve", file.encode()]:
            return int(name)
    raise AssertionError("aqueduct does not run")


async def run(aqueduct, npm, restarts, folder, mark):
    """The report, and whether it is good."""
    file = os.path.join(folder, "servers.json")
    with open(file, "w", encoding="utf-8") as out:
        json.dump(configuration(npm, mark), out)
    arguments = ["serve", file, "--state-dir", os.path.join(folder, "state")]
    server = StdioServerParameters(command=aqueduct, args=arguments, env={"PATH": os.environ["PATH"]}, cwd=folder)
    with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
        async with Client(stdio_client(server, errlog=log)) as client:
            soak, pid = Soak(client, mark), process_of(aqueduct, file)
            await asyncio.gather(*(soak.back(number, None) for number in range(SERVERS)))
            soak.outcomes.clear()
            soak.failures.clear()
            began, soak.slowest = time.monotonic(), 0.0
            callers = [asyncio.create_task(soak.keep_calling(n)) for n in range(SERVERS) for _ in range(CALLERS_EACH)]
            await soak.kill_until(min(WARM_UP, restarts // 2))
            before = Held(pid)
            await soak.kill_until(restarts)
            took, after = time.monotonic() - began, Held(pid)
            soak.is_over = True
            await asyncio.gather(*callers)
            return report(soak, took, before, after)


def report(soak, took, before, after):
    """Prints it; true when all is well."""
    kinds = ("succeeded", "failed", "hung")
    calls = sum(soak.outcomes[kind] for kind in kinds)
    told = ", ".join(f"{soak.outcomes[kind]} {kind}" for kind in kinds)
    rows = {
        "restarts": f"{soak.done} of one of {SERVERS} servers",
        "calls": f"{calls}: {told}",
        "beside it": f"{soak.outcomes['failed beside']} failed",
        "slowest call": f"{soak.slowest:.2f} s",
        "held before": f"{before}",
        "held after": f"{after}",
        "time": f"{took:.0f} s",
    }
    print("\n".join(f"{name:<16}{value}" for name, value in rows.items()))
    for words, count in soak.failures.most_common(8):
        print(f"  {count:>6} {words}")
    is_flat = after.megabytes - before.megabytes < MOST_GROWTH
    is_flat = is_flat and after.threads <= before.threads + 2 and after.files <= before.files + 2
    is_calm = not soak.outcomes["hung"] and not soak.outcomes["failed beside"]
    return bool(soak.outcomes["succeeded"]) and is_calm and is_flat


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--npm", required=True, help="the folder with the servers from npm")
    parser.add_argument("--restarts", type=int, default=100)
    paths, mark = parser.parse_args(), new_mark()
    with tempfile.TemporaryDirectory() as folder:
        try:
            is_good = asyncio.run(run(os.path.abspath(paths.aqueduct), paths.npm, paths.restarts, folder, mark))
        finally:
            end(mark)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
