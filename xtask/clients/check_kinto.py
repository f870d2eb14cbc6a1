"""Changes records of Kinto, whose versions the server itself holds to, through its example adapter."""

import asyncio
import base64
import os
import tempfile
import time

from check_python_sdk import inside
from real_apis import RealApi, items_of, served
from serving import options

USER, PASSWORD = "checker", "kinto-check-password"
ENVIRONMENT = {"KINTO_USER": USER, "KINTO_PASSWORD": PASSWORD}
RECORDS = "/buckets/workshop/collections/parts/records"
# Everything in memory. One thread: with several, this storage may compare a version and write behind another's back.
SETTINGS = """[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = %(http_port)s
threads = 1
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.userid_hmac_secret = check
kinto.bucket_create_principals = system.Authenticated
multiauth.policies = basicauth
"""
PARTS = [
    {
        "id": f"part-{number}",
        "name": f"Bolt {number * 7 % 40}",
        "shelf": f"{'ABC'[number % 3]}{number % 4}",
        "count": number * 37 % 100,
        "price": number * 13 % 50 / 4,
        "supplier": {"name": f"Smith {number % 5}", "city": "Nîmes"},
    }
    for number in range(1, 121)
]
# Updates at the same time, by each of two processes.
RIVALS = 15


def start(kinto):
    """The server. Its settings take any name and password, and what somebody makes is theirs alone."""
    credentials = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    command = [kinto, "start", "--ini", "kinto.ini", "--port", "PORT"]
    return RealApi(command, {"kinto.ini": SETTINGS}, "/v1", {"Authorization": f"Basic {credentials}"})


async def fill(session, api):
    """O7.1-2 O7.2-1 O7.2-2 O7.2-3: all parts in two batches, each result in its place."""
    api.send("PUT", "/buckets/workshop")
    api.send("PUT", "/buckets/workshop/collections/parts")
    for half in (PARTS[:60], PARTS[60:]):
        operations = [{"operation": "create_part", "params": {"data": part}} for part in half]
        result = inside(await session.client.call_tool("mcp_aql_create", {"operations": operations}))
        assert result["success"] is True and result["data"] is None, result
        assert result["summary"] == {"total": 60, "succeeded": 60, "failed": 0}, result["summary"]
        for index, (each, part) in enumerate(zip(result["results"], half, strict=True)):
            assert (each["index"], each["operation"]) == (index, "create_part"), each
            assert each["result"]["success"] is True and each["result"]["data"]["data"]["id"] == part["id"], each
    stored = {part["id"]: part for part in api.get(RECORDS)["data"]}
    assert len(stored) == len(PARTS)
    assert all(stored[part["id"]].items() >= part.items() for part in PARTS)


async def questions(session, api):
    """X-query-10 X-page-9 O4.2-4 O4.2-5: a list that comes whole has pages too, and the answer says who did what."""
    everything = api.get(RECORDS)["data"]
    rising = sorted(everything, key=lambda part: part["count"])
    for question, doers, expected in [
        ({}, None, everything),
        ({"filter": {"shelf": "B1"}}, {"filter": "upstream"}, [part for part in everything if part["shelf"] == "B1"]),
        ({"filter": {"count": {"lt": 9}}}, {"filter": "here"}, [part for part in everything if part["count"] < 9]),
        (
            {"filter": {"supplier.name": "Smith 3", "shelf": "C2"}},
            {"filter": "here"},
            [part for part in everything if part["supplier"]["name"] == "Smith 3" and part["shelf"] == "C2"],
        ),
        ({"sort": {"field": "count"}}, {"sort": "upstream"}, rising),
        ({"sort": {"field": "count", "order": "desc"}}, {"sort": "here"}, rising[::-1]),
    ]:
        whole = await session.data("list_parts", all=True, fields="full", **question)
        applied = whole.get("applied")
        assert applied == (doers and {**doers, "items_seen": applied["items_seen"], "complete": True}), applied
        paged = items_of(await session.pages("list_parts", 25, fields="full", **question))
        for items in (whole["items"], paged):
            assert same(items, expected, question), (question, items)


def same(items, expected, question):
    """Equal, whatever the order of those with the same place in it, which nobody promises."""
    field = question.get("sort", {}).get("field")
    order = [part[field] for part in items] == [part[field] for part in expected] if field else items == expected
    return order and sorted(items, key=lambda part: part["id"]) == sorted(expected, key=lambda part: part["id"])


async def chosen_fields(session, api):
    """X-fields-1 X-fields-2 X-comp-1 X-comp-2: the server is asked for the chosen fields, and for those behind computed ones."""
    everything = {part["id"]: part for part in api.get(RECORDS)["data"]}
    answer = await session.data("list_parts", all=True, fields=["id", "supplier.name", "_computed.worth"])
    for item in answer["items"]:
        part = everything[item["id"]]
        worth = item["_computed"].pop("worth")
        assert item == {"id": part["id"], "supplier": {"name": part["supplier"]["name"]}, "_computed": {}}, item
        assert abs(worth - part["count"] * part["price"]) < 1e-9, (part, worth)
    richest = await session.data("list_parts", first=5, fields=["id"], sort={"field": "_computed.worth", "order": "desc"})
    worths = [everything[item["id"]]["count"] * everything[item["id"]]["price"] for item in richest["items"]]
    assert worths == sorted((part["count"] * part["price"] for part in everything.values()), reverse=True)[:5], worths


async def versions(session, api):
    """C4.5.1-3 C9.3.2-1 C9.3.2-2 C9.3.2-3: what was read is changed, by PUT and by PATCH; what has changed since is not."""
    record, target = f"{RECORDS}/part-5", {"part_id": "part-5"}
    for operation, change in [
        ("update_part", {"data": {"supplier": {"city": "Rome"}}}),
        ("rename_part", {"data": {"name": "Nut"}}),
    ]:
        before = api.get(record)["data"]
        seen = (await session.data("get_part", **target))["_etag"]
        assert seen == api.send("GET", record)[1]["ETag"], seen
        done = await session.data(operation, "mcp_aql_update", if_match=seen, input=change, **target)
        stored = api.get(record)["data"]
        assert done["data"] == stored and done["_etag"] == f'"{stored["last_modified"]}"', done
        supplier = {**before["supplier"], **change["data"].get("supplier", {})}
        name = change["data"].get("name", before["name"])
        assert stored == {**before, "supplier": supplier, "name": name, "last_modified": stored["last_modified"]}
        refused = await session.code(operation, "mcp_aql_update", if_match=seen, input=change, **target)
        assert refused == "CONFLICT_VERSION_MISMATCH" and api.get(record)["data"] == stored, refused


async def rivals(one, other, api):
    """C9.3.2-3: two processes change one record at once; every change that was accepted is there, and no other."""

    async def change(session, key):
        result = await session.ask(
            "update_part", "mcp_aql_update", part_id="part-9", input={"data": {"marks": {key: True}}}
        )
        assert result["success"] or result["error"]["code"] == "CONFLICT_VERSION_MISMATCH", result
        return key if result["success"] else None

    changes = [change(session, f"{name}{number}") for number in range(RIVALS) for name, session in (("a", one), ("b", other))]
    accepted = {key for key in await asyncio.gather(*changes) if key}
    marks = set(api.get(f"{RECORDS}/part-9")["data"]["marks"])
    assert marks == accepted and accepted, (marks, accepted)
    return len(accepted)


async def hidden_password(session):
    """O4.4.1-9: a rehearsal shows the request without its credentials, and sends nothing."""
    shown = await session.ask(
        "update_part", "mcp_aql_update", part_id="part-7", dry_run=True, input={"data": {"count": 1}}
    )
    request = shown["data"]["request"]
    assert request["method"] == "PUT" and request["body"]["data"]["count"] == 1, request
    secret = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    assert "if-match" in request["headers"] and PASSWORD not in str(shown) and secret not in str(shown), request
    stored = await session.data("get_part", part_id="part-7")
    assert stored["data"]["count"] == PARTS[6]["count"], stored


async def check(paths, api, state):
    async with served(paths.aqueduct, api, "kinto-adapter.md", state, environment=ENVIRONMENT) as session:
        await fill(session, api)
        await questions(session, api)
        await chosen_fields(session, api)
        await versions(session, api)
        await hidden_password(session)
        async with served(paths.aqueduct, api, "kinto-adapter.md", state, environment=ENVIRONMENT) as other:
            return await rivals(session, other, api)


def main():
    paths = options()
    started = time.monotonic()
    with start(paths.kinto) as api, tempfile.TemporaryDirectory() as folder:
        accepted = asyncio.run(check(paths, api, os.path.join(folder, "state")))
        took = time.monotonic() - started
        print(f"kinto: all well, {accepted} of {2 * RIVALS} rival updates accepted, {took:.1f} s")


if __name__ == "__main__":
    main()
