"""GitHub's document: how soon and how small it is served, and whether every operation makes a request that the document allows.

Each operation is called twice: with the example that the server itself gives for an empty call, and with values made here from
the document for everything that it declares. What arrives is judged by openapi-core, which knows the document and not us.
"""

import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from werkzeug.datastructures import Headers, ImmutableMultiDict

from document_values import Maker, flat, public_name
from raw_wire import Session, Upstream

STARTS = 5
READY_MILLISECONDS = 400
RESIDENT_MEGABYTES = 120
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
HOST = "https://api.github.com"
SHOWN = 12


class Arrived:
    """A request as openapi-core takes it, at the host that the document names."""

    def __init__(self, method, path, headers, body, host):
        parts = urllib.parse.urlsplit(path)
        query = urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
        self.host_url, self.path, self.method = host, urllib.parse.unquote(parts.path), method.lower()
        self.content_type = headers.get("content-type", "")
        self.body = body or None
        self.parameters = RequestParameters(query=ImmutableMultiDict(query), header=Headers(headers), cookie=ImmutableMultiDict())


class Operation:
    """One operation as the document has it."""

    def __init__(self, document, path, method, item, maker):
        self.path, self.method = path, method
        node = item[method]
        self.id = node["operationId"]
        declared = [maker.resolved(each) for each in [*item.get("parameters", []), *node.get("parameters", [])]]
        self.parameters = {(each["in"], each["name"]): each for each in declared}
        self.body = maker.resolved(node["requestBody"]) if "requestBody" in node else None
        servers = node.get("servers") or item.get("servers")
        self.host = servers[0]["url"] if servers else HOST


def operations(document, maker):
    found = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                operation = Operation(document, path, method, item, maker)
                found[operation.id] = operation
    return found


def without_read_only(document):
    """Drops `readOnly` where a parameter's schema has it: there it means nothing, and openapi-core would refuse every value."""
    named = document["components"]["parameters"].values()
    inline = [each for item in document["paths"].values() for node in item.values() if isinstance(node, dict) for each in node.get("parameters", [])]
    for parameter in [*named, *inline]:
        schema = parameter.get("schema", {})
        if "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        schema.pop("readOnly", None)


def everything(operation, offered, maker):
    """Parameters of a call with all that the document declares; and the body, or nothing, and the query that must arrive."""
    params, body, query = {}, None, {}
    for (place, name), declared in operation.parameters.items():
        public = public_name(place, name, offered)
        assert public or not declared.get("required"), f"the {place} parameter {name} is not offered"
        if public:
            params[public] = maker.value(declared["schema"], False)
            if place == "query":
                query[name] = params[public]
    if operation.body:
        kind, media = next(iter(operation.body["content"].items()))
        body = maker.value(media.get("schema", {}), True)
        fields = {each["name"] for each in offered.get("input", {}).get("items", {}).get("fields", [])}
        if isinstance(body, dict) and fields:
            params["input"] = flat(body, fields)
        elif isinstance(body, dict) and all(public_name("body", name, offered) for name in body):
            params |= flat(body, offered)
        else:
            whole = next((each for each in ("input", "body") if each in offered), None)
            assert whole, "the body is not offered"
            params[whole] = body
        body = body if "json" in kind else None
    return params, body, query


def call(session, upstream, endpoint, name, params):
    """The requests of one call. What is not a read is rehearsed first: nothing may go anywhere but to the upstream here."""
    if endpoint != "read":
        rehearsal = session.call(endpoint, name, {**params, "dry_run": True})
        if not rehearsal["success"]:
            raise AssertionError(f"{rehearsal['error']['code']}: {rehearsal['error']['message']}")
        url = rehearsal["data"]["request"]["url"]
        assert url.startswith(upstream.url), f"goes to {urllib.parse.urlsplit(url).netloc} although a base URL is given"
    upstream.taken()
    result = session.confirmed(endpoint, name, params)
    requests = upstream.taken()
    if not requests:
        raise AssertionError(f"{result['error']['code']}: {result['error']['message']}")
    return requests


def judge(validator, operation, requests, body, query):
    """Raises what is wrong with the last request, which is the operation's own; those before it are reads."""
    for method, path, headers, content in requests:
        lower = {name.lower(): value for name, value in headers.items()}
        validator.validate_request(Arrived(method, path, lower, content, operation.host))
    assert method.lower() == operation.method, f"{method} instead of {operation.method}"
    pattern = re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(operation.path))
    sent = urllib.parse.urlsplit(path).path
    assert re.fullmatch(pattern, sent), f"{sent} is not {operation.path}"
    arrived = urllib.parse.parse_qs(urllib.parse.urlsplit(path).query, keep_blank_values=True)
    for name, value in query.items():
        words = [each if isinstance(each, str) else json.dumps(each) for each in (value if isinstance(value, list) else [value])]
        assert arrived.get(name) in (words, [",".join(words)]), f"the query has {name}={arrived.get(name)} instead of {words}"
    if body is not None:
        assert json.loads(content) == body, f"the body arrived changed: {content[:200]!r} for {json.dumps(body)[:200]}"


def why(error):
    """A failure as a line: the words of the validator are in its causes."""
    words = []
    while error:
        inner = getattr(error, "schema_errors", None)
        words.append(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
        words += [each.message[:160] for each in inner or []]
        error = error.__cause__
    return " < ".join(words).replace("\n", " ")[:400]


def starts(command):
    """Milliseconds from the start of the process to the answer to tools/list, and megabytes then, of some runs."""
    times, sizes = [], []
    for _ in range(STARTS):
        with Session(command) as session:
            session.tools()
            times.append((time.monotonic() - session.started) * 1000)
            sizes.append(session.megabytes())
    return statistics.median(times), max(sizes)


def renamed(aqueduct, document, url):
    """The name of every operation by its `operationId`, from the import report."""
    command = [aqueduct, "import", "openapi", document, "--report-only", "--format", "json", "--base-url", url]
    report = json.loads(subprocess.run(command, capture_output=True, check=True, env={}).stdout)
    return {each["from"]: each["to"] for each in report["renamed"]}


def called(session, upstream, found, names, maker, validator):
    """Calls everything in both ways; the failures of each way by operation."""
    endpoints = session.operations()
    failures = {"example": {}, "everything": {}, "not there": {}}
    for identifier, operation in found.items():
        name = names.get(identifier, identifier)
        if name not in endpoints:
            failures["not there"][identifier] = "no operation has its name"
            continue
        endpoint = endpoints[name]
        assert endpoint != "read" or operation.host == HOST, "a read of another host cannot be rehearsed"
        for way in ("example", "everything"):
            try:
                if way == "example":
                    answer = session.call(endpoint, name, {} if endpoint == "read" else {"dry_run": True})
                    params = {} if answer["success"] else answer["error"]["details"]["example"]["params"]
                    body, query = None, {}
                else:
                    params, body, query = everything(operation, session.parameters(name), maker)
                judge(validator, operation, call(session, upstream, endpoint, name, params), body, query)
            except Exception as error:  # every failure is counted, whoever raised it
                failures[way][identifier] = why(error)
    return failures


def show(failures, total):
    for way in ("example", "everything"):
        bad = {**failures["not there"], **failures[way]}
        print(f"  with {way:12} {total - len(bad):5} of {total} sent and valid by openapi-core")
        reasons = collections.defaultdict(list)
        for identifier, reason in bad.items():
            reasons[re.sub(r"'[^']*'|\d+", "…", reason)[:90]].append((identifier, reason))
        for _, cases in sorted(reasons.items(), key=lambda pair: -len(pair[1]))[:SHOWN]:
            print(f"    {len(cases):5}  {cases[0][0]}: {cases[0][1]}")
    return not any(failures.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--document", required=True)
    parser.add_argument("--only", default="", help="operations whose id starts so")
    paths = parser.parse_args()
    with open(paths.document, encoding="utf-8") as file:
        document = json.load(file)
    maker = Maker(document)
    found = {name: each for name, each in operations(document, maker).items() if name.startswith(paths.only)}
    without_read_only(document)
    validator = OpenAPI.from_dict(document, config=Config(spec_validator_cls=None))
    with Upstream() as upstream, tempfile.TemporaryDirectory() as state:
        command = [paths.aqueduct, "serve", paths.document, "--trust", "official", "--base-url", upstream.url]
        # All deletions are confirmed within a minute, far more than anybody would.
        config = os.path.join(state, "many-confirmations.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write("[confirmation]\nissue_per_minute = 100000\n")
        command += ["--state-dir", state, "--config", config]
        ready, resident = starts(command)
        names = renamed(paths.aqueduct, paths.document, upstream.url)
        with Session(command) as session:
            failures = called(session, upstream, found, names, maker, validator)
    print(f"start to tools/list, median of {STARTS}: {ready:.0f} ms, target < {READY_MILLISECONDS} ms")
    print(f"resident then, the most of {STARTS}: {resident:.0f} MB, target < {RESIDENT_MEGABYTES} MB")
    print(f"{len(found)} operations:")
    valid = show(failures, len(found))
    sys.exit(0 if valid and ready < READY_MILLISECONDS and resident < RESIDENT_MEGABYTES else 1)


if __name__ == "__main__":
    main()
