// @ts-check
// The list of everything in the model.

import { h, button } from "../ui.js";
import { addressOf, choose, isEditable, ofKind, redrawAll, severity } from "./document.js";
import { place } from "./place.js";
import { addElement } from "./actions.js";
import { dropping } from "./transfer.js";

let filter = "";

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
  return h("nav.sidebar", { "aria-label": "Elements of the model", dataset: { scroll: "sidebar" } },
    h("div.model-filter", {}, input), groups.map(groupView));
}

/** @param {typeof groups[number]} group */
function groupView({ kind, label, area, one }) {
  const all = ofKind(kind), words = filter.trim().toLowerCase();
  /** @param {ModelElement} element */
  const isFound = (element) => [element,
    ...element.children].some((each) => (each.values.name ?? "").toLowerCase().includes(words));
  if (!all.length && !isEditable()) return null;
  return h("section", {}, h("div.model-group", {}, h("h3", {}, label),
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
    ...dropping(element), onclick: () => { if (isHere) choose([]); } },
    h("span.model-name", {}, element.values.name ?? ""),
    mark && h("span.dot", { class: mark, title: mark }, h("span.model-hidden", {}, mark)),
    element.kind === "entity" && h("span.count", { title: "Properties" },
      String(element.children.filter((child) => child.kind !== "fetchIndex").length))));
}
