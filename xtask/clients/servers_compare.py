"""Asks MCP servers directly and through aqueduct, both with the official Python SDK, and compares what comes back."""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import time

from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

WAIT = 60
# Every question is answered like this.
ANSWER = {"name": "Ada", "check": True, "integer": 7, "interpretation": "technical"}
# Offered only to clients that a question can send to a web page, which aqueduct does not say of itself.
WITHHELD = {"trigger-url-elicitation"}
# Has to be called as a task, which neither the SDK nor aqueduct does by itself: it refuses both.
TASKS = {"simulate-research-query"}
# In the environment of aqueduct: the first is asked for by a server, the second by none.
SHARED, SECRET = {"SHARED_NAME": "world"}, {"SECRET_OF_ANOTHER": "never to be seen"}


class Outcome:
    """What a call gave: its data or its words of failure, the progress and the questions on the way."""

    def __init__(self):
        self.data, self.failure, self.progress, self.questions = None, None, [], []

    async def on_progress(self, progress, total, message):
        self.progress.append((progress, total, message))

    def short(self):
        """For people."""
        what = self.data if self.failure is None else f"failure: {self.failure}"
        return f"{json.dumps(what, ensure_ascii=False)[:600]} progress {self.progress} questions {self.questions}"


class Asking:
    """A client, and the outcome of the call that it makes now."""

    def __init__(self, log):
        self.now, self.log = Outcome(), log

    async def answer(self, _context, params):
        """What a person would do."""
        self.now.questions.append(params.message)
        known = params.requested_schema["properties"]
        return ElicitResult(action="accept", content={k: v for k, v in ANSWER.items() if k in known})

    def client(self, server):
        """A connection that can be asked questions."""
        transport = streamable_http_client(server) if isinstance(server, str) else stdio_client(server, errlog=self.log)
        return Client(transport, elicitation_callback=self.answer, read_timeout_seconds=WAIT)

    async def call(self, client, tool, arguments):
        """The result of a tool, or the error of the protocol; progress and questions are in `now`."""
        self.now = Outcome()
        return await client.call_tool(tool, arguments, progress_callback=self.now.on_progress)


def plain(thing):
    """As it is on the wire."""
    return thing.model_dump(mode="json", by_alias=True, exclude_none=True)


def text_of(blocks):
    """The words of some content."""
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")


def how_to_reach(config):
    """What the SDK needs to start a server of a configuration file, or the URL of one."""
    if "url" in config:
        return config["url"]
    values = {name: value.replace("${SHARED_NAME}", "world") for name, value in config.get("env", {}).items()}
    environment = {**{key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}, **values}
    return StdioServerParameters(command=config["command"], args=config.get("args", []), env=environment)


async def directly(servers, cases, log):
    """The tools of every server, and the outcome of every case."""
    tools, outcomes = {}, {}
    for name, config in servers.items():
        asking = Asking(log)
        async with asking.client(how_to_reach(config)) as client:
            tools[name] = {tool.name: plain(tool) for tool in (await client.list_tools()).tools}
            for case in (case for case in cases if case.server == name):
                outcomes[case] = await ask_directly(asking, client, case)
    return tools, outcomes


async def ask_directly(asking, client, case):
    """Structured content before content, as it is passed on; a failure is what its text says."""
    try:
        result = plain(await asking.call(client, case.tool, case.arguments))
    except MCPError as error:
        asking.now.failure = error.error.message
        return asking.now
    if result.get("isError"):
        asking.now.failure = text_of(result["content"])
    else:
        asking.now.data = result.get("structuredContent", result["content"])
    return asking.now


class Aqueduct:
    """Aqueduct with a configuration file, over stdio."""

    def __init__(self, client, asking):
        self.client, self.asking, self.operations = client, asking, {}

    @staticmethod
    @contextlib.asynccontextmanager
    async def serving(program, servers, folder, log):
        """Runs while the `with` block does."""
        file, asking = os.path.join(folder, "servers.json"), Asking(log)
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"mcpServers": servers}, out)
        arguments = ["serve", file, "--state-dir", os.path.join(folder, "state"), "--confirmation", "client"]
        for name in servers:
            arguments += ["--trust", f"{name}=official"]
        environment = {**{key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}, **SHARED, **SECRET}
        # The servers are seen once before, so that all of them are there from the start.
        look = [program, "introspect", *arguments[1:]]
        subprocess.run(look, env=environment, cwd=folder, stdout=log, stderr=log, timeout=WAIT, check=True)
        server = StdioServerParameters(command=program, args=arguments, env=environment, cwd=folder)
        async with asking.client(server) as client:
            yield Aqueduct(client, asking)

    async def read(self, operation, **params):
        """The data of something that is read."""
        result = await self.client.call_tool("mcp_aql_read", {"operation": operation, "params": params})
        found = json.loads(result.content[0].text)
        assert found["success"] is True, found
        return found["data"]

    async def learn(self, servers):
        """Reads every operation, with its parameters, once each server is there or had its time: on a loaded machine some come late."""
        deadline = time.monotonic() + WAIT
        while True:
            self.operations = {}
            await self.read_operations()
            late = [server for server in servers if not any(name.startswith(operation_of(server, "")) for name in self.operations)]
            if not late or time.monotonic() > deadline:
                return
            await asyncio.sleep(1)

    async def read_operations(self):
        """Page by page."""
        after = {}
        while True:
            page = await self.read("introspect", query="operations", **after)
            for listed in page["operations"]:
                described = await self.read("introspect", query="operations", name=listed["name"])
                self.operations[listed["name"]] = described["operation"]
            last = page["_protocol"].get("page", {}).get("after")
            if last is None:
                return
            after = {"after": last}

    async def ask(self, case):
        """The outcome of a case, confirmed where that is wanted."""
        operation = self.operations[operation_of(case.server, case.tool)]
        params = {snake(name): value for name, value in case.arguments.items()}
        result = await self.call(operation, params)
        if not result["success"] and result["error"]["code"] == "CONFIRMATION_REQUIRED":
            token = result["error"]["details"]["confirmation_token"]
            result = await self.call(operation, {**params, "confirmation_token": token})
        outcome = self.asking.now
        if result["success"]:
            outcome.data = result["data"]
        else:
            outcome.failure = json.dumps(result["error"], ensure_ascii=False)
        return outcome

    async def call(self, operation, params):
        """The result object."""
        arguments = {"operation": operation["name"], "params": params}
        result = await self.asking.call(self.client, operation["mcpTool"], arguments)
        return json.loads(result.content[0].text)


def snake(name):
    """A name as operations and parameters have it."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).replace("-", "_").lower()


def operation_of(server, tool):
    """The operation that a tool becomes."""
    return f"{snake(server)}__{snake(tool)}"


def missing(tools, operations):
    """Tools and parameters that are not offered as they are."""
    for server, offered in tools.items():
        for tool, told in offered.items():
            name = operation_of(server, tool)
            if tool in WITHHELD:
                continue
            if name not in operations:
                yield f"{server} {tool}: there is no operation {name}"
                continue
            shown = {parameter["name"]: parameter["required"] for parameter in operations[name]["parameters"]}
            for parameter in told["inputSchema"].get("properties", {}):
                is_required = parameter in told["inputSchema"].get("required", [])
                if shown.get(snake(parameter)) is not is_required:
                    yield f"{server} {tool}: parameter {parameter} is not shown as required: {is_required}"


def difference(case, direct, through):
    """Why two outcomes are not the same; nothing when they are."""
    if case.is_environment:
        return environment_difference(json.loads(direct.data[0]["text"]), json.loads(through.data[0]["text"]))
    if len(direct.progress) != steps_of_server(through.progress):
        return "progress"
    if [f"The MCP server '{case.server}' asks: {words}" for words in direct.questions] != through.questions:
        return "questions"
    if (direct.failure is None) != (through.failure is None):
        return "one fails"
    if direct.failure is not None:
        return None if is_told(case, direct.failure, through.failure) else "the words are lost"
    return None if still(case, direct.data) == still(case, through.data) else "data"


def steps_of_server(progress):
    """How often progress was told between what aqueduct tells of its own: under way, and answered."""
    told = [step for step, _, _ in progress]
    assert told == sorted(set(told)), f"progress goes back: {told}"
    return sum(10 < step < 95 for step in told)


def is_told(case, direct, through):
    """Whether a failure has the server's words, or is one of arguments, which are refused before they are sent."""
    error = json.loads(through)
    words = error["message"] + json.dumps(error.get("details", {}), ensure_ascii=False)
    inside = json.dumps(direct, ensure_ascii=False)[1:-1]
    is_refused = error["code"].startswith("VALIDATION_") and re.search("valid|Missing|Field required", direct)
    return bool(is_refused or masked(case, direct) in masked(case, words) or masked(case, inside) in masked(case, words))


def environment_difference(direct, through):
    """A child sees what it is given, and no secret of another."""
    lost = {key for key in direct if through.get(key) != direct[key]}
    leaked = set(through) & set(SECRET)
    return f"lost {lost}, leaked {leaked}" if lost or leaked else None


def still(case, data):
    """Data without what moves."""
    return json.loads(masked(case, json.dumps(data, ensure_ascii=False)))


def masked(case, text):
    return re.sub(case.moving, lambda found: "MOVING" if found[0][0] != '"' else '"MOVING": 0', text) if case.moving else text
