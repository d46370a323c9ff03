// The model's pages: what surrounds them, and which is shown.

import { h, show, button, select, shortcut, empty, menu, prompt, held } from "./ui.js";
import {
  state, read, accept, settle, isUnsent, onChange, isEditable, edit, undo, redo, save, watch, node, entities, entityNamed, ofKind, severity, addressOf, suffix, askAboutFiles, decide,
} from "./model-state.js";
import { inspector } from "./model-inspector.js";
import { keepingFocus } from "./model-typing.js";
import { entityTable, overview, elementTable, issues } from "./model-table.js";
import { diagram } from "./model-diagram.js";
import { versions, preview } from "./model-versions.js";
import { mappings, mappingDesk, forgetList } from "./model-mapping.js";

export const title = "Model";

const views = [["entities", "Table"], ["diagram", "Diagram"], ["versions", "Versions"], ["mappings", "Mappings"], ["preview", "Preview"], ["issues", "Issues"]];
let frame = null;
let place = { path: [], query: {} };
let filter = "";
let turn = 0;

export function leave() {
  turn += 1;
  frame = null;
}

export async function showPage(root, path, query, session) {
  state.session = session;
  const mine = ++turn;
  const version = query.v ?? null;
  // What was done here belongs to the version that is shown still.
  if (frame?.isConnected) await settle();
  if (mine !== turn) return;
  if (!frame?.isConnected || (version ?? currentVersion()) !== state.version) {
    const answer = await read(version);
    // Somebody went on while this was loading.
    if (mine !== turn) return;
    accept(answer);
  }
  const isFirst = !frame?.isConnected;
  if (isFirst) state.selection = [];
  place = { path, query };
  if (path[0] === "mappings") forgetList();
  if (isFirst) build(root);
  const [area, name, inner] = path;
  if (name && inner !== undefined) {
    const owner = holder(area, name);
    const found = owner?.children.find((child) => child.values.name === inner);
    if (found) state.selection = [found.id];
    place.path = [area, name];
    history.replaceState(null, "", addressOf(owner));
  } else if (area !== "diagram" && !state.selection.every((id) => isShownAt(id))) {
    state.selection = [];
  }
  draw();
}
export { showPage as show };

const currentVersion = () => state.answer?.versions.find((version) => version.isCurrent)?.name ?? state.version;

function isShownAt(id) {
  const owner = holder(place.path[0], place.path[1]);
  return owner ? Boolean(node(id, owner)) : node(id)?.kind === "entity";
}

/** Where the element that is shown was renamed, or the version is another one, the address is, too. */
function follow() {
  if ((place.query.v ?? currentVersion()) !== state.version) {
    const { v, ...others } = place.query;
    place.query = suffix() ? { ...others, v: state.version } : others;
    history.replaceState(null, "", withVersion(state.version));
  }
  const found = holder(place.path[0], place.path[1]);
  if (found) { place.id = found.id; return; }
  const renamed = place.path[1] !== undefined && place.id !== undefined ? node(place.id) : null;
  if (!renamed || !renamed.values.name) return;
  place.path = [place.path[0], renamed.values.name];
  history.replaceState(null, "", addressOf(renamed));
}

function holder(area, name) {
  const kind = { entities: "entity", requests: "fetchRequest", configurations: "configuration", composites: "composite" }[area];
  return kind && name !== undefined ? ofKind(kind).find((element) => element.values.name === name) : null;
}

function build(root) {
  frame = h("div.columns.three.model");
  show(root, frame);
  const mine = frame;
  onChange(draw);
  watch(() => mine.isConnected);
  shortcut("Ctrl+S", () => desk().save(), frame);
  shortcut("Ctrl+Z", (event) => event.shiftKey ? desk().redo() : desk().undo(), frame);
  shortcut("Ctrl+Y", () => desk().redo(), frame);
  shortcut("Delete", () => removeSelected(), frame);
  shortcut("/", () => frame.querySelector(".sidebar input")?.focus(), frame);
  shortcut("n", () => isEditable() && addElement("entity"), frame);
}

// What is typed or on its way still isn’t kept by the server: the browser asks.
addEventListener("beforeunload", (event) => { if (frame?.isConnected && isUnsent()) event.preventDefault(); });

let isDue = false, wanted = null;
document.addEventListener("pointerdown", () => { wanted = null; }, true);

function draw() {
  if (!frame || !frame.isConnected) return;
  if (isDue) return;
  const release = held();
  if (release) {
    isDue = true;
    release.then(() => { isDue = false; draw(); });
    return;
  }
  follow();
  keepingFocus(frame, () => {
    const area = place.path[0] ?? "entities";
    const hasInspector = !["versions", "mappings", "preview", "issues"].includes(area);
    frame.classList.toggle("three", hasInspector);
    frame.classList.toggle("wide", !hasInspector);
    show(frame, sidebar(), content(area), hasInspector && panel(area));
  });
  if (wanted) seek();
}

/** Goes to a field of an element once the inspector shows it. */
export function focusField(id, name = "name") {
  wanted = { id, name };
  draw();
}

function seek() {
  const field = frame.querySelector(`.inspector [data-field="${CSS.escape(wanted.name)}"][data-key^="${wanted.id}/"]`);
  if (!field) return;
  wanted = null;
  field.focus();
  field.select?.();
}

// The list of everything in the model.

function sidebar() {
  const input = h("input", { type: "search", value: filter, placeholder: "Filter", "aria-label": "Filter the model’s elements", dataset: { key: "filter" }, oninput: (event) => { filter = event.target.value; draw(); } });
  const groups = [["entity", "Entities", "entities"], ["fetchRequest", "Fetch requests", "requests"], ["configuration", "Configurations", "configurations"], ["composite", "Composite types", "composites"]];
  return h("nav.sidebar", { "aria-label": "Elements of the model", dataset: { scroll: "sidebar" } }, h("div.model-filter", {}, input),
    groups.map(([kind, label, area]) => group(kind, label, area)));
}

function group(kind, label, area) {
  const all = ofKind(kind), words = filter.trim().toLowerCase();
  const shown = words ? all.filter((element) => [element, ...element.children].some((each) => (each.values.name ?? "").toLowerCase().includes(words))) : all;
  if (!all.length && !isEditable()) return null;
  return h("section", {}, h("div.model-group", {}, h("h3", {}, label),
    isEditable() && button("", () => addElement(kind), { icon: "add", label: `Add ${{ entity: "entity", fetchRequest: "fetch request", configuration: "configuration", composite: "composite type" }[kind]}`, kind: "quiet" })),
  h("ul.list", {}, shown.map((element) => {
    const isHere = place.path[0] === area && place.path[1] === element.values.name;
    const mark = severity(element);
    return h("li", {}, h("a", { href: addressOf(element), "aria-current": isHere ? "page" : null, class: element.values.isAbstract ? "abstract" : null, dataset: { key: "side" + element.id } },
      h("span.model-name", {}, element.values.name ?? ""), mark && h("span.dot", { class: mark, title: mark }, h("span.model-hidden", {}, mark)),
      kind === "entity" && h("span.count", { title: "Properties" }, String(element.children.filter((child) => child.kind !== "fetchIndex").length))));
  })));
}

export async function addElement(kind, parent = null, values = {}) {
  const made = await edit({ do: "add", kind, parent, values });
  const element = made && node(made.at(-1));
  if (!element) return;
  state.selection = [element.id];
  const address = addressOf(element);
  if (location.hash !== address) location.hash = address;
  focusField(element.id);
}

export async function removeSelected() {
  const ids = state.selection;
  if (!isEditable() || !ids.length) return;
  const isShown = ids.includes(holder(place.path[0], place.path[1])?.id);
  if (await edit({ do: "remove", ids }) && isShown) location.hash = "#/model/entities" + suffix();
}

// The middle.

function content(area) {
  return h("section.content", { "aria-label": "Model", dataset: { scroll: "content-" + area } }, toolbar(), banner(), tabs(area), middle(area));
}

/** What undo and save are about: the model, or the mapping model that is shown. */
const desk = () => (place.path[0] === "mappings" && mappingDesk(place.path[1])) || {
  isEditable: isEditable(), isUnsaved: state.answer.isUnsaved, undoLabel: state.answer.undo, redoLabel: state.answer.redo, undo, redo, save: () => save(),
};

function toolbar() {
  const { answer } = state;
  const own = desk(), open = own.isEditable;
  const picker = answer.versions.length > 1 && select(answer.versions.map((version) => [version.name, version.name + (version.isCurrent ? " (current)" : "") + (version.isUnsaved ? " •" : "")]), state.version,
    { "aria-label": "Version", dataset: { key: "version" }, onchange: (event) => { location.hash = withVersion(event.target.value); } });
  return h("div.toolbar", {},
    h("h1.model-name", { title: answer.path ?? "" }, answer.name), picker,
    open && own.isUnsaved && h("span.badge.warn", {}, "unsaved"),
    h("span.spring"),
    open && button("", () => own.undo(), { icon: "undo", label: own.undoLabel ? `Undo: ${own.undoLabel}` : "Nothing to undo", disabled: !own.undoLabel, dataset: { key: "undo" } }),
    open && button("", () => own.redo(), { icon: "redo", label: own.redoLabel ? `Redo: ${own.redoLabel}` : "Nothing to redo", disabled: !own.redoLabel, dataset: { key: "redo" } }),
    open && button("Save", () => own.save(), { icon: "save", kind: "primary", disabled: !own.isUnsaved, title: "Save (Ctrl+S)", dataset: { key: "save" } }));
}

function withVersion(name) {
  const hash = location.hash.split("?")[0] || "#/model";
  return name === currentVersion() ? hash : hash + "?v=" + encodeURIComponent(name);
}

function banner() {
  const { answer } = state;
  if (answer.obstacle) return h("p.model-banner", {}, answer.obstacle);
  if (answer.left) return leftover(answer.left);
  if (answer.keepingProblem) return h("p.model-banner.warn", {}, answer.keepingProblem);
  if (answer.filesChangedOnDisk.length) {
    return h("p.model-banner.warn", {}, "Another program changed the model’s files. ", button("Look", () => askAboutFiles(answer.filesChangedOnDisk)));
  }
  if (answer.unreadable.length) return h("p.model-banner.warn", {}, answer.unreadable.join(" "));
  if (answer.isReformatted && answer.isUnsaved) return h("p.model-banner", {}, "This file isn’t laid out as Xcode does it: saving lays it out anew and drops comments.");
  return null;
}

/** Unsaved changes of an earlier run of the studio. */
function leftover({ date, isUndecided }) {
  const time = new Date(date), isToday = time.toDateString() === new Date().toDateString();
  const words = h("time", { datetime: date }, isToday ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : time.toLocaleString([], { dateStyle: "medium", timeStyle: "short" }));
  return h("div.model-banner.warn.row", { role: "status" }, isUndecided
    ? [h("span", {}, "There are unsaved changes from ", words, ", but the model’s files changed since."), button("Put mine in place of theirs", () => decide("restore")), button("Drop my changes", () => decide("discard"), { kind: "danger" })]
    : [h("span", {}, "Unsaved changes from ", words, " were restored."), button("Keep", () => decide("keep")), button("Discard", () => decide("discard"), { kind: "danger" })]);
}

function tabs(area) {
  const here = views.some(([name]) => name === area) ? area : "entities";
  const count = state.answer.checks.filter((check) => check.severity !== "note").length;
  const worst = state.answer.checks[0]?.severity;
  return h("nav.tabs", { "aria-label": "Views of the model" }, views.map(([name, label]) =>
    h("a", { href: `#/model/${name}${suffix()}`, "aria-current": name === here ? "page" : null, dataset: { key: "tab" + name } }, label,
      name === "issues" && count > 0 && [" ", h("span.badge", { class: worst }, String(count))])));
}

function middle(area) {
  if (area === "diagram") return diagram(place.query);
  if (area === "versions") return versions();
  if (area === "mappings") return mappings(place.path[1]);
  if (area === "preview") return preview(place.path[1], place.query);
  if (area === "issues") return issues();
  const element = holder(area, place.path[1]);
  if (place.path[1] !== undefined && !element) return empty("There is no such element in this version.", h("a", { href: "#/model/entities" + suffix() }, "All entities"));
  if (!element) return overview(select_);
  if (element.kind === "entity") return entityTable(element, select_);
  return elementTable(element, select_);
}

export function select_(ids) {
  state.selection = ids;
  draw();
}

// The right.

function panel(area) {
  const chosen = state.selection.map((id) => node(id)).filter(Boolean);
  const owner = holder(area, place.path[1]);
  const nodes = chosen.length ? chosen : [owner ?? (area === "diagram" ? null : state.answer.root)].filter(Boolean);
  return h("aside.inspector.stack", { "aria-label": "Inspector", dataset: { scroll: "inspector" } },
    nodes.length ? inspector(nodes) : h("p.hint", {}, "Choose an entity or a relationship in the diagram to see its fields."),
    isEditable() && nodes.length > 0 && nodes[0].kind !== "model" && h("div.row", {},
      nodes.every((each) => each.kind !== "fetchIndexElement") && button("Duplicate", () => edit({ do: "duplicate", ids: nodes.map((each) => each.id) }), { icon: "add" }),
      // A second click would be about what is shown once the first is done.
      button("Remove", (event) => { if (event.detail > 1) return; state.selection = nodes.map((each) => each.id); removeSelected(); }, { icon: "trash", kind: "danger" })));
}

/** More to add to an entity than its first buttons. */
export function addMenu(anchor, entity) {
  menu(anchor, [["Attribute", () => addElement("attribute", entity.id)], ["Relationship", () => addElement("relationship", entity.id)],
    ["Relationship with inverse…", () => relate(entity)], ["Fetched property", () => addElement("fetchedProperty", entity.id)], ["Index", () => addElement("fetchIndex", entity.id)]]);
}

async function relate(entity) {
  const name = await prompt("Relationship with inverse", "To which entity?", entities().find((each) => each.id !== entity.id)?.values.name ?? entity.values.name, "Next");
  const target = name && entityNamed(name);
  if (!target) return;
  const { relationDialog } = await import("./model-diagram.js");
  await relationDialog(entity, target);
}
