"""Calls httpbin, which gives back what it was sent, through an OpenAPI document: parameters, bodies, credentials, kinds of answer."""

import asyncio
import base64
import contextlib
import json
import os
import tempfile
import time
import urllib.parse

from mcp import Client, StdioServerParameters

from real_apis import Asker, RealApi
from serving import options

TEXT = "a b&c=d/é€😀+%20"
BYTES = bytes(range(256))
ENVIRONMENT = {
    "AQUEDUCT_ECHO__PERSON_USERNAME": "ann",
    "AQUEDUCT_ECHO__PERSON_PASSWORD": "p:w d",
    "AQUEDUCT_ECHO__HOLDER": "holder-token",
    "AQUEDUCT_ECHO__KEY": "key-value",
}
# What a client gets to see of a credential that came back.
HIDDEN = "[REDACTED]"
STRING, LIST = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
POINT = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "string"}}}
FILE = {"type": "string", "format": "binary"}


def parameter(name, place, schema, **rest):
    return {"name": name, "in": place, "schema": schema, "required": place == "path", **rest}


def operation(name, *parameters, answer="application/json", **rest):
    content = {answer: {}}
    return {"operationId": name, "parameters": parameters, "responses": {"200": {"description": "", "content": content}}, **rest}


def sent_as(kind, schema):
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema}}}}


def fields(**schemas):
    return {"type": "object", "properties": schemas}


EVERYTHING = fields(text=STRING, count={"type": "integer"}, tags=LIST, point=POINT, ok={"type": "boolean"})
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Echo", "version": "1"},
    "components": {
        "securitySchemes": {
            "person": {"type": "http", "scheme": "basic"},
            "holder": {"type": "http", "scheme": "bearer"},
            "key": {"type": "apiKey", "in": "header", "name": "X-Echo-Key"},
        }
    },
    "paths": {
        "/anything/{plain}/{many}/{dotted}/{matrix}": {
            "get": operation(
                "echo_path",
                parameter("plain", "path", STRING),
                parameter("many", "path", LIST),
                parameter("dotted", "path", LIST, style="label", explode=True),
                parameter("matrix", "path", POINT, style="matrix", explode=True),
            )
        },
        "/anything": {
            "get": operation(
                "echo_query",
                parameter("text", "query", STRING),
                parameter("many", "query", LIST),
                parameter("joined", "query", LIST, explode=False),
                parameter("piped", "query", LIST, style="pipeDelimited", explode=False),
                parameter("point", "query", POINT, style="deepObject", explode=True),
                parameter("X-Trace", "header", STRING),
                parameter("X-List", "header", LIST),
                parameter("flavour", "cookie", STRING),
                security=[{"key": []}],
            ),
            "post": operation("echo_json", **sent_as("application/json", EVERYTHING)),
        },
        "/anything/form": {"post": operation("echo_form", **sent_as("application/x-www-form-urlencoded", EVERYTHING))},
        "/anything/parts": {"post": operation("echo_parts", **sent_as("multipart/form-data", fields(name=STRING, file=FILE, point=POINT)))},
        "/anything/text": {"post": operation("echo_text", **sent_as("text/plain", STRING))},
        "/anything/bytes": {"post": operation("echo_bytes", **sent_as("application/octet-stream", FILE))},
        "/basic-auth/ann/p:w d": {"get": operation("log_in", security=[{"person": []}])},
        "/bearer": {"get": operation("show_bearer", security=[{"holder": []}])},
        "/robots.txt": {"get": operation("get_text", answer="text/plain")},
        "/image/png": {"get": operation("get_image", answer="image/png")},
        "/gzip": {"get": operation("get_gzip")},
        "/deflate": {"get": operation("get_deflate")},
        "/brotli": {"get": operation("get_brotli")},
        "/status/{code}": {"get": operation("get_status", parameter("code", "path", {"type": "integer"}))},
        "/absolute-redirect/2": {"get": operation("get_elsewhere")},
        "/delete": {"delete": operation("remove_it")},
    },
}


async def parameters(session):
    """S-openapi-13 S-openapi-14 S-openapi-5: each style of path, query, header and cookie, as another program reads it."""
    echo = await session.data("echo_path", plain="a b&c=d/é€😀+", many=["a b", "c"], dotted=["d", "e"], matrix={"x": 7, "y": "z/z"})
    path = urllib.parse.urlsplit(echo["url"]).path
    assert urllib.parse.unquote(path) == "/anything/a b&c=d/é€😀+/a b,c/.d.e/;x=7;y=z/z", echo
    many = ["x y", "ü", "a,b"]
    point = {"x": 7, "y": TEXT}
    params = {"text": TEXT, "many": many, "joined": ["a", "b c"], "piped": ["d", "e"], "point": point}
    echo = await session.data("echo_query", **params, x_trace="trace 1", x_list=["a", "b"], flavour="oat & raisin")
    expected = {"text": TEXT, "many": many, "joined": "a,b c", "piped": "d|e", "point[x]": "7", "point[y]": TEXT}
    assert echo["args"] == expected, echo["args"]
    headers = echo["headers"]
    assert (headers["X-Trace"], headers["X-List"]) == ("trace 1", "a,b"), headers
    assert urllib.parse.unquote(headers["Cookie"]) == "flavour=oat & raisin", headers
    assert headers["X-Echo-Key"] == HIDDEN, headers


async def bodies(session):
    """S-openapi-15: each kind of body arrives with its type and its content, bytes as bytes."""
    body = {"text": TEXT, "count": 7, "tags": ["a", "b"], "point": {"x": 1, "y": "z"}, "ok": True}
    echo = await session.data("echo_json", "mcp_aql_create", **body)
    assert echo["json"] == body and echo["headers"]["Content-Type"] == "application/json", echo
    echo = await session.data("echo_form", "mcp_aql_create", text=TEXT, count=7, ok=True)
    assert echo["form"] == {"text": TEXT, "count": "7", "ok": "true"}, echo
    file = {"content": base64.b64encode(BYTES).decode(), "filename": "all bytes.bin", "content_type": "application/x-all"}
    echo = await session.data("echo_parts", "mcp_aql_create", name=TEXT, file=file, point={"x": 1})
    assert echo["form"]["name"] == TEXT and json.loads(echo["form"]["point"]) == {"x": 1}, echo["form"]
    kind, _, content = echo["files"]["file"].partition(";base64,")
    assert kind == "data:application/x-all" and base64.b64decode(content) == BYTES, echo["files"]
    echo = await session.data("echo_text", "mcp_aql_create", body=TEXT)
    assert echo["data"] == TEXT and echo["headers"]["Content-Type"].startswith("text/plain"), echo
    echo = await session.data("echo_bytes", "mcp_aql_create", body=base64.b64encode(BYTES).decode())
    assert base64.b64decode(echo["data"].partition(";base64,")[2]) == BYTES, echo
    assert echo["headers"]["Content-Type"] == "application/octet-stream", echo


async def credentials(session):
    """S-openapi-16: name and password as the server itself checks them, and a token, which it gives back."""
    assert (await session.data("log_in"))["user"] == "ann"
    assert (await session.data("show_bearer"))["token"] == HIDDEN


async def answers(session, api):
    """S-openapi-17: JSON however it is packed, text, and bytes; failures keep their status; redirects are followed."""
    assert await session.data("get_text") == api.get("/robots.txt").decode()
    image = await session.data("get_image")
    assert image["mime_type"] == "image/png" and base64.b64decode(image["content"]) == api.get("/image/png"), image
    for packed, word in [("get_gzip", "gzipped"), ("get_deflate", "deflated"), ("get_brotli", "brotli")]:
        assert (await session.data(packed))[word] is True, packed
    assert (await session.data("get_elsewhere"))["url"].endswith("/get")
    codes = {404: "NOT_FOUND_RESOURCE", 401: "PERMISSION_DENIED", 403: "PERMISSION_DENIED"}
    for status, code in codes.items():
        assert await session.code("get_status", code=status) == code, status


async def removal(session):
    """S1 of the rulings: nothing is removed before somebody agrees."""
    result = await session.ask("remove_it", "mcp_aql_delete")
    assert result["error"]["code"] == "CONFIRMATION_REQUIRED", result
    token = result["error"]["details"]["confirmation_token"]
    done = await session.data("remove_it", "mcp_aql_delete", confirmation_token=token)
    assert done["url"].endswith("/delete"), done


@contextlib.asynccontextmanager
async def served(aqueduct, api, state):
    """A session with the document, whose servers are elsewhere: the base URL is given."""
    document = os.path.join(api.folder.name, "echo.json")
    arguments = ["serve", document, "--base-url", api.url, "--trust", "official", "--state-dir", state]
    server = StdioServerParameters(command=aqueduct, args=arguments, env=ENVIRONMENT, cwd=api.folder.name)
    async with Client(server) as client:
        yield Asker(client)


async def check(paths, api, state):
    async with served(paths.aqueduct, api, state) as session:
        await parameters(session)
        await bodies(session)
        await credentials(session)
        await answers(session, api)
        await removal(session)


def main():
    paths = options()
    started = time.monotonic()
    command = [paths.httpbin, "-m", "gunicorn", "-b", "127.0.0.1:PORT", "httpbin:app"]
    with RealApi(command, {"echo.json": json.dumps(DOCUMENT)}) as api, tempfile.TemporaryDirectory() as state:
        asyncio.run(check(paths, api, state))
    print(f"httpbin: all well, {len(DOCUMENT['paths'])} paths, {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
