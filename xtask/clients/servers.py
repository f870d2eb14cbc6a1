"""Every tool of the reference MCP servers, called directly and through aqueduct; prints a table, fails on a difference.

Run by `cargo xtask real servers`. Where the machine allows it, all of it runs in a network of its own, where one of the
servers can also listen for HTTP: it would do that on every address.
"""

import argparse
import asyncio
import contextlib
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import servers_cases
from real_apis import free_port
from servers_compare import TASKS, WITHHELD, Aqueduct, difference, directly, missing
from servers_world import World
from serving import until

PAGE = b"<html><head><title>Wells</title></head><body><h1>Wells</h1><p>Deep &amp; clear.</p></body></html>"
ALONE = "AQUEDUCT_SERVERS_ALONE"


class Page(http.server.BaseHTTPRequestHandler):
    """One page, and nothing else."""

    def do_GET(self):
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def page():
    """The address of a page on this machine."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@contextlib.contextmanager
def over_http(npm, folder):
    """The address of `everything` over HTTP."""
    port = free_port()
    program = os.path.join(npm, "node_modules", ".bin", "mcp-server-everything")
    environment = {"PATH": os.environ["PATH"], "PORT": str(port), "GREETING": "hello world"}
    log = os.path.join(folder, "everything-http.log")
    with open(log, "w", encoding="utf-8") as out:
        process = subprocess.Popen([program, "streamableHttp"], env=environment, stdout=out, stderr=out)
    try:
        until(lambda: f"{port}" in said(log), lambda: "everything did not start")
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def said(log):
    """All of a log."""
    with open(log, encoding="utf-8", errors="replace") as file:
        return file.read()


def go_alone():
    """Starts this again in a network of its own, where that is allowed; says whether this is one."""
    if ALONE in os.environ:
        return True
    unshare = ["unshare", "--net", "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    is_allowed = shutil.which("unshare") and subprocess.run([*unshare, "true"], capture_output=True).returncode == 0
    if is_allowed:
        os.environ[ALONE] = "1"
        os.execvp(unshare[0], [*unshare, sys.executable, *sys.argv])
    return False


async def compare(aqueduct, servers, world, cases, folder, log):
    """Rows of the table, and what is wrong."""
    world.make()
    tools, direct = await directly(servers, cases, log)
    world.make()
    started = time.monotonic()
    async with Aqueduct.serving(aqueduct, servers, folder, log) as through:
        await through.learn(servers)
        print(f"aqueduct: {len(through.operations)} operations, seen, started and read in {time.monotonic() - started:.1f} s")
        wrong = list(missing(tools, through.operations))
        rows = {name: [len(tools[name]), 0, 0, 0] for name in servers}
        for case in cases:
            if operation_is_missing(case, tools, wrong):
                continue
            outcome = await through.ask(case)
            found = difference(case, direct[case], outcome)
            rows[case.server][1] += 1
            rows[case.server][2] += direct[case].failure is not None
            rows[case.server][3] += found is None
            if found:
                told = f"direct:  {direct[case].short()}\n    through: {outcome.short()}"
                wrong.append(f"{case.server} {case.tool} {str(case.arguments)[:200]}: {found}\n    {told}")
    answered = {(case.server, case.tool) for case in cases if case in direct and direct[case].failure is None}
    for name, tool in ((name, tool) for name in servers for tool in tools[name]):
        if tool in WITHHELD:
            print(f"{name} {tool}: not offered to aqueduct")
        elif (name, tool) not in answered and tool not in TASKS:
            wrong.append(f"{name} {tool}: no call of it succeeds")
    return rows, wrong


def operation_is_missing(case, tools, wrong):
    return case.tool not in tools[case.server] or any(line.startswith(f"{case.server} {case.tool}: there is no") for line in wrong)


def show(rows, wrong):
    """Prints the table; false when something is wrong."""
    print(f"{'server':<22}{'tools':>9}{'calls':>9}{'refused':>9}{'same':>9}")
    for name, row in [*rows.items(), ("all", map(sum, zip(*rows.values())))]:
        print(f"{name:<22}" + "".join(f"{number:>9}" for number in row))
    for line in wrong:
        print(f"  {line}")
    return not wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--npm", required=True, help="the folder with the servers from npm")
    parser.add_argument("--python", required=True, help="the environment with the servers from PyPI")
    paths = parser.parse_args()
    is_alone = go_alone()
    with tempfile.TemporaryDirectory() as folder, page() as url, contextlib.ExitStack() as running:
        world = World(os.path.join(folder, "world"))
        servers = world.servers(paths.npm, paths.python)
        cases = [
            *servers_cases.everything(),
            *servers_cases.filesystem(world.files),
            *servers_cases.memory(),
            *servers_cases.thinking(),
            *servers_cases.time(),
            *servers_cases.git(world.repo),
            *servers_cases.fetch(url),
        ]
        if is_alone:
            servers["everything-http"] = {"url": running.enter_context(over_http(paths.npm, folder))}
            cases += servers_cases.everything("everything-http")
        else:
            print("no network of its own: everything over HTTP is left out")
        log = running.enter_context(open(os.path.join(folder, "log"), "w", encoding="utf-8"))
        try:
            rows, wrong = asyncio.run(compare(paths.aqueduct, servers, world, cases, folder, log))
        except BaseException:
            print(f"the end of what was said:\n{said(log.name)[-3000:]}")
            raise
    sys.exit(0 if show(rows, wrong) else 1)


if __name__ == "__main__":
    main()
