"""What people do with GitHub's and Stripe's documents, against an upstream that records: each task must go out as the API's own
documentation shows it, in a sensible category, and ask first where it must.

To add a task, add a row to FLOWS. `asks` is whether a confirmation is needed at trust `validated`; `body` is compared as JSON, or as
a form where the API takes forms.
"""

import argparse
import json
import sys
import tempfile
from urllib.parse import parse_qsl

from raw_wire import Session, Upstream

REPO = {"owner": "octo", "repo": "hello"}
CONTENT = "SGVsbG8="

FLOWS = [
    # document, task, operation, category, params, asks, (method, path), body
    (
        "github",
        "create a file",
        "repos_create_or_update_file_contents",
        "UPDATE",
        {**REPO, "path": "hello.txt", "input": {"message": "Say hello", "content": CONTENT}},
        False,
        ("PUT", "/repos/octo/hello/contents/hello.txt"),
        {"message": "Say hello", "content": CONTENT},
    ),
    (
        "github",
        "update a file",
        "repos_create_or_update_file_contents",
        "UPDATE",
        {**REPO, "path": "hello.txt", "input": {"message": "Again", "content": CONTENT, "sha": "95b966ae1c166bd92f8ae7d1c313e738c731dfc3"}},
        False,
        ("PUT", "/repos/octo/hello/contents/hello.txt"),
        {"message": "Again", "content": CONTENT, "sha": "95b966ae1c166bd92f8ae7d1c313e738c731dfc3"},
    ),
    (
        "github",
        "protect a branch",
        "repos_update_branch_protection",
        "UPDATE",
        {
            **REPO,
            "branch": "main",
            "input": {
                "required_status_checks": {"strict": True, "contexts": ["ci"]},
                "enforce_admins": True,
                "required_pull_request_reviews": None,
                "restrictions": None,
            },
        },
        False,
        ("PUT", "/repos/octo/hello/branches/main/protection"),
        {
            "required_status_checks": {"strict": True, "contexts": ["ci"]},
            "enforce_admins": True,
            "required_pull_request_reviews": None,
            "restrictions": None,
        },
    ),
    (
        "github",
        "delete a file",
        "repos_delete_file",
        "DELETE",
        {**REPO, "path": "hello.txt", "message": "Bye", "sha": "95b966ae"},
        True,
        ("DELETE", "/repos/octo/hello/contents/hello.txt"),
        {"message": "Bye", "sha": "95b966ae"},
    ),
    (
        "github",
        "revoke credentials",
        "credentials_revoke",
        "EXECUTE",
        {"credentials": ["ghp_1234"]},
        True,
        ("POST", "/credentials/revoke"),
        {"credentials": ["ghp_1234"]},
    ),
    (
        "stripe",
        "refund half a charge",
        "post_refunds",
        "CREATE",
        {"charge": "ch_1", "amount": 500},
        True,
        ("POST", "/v1/refunds"),
        {"charge": "ch_1", "amount": "500"},
    ),
    (
        "stripe",
        "cancel a subscription at the period's end",
        "post_subscriptions_subscription_exposed_id",
        "UPDATE",
        {"subscription_exposed_id": "sub_1", "input": {"cancel_at_period_end": True}},
        False,
        ("POST", "/v1/subscriptions/sub_1"),
        {"cancel_at_period_end": "true"},
    ),
    (
        "stripe",
        "cancel a subscription now",
        "delete_subscriptions_subscription_exposed_id",
        "DELETE",
        {"subscription_exposed_id": "sub_1"},
        True,
        ("DELETE", "/v1/subscriptions/sub_1"),
        None,
    ),
    (
        "stripe",
        "void an invoice",
        "post_invoices_invoice_void",
        "EXECUTE",
        {"invoice": "in_1"},
        True,
        ("POST", "/v1/invoices/in_1/void"),
        None,
    ),
    (
        "stripe",
        "charge a customer",
        "post_charges",
        "CREATE",
        {"amount": 2000, "currency": "eur", "customer": "cus_1"},
        True,
        ("POST", "/v1/charges"),
        {"amount": "2000", "currency": "eur", "customer": "cus_1"},
    ),
    (
        "stripe",
        "look at charges",
        "get_charges",
        "READ",
        {"customer": "cus_1"},
        False,
        ("GET", "/v1/charges?customer=cus_1"),
        None,
    ),
]


def read_body(headers, body):
    """What was sent, whatever its form; nothing when there was nothing."""
    if not body:
        return None
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    if kind.startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(body.decode()))
    return json.loads(body)


def problem(session, upstream, flow):
    """What is wrong with one task, in a sentence; nothing when all is well."""
    _, _, operation, category, params, asks, (method, target), body = flow
    detail = session.call("read", "introspect", {"query": "operations", "name": operation})["data"]["operation"]
    if detail is None:
        return f"there is no {operation}"
    if detail["semantic_category"] != category:
        return f"it is {detail['semantic_category']} instead of {category}"
    upstream.taken()
    tool = category.lower()
    first = session.call(tool, operation, params)
    is_asked = first.get("error", {}).get("code") == "CONFIRMATION_REQUIRED"
    if is_asked != asks:
        return f"it {'asks' if is_asked else 'does not ask'} first: {json.dumps(first)[:300]}"
    if asks and upstream.taken():
        return "something went out before anybody agreed"
    if asks:
        token = first["error"]["details"]["confirmation_token"]
        first = session.call(tool, operation, {**params, "confirmation_token": token})
    if not first["success"]:
        return json.dumps(first["error"])[:400]
    # A read may go before a write; what counts is the write.
    sent = [each for each in upstream.taken() if each[0] == method]
    if len(sent) != 1:
        return f"{len(sent)} requests by {method}"
    if not sent[0][1].startswith(target):
        return f"{sent[0][1]} instead of {target}"
    found = read_body(sent[0][2], sent[0][3])
    if body is not None and found != body:
        return f"the body is {json.dumps(found)} instead of {json.dumps(body)}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--aqueduct", required=True)
    parser.add_argument("--document", action="append", required=True, help="github=FILE, stripe=FILE")
    options = parser.parse_args()
    wrong = 0
    for name, file in (each.split("=", 1) for each in options.document):
        with Upstream() as upstream, tempfile.TemporaryDirectory() as state:
            command = [options.aqueduct, "serve", file, "--base-url", upstream.url, "--trust", "validated", "--state-dir", state]
            command += ["--auth-env", "CHECK_KEY", "--confirmation", "client"]
            with Session(command, {"CHECK_KEY": "a-test-key"}) as session:
                for flow in (each for each in FLOWS if each[0] == name):
                    found = problem(session, upstream, flow)
                    print(f"{name}: {flow[1]}: {found or 'as documented'}")
                    wrong += found is not None
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
