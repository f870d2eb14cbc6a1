"""What `demo` prints and `client-config` writes for clients that start programs: the official Python SDK starts exactly that."""

import asyncio
import json
import os
import subprocess
import tempfile

from mcp import ClientSession, StdioServerParameters, stdio_client

from check_python_sdk import FIVE, inside
from serving import HttpServer, options, until

# The key under which each client keeps its servers.
CLIENTS = {
    "claude-desktop": "mcpServers", "claude-code": "mcpServers", "cursor": "mcpServers", "vscode": "servers",
    "windsurf": "mcpServers", "zed": "context_servers",
}


def first_object(text):
    """The first JSON object in a text, or nothing while it is not complete."""
    try:
        return json.JSONDecoder().raw_decode(text, text.index("{"))[0]
    except ValueError:
        return None


async def start(entry, folder):
    """Starts an entry as a client does, in a directory of its own; lists the tools, and reads."""
    server = StdioServerParameters(
        command=entry["command"], args=entry["args"], env=entry.get("env"), cwd=folder
    )
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            assert [tool.name for tool in (await session.list_tools()).tools] == FIVE
            arguments = {"operation": "search_books", "params": {"q": "verne"}}
            result = inside(await session.call_tool("mcp_aql_read", arguments))
            assert result["success"] is True and "Verne" in json.dumps(result["data"]), result


def snippet_of_demo(aqueduct):
    """What `demo` says is to be pasted."""
    with HttpServer([aqueduct, "demo", "--http", "127.0.0.1:0"]) as server:
        return until(lambda: first_object(server.said()), server.said)["mcpServers"]["bookshop"]


def snippet_printed(aqueduct, client, key, folder):
    """What `client-config` prints."""
    command = [aqueduct, "client-config", client, "demo"]
    printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=30)
    return first_object(printed.stdout)[key]["bookshop"]


def snippet_written(aqueduct, client, key, folder):
    """What `client-config --write` merges into a file that has another server already."""
    path = os.path.join(folder, client + ".json")
    other = {"command": "another", "args": []}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({key: {"another": other}}, file)
    command = [aqueduct, "client-config", client, "demo", "--write", "--file", path]
    subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=30)
    with open(path, encoding="utf-8") as file:
        servers = json.load(file)[key]
    assert servers["another"] == other, servers
    return servers["bookshop"]


def main():
    aqueduct = options().aqueduct
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(start(snippet_of_demo(aqueduct), folder))
        for client, key in CLIENTS.items():
            written = snippet_written(aqueduct, client, key, folder)
            assert written == snippet_printed(aqueduct, client, key, folder), written
            asyncio.run(start(written, folder))
    print(f"snippets: all well, that of demo and those of {len(CLIENTS)} clients")


if __name__ == "__main__":
    main()
