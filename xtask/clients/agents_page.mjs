// An operator in Chromium who does what they are told, a line at a time. Run by check_agents.py: node agents_page.mjs SETTINGS

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const settings = JSON.parse(process.argv[2]);
const { chromium } = createRequire(`${settings.browserModules}/`)("playwright-core");

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: settings.browser, args: flags, headless: true });
let page;

const agents = () => page.locator("#agents");
/** The card of an agent with this badge. */
const card = (name, badge) => agents().getByRole("article").filter({ has: page.getByRole("heading", { name: `${name} ${badge}` }) });

const acts = {
  async "sign in"({ address, passphrase }) {
    await page?.context().close();
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    context.setDefaultTimeout(20_000);
    page = await context.newPage();
    await page.goto(address);
    await page.getByLabel("Passphrase").fill(passphrase);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Waiting", exact: true }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  },

  async "approve"({ id }) {
    const waiting = page.locator(`article[data-id="${id}"]`);
    await waiting.getByRole("button", { name: "Approve" }).click();
    await waiting.waitFor({ state: "detached" });
  },

  async "see"({ name, badge, text, isThere }) {
    const found = text ? card(name, badge).getByText(text).filter({ visible: true }) : card(name, badge);
    await found.first().waitFor({ state: isThere === false ? "detached" : "visible" });
  },

  async "see risk"({ name, steps }) {
    await agents().getByRole("article").filter({ hasText: name }).getByRole("img", { name: new RegExp(`last ${steps} steps, highest risk \\d+`) }).waitFor();
  },

  async "let go on"({ name }) {
    await card(name, "paused").getByRole("button", { name: "Let it go on" }).click();
    await page.getByText("may go on; it reports its action again").waitFor();
  },

  async "show code"({ name, badge }) {
    await card(name, badge).getByRole("button", { name: /Show (the|another) code/ }).click();
    await page.getByRole("heading", { name: "Code for" }).waitFor();
    const code = await page.locator("#secret").innerText();
    const [challenge] = (await page.locator(".revealed .facts").innerText()).match(/[0-9a-f-]{36}/);
    await page.getByRole("link", { name: "Back to what waits" }).click();
    await card(name, badge).waitFor();
    assert.ok(!(await page.content()).includes(code), "a code is shown once");
    return { code, challenge };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { act, ...what } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ done: (await acts[act](what)) ?? {} }));
  } catch (error) {
    console.log(JSON.stringify({ failed: `${act}: ${error.stack}\n${await page?.locator("main").innerText().catch(() => "")}` }));
  }
}
await browser.close();
