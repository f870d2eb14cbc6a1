"""Lists and calls everything with the MCP Inspector's command line. Each run of it is a session of its own."""

import json
import os
import subprocess

from recorder import CALLS, TOKEN, Recorder
from serving import options


class Inspector:
    """Runs the Inspector against the server."""

    def __init__(self, inspector, aqueduct, adapter):
        self.command = [inspector, "--cli", aqueduct, "serve", adapter]
        self.environment = {**os.environ, "LIBRARY_TOKEN": TOKEN}

    def run(self, *arguments):
        """The result of a method."""
        ran = subprocess.run(
            [*self.command, *arguments], env=self.environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert ran.returncode == 0, ran
        return json.loads(ran.stdout)

    def call(self, tool, operation, params):
        """The result object of a call, and its `isError`."""
        result = self.run(
            "--method", "tools/call", "--tool-name", tool, "--tool-arg", f"operation={operation}",
            "--tool-arg", f"params={json.dumps(params)}",
        )
        assert len(result["content"]) == 1, result
        return json.loads(result["content"][0]["text"]), result["isError"]


def list_tools(inspector):
    """M1.1-1 M2.3-1 M3.1-1: the tools, as the Inspector shows them."""
    tools = inspector.run("--method", "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == [
        "mcp_aql_create", "mcp_aql_read", "mcp_aql_update", "mcp_aql_delete", "mcp_aql_execute",
    ]
    for tool in tools:
        assert tool["inputSchema"]["required"] == ["operation"], tool
        assert set(tool["annotations"]) == {"readOnlyHint", "destructiveHint"}, tool


def call_everything(inspector, recorder):
    """M1.4-3 M4.1.3-4: every operation, with `isError` written out."""
    for tool, operation, params, seen in CALLS:
        result, is_error = inspector.call("mcp_aql_" + tool, operation, params)
        assert (result, is_error) == ({"success": True, "data": {"path": seen[1]}}, False), result
        recorder.expect_last(*seen)


def confirm(inspector, recorder):
    """M4.1.2-7: a dangerous call asks first; a token of another session is worth nothing."""
    count = len(recorder.requests)
    asked, is_error = inspector.call("mcp_aql_delete", "delete_book", {"book_id": 7})
    assert asked["error"]["code"] == "CONFIRMATION_REQUIRED" and is_error is False, asked
    token = asked["error"]["details"]["confirmation_token"]
    refused, _ = inspector.call("mcp_aql_delete", "delete_book", {"book_id": 7, "confirmation_token": token})
    assert refused["error"]["code"] == "TOKEN_INVALID", refused
    assert len(recorder.requests) == count


def main():
    paths = options()
    with Recorder() as recorder:
        inspector = Inspector(paths.inspector, paths.aqueduct, recorder.adapter)
        list_tools(inspector)
        call_everything(inspector, recorder)
        confirm(inspector, recorder)
        print(f"inspector: all well, {len(recorder.requests)} requests")


if __name__ == "__main__":
    main()
