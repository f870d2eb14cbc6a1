// Keeps the operator's page up to date. Without it the page works, and has to be loaded again to show what is new.
"use strict";

(() => {
  const SAVED = "aqueduct-desk";
  const { desk, arrival } = document.body.dataset;

  // Where the desk of this browser is. Storage belongs to this very address and port, unlike cookies.
  const storage = {
    read() { try { return localStorage.getItem(SAVED); } catch { return null; } },
    write(value) { try { localStorage.setItem(SAVED, value); } catch { /* then one signs in again */ } },
    clear() { try { localStorage.removeItem(SAVED); } catch { /* nothing was kept */ } },
  };

  if (arrival === "anew") {
    const saved = storage.read();
    if (saved && /^\/desk\/[0-9a-f]{64}\/$/.test(saved)) location.replace(saved);
    return;
  }
  if (arrival === "signed-out") {
    storage.clear();
    return;
  }
  storage.write(desk);

  const said = document.getElementById("said");
  const title = document.title;

  function parsed(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  }

  // Times in the reader's own zone; what is left, counted down.
  function tell(root) {
    for (const time of root.querySelectorAll("time.moment")) {
      const at = new Date(time.dateTime);
      const isToday = at.toDateString() === new Date().toDateString();
      const text = isToday ? at.toLocaleTimeString() : at.toLocaleString();
      if (time.textContent !== text) {
        time.title = time.title || time.textContent;
        time.textContent = text;
      }
    }
  }

  function count() {
    for (const time of document.querySelectorAll("time[data-until]")) {
      const seconds = Math.floor((Number(time.dataset.until) - Date.now()) / 1000);
      const text = seconds <= 0 ? "time is over" : seconds < 120 ? `${seconds} s left` : `${Math.floor(seconds / 60)} min left`;
      if (time.textContent !== text) time.textContent = text;
      time.classList.toggle("soon", seconds < 120);
    }
  }

  // Cards that stay are left alone, with what is typed into them; those that came or went are told, once.
  function showWaiting(html) {
    const cards = document.getElementById("cards");
    const wanted = [...parsed(html).children];
    const known = new Map([...cards.children].map((card) => [card.dataset.id, card]));
    const came = [], went = [];
    let at = cards.firstElementChild;
    for (const card of wanted) {
      const kept = known.get(card.dataset.id);
      if (kept) {
        known.delete(card.dataset.id);
        if (kept === at) at = at.nextElementSibling; else cards.insertBefore(kept, at);
      } else {
        tell(card);
        cards.insertBefore(card, at);
        if (card.dataset.name) came.push(card.dataset.name);
      }
    }
    for (const card of known.values()) {
      const hadFocus = card.contains(document.activeElement);
      if (card.dataset.name) went.push(card.dataset.name);
      card.remove();
      if (hadFocus) document.getElementById("waiting-title").focus();
    }
    const news = [];
    if (came.length) news.push(`Needs an answer: ${came.join(", ")}.`);
    if (went.length) news.push(`No longer open: ${went.join(", ")}.`);
    if (news.length) said.textContent = news.join(" ");
  }

  // Puts in new parts: what has the focus keeps it, what is unfolded stays so.
  function show(place, html, fallback) {
    const focused = place.contains(document.activeElement) ? document.activeElement.id : null;
    const unfolded = [...place.querySelectorAll("details[open][id]")].map((details) => details.id);
    const next = parsed(html);
    tell(next);
    place.replaceChildren(next);
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
    if (focused !== null) (document.getElementById(focused) ?? document.getElementById(fallback))?.focus();
  }

  // Agents that need somebody are told, once.
  function showAgents(html) {
    const place = document.getElementById("agents");
    const inNeed = () => new Map([...place.querySelectorAll("[data-name]")].map((card) => [card.dataset.id, card.dataset.name]));
    const before = inNeed();
    show(place, html, "waiting-title");
    const came = [...inNeed()].filter(([id]) => !before.has(id)).map(([, name]) => name);
    if (came.length) said.textContent = `Needs you: ${came.join(", ")}.`;
  }

  function showLive(state, text) {
    document.getElementById("live").dataset.state = state;
    document.getElementById("live-text").textContent = text;
  }

  // Browsers open few connections to one address: a tab that nobody sees holds none, and only looks what is new from time to time.
  const LOOK = 20_000;
  let events = null, later = null;

  function rest(wait) {
    events?.close();
    events = null;
    clearTimeout(later);
    later = setTimeout(follow, wait);
  }

  function follow() {
    clearTimeout(later);
    if (events) return;
    events = new EventSource(`${desk}events`);
    events.addEventListener("open", () => showLive("on", "Live"));
    events.addEventListener("view", (event) => {
      const view = JSON.parse(event.data);
      document.title = view.in_need ? `(${view.in_need}) ${title}` : title;
      if (document.getElementById("cards")) {
        showWaiting(view.waiting);
        document.getElementById("waiting-count").textContent = view.count;
        showAgents(view.agents);
        show(document.getElementById("executions"), view.executions, "executions-title");
        show(document.getElementById("overview"), view.overview, "limits-title");
        count();
      }
      if (document.hidden) rest(LOOK);
    });
    events.addEventListener("ended", () => {
      events.close();
      location.assign("/sign-in");
    });
    events.addEventListener("error", () => {
      showLive("off", "Reconnecting…");
      // Browsers try again by themselves, unless they were refused.
      if (events.readyState === EventSource.CLOSED) rest(3000);
    });
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) rest(LOOK); else follow();
  });

  tell(document);
  count();
  setInterval(count, 1000);
  follow();
})();
