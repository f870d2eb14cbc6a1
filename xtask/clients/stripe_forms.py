"""Stripe's document: form bodies with objects and lists in them, beside those of Stripe's own client, byte for byte.

One hundred operations are called with the same values through the server and through PyPI's `stripe`, against one upstream.
"""

import argparse
import json
import sys
import tempfile
import time

import stripe

from document_values import Maker, flat
from raw_wire import Session, Upstream

REQUESTS = 100
FORM = "application/x-www-form-urlencoded"
KEY = "sk_test_check"
SHOWN = 12


def nesting(value):
    """How many brackets the deepest name of a value gets."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max((nesting(each) for each in inner), default=0)


def forms(document, maker):
    """Path, operation and body of the operations that take a form, those with the deepest first."""
    found = []
    for path, item in document["paths"].items():
        node = item.get("post")
        content = maker.resolved(node["requestBody"])["content"] if node and "requestBody" in node else {}
        if FORM in content:
            body = maker.value(content[FORM]["schema"], True)
            body.pop("expand", None)
            if nesting(body) > 1:
                found.append((path, node["operationId"], body))
    found.sort(key=lambda each: (-nesting(each[2]), each[0]))
    return found


def by_stripe(client, path, body):
    """Sends it as every method of Stripe's own client does."""
    client.v1.customers._request("post", path, base_address="api", params=body, options={})


def by_us(session, endpoint, name, params, body):
    offered = session.parameters(name)
    fields = {each["name"] for each in offered.get("input", {}).get("items", {}).get("fields", [])}
    sent = {"input": flat(body, fields)} if fields else flat(body, offered)
    result = session.confirmed(endpoint, name, {**params, **sent})
    assert result["success"], f"{result['error']['code']}: {result['error']['message']}"


def filled(path):
    """The path with a value in every place, and those values."""
    params = {}
    while "{" in path:
        name = path[path.index("{") + 1 : path.index("}")]
        params[name] = f"{name}_1x"
        path = path.replace("{" + name + "}", params[name])
    return path, params


def difference(ours, theirs):
    """The first byte where two requests are not the same, and what is around it."""
    for what, one, other in zip(("method", "path", "content type", "authorization", "body"), ours, theirs, strict=True):
        if one != other:
            place = next((n for n, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), min(len(one), len(other)))
            start = max(0, place - 40)
            return f"{what} differs in byte {place}: {one[start:place + 60]!r} instead of {other[start:place + 60]!r}"
    return None


def seen(upstream):
    """The one request that came, as far as it must be the same."""
    requests = upstream.taken()
    assert len(requests) == 1, f"{len(requests)} requests"
    method, path, headers, body = requests[0]
    lower = {name.lower(): value for name, value in headers.items()}
    return method, path, lower.get("content-type", ""), lower.get("authorization", ""), body


def compared(session, client, upstream, chosen, names):
    """The failures by operation."""
    endpoints, failures = session.operations(), {}
    for template, identifier, body in chosen:
        path, params = filled(template)
        name = names.get(identifier, identifier)
        try:
            by_stripe(client, path, body)
            theirs = seen(upstream)
            by_us(session, endpoints[name], name, params, body)
            if problem := difference(seen(upstream), theirs):
                failures[identifier] = problem
        except Exception as error:  # every failure is counted, whoever raised it
            upstream.taken()
            failures[identifier] = f"{type(error).__name__}: {error}"
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--document", required=True)
    paths = parser.parse_args()
    with open(paths.document, encoding="utf-8") as file:
        document = json.load(file)
    chosen = forms(document, Maker(document))[:REQUESTS]
    started = time.monotonic()
    with Upstream() as upstream, tempfile.TemporaryDirectory() as state:
        command = [paths.aqueduct, "serve", paths.document, "--trust", "official", "--base-url", upstream.url]
        command += ["--state-dir", state, "--auth-env", "STRIPE_KEY"]
        client = stripe.StripeClient(KEY, base_addresses={"api": upstream.url}, max_network_retries=0)
        with Session(command, {"STRIPE_KEY": KEY}) as session:
            names = {each: snake_of(each) for _, each, _ in chosen}
            failures = compared(session, client, upstream, chosen, names)
    same = len(chosen) - len(failures)
    size = [len(json.dumps(body)) for _, _, body in chosen]
    print(f"{same} of {len(chosen)} form bodies are those of stripe {stripe.VERSION}, byte for byte; target {REQUESTS} of {REQUESTS}")
    print(f"nesting {nesting(chosen[-1][2])} to {nesting(chosen[0][2])}, largest {max(size)} bytes as JSON, {time.monotonic() - started:.1f} s")
    for identifier, problem in list(failures.items())[:SHOWN]:
        print(f"  {identifier}: {problem}")
    sys.exit(0 if same == REQUESTS else 1)


def snake_of(identifier):
    """The name that an `operationId` of Stripe's gets."""
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in identifier)
    return words.strip("_")


if __name__ == "__main__":
    main()
