// Lists and calls with the official TypeScript SDK over HTTP. Run by check_http.py: node http_client.mjs MODULES URL

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const [modules, url] = process.argv.slice(2);
const sdk = (file) => import(pathToFileURL(`${modules}/@modelcontextprotocol/sdk/dist/esm/${file}`));
const { Client } = await sdk("client/index.js");
const { StreamableHTTPClientTransport } = await sdk("client/streamableHttp.js");

const transport = new StreamableHTTPClientTransport(new URL(url));
const client = new Client({ name: "check", version: "1.0.0" });
await client.connect(transport);
assert.equal(transport.protocolVersion, "2025-11-25");
assert.ok(transport.sessionId);
assert.equal((await client.listTools()).tools.length, 5);

const call = async (tool, operation, params) => {
  const result = await client.callTool({ name: `mcp_aql_${tool}`, arguments: { operation, params } });
  return JSON.parse(result.content[0].text);
};
assert.deepEqual(await call("read", "get_book", { book_id: 7 }), { success: true, data: { path: "/books/7" } });
const asked = await call("delete", "delete_book", { book_id: 7 });
const confirmation_token = asked.error.details.confirmation_token;
assert.equal((await call("delete", "delete_book", { book_id: 7, confirmation_token })).success, true);
await assert.rejects(client.callTool({ name: "mcp_aql_nothing", arguments: {} }), /Unknown tool/);

await transport.terminateSession();
await client.close();
