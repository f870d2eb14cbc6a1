"""Work that goes on after its call, with the official Python SDK: followed, waited for with progress, cancelled, tried again, and as a task of MCP."""

import asyncio
import json
import os
import tempfile
from typing import Any, Literal

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.extension import ClientExtension, ResultClaim
from mcp_types import CallToolResult, Request, RequestParams, Result

from jobs_api import JobsApi
from serving import options

TASKS = "io.modelcontextprotocol/tasks"
# What people, confused models and attackers send instead of the name of an execution.
WRONG_NAMES = ["", " ", "export-1", "exec_", "exec_" + "0" * 32, "../../etc/passwd", "exec_%00", "x\r\nX-Injected: 1", "'; DROP TABLE executions; --", "\u202eexec_1", "e" * 5000]


def inside(result):
    """The result object of a tool result, which has one text block."""
    assert len(result.content) == 1 and result.content[0].type == "text", result
    return json.loads(result.content[0].text)


async def call(client, tool, operation, params, **more):
    """What a call is answered."""
    return inside(await client.call_tool("mcp_aql_" + tool, {"operation": operation, "params": params}, **more))


async def run_export(client, **params):
    """Starts an export; its name."""
    started = await call(client, "execute", "run_export", params)
    assert started["success"] is True and started["data"]["status"] in ("pending", "running", "waiting_for_disk"), started
    return started["data"]["execution_id"]


async def followed(client):
    """M7.2-4 M7.3-3 M5.4-1 M5.4-2 M5.4-4 M5.4-6: whoever waits for an execution hears how far it is, in the bands of the document, and it
    only rises."""
    heard = []

    async def hear(progress, total, message):
        heard.append((progress, total, message))

    name = await run_export(client, rows=100, step=5, note="writing rows")
    params = {"execution_id": name, "wait_seconds": 60}
    done = await call(client, "read", "get_execution", params, progress_callback=hear)
    assert done["data"]["status"] == "completed" and done["data"]["result"] == {"url": "/files/1"}, done
    shares = [progress for progress, _, _ in heard]
    assert shares == sorted(set(shares)) and shares[-1] == 100, shares
    assert len(shares) >= 5 and all(share in (0, 5, 95, 100) or 10 <= share <= 90 for share in shares), shares
    assert {total for _, total, _ in heard} == {100} and any(message == "writing rows" for _, _, message in heard), heard


async def retried(client):
    """A failed execution is tried again, and only such a one."""
    name = await run_export(client, rows=10, step=10, ends="failed")
    failed = await call(client, "read", "get_execution", {"execution_id": name, "wait_seconds": 60})
    assert failed["data"]["status"] == "failed" and "the disk is full" in failed["data"]["error"]["message"], failed
    again = await call(client, "execute", "retry_execution", {"execution_id": name})
    assert again["success"] is True, again
    done = await call(client, "read", "get_execution", {"execution_id": name, "wait_seconds": 60})
    assert done["data"]["status"] == "completed" and "error" not in done["data"], done
    refused = await call(client, "execute", "retry_execution", {"execution_id": name})
    assert refused["error"]["code"] == "CONFLICT_INVALID_STATE", refused


async def cancelled(client, jobs):
    """What ends the job for good needs its confirmation; then it is ended once, and stays so for who is impatient."""
    name = await run_export(client, rows=1_000_000, step=1)
    export = list(jobs.exports.values())[-1]
    asked = await call(client, "execute", "cancel_execution", {"execution_id": name})
    assert asked["error"]["code"] == "CONFIRMATION_REQUIRED" and export.stopped == 0, asked
    token = asked["error"]["details"]["confirmation_token"]
    other = await run_export(client, rows=1_000_000, step=1)
    stolen = await call(client, "execute", "cancel_execution", {"execution_id": other, "confirmation_token": token})
    assert stolen["success"] is False and export.stopped == 0, stolen
    asked = await call(client, "execute", "cancel_execution", {"execution_id": name})
    token = asked["error"]["details"]["confirmation_token"]
    params = {"execution_id": name, "confirmation_token": token}
    # Impatient: the same at once, several times.
    answers = await asyncio.gather(*[call(client, "execute", "cancel_execution", params) for _ in range(5)])
    assert sum(answer["success"] for answer in answers) == 1 and export.stopped == 1, answers
    state = await call(client, "read", "get_execution", {"execution_id": name})
    assert state["data"]["status"] == "cancelled", state


async def wrong(client):
    """Names of nothing, of another kind and of no use are refused in words, and change nothing."""
    before = await call(client, "read", "list_executions", {"first": 100})
    for operation, tool in (("get_execution", "read"), ("cancel_execution", "execute"), ("retry_execution", "execute")):
        for name in [*WRONG_NAMES, None, 7, ["exec_1"], {"id": "exec_1"}]:
            answer = await call(client, tool, operation, {"execution_id": name})
            assert answer["success"] is False, (operation, name, answer)
            message = answer["error"]["message"]
            assert len(message) < 1000 and not set(message) & set("\r\n\x00\x1b"), message
    for wait in (-1, 301, "soon", 1e9):
        answer = await call(client, "read", "get_execution", {"execution_id": "exec_1", "wait_seconds": wait})
        assert answer["error"]["code"].startswith("VALIDATION_"), answer
    after = await call(client, "read", "list_executions", {"first": 100})
    names = [[item["execution_id"] for item in listed["data"]["items"]] for listed in (before, after)]
    assert names[0] == names[1], names


class TaskResult(Result):
    """A call that goes on as a task."""

    result_type: Literal["task"] = "task"
    task_id: str
    status: str


class TaskParams(RequestParams):
    """Which task."""

    task_id: str


class TaskRequest(Request[TaskParams, Literal["tasks/get", "tasks/cancel"]]):
    """A question about a task, or its end."""

    method: Literal["tasks/get", "tasks/cancel"]
    params: TaskParams


class TaskState(Result):
    """What a task is like."""

    task_id: str | None = None
    status: str | None = None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class Tasks(ClientExtension):
    """The extension of MCP for tasks, as far as it is needed here."""

    identifier = TASKS

    def __init__(self):
        self.seen = []

    def claims(self):
        return [ResultClaim(result_type="task", model=TaskResult, resolve=self.resolve)]

    async def resolve(self, made, context):
        """Asks until the task has ended, and gives what the call gives."""
        self.seen.append(made.task_id)
        while True:
            state = await ask(context.session, "tasks/get", made.task_id)
            if state.status != "working":
                break
            await asyncio.sleep(0.05)
        assert state.status == "completed", state
        return CallToolResult.model_validate(state.result)


async def ask(session, method, task):
    """A request about a task."""
    return await session.send_request(TaskRequest(method=method, params=TaskParams(task_id=task)), TaskState)


async def as_task(server):
    """A client that knows tasks gets one for a call that goes on, asks for it to its end, and is told what is no task."""
    tasks = Tasks()
    async with Client(server, extensions=[tasks]) as client:
        done = await call(client, "execute", "run_export", {"rows": 100, "step": 20})
        assert len(tasks.seen) == 1 and done["data"]["execution_id"] == tasks.seen[0], (tasks.seen, done)
        assert done["data"]["status"] == "completed" and done["data"]["result"] == {"url": "/files/1"}, done
        state = await call(client, "read", "get_execution", {"execution_id": tasks.seen[0]})
        assert state["data"]["status"] == "completed", state
        for name in WRONG_NAMES:
            for method in ("tasks/get", "tasks/cancel"):
                try:
                    await ask(client.session, method, name)
                except MCPError as error:
                    assert error.error.code == -32602, (name, error)
                else:
                    raise AssertionError(f"{method} of {name!r}")


async def main():
    """All of it over stdio, by a server that ends with its client."""
    paths = options()
    with JobsApi() as jobs, tempfile.TemporaryDirectory() as folder:
        adapter = os.path.join(folder, "exports-adapter.md")
        with open(adapter, "w", encoding="utf-8") as file:
            file.write(jobs.adapter)
        arguments = ["serve", adapter, "--trust", "certified", "--state-dir", os.path.join(folder, "state")]
        server = StdioServerParameters(command=paths.aqueduct, args=arguments, cwd=folder)
        async with Client(server) as client:
            await followed(client)
            await retried(client)
            await cancelled(client, jobs)
            await wrong(client)
        await as_task(server)
    print("executions: all as it should be")


if __name__ == "__main__":
    asyncio.run(main())
