"""Reads json-server, which pages, filters and sorts in its own way, through its example adapter."""

import asyncio
import json
import os
import tempfile
import time
from statistics import fmean

from real_apis import MOST_PAGES, RealApi, items_of, served
from serving import options

NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Zoë"]
STATES = ["open", "late", "closed"]
LOANS = [
    {
        "id": number,
        "title": f"Volume {number * 7 % 40}",
        "reader": {"id": number % 7, "name": NAMES[number % 7]},
        "state": STATES[number * number % 11 % 3],
        "fee": number * 37 % 100 / 4,
        "lent_at": f"2026-{number % 9 + 1:02}-{number % 28 + 1:02}T09:00:00Z",
    }
    for number in range(1, 301)
]
READERS = [{"id": number, "name": f"Reader {number}", "city": ["Nîmes", "Rome"][number % 2]} for number in range(1, 121)]
BOOKS = [
    {"id": number, "title": f"Volume {number}", "author": f"Author {number % 5}", "pages": number * 13 % 400}
    for number in range(1, 131)
]
# One list for each way of paging: by link, by page number, by offset.
LISTS = {"list_loans": "/loans", "list_readers": "/readers", "list_books": "/books"}
OWED = {"owed": {"group_by": "reader.name", "sum": "fee"}}


def by_fee(loan):
    return loan["fee"]


# A question about loans, who answers its parts, and the same answered from all loans.
QUESTIONS = [
    ({"filter": {"state": "late"}}, {"filter": "upstream"}, lambda loans: [x for x in loans if x["state"] == "late"]),
    ({"filter": {"reader.id": 3}}, {"filter": "upstream"}, lambda loans: [x for x in loans if x["reader"]["id"] == 3]),
    ({"filter": {"state": ["late", "open"]}}, {"filter": "here"}, lambda loans: [x for x in loans if x["state"] != "closed"]),
    ({"filter": {"fee": {"gt": 20}}}, {"filter": "here"}, lambda loans: [x for x in loans if x["fee"] > 20]),
    (
        {"filter": {"state": "late", "fee": {"lte": 5}}},
        {"filter": "here"},
        lambda loans: [x for x in loans if x["state"] == "late" and x["fee"] <= 5],
    ),
    ({"sort": {"field": "fee", "order": "desc"}}, {"sort": "upstream"}, lambda loans: sorted(loans, key=by_fee, reverse=True)),
    ({"sort": {"field": "reader.name"}}, {"sort": "here"}, lambda loans: sorted(loans, key=lambda x: x["reader"]["name"])),
    ({"query": "zoë"}, {"query": "upstream"}, lambda loans: [x for x in loans if x["reader"]["name"] == "Zoë"]),
    (
        {"filter": {"state": "open"}, "sort": {"field": "fee"}},
        {"filter": "upstream", "sort": "upstream"},
        lambda loans: sorted([x for x in loans if x["state"] == "open"], key=by_fee),
    ),
    (
        {"filter": {"_computed.label": "Volume 7 (Bob)"}},
        {"filter": "here"},
        lambda loans: [x for x in loans if (x["title"], x["reader"]["name"]) == ("Volume 7", "Bob")],
    ),
]


def start(json_server):
    """The server with the data above; it writes changes into its file."""
    data = json.dumps({"loans": LOANS, "readers": READERS, "books": BOOKS})
    return RealApi([json_server, "db.json", "--host", "127.0.0.1", "--port", "PORT"], {"db.json": data})


async def every_item_once(session, api):
    """O4.2-2 R10.4-1 R10.4-2: page after page, in each way of paging, every item comes once and in order."""
    for operation, path in LISTS.items():
        everything = api.get(path)
        for size in (7, 30, 100):
            pages = await session.pages(operation, size, fields="full")
            assert items_of(pages) == everything, (operation, size)
            assert [len(page["items"]) for page in pages[:-1]] == [size] * (len(pages) - 1), (operation, size)
        pages = await session.pages(operation, 7, 50, 3, 100, 20, fields="full")
        assert items_of(pages) == everything, operation
        gathered = await session.data(operation, all=True, fields="full")
        assert gathered["items"] == everything and gathered["pageInfo"]["hasNextPage"] is False, operation
        assert gathered["pageInfo"]["totalCount"] == len(everything), gathered["pageInfo"]


async def cut_by_budget(session, api):
    """Ruling W16: an answer that is too large is cut between two items, says so, and its cursor leads to the rest."""
    found, after = [], {}
    for _ in range(MOST_PAGES):
        result = await session.ask("list_loans", all=True, budget=1500, fields="full", **after)
        page = result["data"]
        found.append(page)
        codes = [warning["code"] for warning in result.get("warnings", [])]
        if not page["pageInfo"]["hasNextPage"]:
            break
        assert codes == ["VALIDATION_TRUNCATED_WARNING"], result
        after = {"after": page["pageInfo"]["endCursor"]}
    assert codes == [] and 5 < len(found) < MOST_PAGES, len(found)
    assert items_of(found) == api.get("/loans")


async def other_forms(session, api):
    """O4.2-3 O4.4.1-7 O4.4.1-8: the other ways to say which part is wanted give the same items."""
    for operation, path in LISTS.items():
        everything = api.get(path)
        count = len(everything)
        for form, part in [
            ({"limit": 10, "offset": 45}, everything[45:55]),
            ({"limit": 30, "offset": count - 5}, everything[-5:]),
            ({"page": 3, "page_size": 20}, everything[40:60]),
            ({"last": 8}, everything[-8:]),
            ({"offset": 1000, "limit": 5}, []),
        ]:
            answer = await session.data(operation, **form, fields="full")
            assert answer["items"] == part, (operation, form, answer)
        end = await session.data(operation, last=8)
        before = await session.data(operation, last=8, before=end["pageInfo"]["startCursor"], fields="full")
        assert before["items"] == everything[-16:-8], operation


async def questions(session, api):
    """X-query-10 O4.2-1 O4.2-4 O4.2-5: the items are the same whoever picks and sorts them, and the answer says who did."""
    everything = api.get("/loans")
    for question, doers, answer in QUESTIONS:
        expected = answer(everything)
        assert 0 < len(expected), question
        whole = await session.data("list_loans", all=True, fields="full", **question)
        assert whole["items"] == expected, question
        applied = whole["applied"]
        seen = applied.pop("items_seen")
        assert applied == {**doers, "complete": True}, (question, applied)
        assert seen == len(expected) or "here" in doers.values(), (question, seen)
        pages = await session.pages("list_loans", 9, fields="full", **question)
        assert items_of(pages) == expected, question
    late = len([loan for loan in everything if loan["state"] == "late"])
    part = await session.data("list_loans", all=True, filter={"state": "late", "fee": {"lte": 5}})
    assert part["applied"]["items_seen"] == late, "what the server can filter is left to it"


async def sums(session, api):
    """X-agg-2 O4.2-7 O4.4.1-6: counts and sums over all items, or over those that the server picked."""
    late = [loan for loan in api.get("/loans") if loan["state"] == "late"]
    fees = [loan["fee"] for loan in late]
    data = await session.data(
        "list_loans",
        filter={"state": "late"},
        aggregate={
            **OWED,
            "number": {"count": True},
            "least": {"min": "fee"},
            "most": {"max": "fee"},
            "usual": {"avg": "fee"},
        },
    )
    assert data["applied"] == {"filter": "upstream", "aggregate": "here", "items_seen": len(late), "complete": True}, data
    counted = data["aggregations"]
    owed = {name: sum(x["fee"] for x in late if x["reader"]["name"] == name) for name in NAMES}
    assert counted["owed"] == owed, counted
    assert (counted["number"], counted["least"], counted["most"]) == (len(late), min(fees), max(fees)), counted
    assert abs(counted["usual"] - fmean(fees)) < 1e-9, counted


async def chosen_fields(session):
    """X-fields-1 X-fields-2 X-comp-1 O4.2-6: presets, paths, computed fields; an unknown one is refused where the shape is known."""
    for fields, expected in [
        ("minimal", {"id": 1, "title": "Volume 7"}),
        ("standard", {"id": 1, "title": "Volume 7", "reader": {"name": "Bob"}, "state": "late", "fee": 9.25}),
        (["reader.id", "_computed.label"], {"reader": {"id": 1}, "_computed": {"label": "Volume 7 (Bob)"}}),
    ]:
        answer = await session.data("list_loans", first=1, fields=fields)
        assert answer["items"] == [expected], (fields, answer)
    assert await session.code("list_loans", fields=["titel"]) == "VALIDATION_INVALID_VALUE"
    unknown = await session.data("list_readers", first=1, fields=["name", "nothing"])
    assert unknown["items"] == [{"name": "Reader 1"}], unknown


async def updates(session, api):
    """C4.5.1-3 C9.3.2-1 C9.3.2-2 C9.3.2-3: a PUT merges into what is there, and a stale version changes nothing."""
    before = api.get("/loans/12")
    version = (await session.data("get_loan", loan_id=12))["_etag"]
    changes = {"loan_id": 12, "input": {"reader": {"name": "Bo"}, "notes": "torn"}}
    done = await session.data("update_loan", "mcp_aql_update", if_match=version, **changes)
    after = {**before, "reader": {"id": before["reader"]["id"], "name": "Bo"}, "notes": "torn"}
    assert api.get("/loans/12") == after and done.pop("_etag") != version and done == after, done
    api.send("PATCH", "/loans/12", {"fee": 99})
    refused = await session.code("update_loan", "mcp_aql_update", if_match=version, **changes)
    assert refused == "CONFLICT_VERSION_MISMATCH", refused
    assert api.get("/loans/12") == {**after, "fee": 99}
    removal = {"loan_id": 12, "input": {"notes": None}}
    shown = await session.data("update_loan", "mcp_aql_update", dry_run=True, **removal)
    assert "notes" not in shown["request"]["body"] and api.get("/loans/12")["notes"] == "torn", shown
    await session.data("update_loan", "mcp_aql_update", **removal)
    assert "notes" not in api.get("/loans/12")


async def chain(session, api):
    """O7.2-3 O7.3-1 O7.3-2: one call lends a book, changes the loan and finds it again; a failure stops nothing."""
    new = {"title": "Emma", "reader": {"id": 1, "name": "Bob"}, "lent_at": "2026-11-01T10:00:00Z"}
    operations = [
        {"operation": "create_loan", "params": new},
        {"operation": "get_loan", "params": {"loan_id": 99999}},
        {"operation": "update_loan", "params": {"loan_id": "$results[0].data.id", "input": {"state": "late"}}},
        {"operation": "get_loan", "params": {"loan_id": "$results[2].data.id", "fields": ["id", "title", "state"]}},
        {"operation": "list_loans", "params": {"filter": {"title": "$results[3].data.title"}, "fields": "minimal"}},
    ]
    result = await session.ask("batch", "mcp_aql", operations=operations)
    assert result["summary"] == {"total": 5, "succeeded": 4, "failed": 1}, result
    results = [each["result"] for each in result["results"]]
    number = results[0]["data"]["id"]
    assert results[1]["error"]["code"] == "NOT_FOUND_RESOURCE", results[1]
    assert results[3]["data"].pop("_etag") and results[3]["data"] == {"id": number, "title": "Emma", "state": "late"}
    assert results[4]["data"]["items"] == [{"id": number, "title": "Emma"}], results[4]
    assert api.get(f"/loans/{number}")["state"] == "late"


async def bound_cursors(session):
    """X-page-14: a cursor is refused with another filter or another operation, and when it was changed."""
    page = await session.data("list_loans", first=10, filter={"state": "late"})
    cursor = page["pageInfo"]["endCursor"]
    changed = cursor[:-1] + ("A" if cursor[-1] != "A" else "B")
    for operation, params in [
        ("list_loans", {"after": cursor}),
        ("list_loans", {"after": cursor, "filter": {"state": "open"}}),
        ("list_loans", {"after": changed, "filter": {"state": "late"}}),
        ("list_books", {"after": cursor}),
    ]:
        code = await session.code(operation, first=10, **params)
        assert code == "VALIDATION_INVALID_VALUE", (operation, params, code)


async def restart(aqueduct, api, state):
    """X-page-15: another process with the same state goes on where this one ended; one with a state of its own does not."""
    cursors, everything = {}, {operation: api.get(path) for operation, path in LISTS.items()}
    async with served(aqueduct, api, "json-server-adapter.md", state) as session:
        for operation in LISTS:
            page = await session.data(operation, first=33)
            cursors[operation] = page["pageInfo"]["endCursor"]
    async with served(aqueduct, api, "json-server-adapter.md", state) as session:
        for operation, cursor in cursors.items():
            rest = await session.data(operation, all=True, after=cursor, fields="full")
            assert rest["items"] == everything[operation][33:], operation
    with tempfile.TemporaryDirectory() as other:
        async with served(aqueduct, api, "json-server-adapter.md", other) as session:
            code = await session.code("list_loans", first=5, after=cursors["list_loans"])
            assert code == "VALIDATION_INVALID_VALUE", code


async def check(paths, api, state):
    async with served(paths.aqueduct, api, "json-server-adapter.md", state) as session:
        await every_item_once(session, api)
        await cut_by_budget(session, api)
        await other_forms(session, api)
        await questions(session, api)
        await sums(session, api)
        await chosen_fields(session)
        await bound_cursors(session)
        await updates(session, api)
    async with served(paths.aqueduct, api, "json-server-adapter.md", state, "--mode", "single") as session:
        await chain(session, api)
    await restart(paths.aqueduct, api, state)


def main():
    paths = options()
    started = time.monotonic()
    with start(paths.json_server) as api, tempfile.TemporaryDirectory() as folder:
        asyncio.run(check(paths, api, os.path.join(folder, "state")))
        requests = api.said().count("GET /")
        print(f"json-server: all well, {requests} reads in {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
