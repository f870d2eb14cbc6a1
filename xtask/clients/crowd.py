"""Clients of the Python SDK, all at once: every second one has a session, the others speak 2026-07-28.

As a program, `crowd.py URL FIRST COUNT` has its clients wait for slow answers, one after the other, until it is killed.
"""

import asyncio
import sys

from mcp import Client, ClientSession
from mcp.client.streamable_http import streamable_http_client

from check_python_sdk import inside
from recorder import SLOW_BOOK


async def get_book(client, book):
    """One read; the answer must be for this question."""
    result = await client.call_tool("mcp_aql_read", {"operation": "get_book", "params": {"book_id": book}})
    assert inside(result)["data"]["path"] == f"/books/{book}", result


async def visit(url, number, calls, hang_up=False):
    """Connects client `number`, and has it make its calls. One that hangs up does not end its session."""
    if number % 2:
        async with streamable_http_client(url, terminate_on_close=not hang_up) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                await calls(session, number)
    else:
        async with Client(url) as client:
            await calls(client, number)


async def wait_forever(client, number):
    """Slow answers, without an end."""
    while True:
        await get_book(client, SLOW_BOOK + number)


async def main():
    url, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    await asyncio.gather(*(visit(url, number, wait_forever) for number in range(first, first + count)))


if __name__ == "__main__":
    asyncio.run(main())
