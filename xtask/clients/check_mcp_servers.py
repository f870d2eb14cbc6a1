"""Three of the reference MCP servers in one file: results beside those of direct calls, and nothing left when killed.

The small part of `cargo xtask real servers` and `real kill`, which have all servers and all ways to end.
"""

import asyncio
import os
import tempfile
import time

import servers_cases
from kill import ROUNDS, play
from servers import compare
from servers_world import World
from serving import options

CHOSEN = ["everything", "filesystem", "memory"]


def same(paths, folder):
    """S-mcp-1 S-mcp-7 S-mcp-15 S-mcp-16: each tool is an operation, and gives what it gives directly."""
    world = World(os.path.join(folder, "world"))
    servers = {name: config for name, config in world.servers(paths.mcp_servers).items() if name in CHOSEN}
    cases = servers_cases.everything() + servers_cases.filesystem(world.files) + servers_cases.memory()
    with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
        rows, wrong = asyncio.run(compare(paths.aqueduct, servers, world, cases, folder, log))
    assert not wrong, "\n".join(wrong)
    return sum(calls for _, calls, _, _ in rows.values())


def main():
    paths, started = options(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        calls = same(paths, folder)
    if os.path.exists("/proc/self/environ"):
        left = play(paths.aqueduct, paths.mcp_servers, ROUNDS[:1], len(CHOSEN))
        assert not left, left
    print(f"mcp servers: all well, {calls} calls in {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
