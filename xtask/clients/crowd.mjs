// Clients of the TypeScript SDK, all at once, each with a session. Run by check_http.py:
// node crowd.mjs MODULES URL FIRST COUNT BOOK... reads these books with every client, and ends with 0 when every answer was right;
// with `forever` before the books it goes on until it is killed.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const [modules, url, first, count, ...rest] = process.argv.slice(2);
const forever = rest[0] === "forever";
const books = rest.slice(forever ? 1 : 0).map(Number);
const sdk = (file) => import(pathToFileURL(`${modules}/@modelcontextprotocol/sdk/dist/esm/${file}`));
const { Client } = await sdk("client/index.js");
const { StreamableHTTPClientTransport } = await sdk("client/streamableHttp.js");

const visit = async (number) => {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  const client = new Client({ name: `crowd ${number}`, version: "1.0.0" });
  await client.connect(transport);
  do {
    for (const book of books) {
      const book_id = book + number;
      const call = { name: "mcp_aql_read", arguments: { operation: "get_book", params: { book_id } } };
      const result = JSON.parse((await client.callTool(call)).content[0].text);
      assert.deepEqual(result, { success: true, data: { path: `/books/${book_id}` } });
    }
  } while (forever);
  await transport.terminateSession();
  await client.close();
};
await Promise.all(Array.from({ length: Number(count) }, (_, index) => visit(Number(first) + index)));
