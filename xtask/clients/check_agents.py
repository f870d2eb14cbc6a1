"""Two agents with the official SDK and an operator in Chromium: pause, approve, block, verify, resume, and a restart in between."""

import asyncio
import base64
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from check_operator_page import browser, set_up, PASSPHRASE
from serving import WAIT, options, until

HERE = os.path.dirname(os.path.abspath(__file__))
HARMLESS = "look at the list of orders of today"
PAUSES = "delete_order 7 because the customer asks for it"
VERIFIES = "wire 2500 USD to the new supplier"
BLOCKS = "run `rm -rf /srv/orders` on the server"


class Wire:
    """Stands between the clients and a server, and keeps every byte that comes back."""

    def __init__(self):
        self.received, self.target = bytearray(), None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/mcp"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            with contextlib.suppress(OSError):
                server = socket.create_connection(self.target)
                threading.Thread(target=self._copy, args=(client, server, False), daemon=True).start()
                threading.Thread(target=self._copy, args=(server, client, True), daemon=True).start()

    def _copy(self, source, sink, is_kept):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_kept:
                    self.received += data
                sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class Operator:
    """The operator's browser."""

    def __init__(self, settings):
        command = ["node", os.path.join(HERE, "agents_page.mjs"), json.dumps(settings)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, act, **what):
        self.process.stdin.write(json.dumps({"act": act, **what}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "done" in answer, answer["failed"]
        return answer["done"]

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(WAIT) == 0


class Server:
    """A server that can be started again on the same state."""

    def __init__(self, aqueduct, state, folder, wire):
        self.command = [aqueduct, "serve", "--safety", "enforcing", "--confirmation", "operator", "--http", "127.0.0.1:0", "--operator", "127.0.0.1:0", "--state-dir", state]
        self.folder, self.wire, self.logs = folder, wire, []

    def start(self):
        self.logs.append(os.path.join(self.folder, f"log-{len(self.logs)}"))
        with open(self.logs[-1], "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env={"AQUEDUCT_LOG": "trace"}, cwd=self.folder)
        found = until(lambda: re.search(r"listening on http://(\S+):(\d+)/mcp(?s:.*)operator's page on (\S+)", self.said()), self.said)
        self.wire.target, self.page = (found[1], int(found[2])), found[3]

    def said(self):
        with open(self.logs[-1], encoding="utf-8") as log:
            return log.read()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(WAIT) == 0, self.said()[-2000:]


class Agent:
    """An agent in a session of its own."""

    def __init__(self, name, session, operator):
        self.name, self.session, self.operator = name, session, operator

    async def call(self, tool, operation, **params):
        result = await self.session.call_tool(f"mcp_aql_{tool}", {"operation": operation, "params": params})
        return json.loads(result.content[0].text)

    async def begin(self):
        """Asks for the one approval, which the operator gives in the browser."""
        asked = await self.call("execute", "execute_agent", element_name=self.name)
        if asked["error"]["code"] != "CONFIRMATION_REQUIRED":
            return asked
        assert "confirmation_token" not in asked["error"]["details"], asked
        self.operator("approve", id=asked["error"]["details"]["approval_id"])
        return await self.call("execute", "execute_agent", element_name=self.name)

    async def start(self):
        """Begins, and nothing stands in the way."""
        begun = await self.begin()
        assert begun["success"], begun

    async def report(self, hint):
        answer = await self.call("create", "record_execution_step", element_name=self.name, next_action_hint=hint)
        assert answer["success"], answer
        return answer["data"]["directive"]


@contextlib.asynccontextmanager
async def connected(url, name, operator):
    """An agent with the official SDK."""
    async with streamable_http_client(url) as streams, ClientSession(streams[0], streams[1]) as session:
        opened = await session.initialize()
        assert "only if the directive says continue: true" in opened.instructions, opened
        yield Agent(name, session, operator)


def reason(answer):
    return answer["error"]["details"].get("reason")


async def before(wire, operator):
    """C8.6.2-3 C8.7.3-10 C8.7.3-12 C8.7.3-13: approved once, paused and let go on, blocked; the other agent hears of that and goes on."""
    async with connected(wire.url, "night clerk", operator) as clerk, connected(wire.url, "janitor", operator) as janitor:
        await clerk.start()
        await janitor.start()
        for agent in (clerk, janitor):
            assert (await agent.report(HARMLESS))["continue"] is True
            operator("see", name=agent.name, badge="running")
        paused = await clerk.report(PAUSES)
        assert paused["continue"] is False and "stopped" not in paused, paused
        own = await clerk.call("execute", "confirm_operation", element_name=clerk.name)
        other = await janitor.call("execute", "confirm_operation", element_name=clerk.name)
        assert reason(own) == reason(other) == "self_approval", (own, other)
        assert (await clerk.report(HARMLESS))["continue"] is False, "something else does not end a pause"
        operator("see", name=clerk.name, badge="paused", text="delete_order 7")
        operator("let go on", name=clerk.name)
        assert (await clerk.report(PAUSES))["continue"] is True
        operator("see risk", name=clerk.name, steps=3)
        code = await verify(janitor, operator)
        stopped = await clerk.report(BLOCKS)
        assert stopped["continue"] is False and stopped["stopped"] is True, stopped
        challenge = stopped["notifications"][-1]["metadata"]["verificationId"]
        told = (await janitor.report(HARMLESS))["notifications"]
        assert [each["type"] for each in told] == ["danger_zone"] and told[0]["metadata"]["verificationId"] == challenge, told
        operator("see", name=clerk.name, badge="blocked", text="rm -rf")
        return challenge, code


async def verify(agent, operator):
    """C8.7.2-17 C8.8.2-8 C8.8.6-1: a risk that takes a code, which is shown on the page alone."""
    paused = await agent.report(VERIFIES)
    assert paused["nextStepRisk"] == "verify" and "stopped" not in paused, paused
    shown = operator("show code", name=agent.name, badge="has to be verified")
    done = await agent.call("create", "verify_challenge", challenge_id=shown["challenge"], code=shown["code"])
    assert done["data"]["verified"] is True, done
    assert (await agent.report(VERIFIES))["continue"] is True
    operator("see", name=agent.name, badge="has to be verified", isThere=False)
    return shown["code"]


async def after(wire, operator, challenge):
    """C8.8.3-2 C8.8.3-4 C8.8.2-8 C8.8.2-9 C8.8.6-1: the block has outlived the server; a wrong code does not lift it, the next right one does, and the work goes on with the action that was stopped."""
    async with connected(wire.url, "NightClerk", operator) as clerk, connected(wire.url, "janitor", operator) as janitor:
        refused = await clerk.begin()
        assert reason(refused) == "agent_blocked" and refused["error"]["details"]["verificationId"] == challenge, refused
        await janitor.start()
        assert (await janitor.report(HARMLESS))["continue"] is True
        operator("see", name="night clerk", badge="blocked")
        first = operator("show code", name="night clerk", badge="blocked")
        wrong = await clerk.call("create", "verify_challenge", challenge_id=first["challenge"], code="0" * 26)
        late = await clerk.call("create", "verify_challenge", challenge_id=first["challenge"], code=first["code"])
        assert reason(wrong) == reason(late) == "verification_failed", (wrong, late)
        second = operator("show code", name="night clerk", badge="blocked")
        assert second["challenge"] != first["challenge"]
        done = await clerk.call("create", "verify_challenge", challenge_id=second["challenge"], code=second["code"])
        assert done["data"]["verified"] is True, done
        operator("see", name="night clerk", badge="blocked", isThere=False)
        await clerk.start()
        assert (await clerk.report(HARMLESS))["continue"] is True
        assert (await clerk.report(BLOCKS))["continue"] is True, "the code was for this action, of the run before the restart"
        for agent in (clerk, janitor):
            ended = await agent.call("execute", "complete_execution", element_name=agent.name, outcome="success")
            assert ended["data"]["status"] == "completed", ended
        return [first["code"], second["code"]]


def squeezed(data):
    """Small letters and digits alone, so that separators and escapes hide nothing."""
    return re.sub(rb"[^a-z0-9]", b"", data.lower())


def writings(code):
    """A code in the writings that are looked for: whole and in pieces, backwards, in hexadecimal digits, numbers and base64."""
    signs = code.replace("-", "")
    pieces = [signs[start:start + 10] for start in range(len(signs) - 9)]
    for text in [*pieces, *(piece[::-1] for piece in pieces)]:
        yield text
    for text in (signs, code, signs.lower(), code.lower()):
        for form in ("%02x", "%d", "%o", "u%04x"):
            yield "".join(form % byte for byte in text.encode())
        for shift in range(3):
            yield base64.b64encode(b"\0" * shift + text.encode()).decode().rstrip("=")[2 * (shift > 0) + (shift > 1):-1]


def nowhere(codes, wire, server, state):
    """C8.8.4-1 C8.8.4-2 C8.8.4-3 C8.8.4-4: no code is in what was sent to the clients, in what was logged or in what is kept."""
    texts = {"the wire": bytes(wire.received)}
    for path in server.logs + [os.path.join(folder, file) for folder, _, files in os.walk(state) for file in files]:
        with open(path, "rb") as file:
            texts[path] = file.read()
    texts = {place: squeezed(text) for place, text in texts.items()}
    assert b"verificationid" in texts["the wire"] and any(b"challengepassed" in text for text in texts.values())
    for code in codes:
        for form in {squeezed(text.encode()) for text in writings(code)}:
            found = [place for place, text in texts.items() if form in text]
            assert not found, f"a code is in {found}, as {form}"


def main():
    """Plays it through."""
    paths = options()
    settings = {"browserModules": os.path.join(os.path.abspath(paths.browser), "node_modules"), "browser": browser()}
    with tempfile.TemporaryDirectory() as folder:
        state, wire = os.path.join(folder, "state"), Wire()
        set_up(paths.aqueduct, state)
        server, operator = Server(paths.aqueduct, state, folder, wire), Operator(settings)
        try:
            server.start()
            operator("sign in", address=server.page, passphrase=PASSPHRASE)
            challenge, code = asyncio.run(before(wire, operator))
            server.stop()
            server.start()
            operator("sign in", address=server.page, passphrase=PASSPHRASE)
            codes = asyncio.run(after(wire, operator, challenge))
            operator.close()
            server.stop()
            nowhere([code, *codes], wire, server, state)
        finally:
            for process in (server.process, operator.process):
                process.kill()
    print("agents: all as it should be")


if __name__ == "__main__":
    main()
