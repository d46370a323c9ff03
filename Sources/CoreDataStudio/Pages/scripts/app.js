// @ts-check
// The frame: which page is shown, and how to get to the others. Addresses are #/AREA/PATH?QUERY.

import { h, show, button, empty } from "./ui.js";
import { menu, toast } from "./dialogs.js";
import { isNewAddress } from "./address.js";
import { open } from "./api.js";
import * as data from "./data/area.js";
import * as model from "./model/area.js";

/**
 * @typedef {object} Area
 * @property {string} title
 * @property {(root: HTMLElement, path: string[], query: Record<string, string>, session: Session) =>
 *   Promise<void>} show
 * @property {() => void} [leave]
 */

/** @type {Record<string, Area>} */
const pages = { data, model };
const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
/** @type {Area | undefined} */
let current;
/** @type {HTMLElement} */
let root;

/**
 * Addresses that somebody wrote by hand may be no such text.
 * @param {string} part
 */
function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decoded);
  return { area: parts[0], path: parts.slice(1),
    query: Object.fromEntries(new URLSearchParams(query ?? "")) };
}

/** @param {Session} session */
async function route(session) {
  if (!isNewAddress()) return;
  const standard = session.hasStore ? "data" : "model";
  const { area = standard, path, query } = place();
  const page = pages[area] ?? pages[standard];
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (bar.querySelectorAll("nav a"))) {
    const isHere = link.dataset.area === (pages[area] ? area : standard);
    if (isHere) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  if (current !== page) {
    current?.leave?.();
    // A place of its own for each area: what is late for the one before goes nowhere.
    root = h("div.area", {}, h("p.empty", {}, "Loading…"));
    show(main, root);
  }
  current = page;
  const mine = root;
  document.title = `${page.title} – ${session.title}`;
  try {
    await page.show(mine, path, query, session);
  } catch (error) {
    show(mine, empty(error.message));
  }
}

/** @param {Session} session */
function userText({ user, role }) {
  const words = role
    && { read: "may look", edit: "may edit objects", model: "may edit objects and model" }[role];
  return words ? `${user}, ${words}` : user;
}

/** @param {string | null} name */
function theme(name) {
  if (name) document.documentElement.dataset.theme = name; else delete document.documentElement.dataset.theme;
  try { localStorage.setItem("theme", name ?? ""); } catch { /* Private windows keep nothing. */ }
}

async function start() {
  try {
    theme(localStorage.getItem("theme") || null);
    const density = localStorage.getItem("density");
    if (density) document.documentElement.dataset.density = density;
  } catch { /* As above. */ }
  // The link of a browser that is in already: its secret doesn't stay in the address.
  if (location.hash.startsWith("#token=")) history.replaceState(null, "", location.pathname);
  /** @type {Session} */
  let session;
  try {
    session = await open();
  } catch (error) {
    show(main, empty(error.message));
    return;
  }
  const appearance = button("", () => menu(appearance, [
    ["Like the system", () => theme(null)], ["Light", () => theme("light")], ["Dark", () => theme("dark")],
  ]), { icon: "menu", label: "Appearance", kind: "quiet" });
  show(bar, h("strong", { title: session.title }, session.title),
    h("nav", { "aria-label": "Areas" },
      session.hasStore && h("a", { href: "#/data", dataset: { area: "data" } }, data.title),
      h("a", { href: "#/model", dataset: { area: "model" } }, model.title)),
    h("span.spring"), session.isReadOnly && h("span.badge", {}, "read-only"),
      session.user && h("span.hint.user", {}, userText(session)), appearance);
  addEventListener("hashchange", () => route(session));
  await route(session);
}

addEventListener("unhandledrejection", (event) =>
  toast(event.reason?.message ?? String(event.reason), "error"));
start();
