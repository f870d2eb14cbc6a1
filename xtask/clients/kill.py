"""Ten MCP servers started through npx, and aqueduct killed: none of them, nor of what they started, may live on.

Run by `cargo xtask real kill`, on Linux. Each way of ending is one round: killed while it serves over stdio and over
HTTP, killed while the servers are still starting, told to end, and hung up on.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from kill_processes import end, marked, new_mark
from serving import until

SERVERS = 10
# What a round allows until nothing is left.
MOST = 2.0
KINDS = ["everything", "filesystem", "memory", "sequential-thinking"]
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "kill", "version": "1"},
}


def configuration(npm, folder, mark, count):
    """Servers that are each a tree of npx, a shell and Node."""
    def server(number):
        kind = KINDS[number % len(KINDS)]
        arguments = ["--no-install", f"mcp-server-{kind}"] + ([folder] if kind == "filesystem" else [])
        environment = {"MARK": mark, "MEMORY_FILE_PATH": os.path.join(folder, f"memory-{number}.jsonl")}
        return {"command": "npx", "args": arguments, "cwd": npm, "env": environment}

    return {"mcpServers": {f"s{number}": server(number) for number in range(count)}}


class Serving:
    """Aqueduct with these servers, spoken to by hand: it is not to end in order."""

    def __init__(self, aqueduct, npm, folder, count):
        self.mark, self.count = new_mark(), count
        file = os.path.join(folder, "servers.json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump(configuration(npm, folder, self.mark, count), out)
        self.command = [aqueduct, "serve", file, "--state-dir", os.path.join(folder, self.mark)]
        self.log = open(os.path.join(folder, "log"), "w", encoding="utf-8")

    def __enter__(self):
        return self

    def start(self, *flags):
        """Starts it; over stdio a session is opened."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.log}
        self.process = subprocess.Popen([*self.command, *flags], **pipes)
        if not flags:
            for message in ({"id": 1, "method": "initialize", "params": HELLO}, {"method": "notifications/initialized"}):
                self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self.process.stdin.flush()

    def nodes(self):
        """The servers themselves, at the ends of the trees."""
        return [line for line in marked(self.mark).values() if line.startswith("node ") and "/.bin/mcp-server-" in line]

    def wait_for_all(self):
        """Waits until every server runs; gives the number of processes."""
        until(lambda: len(self.nodes()) >= self.count, lambda: f"{len(self.nodes())} of {self.count} run", 120)
        return len(marked(self.mark))

    def wait_for_some(self):
        """Waits until some of it runs, the servers not yet."""
        until(lambda: len(marked(self.mark)) > self.count, lambda: "nothing starts", 120)
        return len(marked(self.mark))

    def seconds_to_the_last(self, most):
        """Waits for the end of everything; nothing when something is left."""
        began = time.monotonic()
        while marked(self.mark):
            if time.monotonic() - began > most:
                return None
            time.sleep(0.02)
        return time.monotonic() - began

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        end(self.mark)
        self.log.close()


def kill(serving):
    serving.process.kill()


def tell(serving):
    serving.process.send_signal(signal.SIGTERM)


def hang_up(serving):
    serving.process.stdin.close()


ROUNDS = [
    ("kill -9, serving over stdio", [], Serving.wait_for_all, kill, MOST),
    ("kill -9, serving over HTTP", ["--http", "127.0.0.1:0"], Serving.wait_for_all, kill, MOST),
    ("kill -9, servers starting", [], Serving.wait_for_some, kill, MOST),
    # In order, with time for the servers to leave and for aqueduct itself.
    ("told to end", [], Serving.wait_for_all, tell, 10.0),
    ("hung up on", [], Serving.wait_for_all, hang_up, 10.0),
]


def play(aqueduct, npm, rounds, count):
    """Plays some rounds; prints each, and gives those that left something behind."""
    bad = []
    print(f"{'round':<32}{'processes':>10}{'all gone after':>16}")
    for name, flags, wait, how, most in rounds:
        with tempfile.TemporaryDirectory() as folder, Serving(aqueduct, npm, folder, count) as serving:
            serving.start(*flags)
            alive = wait(serving)
            how(serving)
            took = serving.seconds_to_the_last(most)
            left = marked(serving.mark)
        print(f"{name:<32}{alive:>10}{f'{took:.2f} s' if took is not None else f'{len(left)} left':>16}")
        if took is None:
            bad.append(name)
            print("\n".join(f"  {number} {line}" for number, line in left.items()))
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--npm", required=True, help="the folder with the servers from npm")
    paths = parser.parse_args()
    sys.exit(1 if play(paths.aqueduct, paths.npm, ROUNDS, SERVERS) else 0)


if __name__ == "__main__":
    main()
