// An operator in Chromium and an agent with the official SDK. Run by check_operator_page.py: node operator_page.mjs SETTINGS

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const settings = JSON.parse(process.argv[2]);
const require = createRequire(`${settings.browserModules}/`);
const { chromium } = require("playwright-core");
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const sdk = (file) => import(pathToFileURL(`${settings.modules}/@modelcontextprotocol/sdk/dist/esm/${file}`));
const { Client } = await sdk("client/index.js");
const { StreamableHTTPClientTransport } = await sdk("client/streamableHttp.js");

const WAIT = 20_000;
const HOSTILE = "\"'><script>window.hacked=1;alert(1)</script><img src=x onerror=\"window.hacked=2\">\r\nSet-Cookie: a=b\r\n\r\nevent: ended\ndata: {}\n\n\u202e\u001b[2J {{7*7}} ${7*7} </code></pre></article><!--";
const seen = { expected: [], secrets: [] };

// The agent

async function connected() {
  const session = new Client({ name: "agent", version: "1.0.0" });
  await session.connect(new StreamableHTTPClientTransport(new URL(settings.mcp)));
  return session;
}
const client = await connected();
/** The session of the agents in the pictures. */
let agents;
/** What they say, and what becomes of it. */
const PICTURED = {
  "release bot": [
    ["read_file CHANGELOG.md", "goes on"],
    ["list_orders that are open", "goes on"],
    ["run the tests of the shop", "goes on"],
    ["send the list to ann@example.com", "goes on"],
    ["remove the old lamps from the catalogue", "is let go on"],
    ["write release notes to notes.md", "goes on"],
    ["deploy_shop version 2.4.1 to staging", "is let go on"],
    ["get_order 1007 to see that it works", "goes on"],
  ],
  "price keeper": [
    ["read_prices of lamps", "goes on"],
    ["compare them with the list of November", "goes on"],
    ["delete_price of lamp-3, which is sold out", "is paused"],
  ],
};

async function call(tool, operation, params, session = client) {
  const result = await session.callTool({ name: `mcp_aql_${tool}`, arguments: { operation, params } });
  return JSON.parse(result.content[0].text);
}

/** Asks for something that an operator has to confirm. */
async function ask(tool, operation, params, session = client) {
  const asked = await call(tool, operation, params, session);
  assert.equal(asked.error?.code, "CONFIRMATION_REQUIRED", JSON.stringify(asked));
  assert.ok(asked.error.details.approval_id && !asked.error.details.confirmation_token);
  return asked.error.details.approval_id;
}

/** Starts an agent, which the operator approves on a page. */
async function startAgent(page, name, session) {
  const id = await ask("execute", "execute_agent", { element_name: name }, session);
  await card(page, id).getByRole("button", { name: "Approve" }).click();
  await page.getByText("approved execute_agent").waitFor();
  const done = await call("execute", "execute_agent", { element_name: name }, session);
  assert.equal(done.success, true, JSON.stringify(done));
}

/** What an agent is told about what it does next. */
async function reportStep(name, hint, session) {
  const done = await call("create", "record_execution_step", { element_name: name, next_action_hint: hint }, session);
  assert.equal(done.success, true, JSON.stringify(done));
  return done.data.directive;
}

// The browser

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: settings.browser, args: flags, headless: true });
const problems = [];

/** A window of its own, in which everything that goes wrong is noted. */
async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  context.setDefaultTimeout(WAIT);
  const page = await context.newPage();
  page.on("dialog", (dialog) => { problems.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("pageerror", (error) => problems.push(`an error: ${error.message}`));
  page.on("console", (message) => {
    // A refused sign-in is shown as an error of the network, and is none.
    if (message.type() === "error" && !/status of (401|429)/.test(message.text())) problems.push(`on the console: ${message.text()}`);
  });
  page.on("request", (request) => { if (!request.url().startsWith(settings.page)) problems.push(`asked for ${request.url()}`); });
  await context.addInitScript(() => document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
  return { context, page };
}

async function signIn(page) {
  await page.goto(settings.page);
  await page.getByLabel("Passphrase").fill(settings.passphrase);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Waiting", exact: true }).waitFor();
}

const card = (page, id) => page.locator(`article[data-id="${id}"]`);

/** Notes what lets somebody in, to be looked for in the log. */
async function note(context, page) {
  for (const cookie of await context.cookies()) {
    assert.ok(cookie.httpOnly && cookie.sameSite === "Strict" && cookie.path.startsWith("/desk/"), JSON.stringify(cookie));
    seen.secrets.push(cookie.value);
  }
  seen.secrets.push(new URL(page.url()).pathname.split("/")[2]);
  const token = page.locator("input[name=token]").first();
  seen.secrets.push(await token.inputValue());
}

/** Nothing that keeps somebody from using the page, as axe-core finds it. */
async function usable(page, where) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter((each) => ["serious", "critical"].includes(each.impact));
  assert.deepEqual(grave.map((each) => `${where}: ${each.id}: ${each.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")}`), []);
}

async function noSidewaysScrolling(page, where) {
  const width = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
  assert.ok(width[0] <= width[1], `${where}: ${width[0]} wide on a screen of ${width[1]}`);
}

// A picture of a part of the page. The page is live: a part may be put anew while it is taken.
async function picture(part, name) {
  for (let left = 5; ; left -= 1) {
    try {
      return await part.screenshot({ path: `${settings.pictures}/${name}` });
    } catch (error) {
      if (left === 0 || !/not attached/.test(String(error))) throw error;
    }
  }
}

const steps = {
  async "a call appears by itself, is approved, and goes through"() {
    const { context, page } = await open();
    await page.goto(settings.page);
    await page.getByLabel("Passphrase").fill("not the passphrase");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("That is not it").waitFor();
    await signIn(page);
    await note(context, page);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.evaluate(() => { window.sameDocument = true; });
    const id = await ask("delete", "delete_order", { order_id: "7" });
    await card(page, id).waitFor();
    assert.ok(await page.evaluate(() => window.sameDocument), "without loading again");
    const text = await card(page, id).innerText();
    for (const said of ["delete_order", "of shop", "destructive", "Remove order 7?", "DELETE http://127.0.0.1:", "the order is gone for good", "asked by local", "min left"]) {
      assert.ok(text.includes(said), `${said}: ${text}`);
    }
    assert.equal(await page.title(), "(1) Now · Aqueduct operator");
    await card(page, id).getByRole("button", { name: "Approve" }).click();
    await page.getByText("approved shop__delete_order").waitFor();
    await card(page, id).waitFor({ state: "detached" });
    const done = await call("delete", "delete_order", { order_id: "7" });
    assert.equal(done.success, true, JSON.stringify(done));
    seen.expected.push(["DELETE", "/orders/7"]);
    // Whoever comes back to the address is still signed in, without a cookie for the whole host.
    await page.goto(settings.page);
    await page.getByRole("heading", { name: "Waiting", exact: true }).waitFor();
    await context.close();
  },

  async "tabs that nobody sees leave a connection to the one that is used"() {
    const { context, page } = await open();
    await signIn(page);
    const id = await ask("delete", "delete_order", { order_id: "tabs" });
    await card(page, id).waitFor();
    const turn = (tab, isHidden) => tab.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
    // Chromium opens six connections to one address.
    const tabs = [];
    for (let number = 0; number < 7; number += 1) {
      const tab = await context.newPage();
      await tab.goto(page.url());
      await tab.getByText("Live", { exact: true }).waitFor();
      await card(tab, id).waitFor();
      await turn(tab, true);
      tabs.push(tab);
    }
    await card(page, id).getByRole("button", { name: "Approve" }).click();
    await page.getByText("approved shop__delete_order").waitFor();
    await turn(tabs[0], false);
    await card(tabs[0], id).waitFor({ state: "detached" });
    await context.close();
  },

  async "a plan of five is answered at once"() {
    const { context, page } = await open();
    await signIn(page);
    const operations = [1, 2, 3, 4, 5].map((number) => ({ operation: "delete_order", params: { order_id: `plan-${number}` } }));
    const id = await ask("delete", "batch", { plan: true, operations });
    await card(page, id).waitFor();
    assert.match(await card(page, id).innerText(), /Plan of 5 calls/);
    assert.equal(await card(page, id).getByRole("listitem").count(), 5);
    await card(page, id).getByRole("button", { name: "Approve" }).click();
    await page.getByText("approved plan of 5 calls").waitFor();
    const done = await call("delete", "batch", { plan: true, operations });
    assert.deepEqual(done.summary, { total: 5, succeeded: 5, failed: 0 }, JSON.stringify(done));
    for (const { params } of operations) seen.expected.push(["DELETE", `/orders/${params.order_id}`]);
    await context.close();
  },

  async "a no is told with its reason"() {
    const { context, page } = await open();
    await signIn(page);
    const id = await ask("delete", "delete_order", { order_id: "8" });
    await card(page, id).getByPlaceholder("Reason").fill("it was paid yesterday");
    // What is typed stays while other things come and go.
    const other = await ask("delete", "delete_order", { order_id: "9" });
    await card(page, other).waitFor();
    assert.equal(await card(page, id).getByPlaceholder("Reason").inputValue(), "it was paid yesterday");
    await card(page, id).getByRole("button", { name: "Deny" }).click();
    await page.getByText("denied shop__delete_order: it was paid yesterday").waitFor();
    const refused = await call("delete", "delete_order", { order_id: "8" });
    assert.equal(refused.error.code, "PERMISSION_DENIED", JSON.stringify(refused));
    assert.match(refused.error.message, /it was paid yesterday/);
    await card(page, other).getByRole("button", { name: "Deny" }).click();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("“it was paid yesterday”").waitFor();
    await page.getByRole("link", { name: "Audit" }).click();
    await page.getByLabel("Find").fill("APPROVAL_DENIED");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("it was paid yesterday").waitFor();
    assert.equal(await page.getByText("APPROVAL_GRANTED").count(), 0);
    await context.close();
  },

  async "what clients say is shown as text"() {
    const { context, page } = await open();
    await signIn(page);
    const details = { [HOSTILE]: [HOSTILE, { deep: HOSTILE.repeat(30) }] };
    const id = await ask("execute", "refund_order", { order_id: HOSTILE, amount_cents: 4200, note: HOSTILE, details, password: settings.secret });
    await card(page, id).waitFor();
    const text = await card(page, id).innerText();
    assert.ok(text.includes("<script>window.hacked=1;alert(1)</script>") && text.includes("\\u{202e}"), text);
    assert.ok(!text.includes("\u202e") && !(await page.content()).includes(settings.secret), "hidden");
    await card(page, id).getByPlaceholder("Reason").fill(HOSTILE);
    await card(page, id).getByRole("button", { name: "Deny" }).click();
    await page.getByRole("status").getByText("denied shop__refund_order").waitFor();
    for (const place of ["history", `audit?search=${encodeURIComponent(HOSTILE)}`, "audit"]) {
      await page.goto(new URL(place, page.url()).href);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("script").count(), 1);
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual((await context.cookies()).map((cookie) => cookie.name), ["aqueduct_operator"]);
    const refused = await call("execute", "refund_order", { order_id: HOSTILE, amount_cents: 4200, note: HOSTILE, details, password: settings.secret });
    assert.equal(refused.error.code, "PERMISSION_DENIED", JSON.stringify(refused));
    assert.ok(!/[\r\n\u202e\u001b]/.test(refused.error.message), JSON.stringify(refused.error.message));
    await context.close();
  },

  async "by keyboard alone"() {
    const { context, page } = await open();
    await page.goto(settings.page);
    assert.equal(await page.evaluate(() => document.activeElement.id), "passphrase");
    await page.keyboard.type(settings.passphrase);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Waiting", exact: true }).waitFor();
    const id = await ask("delete", "delete_order", { order_id: "keys" });
    await card(page, id).waitFor();
    const order = [];
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(() => {
        const { activeElement: element } = document;
        const style = getComputedStyle(element);
        const name = element.getAttribute("placeholder") ?? element.textContent.trim().slice(0, 30);
        return { name, isSeen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2, isBody: element === document.body };
      });
      if (focus.isBody) break;
      assert.ok(focus.isSeen, `no focus is seen on ${focus.name}`);
      order.push(focus.name);
      if (focus.name === "Approve") break;
    }
    assert.deepEqual(order, ["To the content", "Now", "History", "Audit", "Sign out", "Approve"], "in the order in which one reads");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Deny");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("approved shop__delete_order").waitFor();
    assert.equal((await call("delete", "delete_order", { order_id: "keys" })).success, true);
    seen.expected.push(["DELETE", "/orders/keys"]);
    await context.close();
  },

  async "a paused quota goes on"() {
    const { context, page } = await open();
    await signIn(page);
    const stock = () => call("read", "get_stock", { sku: "lamp-3" });
    assert.equal((await stock()).success, true);
    assert.equal((await stock()).success, true);
    const paused = await stock();
    assert.equal(paused.error?.code, "RATE_LIMIT_QUOTA_PAUSE", JSON.stringify(paused));
    const button = page.getByRole("button", { name: "Let requests_per_day of stock go on" });
    await button.waitFor();
    await button.focus();
    // What is shown anew while somebody is on a button leaves them there.
    const id = await ask("delete", "delete_order", { order_id: "quota" });
    await card(page, id).waitFor();
    assert.equal(await button.evaluate((element) => element === document.activeElement), true, "the focus stays");
    await page.keyboard.press("Enter");
    await page.getByText("requests_per_day of stock goes on until it starts again").waitFor();
    assert.equal((await stock()).success, true);
    assert.equal(await button.count(), 0);
    await card(page, id).getByRole("button", { name: "Deny" }).click();
    await page.getByText("denied shop__delete_order").waitFor();
    // The hook of this server fails each time.
    await page.getByText("the hook of [operator] ended with code 1").first().waitFor();
    await context.close();
  },

  async "agents are released, verified and unblocked"() {
    const { context, page } = await open();
    await signIn(page);
    const session = await connected();
    const section = page.locator("#agents");
    const run = (name) => startAgent(page, name, session);
    const report = (name, hint) => reportStep(name, hint, session);
    await run("night clerk");
    for (const hint of ["read_orders of today", "list_orders that are late", "send the summary to ann@example.com"]) {
      assert.equal((await report("night clerk", hint)).continue, true, hint);
    }
    await section.getByRole("heading", { name: "night clerk" }).waitFor();
    await section.getByRole("img", { name: /last 3 steps, highest risk \d+/ }).waitFor();
    await section.locator("summary", { hasText: "3 steps" }).click();
    await section.getByText("list_orders that are late").waitFor();
    // Hints of agents are text, whatever they try to be.
    assert.equal((await report("night clerk", `deploy_site ${HOSTILE.slice(0, 60)}`)).continue, false);
    await section.getByText("paused", { exact: true }).first().waitFor();
    assert.ok(await section.getByText("list_orders that are late").isVisible(), "what is unfolded stays so");
    await section.getByText("window.hacked=1").first().waitFor();
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await section.getByRole("button", { name: "Let it go on" }).click();
    await page.getByText("may go on; it reports its action again").waitFor();
    assert.equal((await report("night clerk", `deploy_site ${HOSTILE.slice(0, 60)}`)).continue, true);

    const blocked = await report("night clerk", "rm -rf /srv/orders");
    assert.equal(blocked.continue, false, JSON.stringify(blocked));
    await section.getByText("blocked", { exact: true }).first().waitFor();
    assert.ok(!(await page.content()).includes("Code for"));
    await section.getByRole("button", { name: "Show the code" }).click();
    await page.getByRole("heading", { name: "Code for" }).waitFor();
    const code = await page.locator("#secret").innerText();
    const challenge = (await page.locator(".revealed .facts").innerText()).match(/[0-9a-f-]{36}/)[0];
    seen.secrets.push(code, code.replaceAll("-", ""));
    await usable(page, "a code");
    await page.getByRole("link", { name: "Back to what waits" }).click();
    await section.getByText("A code was shown").waitFor();
    assert.ok(!(await page.content()).includes(code), "once");
    const verified = await call("create", "verify_challenge", { challenge_id: challenge, code }, session);
    assert.equal(verified.success, true, JSON.stringify(verified));
    await section.getByText("blocked", { exact: true }).first().waitFor({ state: "hidden" });

    await run("janitor");
    assert.equal((await report("janitor", "drop_table orders")).continue, false);
    await section.getByRole("button", { name: "Lift the block without a code" }).click();
    await page.getByText("is lifted; the audit has it").waitFor();
    assert.equal((await report("janitor", "read_orders again")).stopped ?? false, false);
    // Left as they are for what follows: one blocked, one paused.
    assert.equal((await report("janitor", "delete_all orders of last year")).continue, false);
    assert.equal((await report("night clerk", "git push the new prices")).continue, false);
    await section.getByRole("button", { name: "Make a token for somebody else" }).click();
    await page.getByRole("heading", { name: "Token for" }).waitFor();
    seen.secrets.push(await page.locator("#secret").innerText());
    await page.goto(new URL("audit?search=AGENT_UNBLOCKED", page.url()).href);
    await page.getByText("AGENT_UNBLOCKED").first().waitFor();
    await session.close();
    await context.close();
  },

  async "work under way is followed and cancelled"() {
    const { context, page } = await open();
    await signIn(page);
    const run = async (params) => {
      const started = await call("execute", "run_export", params);
      assert.equal(started.success, true, JSON.stringify(started));
      return started.data.execution_id;
    };
    const section = page.locator("#executions");
    const work = (id) => section.locator(`article[data-id="execution-${id}"]`);
    const [id, quick, failing] = [
      await run({ rows: 1_000_000, step: 100, note: HOSTILE }),
      await run({ rows: 100, step: 60 }),
      await run({ rows: 100, step: 60, ends: "failed" }),
    ];
    await work(id).waitFor();
    for (const said of ["run_export", "of exports", "local", "heard of", "window.hacked=1"]) {
      await work(id).getByText(said).first().waitFor();
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    // It moves on by itself, and what has ended goes to the others.
    const rows = async () => Number((await work(id).getByText(/ of 1,000,000/).innerText()).split(" ")[0].replaceAll(",", ""));
    const first = await rows();
    await page.waitForFunction(([id, first]) => {
      const text = document.querySelector(`article[data-id="execution-${id}"]`).innerText.match(/([\d,]+) of 1,000,000/)[1];
      return Number(text.replaceAll(",", "")) > first;
    }, [id, first], { timeout: WAIT });
    await work(quick).waitFor({ state: "detached" });
    await work(failing).waitFor({ state: "detached" });
    await section.locator("summary", { hasText: "Ended last" }).click();
    await section.getByText("the disk is full").waitFor();
    await section.getByText("completed", { exact: true }).waitFor();
    await usable(page, "work under way");
    await noSidewaysScrolling(page, "work under way");
    // Whoever is on the button stays there while the rest changes.
    const button = work(id).getByRole("button", { name: "Cancel" });
    await button.focus();
    const at = await rows();
    await page.waitForFunction(([id, at]) => !document.querySelector(`article[data-id="execution-${id}"]`).innerText.includes(` ${at} of`), [id, at.toLocaleString("en-US")], { timeout: WAIT });
    await page.waitForTimeout(3500);
    assert.equal(await button.evaluate((element) => element === document.activeElement), true, "the focus stays");
    assert.ok(await section.getByText("the disk is full").isVisible(), "what is unfolded stays so");
    await page.keyboard.press("Enter");
    await page.getByText("cancelled run_export; its API is told").waitFor();
    await work(id).waitFor({ state: "detached" });
    const state = await call("read", "get_execution", { execution_id: id });
    assert.deepEqual([state.data.status, state.warnings[0].code], ["cancelled", "EXECUTION_CANCELLED_BY_OPERATOR"], JSON.stringify(state));
    await section.locator("summary", { hasText: "Ended last" }).click();
    await section.getByText("cancelled by the operator; its API was told").waitFor();
    await page.goto(new URL("audit?search=EXECUTION_CANCELLED", page.url()).href);
    await page.getByText(id).first().waitFor();
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    // Left as it is for what follows.
    await run({ rows: 90_000, step: 5, note: "writing part 7 of 12" });
    await context.close();
  },

  async "on a phone, and by everybody"() {
    const id = await ask("execute", "refund_order", { order_id: "A-1007", amount_cents: 12900, note: `came ${"broken".repeat(40)}`, details: { items: [{ sku: "lamp-3", count: 2 }, { sku: "shade-1", count: 1 }], carrier: "north parcel", received: "2026-11-14" } });
    for (const colorScheme of ["light", "dark"]) {
      for (const viewport of [{ width: 1280, height: 860 }, { width: 375, height: 812 }]) {
        const { context, page } = await open({ colorScheme, viewport, reducedMotion: "reduce" });
        const where = `${colorScheme}, ${viewport.width} wide`;
        await page.goto(settings.page);
        await usable(page, `sign in, ${where}`);
        await noSidewaysScrolling(page, `sign in, ${where}`);
        await signIn(page);
        await card(page, id).waitFor();
        for (const place of ["", "history", "audit"]) {
          await page.goto(new URL(place || ".", page.url()).href);
          await page.getByRole("heading", { level: 2 }).first().waitFor();
          await usable(page, `${place || "now"}, ${where}`);
          await noSidewaysScrolling(page, `${place || "now"}, ${where}`);
        }
        await context.close();
      }
    }
    const { context, page } = await open({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
    await signIn(page);
    await card(page, id).getByRole("button", { name: "Deny" }).tap();
    await page.getByText("denied shop__refund_order").waitFor();
    await context.close();
  },

  async "without JavaScript"() {
    const { context, page } = await open({ javaScriptEnabled: false });
    const [yes, no] = [await ask("delete", "delete_order", { order_id: "plain" }), await ask("delete", "delete_order", { order_id: "plain-no" })];
    await signIn(page);
    await card(page, yes).getByRole("button", { name: "Approve" }).click();
    await page.getByText("approved shop__delete_order").waitFor();
    await card(page, no).getByPlaceholder("Reason").fill("not that one");
    await card(page, no).getByRole("button", { name: "Deny" }).click();
    await page.getByText("denied shop__delete_order: not that one").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Passphrase").waitFor();
    assert.equal((await call("delete", "delete_order", { order_id: "plain" })).success, true);
    seen.expected.push(["DELETE", "/orders/plain"]);
    await context.close();
  },

  async "work under way for the pictures"() {
    const { context, page } = await open();
    await signIn(page);
    // In a session of its own, which goes on until everything was seen.
    const session = agents = await connected();
    const letGoOn = (name) => page.locator("#agents article").filter({ has: page.getByRole("heading", { name: `${name} paused` }) }).getByRole("button", { name: "Let it go on" });
    for (const [name, hints] of Object.entries(PICTURED)) {
      await startAgent(page, name, session);
      for (const [hint, effect] of hints) {
        let directive = await reportStep(name, hint, session);
        assert.equal(directive.continue, effect === "goes on", `${hint}: ${JSON.stringify(directive)}`);
        if (effect !== "is let go on") continue;
        await letGoOn(name).click();
        await page.getByText("may go on; it reports its action again").waitFor();
        directive = await reportStep(name, hint, session);
        assert.equal(directive.continue, true, `${hint}: ${JSON.stringify(directive)}`);
      }
    }
    for (let number = 0; number < 24; number += 1) assert.equal((await call("read", "get_parcel", { parcel_id: `p-${number}` })).success, true);
    assert.equal((await call("read", "get_parcel", { parcel_id: "p-24" })).error?.code, "RATE_LIMIT_QUOTA_PAUSE");
    for (const [rows, note] of [[400, "orders of October"], [700, "addresses, part 2 of 5"]]) {
      assert.equal((await call("execute", "run_export", { rows, step: 2, note })).success, true);
    }
    // Until there is something to be seen of it.
    await page.locator("#executions").getByText(/^1[0-9][0-9] of 400$/).waitFor();
    await context.close();
  },

  async "pictures"() {
    for (let number = 0; number < 12; number += 1) await call("read", "get_order", { order_id: String(number) });
    const operations = [{ operation: "delete_order", params: { order_id: "A-0990" } }, { operation: "delete_order", params: { order_id: "A-0991" } }];
    const ids = [
      await ask("execute", "refund_order", { order_id: "A-1007", amount_cents: 12900, note: "lamp arrived broken, photo in ticket 88", password: settings.secret }),
      await ask("delete", "batch", { plan: true, operations }),
    ];
    for (const colorScheme of ["light", "dark"]) {
      const { context, page } = await open({ colorScheme, reducedMotion: "reduce" });
      await signIn(page);
      await card(page, ids[1]).waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      await page.getByText("harbour, process 4242").waitFor();
      await page.screenshot({ path: `${settings.pictures}/operator-${colorScheme}.png` });
      await page.setViewportSize({ width: 375, height: 760 });
      await page.screenshot({ path: `${settings.pictures}/operator-phone-${colorScheme}.png` });
      await page.setViewportSize({ width: 1280, height: 860 });
      await page.locator("#agents").scrollIntoViewIfNeeded();
      await page.locator("#agents-title").evaluate((title) => title.scrollIntoView());
      await page.evaluate(() => scrollBy(0, -80));
      await page.screenshot({ path: `${settings.pictures}/operator-agents-${colorScheme}.png` });
      // High enough for each of these as a whole.
      await page.setViewportSize({ width: 1280, height: 1400 });
      await picture(page.locator("#executions"), `operator-executions-${colorScheme}.png`);
      const agent = page.locator("#agents article").filter({ has: page.getByRole("heading", { name: "release bot running" }) });
      await agent.locator("summary").first().click();
      // Not under the head of the page.
      await agent.evaluate((card) => card.scrollIntoView({ block: "center" }));
      await picture(agent, `operator-steps-${colorScheme}.png`);
      const limits = page.locator("section").filter({ has: page.getByRole("heading", { name: "Limits", exact: true }) }).last();
      await limits.getByRole("button", { name: "Let requests_per_hour of warehouse go on" }).waitFor();
      await picture(limits, `operator-limits-${colorScheme}.png`);
      await context.close();
    }
  },

  async "wrong passphrases are limited, even for who knows the right one"() {
    const { context, page } = await open();
    const signedIn = await open();
    await signIn(signedIn.page);
    await page.goto(settings.page);
    const refusal = page.getByRole("alert");
    for (let attempt = 1; ; attempt += 1) {
      assert.ok(attempt <= 6, "nobody is stopped");
      await page.getByLabel("Passphrase").fill(`wrong ${attempt}`);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForLoadState();
      if (/Too many wrong ones/.test(await refusal.innerText())) break;
    }
    await page.getByLabel("Passphrase").fill(settings.passphrase);
    await page.getByRole("button", { name: "Sign in" }).click();
    await refusal.getByText("Too many wrong ones").waitFor();
    // Who is signed in already can go on.
    await signedIn.page.reload();
    await signedIn.page.getByRole("heading", { name: "Waiting", exact: true }).waitFor();
    await signedIn.context.close();
    await context.close();
  },
};

for (const [name, step] of Object.entries(steps)) {
  console.log(`  ${name}`);
  await step();
  assert.deepEqual(problems, [], name);
}
writeFileSync(settings.seen, JSON.stringify(seen));
await browser.close();
await agents?.close();
await client.close();
