// The data area: entities at the side, and the page that the address asks for; what is unsaved, and what others change.

import { h, show, button, icon, empty, shortcut, attempt, debounce } from "./ui.js";
import { get, post } from "./api.js";
import { showGrid } from "./data-grid.js";
import { showObject } from "./data-editor.js";
import { showHistory, showStatements } from "./data-records.js";
import { showImport } from "./data-import.js";
import { changesBar } from "./data-changes.js";
import { number } from "./data-values.js";

export const title = "Data";

let frame = null, framing = null;

/** Where a page of this area is. */
export const place = (...parts) => "#/data/" + parts.map(encodeURIComponent).join("/");

export function leave() {
  frame?.stop();
  frame = framing = null;
}

export async function show_(root, path, query, session) {
  if (frame && !frame.element.isConnected) leave();
  const mine = framing ??= makeFrame(root, session).catch((error) => { framing = null; throw error; });
  const made = await mine;
  // Somebody went to another area meanwhile.
  if (framing !== mine) return made.stop();
  frame = made;
  await frame.go(path, query);
}
export { show_ as show };

async function makeFrame(root, session) {
  const overview = { ...await get("data/entities"), title: session.title };
  const list = h("ul.list.entities", {});
  const counts = {};
  let asking = null, view = null, turn = 0, filter = "", here = "", stopped = false, version = overview.status.feed.version, store = overview.status.feed.store;

  const search = h("input.entity-search", {
    type: "search", placeholder: "Find entity", "aria-label": "Find entity",
    oninput: () => { filter = search.value.trim().toLowerCase(); drawList(); },
  });
  const picker = h("select.entity-select", { "aria-label": "Entity", onchange: () => { location.hash = picker.value; } });
  let content = h("section.content", { "aria-label": "Objects" });
  const bar = changesBar(overview, {
    reload: (options) => view?.reload?.(options), status: take, open: (id) => { location.hash = place(...id.split("/")); },
  });
  const element = h("div.columns.data", {},
    h("nav.sidebar", { "aria-label": "Entities" }, search, picker, list),
    h("div.data-main", {}, bar.element, content));
  show(root, element);

  function entries() {
    const byName = new Map(overview.entities.map((entity) => [entity.name, entity]));
    const rows = [];
    const add = (entity, depth) => {
      rows.push({ entity, depth });
      for (const child of entity.children) if (byName.has(child)) add(byName.get(child), depth + 1);
    };
    for (const entity of overview.entities) if (!entity.parent || !byName.has(entity.parent)) add(entity, 0);
    return rows;
  }

  function drawList() {
    const rows = entries().filter(({ entity }) => !filter || entity.name.toLowerCase().includes(filter));
    show(list, rows.map(({ entity, depth }) => h("li", {}, h("a", {
      href: place(entity.name), class: "depth-" + Math.min(depth, 6) + (entity.isAbstract ? " abstract" : ""),
      title: entity.help ?? entity.name, "aria-current": here === entity.name ? "page" : null,
    }, h("span.name", {}, entity.name), h("span.count", {}, entity.name in counts ? number(counts[entity.name]) : "")))),
    !filter && (overview.hasHistory || overview.hasSQL) && h("li.line", { "aria-hidden": "true" }),
    !filter && overview.hasHistory && h("li", {}, h("a", { href: place("-", "history"), "aria-current": here === "history" ? "page" : null }, h("span.name", {}, "History"))),
    !filter && overview.hasSQL && h("li", {}, h("a", { href: place("-", "sql"), "aria-current": here === "sql" ? "page" : null }, h("span.name", {}, "SQL"))));
    show(picker, !here && h("option", { value: "#/data" }, "Choose an entity"),
      entries().map(({ entity, depth }) => h("option", { value: place(entity.name), selected: here === entity.name },
        "\u2007".repeat(depth * 2) + entity.name + (entity.name in counts ? ` (${number(counts[entity.name])})` : ""))),
      overview.hasHistory && h("option", { value: place("-", "history"), selected: here === "history" }, "History"),
      overview.hasSQL && h("option", { value: place("-", "sql"), selected: here === "sql" }, "SQL"));
  }

  const readCounts = debounce(async () => {
    if (stopped) return;
    try {
      Object.assign(counts, await get("data/counts"));
      drawList();
    } catch { /* The list stands without them. */ }
  }, 60);

  /** What changed, by us or by others. */
  function take(status) {
    // An answer that was overtaken by a later one is no news.
    if (!status || status.feed.version < version) return;
    bar.show(status);
    version = status.feed.version;
    if (status.feed.store !== store) {
      store = status.feed.store;
      readCounts();
      view?.reload?.({ quiet: true });
    }
  }

  /**
   * Waits for news with one request that the server answers when there are some. A page that nobody sees gives its
   * request up, since browsers open few connections to one server.
   */
  async function poll() {
    let faults = 0;
    while (!stopped) {
      if (document.hidden) { await seen(); continue; }
      asking = new AbortController();
      try {
        const since = version;
        const status = await get("data/changes", { since, wait: 20 }, { signal: asking.signal });
        if (stopped) return;
        faults = 0;
        // A server that was started again counts anew.
        if (status.feed.version < since) version = status.feed.version;
        take(status);
        // Many changes in a row are one piece of news.
        await pause(300);
      } catch (error) {
        if (error.status === 401) return;
        if (error.name === "AbortError") continue;
        faults += 1;
        await pause(Math.min(30_000, 1000 * 2 ** faults));
      }
    }
  }

  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const seen = () => new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  const giveUp = () => { if (document.hidden) asking?.abort(); };
  document.addEventListener("visibilitychange", giveUp);
  // The browser asks before what the server doesn’t have yet is lost.
  const hold = (event) => { if (bar.isUnsent()) event.preventDefault(); };
  addEventListener("beforeunload", hold);

  const world = {
    overview, counts, place, take,
    entity: (name) => overview.entities.find((entity) => entity.name === name),
    /** Sends a change when its turn comes, and shows its result everywhere. */
    change: (path, body) => world.send(() => post(path, body)),
    /** The same of any request. */
    send: (request) => bar.inTurn(async () => {
      const answer = await request();
      if (answer.status?.feed) take(answer.status);
      return answer;
    }),
    bar,
  };

  drawList();
  readCounts();
  bar.show(overview.status);
  poll();
  for (const kind of ["input", "focusin", "focusout"]) element.addEventListener(kind, () => bar.typed());
  shortcut("Ctrl+S", () => bar.save(), element);
  shortcut("Ctrl+Z", (event) => event.shiftKey ? bar.redo() : bar.undo(), element);
  shortcut("Ctrl+Y", () => bar.redo(), element);
  shortcut("/", () => { (content.querySelector("[data-search]") ?? search).focus(); }, element);

  return {
    element,
    stop() {
      stopped = true;
      asking?.abort();
      document.removeEventListener("visibilitychange", giveUp);
      removeEventListener("beforeunload", hold);
      view?.stop?.();
    },
    async go(path, query) {
      const mine = ++turn;
      view?.stop?.();
      view = null;
      // Each page has a place of its own, so that one that comes late disturbs nobody.
      const next = h("section.content", { "aria-label": "Objects" });
      content.replaceWith(next);
      content = next;
      here = path[0] === "-" ? path[1] : path[0] ?? "";
      drawList();
      const [first, second] = path;
      const done = (made) => { if (mine === turn) view = made; else made.stop?.(); };
      if (!first) return show(next, start());
      try {
        if (first === "-" && second === "history") return done(await showHistory(next, query, world));
        if (first === "-" && second === "sql") return done(await showStatements(next, world));
        if (second === "import") return done(await showImport(next, first, world));
        if (second) return done(await showObject(next, `${first}/${second}`, query, world));
        return done(await showGrid(next, first, query, world));
      } catch (error) {
        show(next, empty(error.message, h("a.button", { href: "#/data" }, "To the entities")));
      }
    },
  };

  function start() {
    if (!overview.entities.length) return empty("There are no entities that you may see.");
    const first = entries().find(({ entity }) => !entity.isAbstract)?.entity ?? overview.entities[0];
    return empty("Choose an entity to see its objects.", h("a.button", { href: place(first.name) }, `Open ${first.name}`),
      h("p.hint", {}, "Press / to search, Ctrl+S to save, Ctrl+Z to undo."));
  }
}
