// @ts-check
// The model's pages: what surrounds them, and which is shown.

import { h, show, button, empty } from "../ui.js";
import { held, shortcut } from "../keyboard.js";
import { Turns } from "../state/turns.js";
import { state, accept, choose, edit, isEditable, isUnsent, node, onChange, read, sendAll,
  suffix } from "./document.js";
import { area, follow, goTo, place, shownElement, standardVersion } from "./place.js";
import { addElement, goUp, removeSelected, seekField } from "./actions.js";
import { clipboardKeys, transferButton } from "./transfer.js";
import { startPage } from "./start.js";
import { watch } from "./watch.js";
import { inspector } from "./inspector.js";
import { keepingFocus } from "./typing.js";
import { sidebar } from "./sidebar.js";
import { banner, desk, tabs, toolbar } from "./toolbar.js";
import { elementTable, entityTable, overview } from "./tables.js";
import { issues } from "./issues.js";
import { diagram } from "./diagram.js";
import { versions } from "./versions.js";
import { preview } from "./preview.js";
import { mappings } from "./mapping.js";
import { forgetList } from "./mapping-list.js";

export const title = "Model";

/** @type {HTMLElement | null} */
let frame = null;
const turns = new Turns();

export function leave() {
  turns.next();
  frame = null;
}

/**
 * @param {HTMLElement} root
 * @param {string[]} path
 * @param {Record<string, string>} query
 * @param {Session} session
 */
async function showPage(root, path, query, session) {
  state.session = session;
  if (session.newModel) { show(root, await startPage()); return; }
  const isMine = turns.next(), version = query.v ?? null;
  // Edits here belong to the version that is shown still.
  if (frame?.isConnected) await sendAll();
  if (!isMine()) return;
  if (!frame?.isConnected || (version ?? standardVersion()) !== state.version) {
    const answer = await read(version);
    // Somebody went on while this was loading.
    if (!isMine()) return;
    accept(answer);
  }
  if (path[0] === "mappings") forgetList();
  if (!frame?.isConnected) {
    state.selection = [];
    build(root);
  }
  goTo(path, query);
  draw();
}
export { showPage as show };

/** @param {HTMLElement} root */
function build(root) {
  const mine = h("div.columns.three.model");
  frame = mine;
  show(root, mine);
  onChange(draw);
  watch(() => mine.isConnected);
  shortcut("Ctrl+S", () => { desk().save(); }, mine);
  shortcut("Ctrl+Z", (event) => { if (event.shiftKey) desk().redo(); else desk().undo(); }, mine);
  shortcut("Ctrl+Y", () => { desk().redo(); }, mine);
  shortcut("Delete", () => { removeSelected(); }, mine);
  shortcut("/", () => /** @type {HTMLElement | null} */ (mine.querySelector(".sidebar input"))?.focus(),
    mine);
  shortcut("Escape", goUp, mine);
  shortcut("n", () => { if (isEditable()) addElement("entity"); }, mine);
}

// A click on empty space leaves the keys to the document.
document.addEventListener("keydown", (event) => { if (frame?.isConnected) clipboardKeys(event); });

// The server doesn’t keep text that is typed or still on its way: the browser asks.
addEventListener("beforeunload", (event) => {
  if (frame?.isConnected && isUnsent()) event.preventDefault();
});

let isDue = false;

function draw() {
  if (!frame || !frame.isConnected || isDue) return;
  const release = held();
  if (release) {
    isDue = true;
    release.then(() => { isDue = false; draw(); });
    return;
  }
  const page = frame;
  follow();
  keepingFocus(page, () => {
    const hasInspector = !["versions", "mappings", "preview", "issues"].includes(area());
    page.classList.toggle("three", hasInspector);
    page.classList.toggle("wide", !hasInspector);
    show(page, sidebar(), content(area()), hasInspector && panel(area()));
  });
  seekField(page);
}

/**
 * The middle.
 * @param {string} area
 */
function content(area) {
  return h("section.content", { "aria-label": "Model", dataset: { scroll: "content-" + area },
    onclick: (event) => { if (state.selection.length && isEmptySpace(event.target)) choose([]); } },
    toolbar(), banner(), tabs(area), middle(area));
}

/**
 * Whether nothing is where somebody clicked.
 * @param {Element} element
 */
const isEmptySpace = (element) => !element.closest("tr, a, button, input, select, textarea, label, svg, .toolbar");

/** @param {string} area */
function middle(area) {
  const [, name] = place.path;
  if (area === "diagram") return diagram(place.query);
  if (area === "versions") return versions();
  if (area === "mappings") return mappings(name);
  if (area === "preview") return preview(name, place.query);
  if (area === "issues") return issues();
  const element = shownElement();
  if (name !== undefined && !element) return empty("There is no such element in this version.",
    h("a", { href: "#/model/entities" + suffix() }, "All entities"));
  if (!element) return overview();
  return element.kind === "entity" ? entityTable(element) : elementTable(element);
}

/**
 * The right.
 * @param {string} area
 */
function panel(area) {
  const chosen = state.selection.flatMap((id) => node(id) ?? []);
  const shown = shownElement() ?? (area === "diagram" ? null : state.answer.root);
  const nodes = chosen.length ? chosen : shown ? [shown] : [];
  return h("aside.inspector.stack", { "aria-label": "Inspector", dataset: { scroll: "inspector" } },
    nodes.length ? inspector(nodes) : h("p.hint", {},
      "Choose an entity or a relationship in the diagram to see its fields."),
    isEditable() && nodes.length > 0 && nodes[0].kind !== "model" && tools(nodes));
}

/** @param {ModelElement[]} nodes */
function tools(nodes) {
  const ids = nodes.map((each) => each.id);
  /**
   * A second click would be about what is shown once the first is done.
   * @param {MouseEvent} event
   */
  const remove = (event) => {
    if (event.detail > 1) return;
    state.selection = ids;
    removeSelected();
  };
  return h("div.row", {},
    nodes.every((each) => each.kind !== "fetchIndexElement")
      && button("Duplicate", () => edit({ do: "duplicate", ids }), { icon: "add" }),
    transferButton(nodes),
    button("Remove", remove, { icon: "trash", kind: "danger" }));
}
