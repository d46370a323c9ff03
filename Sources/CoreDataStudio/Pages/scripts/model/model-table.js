// The model as tables: entities, properties, everything else that has a name, and the findings.

import { h, button, select, empty, icon } from "./ui.js";
import { state, edit, entities, ofKind, checksOf, severity, addressOf, isEditable } from "./model-state.js";
import { addElement, addMenu, focusField } from "./model.js";

/** All entities. */
export function overview(choose) {
  const all = entities();
  if (!all.length) {
    return empty("The model has no entities yet. An entity is a kind of object: Person, Song, Invoice.",
      isEditable() && button("Add entity", () => addElement("entity"), { icon: "add", kind: "primary" }));
  }
  return h("div.pad.stack", {}, table("Entities", ["Name", "Attributes", "Relationships", "Parent", "Class", "Codegen", ""], all, (entity) => [
    entity.values.name, count(entity, "attribute"), count(entity, "relationship"), cut(entity.values.parentEntity ?? ""),
    entity.values.className === entity.values.name ? h("span.dim", { title: entity.values.className }, "like the entity") : cut(entity.values.className ?? ""), { class: "Class Definition", category: "Category/Extension" }[entity.values.codeGenerationType] ?? "Manual/None",
    h("a.button.quiet.square", { href: addressOf(entity), "aria-label": `Open ${entity.values.name}`, title: "Open" }, icon("next")),
  ], choose, { numbers: [1, 2], open: (entity) => { location.hash = addressOf(entity); } }),
  h("p.hint", {}, "Choose a row to see its fields; Ctrl or Shift choose several, which are edited at once. Return or a double click opens an entity."));
}

/** A name that may be too long for its column. */
const cut = (text) => h("span.model-cut", { title: text }, text);

const count = (entity, kind) => String(entity.children.filter((child) => child.kind === kind).length);

/** One entity's properties and indexes. */
export function entityTable(entity, choose) {
  const attributes = ofKind("attribute", entity), relationships = ofKind("relationship", entity), fetched = ofKind("fetchedProperty", entity), indexes = ofKind("fetchIndex", entity);
  const open = isEditable();
  const parts = [
    section("Attributes", open && button("Attribute", () => addElement("attribute", entity.id), { icon: "add", label: "Add attribute" }),
      attributes.length ? attributeTable(attributes, choose) : h("p.hint", {}, "No attributes of its own.")),
    section("Relationships", open && button("Relationship", () => addElement("relationship", entity.id), { icon: "add", label: "Add relationship" }),
      relationships.length ? table("Relationships", ["Name", "Destination", "Inverse", "Kind", "Delete rule", ""], relationships, (node) => [
        node.values.name, node.values.destinationEntity ?? "", node.values.inverseName ?? "", (node.values.toMany ? "to many" : "to one") + (node.values.ordered ? ", ordered" : ""),
        node.values.deletionRule ?? "No Action", badges(node),
      ], choose) : h("p.hint", {}, "No relationships of its own. In the diagram you can draw one from entity to entity.")),
  ];
  if (fetched.length) parts.push(section("Fetched properties", null, table("Fetched properties", ["Name", "Destination", "Predicate"], fetched, (node) => [node.values.name, node.values.destinationEntity ?? "", h("code", {}, node.values.predicateString ?? "")], choose)));
  if (indexes.length) parts.push(section("Indexes", null, table("Indexes", ["Name", "Elements", "Where"], indexes, (node) => [node.values.name, node.children.map((child) => (child.values.property ?? child.values.expression ?? "?") + (child.values.order === "descending" ? " ↓" : "")).join(", "), h("code", {}, node.values.partialIndexPredicate ?? "")], choose)));
  return h("div.pad.stack", {}, h("div.row", {}, h("h2", {}, entity.values.name), entity.values.isAbstract && h("span.badge", {}, "abstract"),
    entity.values.parentEntity && h("span.hint", {}, "inherits from ", h("a", { href: addressOf(entities().find((each) => each.values.name === entity.values.parentEntity) ?? null) }, entity.values.parentEntity)),
    h("span.spring"), open && moreButton(entity)), parts);
}

function moreButton(entity) {
  const more = button("Add…", () => addMenu(more, entity), { icon: "add", dataset: { key: "more" } });
  return more;
}

const section = (label, action, content) => h("section.stack.tight", { "aria-label": label }, h("div.model-group", {}, h("h3", {}, label), action), content);

function attributeTable(nodes, choose) {
  const types = (state.fields.attribute.find((each) => each.key === "attributeType")?.choices ?? []).map((each) => [each.value, each.label]);
  return table("Attributes", ["Name", "Type", "Optional", "Default", ""], nodes, (node) => [
    node.values.name,
    isEditable()
      ? select(types, node.values.attributeType, { "aria-label": `Type of ${node.values.name}`, dataset: { key: "type" + node.id }, onchange: (event) => edit({ do: "set", ids: [node.id], field: "attributeType", value: event.target.value }) })
      : (node.values.attributeType ?? ""),
    h("input", { type: "checkbox", "aria-label": `${node.values.name} is optional`, checked: node.values.optional === true, disabled: !isEditable(), dataset: { key: "optional" + node.id }, onchange: (event) => edit({ do: "set", ids: [node.id], field: "optional", value: event.target.checked }) }),
    h("code", {}, node.values.defaultValue ?? ""), badges(node),
  ], choose);
}

function badges(node) {
  const words = [["transient", "transient"], ["derived", "derived"], ["minimum", "min"], ["maximum", "max"], ["regularExpressionString", "pattern"], ["allowsExternalBinaryDataStorage", "external"],
    ["preserveAfterDeletion", "tombstone"], ["spotlightIndexingEnabled", "Spotlight"], ["elementID", "renamed"]];
  return [
    node.kind === "relationship" && node.values.optional !== true && h("span.badge", {}, "required"),
    words.filter(([key]) => node.values[key]).map(([key, label]) => h("span.badge", { title: typeof node.values[key] === "string" ? node.values[key] : null }, label)),
    node.values.valueTransformerName && h("span.hint", {}, node.values.valueTransformerName), node.values.composite && h("span.hint", {}, node.values.composite),
  ];
}

let lastPick = {};
/** A table whose rows can be chosen, also several, also by keys. */
function table(label, heads, nodes, cells, choose, { numbers = [], open = null } = {}) {
  const ids = nodes.map((node) => node.id);
  const pick = (event, id) => {
    // Choosing draws the row anew, so that no double click would arrive.
    const isAgain = open && lastPick.id === id && event.timeStamp - lastPick.time < 400 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    lastPick = { id, time: event.timeStamp };
    if (isAgain) { open(nodes[ids.indexOf(id)]); return; }
    const chosen = state.selection.filter((each) => ids.includes(each));
    if (event.shiftKey && chosen.length) {
      const [from, to] = [ids.indexOf(chosen[0]), ids.indexOf(id)].sort((a, b) => a - b);
      const range = ids.slice(from, to + 1);
      choose([chosen[0], ...range.filter((each) => each !== chosen[0])]);
    } else if (event.ctrlKey || event.metaKey) {
      choose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
    } else choose([id]);
  };
  const move = (event, index) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && event.target.closest("button.model-pick")) {
      const next = ids[index + step];
      if (next === undefined) return;
      event.preventDefault();
      pick(event.shiftKey ? event : { shiftKey: false }, next);
      document.querySelector(`[data-key="pick${next}"]`)?.focus();
    } else if (open && event.key === "Enter" && event.target.closest("button.model-pick")) {
      event.preventDefault();
      open(nodes[index]);
    } else if (event.key === "F2" || (event.key === "Enter" && event.target.closest("button.model-pick"))) {
      event.preventDefault();
      choose([ids[index]]);
      const input = document.querySelector(".inspector [data-field=name]");
      input?.focus();
      input?.select?.();
    }
  };
  return h("div.model-scroll", { dataset: { scroll: "table-" + label } }, h("table", { "aria-label": label }, h("thead", {}, h("tr", {}, heads.map((head, index) => h("th", { scope: "col", class: numbers.includes(index) ? "number" : null }, head || h("span.model-hidden", {}, "More"))))),
    h("tbody", {}, nodes.map((node, row) => {
      const isChosen = state.selection.includes(node.id), mark = severity(node), worst = checksOf(node.id)[0];
      return h("tr", { class: isChosen ? "chosen" : null, onclick: (event) => { if (!event.target.closest("a, select, input, button")) pick(event, node.id); }, onkeydown: (event) => move(event, row) },
        cells(node).map((cell, index) => {
          if (index) return h("td", { class: numbers.includes(index) ? "number" : null }, cell);
          const name = typeof cell === "string" || !cell
            ? h("button.model-pick", { type: "button", "aria-pressed": String(isChosen), class: node.values.isAbstract ? "abstract" : null, dataset: { key: "pick" + node.id }, onclick: (event) => pick(event, node.id) }, cell || "(no name)")
            : cell;
          return h("th", { scope: "row" }, h("span.row", {}, name, mark && h("span.dot", { class: mark, title: worst?.message ?? mark }, h("span.model-hidden", {}, worst?.message ?? mark))));
        }));
    }))));
}

/** A fetch request, a configuration or a composite type. */
export function elementTable(element, choose) {
  if (element.kind === "composite") {
    const attributes = ofKind("attribute", element);
    return h("div.pad.stack", {}, h("h2", {}, element.values.name), section("Attributes",
      isEditable() && button("Attribute", () => addElement("attribute", element.id), { icon: "add", label: "Add attribute" }),
      attributes.length ? attributeTable(attributes, choose) : h("p.hint", {}, "A composite type has attributes, as an address has street and city.")));
  }
  if (element.kind === "configuration") {
    return h("div.pad.stack", {}, h("h2", {}, element.values.name), h("p", {}, element.members.length ? "Stores of this configuration keep the objects of these entities:" : "Tick the entities that stores of this configuration are to keep."),
      h("ul", {}, element.members.map((name) => h("li", {}, h("a", { href: addressOf(entities().find((entity) => entity.values.name === name) ?? null) }, name)))));
  }
  return h("div.pad.stack", {}, h("h2", {}, element.values.name), h("p", {}, "Fetches ", h("strong", {}, element.values.entity ?? "?"), element.values.predicateString ? " where" : ": all objects"),
    element.values.predicateString && h("pre.panel", {}, element.values.predicateString),
    h("p.hint", {}, "In code: ", h("code", {}, `model.fetchRequestFromTemplate(withName: "${element.values.name}", substitutionVariables: […])`)));
}

/** All findings, each leading to its place. */
export function issues() {
  const { checks } = state.answer;
  if (!checks.length) return empty("No issues: the model is sound.");
  return h("div.pad", {}, h("ul.list.model-issues", {}, checks.map((check) => h("li", {}, h("button", { type: "button", onclick: () => go(check) },
    h("span.badge", { class: check.severity }, check.severity), h("span", {}, h("strong", {}, check.place || "Model"), " ", check.message))))));
}

function go(check) {
  const element = find(check.id);
  state.selection = element ? [element.id] : [];
  location.hash = addressOf(element);
  if (element) focusField(element.id, check.field);
}

function find(id, root = state.answer.root) {
  if (root.id === id) return root;
  for (const child of root.children) { const found = find(id, child); if (found) return found; }
  return null;
}

