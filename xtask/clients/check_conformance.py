"""The official conformance suite of MCP against `demo`, once for each version of the protocol.

Every scenario of the suite stands in one of the two lists below, and a scenario that is new to both is a failure. Those that apply
to any server must pass, every check of theirs: what the protocol recommends too.
"""

import json
import os
import subprocess
import tempfile

from serving import HttpServer, options

# What must pass, by package and version of the protocol. The release takes its own version; the preview checks more.
# `server-sse-polling` finds nothing to judge: it wants to see how a tool of the suite's own is answered.
WITH_HANDSHAKE = {"server-initialize", "ping", "tools-list"}
WITH_STREAMS = {"server-sse-polling", "server-sse-multiple-streams", "dns-rebinding-protection"}
APPLIES = {
    ("release", ""): WITH_HANDSHAKE | WITH_STREAMS,
    ("preview", "2025-06-18"): WITH_HANDSHAKE | {"server-session-lifecycle"},
    ("preview", "2025-11-25"): WITH_HANDSHAKE | WITH_STREAMS | {"server-session-lifecycle"},
    ("preview", "2026-07-28"): {
        "server-stateless", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection",
        "http-header-validation", "caching", "input-required-result-unsupported-methods",
    },
}

LEFT_OUT = {
    "calls a tool with a name and an answer of the suite's own": {
        "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource",
        "tools-call-mixed-content", "tools-call-with-logging", "tools-call-error", "tools-call-with-progress",
        "tools-call-sampling", "tools-call-elicitation", "json-schema-2020-12", "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums", "http-custom-header-server-validation", "input-required-result-basic-elicitation",
        "input-required-result-basic-sampling", "input-required-result-basic-list-roots",
        "input-required-result-request-state", "input-required-result-multiple-input-requests",
        "input-required-result-multi-round", "input-required-result-missing-input-response",
        "input-required-result-result-type", "input-required-result-tampered-state",
        "input-required-result-capability-check", "input-required-result-ignore-extra-params",
        "input-required-result-validate-input",
    },
    "is about prompts, which this server does not declare": {
        "prompts-list", "prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource",
        "prompts-get-with-image", "input-required-result-non-tool-request",
    },
    "is about resources, which this server does not declare": {
        "resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read",
        "resources-subscribe", "resources-unsubscribe", "sep-2164-resource-not-found",
    },
    "is about completion, which this server does not declare": {"completion-complete"},
    "is about logging to the client, which this server does not declare": {"logging-set-level"},
}

# Single checks, inside scenarios that apply.
CHECKS_LEFT_OUT = {
    "sep-2575-server-rejects-undeclared-capability": "calls the suite's tool test_missing_capability",
    "sep-2575-missing-capability-http-400": "calls the suite's tool test_missing_capability",
    "sep-2575-http-server-no-independent-requests-on-stream": "calls the suite's tool test_streaming_elicitation",
    "sep-2575-server-no-log-without-loglevel": "calls the suite's tool test_logging_tool",
    "sep-2575-server-sends-tools-list-changed-on-subscription": "changes the tools by calling a tool of the suite's",
    "sep-2549-prompts-list-caching-hints": "is about prompts",
    "sep-2549-resources-list-caching-hints": "is about resources",
    "sep-2549-resources-templates-list-caching-hints": "is about resources",
}


def run_suite(suite, package, version, url):
    """Runs everything that the suite has for a version; gives the checks of each scenario."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            os.path.join(suite, "node_modules/.bin/node"), os.path.join(suite, "node_modules", package, "dist/index.js"),
            "server", "--url", url, "--suite", "all", "--output-dir", folder,
        ]
        if version:
            command += ["--spec-version", version]
        # Its exit code is of no use: it tells of scenarios that do not apply.
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        found = {}
        for result in sorted(os.listdir(folder)):
            name = scenario_of(result)
            with open(os.path.join(folder, result, "checks.json"), encoding="utf-8") as file:
                found[name] = json.load(file)
        assert found, ran
        return found


def scenario_of(result):
    """The scenario's name in that of its results, which is `server-NAME-2026-11-15T12-31-27-085Z`."""
    return result.removeprefix("server-").rsplit("-", 6)[0]


def broken(checks):
    """The checks that do not hold, in a line each."""
    return [
        f"{check['id']}: {check.get('errorMessage')}"
        for check in checks
        if check["status"] in ("FAILURE", "WARNING") and check["id"] not in CHECKS_LEFT_OUT
    ]


def judge(run, applies, found):
    """Prints a line for each scenario; gives the problems."""
    left_out = set().union(*LEFT_OUT.values())
    problems = [f"{name} is new: does it apply to any server?" for name in sorted(found.keys() - applies - left_out)]
    for name in sorted(applies):
        checks = found.get(name)
        wrong = broken(checks) if checks else ["there is no result"]
        held = sum(check["status"] == "SUCCESS" for check in checks or [])
        print(f"  {run:<18} {name:<42} {'FAILED' if wrong else 'passed'}, {held} checks hold")
        problems += [f"{name}: {line}" for line in wrong]
    return [f"{run}: {problem}" for problem in problems]


def main():
    paths = options()
    problems = []
    with HttpServer([paths.aqueduct, "demo", "--http", "127.0.0.1:0"]) as server:
        for (package, version), applies in APPLIES.items():
            found = run_suite(paths.suite, package, version, server.url)
            problems += judge(f"{package} {version}", applies, found)
    for reason, names in LEFT_OUT.items():
        print(f"  left out: {len(names)} of which each {reason}")
    assert not problems, "\n".join(["the conformance suite finds problems", *problems])
    print(f"conformance suite: all well, {sum(map(len, APPLIES.values()))} runs of scenarios")


if __name__ == "__main__":
    main()
