// @ts-check
// The list of everything in the model.

import { h, button, icon } from "../ui.js";
import { addressOf, choose, isEditable, ofKind, redrawAll, severity } from "./document.js";
import { place } from "./place.js";
import { addElement } from "./actions.js";
import { dropping } from "./transfer.js";

let filter = "";
/** Whether the list is shown where the page is narrow. */
let isUnfolded = false;

/** @type {{ kind: ModelKind, label: string, area: string, one: string }[]} */
const groups = [
  { kind: "entity", label: "Entities", area: "entities", one: "entity" },
  { kind: "fetchRequest", label: "Fetch requests", area: "requests", one: "fetch request" },
  { kind: "configuration", label: "Configurations", area: "configurations", one: "configuration" },
  { kind: "composite", label: "Composite types", area: "composites", one: "composite type" },
];

export function sidebar() {
  const input = h("input", { type: "search", value: filter, placeholder: "Filter",
    "aria-label": "Filter the model’s elements", dataset: { key: "filter" },
    oninput: (event) => { filter = event.target.value; redrawAll(); } });
  return h("nav.sidebar", { "aria-label": "Elements of the model", dataset: { scroll: "sidebar" },
    class: isUnfolded ? "is-unfolded" : null },
  foldButton(), h("div.model-filter", {}, input), groups.map(groupView));
}

/** Where the page is narrow: what is shown, and the way to the others. */
function foldButton() {
  const toggle = () => { isUnfolded = !isUnfolded; redrawAll(); };
  const [area, name] = place.path, isElement = groups.some((group) => group.area === area);
  return h("button.model-fold", { type: "button", "aria-expanded": String(isUnfolded), onclick: toggle,
    dataset: { key: "fold" } }, isElement && name ? name : "Entities and requests",
  icon(isUnfolded ? "up" : "down"));
}

/** @param {typeof groups[number]} group */
function groupView({ kind, label, area, one }) {
  const all = ofKind(kind), words = filter.trim().toLowerCase();
  /** @param {ModelElement} element */
  const isFound = (element) => [element,
    ...element.children].some((each) => (each.values.name ?? "").toLowerCase().includes(words));
  if (!all.length && !isEditable()) return null;
  return h("section", {}, h("div.model-group", {}, h("h2", {}, label),
    isEditable() && button("", () => addElement(kind), { icon: "add", label: `Add ${one}`, kind: "quiet" })),
  h("ul.list", {}, (words ? all.filter(isFound) : all).map((element) => item(element, area))));
}

/**
 * @param {ModelElement} element
 * @param {string} area
 */
function item(element, area) {
  const isHere = place.path[0] === area && place.path[1] === element.values.name, mark = severity(element);
  return h("li", {}, h("a", { href: addressOf(element), "aria-current": isHere ? "page" : null,
    class: element.values.isAbstract ? "abstract" : null, dataset: { key: "side" + element.id },
    ...dropping(element), onclick: () => { isUnfolded = false; if (isHere) choose([]); } },
    h("span.model-name", {}, element.values.name ?? ""),
    mark && h("span.dot", { class: mark, title: mark }, h("span.model-hidden", {}, mark)),
    element.kind === "entity" && h("span.count", { title: "Properties" },
      String(element.children.filter((child) => child.kind !== "fetchIndex").length))));
}
