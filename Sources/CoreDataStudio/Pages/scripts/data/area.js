// @ts-check
// The data area: entities at the side, and the page that the address asks for; what is unsaved, and what
// others change.

import { h, show, empty } from "../ui.js";
import { shortcut } from "../keyboard.js";
import { debounce, Turns } from "../state/turns.js";
import { get, post } from "../api.js";
import { objectPath } from "../state/text.js";
import { entityTree } from "./state/entity-tree.js";
import { Feed } from "./state/feed.js";
import { RefusedTexts } from "./state/refused.js";
import { EntityList } from "./entity-list.js";
import { ChangesBar } from "./changes.js";
import { migrationBanner } from "./migration.js";
import { watch } from "./watch.js";
import { showGrid } from "./grid.js";
import { showChart } from "./chart.js";
import { showObject } from "./object.js";
import { showHistory } from "./history.js";
import { showStatements } from "./statements.js";
import { showImport } from "./import.js";

export const title = "Data";

/** Texts that were refused outlive the pages that they were typed in. */
const refused = new RefusedTexts();
addEventListener("beforeunload", (event) => { if (refused.count) event.preventDefault(); });

/** @type {DataFrame | null} */
let frame = null;
/** @type {Promise<DataFrame> | null} */
let framing = null;

/**
 * The address of a page of this area.
 * @param {string[]} parts
 */
const place = (...parts) => "#/data/" + parts.map(encodeURIComponent).join("/");

export function leave() {
  frame?.stop();
  frame = framing = null;
}

/**
 * @param {HTMLElement} root
 * @param {string[]} path
 * @param {Record<string, string>} query
 * @param {Session} session
 */
async function showPage(root, path, query, session) {
  if (frame && !frame.element.isConnected) leave();
  const mine = framing ??= makeFrame(root, session).catch((error) => { framing = null; throw error; });
  const made = await mine;
  // Somebody went to another area meanwhile.
  if (framing !== mine) { made.stop(); return; }
  frame = made;
  await frame.go(path, query);
}
export { showPage as show };

/**
 * @param {HTMLElement} root
 * @param {Session} session
 */
async function makeFrame(root, session) {
  const made = new DataFrame({ ...await get("data/entities"), title: session.title });
  show(root, made.element);
  made.begin();
  return made;
}

/** @implements {DataWorld} */
class DataFrame {
  /** @param {Overview} overview */
  constructor(overview) {
    this.overview = overview;
    this.place = place;
    /** @type {Record<string, number>} */
    this.counts = {};
    this.feed = new Feed(overview.status);
    this.turns = new Turns();
    /**
     * The page that is shown.
     * @type {ShownPage | null}
     */
    this.view = null;
    this.isStopped = false;
    this.list = new EntityList(overview, this.counts, place);
    this.refused = refused;
    this.bar = new ChangesBar(overview, refused, {
      reload: (options) => this.view?.reload?.(options), status: (status) => this.take(status),
      send: (text) => { this.setValue(text, text.key, text.label, text.text); },
      open: (id) => { location.hash = place(...id.split("/")); },
    });
    this.content = h("section.content", { "aria-label": "Objects" });
    this.element = h("div.columns.data", {}, this.list.element,
      h("div.data-main", {}, migrationBanner(overview), this.bar.element, this.content));
    this.readCounts = debounce(() => this.#readCounts(), 60);
    /**
     * The browser asks before what the server doesn’t have yet is lost.
     * @param {BeforeUnloadEvent} event
     */
    this.hold = (event) => { if (this.bar.isUnsent()) event.preventDefault(); };
    this.endWatching = () => {};
  }

  begin() {
    this.list.draw();
    this.readCounts();
    this.bar.show(this.overview.status);
    refused.changed = () => this.bar.typed();
    this.endWatching = watch(this.feed, (status) => this.#hear(status));
    addEventListener("beforeunload", this.hold);
    const { bar, element } = this;
    for (const kind of ["input", "focusin", "focusout"]) element.addEventListener(kind, () => bar.typed());
    shortcut("Ctrl+S", () => bar.save(), element);
    shortcut("Ctrl+Z", (event) => event.shiftKey ? bar.redo() : bar.undo(), element);
    shortcut("Ctrl+Y", () => bar.redo(), element);
    shortcut("/", () => {
      const search = /** @type {HTMLElement | null} */
        (this.content.querySelector(":not([hidden]) > [data-search], input.filter"));
      (search ?? this.list.search).focus();
    }, element);
  }

  stop() {
    this.isStopped = true;
    this.endWatching();
    removeEventListener("beforeunload", this.hold);
    this.view?.stop?.();
  }

  // Questions of pages.

  /** @param {string} name */
  entity(name) { return this.overview.entities.find((entity) => entity.name === name); }

  /**
   * @param {string} path
   * @param {object} body
   */
  change(path, body) { return this.send(() => post(path, body)); }

  /** @param {() => Promise<any>} request */
  send(request) {
    return this.bar.inTurn(async () => {
      const answer = await request();
      if (answer.status?.feed) this.take(answer.status);
      return answer;
    });
  }

  /**
   * Sends an attribute's value. A text that is refused is kept with the reason.
   * @param {{ id: string, title: string }} object
   * @param {string} key
   * @param {string} label
   * @param {any} value
   */
  setValue({ id, title }, key, label, value) {
    return this.send(async () => {
      try {
        const page = await post(objectPath(id), { key, value });
        refused.drop(id, key);
        return { page, status: page.status };
      } catch ({ message, status }) {
        const isUnsent = status === 0 || status >= 500;
        if (typeof value === "string") {
          refused.keep({ id, title, key, label, text: value, message, isUnsent });
        }
        return { problem: message };
      }
    });
  }

  /**
   * Hears of changes. Those that are unknown once this page's own are answered were made in another window.
   * @param {Status} status
   */
  async #hear(status) {
    await this.bar.inTurn.done();
    if (this.isStopped) return;
    const news = this.take(status);
    if (news?.isLater && !news.isOtherStore && this.view?.showsUnsaved) this.view.reload?.({ quiet: true });
  }

  /**
   * Shows what changed, by us or by others.
   * @param {Status} status
   */
  take(status) {
    const news = this.feed.take(status);
    if (news) this.bar.show(status);
    if (!news?.isOtherStore) return news;
    this.readCounts();
    this.view?.reload?.({ quiet: true });
    return news;
  }

  async #readCounts() {
    if (this.isStopped) return;
    try {
      Object.assign(this.counts, await get("data/counts"));
      this.list.draw();
    } catch { /* The list stands without them. */ }
  }

  // Pages.

  /**
   * @param {string[]} path
   * @param {Record<string, string>} query
   */
  async go(path, query) {
    const isMine = this.turns.next();
    this.view?.stop?.();
    this.view = null;
    // Each page has a place of its own, so that one that comes late disturbs nobody.
    const next = h("section.content", { "aria-label": "Objects" });
    this.content.replaceWith(next);
    this.content = next;
    this.list.here = path[0] === "-" ? path[1] : path[0] ?? "";
    this.list.draw();
    if (!path[0] && this.#goOn()) return;
    if (!path[0]) { show(next, empty("There are no entities that you may see.")); return; }
    this.#remember(path);
    try {
      const made = await this.#page(next, path, query);
      if (isMine()) this.view = made; else made.stop?.();
    } catch (error) {
      show(next, empty(error.message, h("a.button", { href: "#/data" }, "To the entities")));
    }
  }

  /**
   * @param {HTMLElement} element
   * @param {string[]} path
   * @param {Record<string, string>} query
   * @returns {Promise<ShownPage>}
   */
  async #page(element, [first, second], query) {
    if (first === "-" && second === "history") return showHistory(element, query, this);
    if (first === "-" && second === "sql") return showStatements(element, this);
    if (second === "chart") return showChart(element, first, this);
    if (second === "import") return showImport(element, first, this);
    if (second) return showObject(element, `${first}/${second}`, query, this);
    return showGrid(element, first, query, this);
  }

  /** Where this browser was last with the store. */
  get #lastPlace() { return `place:${this.overview.title}`; }

  /** @param {string[]} path */
  #remember(path) {
    try { localStorage.setItem(this.#lastPlace, path[0]); } catch { /* Private windows keep nothing. */ }
  }

  /** Without an address: to the entity that was shown last, or to the first. Gives whether there is one. */
  #goOn() {
    const { entities } = this.overview;
    /** @type {string | null} */
    let last = null;
    try { last = localStorage.getItem(this.#lastPlace); } catch { /* As above. */ }
    const standard = entityTree(entities).find(({ entity }) => !entity.isAbstract)?.entity ?? entities[0];
    const name = entities.find((entity) => entity.name === last)?.name ?? standard?.name;
    // Somebody may have gone elsewhere while the entities were read.
    if (name && /^(#\/?(data\/?)?)?$/.test(location.hash)) location.replace(place(name));
    return name !== undefined;
  }
}
