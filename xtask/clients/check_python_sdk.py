"""Lists and calls everything with the official Python SDK, in both ways that it opens a connection."""

import asyncio
import json
import os
import pty
import subprocess
import time

from mcp import Client, ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp_types import ElicitResult

from recorder import CALLS, TOKEN, Recorder
from serving import options

FIVE = ["mcp_aql_create", "mcp_aql_read", "mcp_aql_update", "mcp_aql_delete", "mcp_aql_execute"]


def inside(result):
    """The result object of a tool result, which has one text block."""
    assert len(result.content) == 1 and result.content[0].type == "text", result
    return json.loads(result.content[0].text)


async def call_everything(client, recorder):
    """M1.1-1 M1.4-3 M4.1.3-1: every operation through its tool, as the upstream sees it."""
    assert [tool.name for tool in (await client.list_tools()).tools] == FIVE
    listed = await client.call_tool("mcp_aql_read", {"operation": "introspect", "params": {"query": "operations"}})
    names = {operation["name"] for operation in inside(listed)["data"]["operations"]}
    assert names == {name for _, name, _, _ in CALLS} | {"delete_book", "introspect"}, names
    for tool, operation, params, seen in CALLS:
        result = await client.call_tool("mcp_aql_" + tool, {"operation": operation, "params": params})
        assert result.is_error is False, result
        assert inside(result) == {"success": True, "data": {"path": seen[1]}}, result
        recorder.expect_last(*seen)


async def confirm(client, recorder):
    """M4.1.2-7: the confirmation round trip; nothing is sent before it, and a token works once."""
    count = len(recorder.requests)
    arguments = {"operation": "delete_book", "params": {"book_id": 7}}
    asked = await client.call_tool("mcp_aql_delete", arguments)
    assert asked.is_error is False and len(recorder.requests) == count
    error = inside(asked)["error"]
    assert error["code"] == "CONFIRMATION_REQUIRED" and error["details"]["confirmation_message"] == "Remove book 7?"
    arguments["params"]["confirmation_token"] = error["details"]["confirmation_token"]
    done = await client.call_tool("mcp_aql_delete", arguments)
    assert inside(done)["success"] is True, done
    recorder.expect_last("DELETE", "/books/7", None)
    again = await client.call_tool("mcp_aql_delete", arguments)
    assert inside(again)["error"]["code"] == "TOKEN_ALREADY_USED", again
    assert len(recorder.requests) == count + 1


async def fail(client):
    """M4.2-4 M4.2-6: failures of operations are results, an unknown tool is an error of the protocol."""
    missing = await client.call_tool("mcp_aql_read", {"operation": "get_book", "params": {}})
    assert missing.is_error is False and inside(missing)["error"]["code"] == "VALIDATION_MISSING_PARAM"
    nothing = await client.call_tool("mcp_aql_read", {})
    assert nothing.is_error is True and inside(nothing)["error"]["code"] == "VALIDATION_MISSING_PARAM"
    try:
        await client.call_tool("mcp_aql_nothing", {"operation": "get_book"})
    except MCPError as error:
        assert error.error.code == -32602, error
    else:
        raise AssertionError("an unknown tool was called")


async def with_client(server, recorder):
    """The high-level client, which asks for the newest protocol first."""
    async with Client(server) as client:
        await call_everything(client, recorder)
        await confirm(client, recorder)
        await fail(client)


async def with_session(server, recorder):
    """The session with the handshake."""
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            opened = await session.initialize()
            assert opened.server_info.name == "aqueduct" and "introspect" in opened.instructions
            await session.send_ping()
            await call_everything(session, recorder)
            await confirm(session, recorder)
            await fail(session)


class Person:
    """Somebody behind a client who is asked, and answers so."""

    def __init__(self, result):
        self.result, self.questions = result, []

    async def answer(self, _context, params):
        """The answer to a question."""
        self.questions.append(params.message)
        return self.result


async def person_decides(client, person, recorder):
    """Ruling S3: the person is asked by the client, and a yes runs the call."""
    count, agrees = len(recorder.requests), person.result.content == {"answer": "yes"}
    result = await client.call_tool("mcp_aql_delete", {"operation": "delete_book", "params": {"book_id": 7}})
    assert len(person.questions) == 1 and "Remove book 7?" in person.questions[0], person.questions
    answer = inside(result)
    assert answer["success"] is agrees and len(recorder.requests) == count + agrees, answer
    if not agrees:
        assert answer["error"]["code"] == "PERMISSION_DENIED", answer


async def with_person(server, recorder, result):
    """Both clients, with somebody who can be asked."""
    person = Person(result)
    async with Client(server, elicitation_callback=person.answer) as client:
        await person_decides(client, person, recorder)
    person = Person(result)
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, elicitation_callback=person.answer) as session:
            await session.initialize()
            await person_decides(session, person, recorder)


def at_the_terminal(aqueduct, recorder, answer, code):
    """Ruling S3: `call` asks the person at the terminal, and does what the person says."""
    ours, theirs = pty.openpty()
    environment = {"LIBRARY_TOKEN": TOKEN}
    command = [aqueduct, "call", recorder.adapter, "delete_book", "book_id=7"]
    count = len(recorder.requests)
    process = subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    )
    os.write(ours, (answer + "\n").encode())
    output, errors = process.communicate(timeout=30)
    os.close(ours)
    os.close(theirs)
    assert process.returncode == code, (output, errors)
    assert "Remove book 7? (the book is gone) [y/N]" in errors, errors
    assert json.loads(output)["success"] is (code == 0), output
    assert len(recorder.requests) == count + (1 if code == 0 else 0)


def main():
    paths = options()
    with Recorder() as recorder:
        started = time.monotonic()
        server = StdioServerParameters(
            command=paths.aqueduct, args=["serve", recorder.adapter], env={"LIBRARY_TOKEN": TOKEN}
        )
        asyncio.run(with_client(server, recorder))
        asyncio.run(with_session(server, recorder))
        asyncio.run(with_person(server, recorder, ElicitResult(action="accept", content={"answer": "yes"})))
        asyncio.run(with_person(server, recorder, ElicitResult(action="accept", content={"answer": "no"})))
        asyncio.run(with_person(server, recorder, ElicitResult(action="decline")))
        at_the_terminal(paths.aqueduct, recorder, "y", 0)
        at_the_terminal(paths.aqueduct, recorder, "n", 1)
        at_the_terminal(paths.aqueduct, recorder, "", 1)
        print(f"python sdk: all well, {len(recorder.requests)} requests in {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
