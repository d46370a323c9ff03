// @ts-check
// The model as tables: entities, properties, everything else that has a name.

import { h, button, select, empty, icon } from "../ui.js";
import { state, addressOf, choose, edit, entities, entityNamed, isEditable, ofKind } from "./document.js";
import { addElement, addMenu } from "./actions.js";
import { choiceTable } from "./choice-table.js";
import { members } from "./inspector.js";
import { runConfiguration, widePredicate } from "./running.js";

/** All entities. */
export function overview() {
  const all = entities();
  if (!all.length) {
    return empty("The model has no entities yet. An entity is a kind of object: Person, Song, Invoice.",
      isEditable() && button("Add entity", () => addElement("entity"), { icon: "add", kind: "primary" }));
  }
  const heads = ["Name", "Attributes", "Relationships", "Parent", "Class", "Codegen", ""];
  return h("div.pad.stack", {},
    choiceTable("Entities", heads, all, entityCells, { numbers: [1, 2], open: (entity) => {
      location.hash = addressOf(entity);
    } }),
    h("p.hint", {},
      "Choose a row to see its fields; Ctrl or Shift choose several, which are edited at once. Return or a double click opens an entity."));
}

/** @type {Record<string, string | undefined>} */
const codegen = { class: "Class Definition", category: "Category/Extension" };

/** @param {ModelElement} entity */
function entityCells(entity) {
  const { name, className, parentEntity, codeGenerationType } = entity.values;
  return [
    name, count(entity, "attribute"), count(entity, "relationship"), cut(parentEntity ?? ""),
    className === name ? h("span.dim", { title: className }, "like the entity") : cut(className ?? ""),
    codegen[codeGenerationType] ?? "Manual/None",
    h("a.button.quiet.square", { href: addressOf(entity), "aria-label": `Open ${name}`, title: "Open" },
      icon("next")),
  ];
}

/**
 * A name that may be too long for its column.
 * @param {string} text
 */
const cut = (text) => h("span.model-cut", { title: text }, text);

/** @param {ModelElement} entity @param {ModelKind} kind */
const count = (entity, kind) => String(ofKind(kind, entity).length);

/**
 * One entity's properties and indexes.
 * @param {ModelElement} entity
 */
export function entityTable(entity) {
  const attributes = ofKind("attribute", entity), relationships = ofKind("relationship", entity);
  const { name, isAbstract, parentEntity } = entity.values;
  return h("div.pad.stack", {}, h("div.row.model-head", {}, heading(name),
    isAbstract && h("span.badge", {}, "abstract"),
    parentEntity && h("span.hint", {}, "inherits from ",
      h("a", { href: addressOf(entityNamed(parentEntity)) }, parentEntity)),
    h("span.spring"), isEditable() && moreButton(entity)),
  section("Attributes", adding("Attribute", "attribute", entity),
    attributes.length ? attributeTable(attributes) : h("p.hint", {}, "No attributes of its own.")),
  section("Relationships", adding("Relationship", "relationship", entity),
    relationships.length ? relationshipTable(relationships)
      : h("p.hint", {},
      "No relationships of its own. In the diagram you can draw one from entity to entity.")),
  otherTables(entity));
}

/**
 * The name of what is shown; it leads from a property back to the whole.
 * @param {string} name
 */
const heading = (name) => h("h2", {}, state.selection.length
  ? h("button.quiet.model-heading", { type: "button", title: `Show the fields of ${name}`,
    dataset: { key: "heading" }, onclick: () => choose([]) }, name) : name);

/** @param {ModelElement[]} nodes */
const relationshipTable = (nodes) => choiceTable("Relationships",
  ["Name", "Destination", "Inverse", "Kind", "Delete rule", ""], nodes, (node) => {
  const { name, destinationEntity, inverseName, toMany, ordered, deletionRule } = node.values;
  return [name, destinationEntity ?? "", inverseName ?? "",
    (toMany ? "to many" : "to one") + (ordered ? ", ordered" : ""), deletionRule ?? "No Action",
    badges(node)];
}, { isAligned: true });

/**
 * The tables of parts that few entities have.
 * @param {ModelElement} entity
 */
function otherTables(entity) {
  const fetched = ofKind("fetchedProperty", entity), indexes = ofKind("fetchIndex", entity);
  /** @param {ModelElement} child */
  const element = ({ values }) => (values.property ?? values.expression ?? "?")
    + (values.order === "descending" ? " ↓" : "");
  return [
    fetched.length > 0 && section("Fetched properties", null, [
      choiceTable("Fetched properties", ["Name", "Destination", "Predicate"], fetched,
      ({ values }) => [values.name, values.destinationEntity ?? "",
        h("code", {}, values.predicateString ?? "")], { isAligned: true }), chosenPredicate(fetched)]),
    indexes.length > 0 && section("Indexes", null, [
      choiceTable("Indexes", ["Name", "Elements", "Where"], indexes,
      (node) => [node.values.name, node.children.map(element).join(", "),
        h("code", {}, node.values.partialIndexPredicate ?? "")], { isAligned: true }), chosenPredicate(indexes)]),
  ];
}

/**
 * The predicate of the one of them that is chosen alone, in the wide part of the page.
 * @param {ModelElement[]} nodes
 */
function chosenPredicate(nodes) {
  const [id, ...others] = state.selection, chosen = nodes.find((node) => node.id === id);
  return chosen && !others.length && h("div.stack.tight.model-below", {}, widePredicate(chosen));
}

/** @param {string} label @param {ModelKind} kind @param {ModelElement} parent */
const adding = (label, kind, parent) => isEditable()
  && button(label, () => addElement(kind, parent.id), { icon: "add", label: `Add ${label.toLowerCase()}` });

/** @param {ModelElement} entity */
function moreButton(entity) {
  /** @type {HTMLButtonElement} */
  const more = button("Add…", () => addMenu(more, entity), { icon: "add", dataset: { key: "more" } });
  return more;
}

/** @param {string} label @param {Content} action @param {Content} content */
const section = (label, action, content) =>
  h("section.stack.tight", { "aria-label": label }, h("div.model-group", {}, h("h3", {}, label), action),
  content);

/** @param {ModelElement[]} nodes */
function attributeTable(nodes) {
  const description = state.fields?.attribute.find((each) => each.key === "attributeType");
  const types = (description?.choices ?? []).map((each) =>
    /** @type {[string, string]} */ ([each.value, each.label]));
  /** @param {ModelElement} node @param {string} field @param {any} value */
  const set = (node, field, value) => edit({ do: "set", ids: [node.id], field, value });
  /** @param {ModelElement} node */
  const type = (node) => isEditable() ? select(types, node.values.attributeType,
    { "aria-label": `Type of ${node.values.name}`, dataset: { key: "type" + node.id },
    onchange: (event) => set(node, "attributeType", event.target.value) })
      : (node.values.attributeType ?? "");
  /** @param {ModelElement} node */
  const optional = (node) => h("input", { type: "checkbox", "aria-label": `${node.values.name} is optional`,
    checked: node.values.optional === true,
    disabled: !isEditable(), dataset: { key: "optional" + node.id },
      onchange: (event) => set(node, "optional", event.target.checked) });
  return choiceTable("Attributes", ["Name", "Type", "Optional", "Default", ""], nodes, (node) =>
    [node.values.name, type(node), optional(node), h("code", {}, node.values.defaultValue ?? ""),
      badges(node)], { isAligned: true });
}

/** The traits that a property can have besides, and their words. */
const marks = [
  ["transient", "transient"], ["derived", "derived"], ["minimum", "min"], ["maximum", "max"],
  ["regularExpressionString", "pattern"],
  ["allowsExternalBinaryDataStorage", "external"], ["preserveAfterDeletion", "tombstone"],
    ["spotlightIndexingEnabled", "Spotlight"], ["elementID", "renamed"]];

/** @param {ModelElement} node */
function badges({ kind, values }) {
  return [
    kind === "relationship" && values.optional !== true && h("span.badge", {}, "required"),
    marks.filter(([key]) => values[key]).map(([key, label]) =>
      h("span.badge", { title: typeof values[key] === "string" ? values[key] : null }, label)),
    values.valueTransformerName && h("span.hint", {}, values.valueTransformerName),
    values.composite && h("span.hint", {}, values.composite),
  ];
}

/**
 * A fetch request, a configuration or a composite type.
 * @param {ModelElement} element
 */
export function elementTable(element) {
  return h("div.pad.stack", {}, heading(element.values.name),
    element.kind === "composite" ? composite(element) : element.kind === "configuration"
      ? configuration(element) : fetchRequest(element));
}

/** @param {ModelElement} element */
function composite(element) {
  const attributes = ofKind("attribute", element);
  return section("Attributes", adding("Attribute", "attribute", element),
    attributes.length ? attributeTable(attributes)
      : h("p.hint", {}, "A composite type has attributes, as an address has street and city."));
}

/** @param {ModelElement} element */
const configuration = (element) => section("Entities", null, [
  h("p", {}, "Stores of this configuration keep the objects of the entities that are ticked."),
  members(element), runConfiguration(element),
]);

/** @param {ModelElement} element */
function fetchRequest(element) {
  const { values } = element;
  return [
    h("p", {}, "Fetches ", h("strong", {}, values.entity ?? "?"),
      values.predicateString ? " where" : ": all objects"),
    widePredicate(element),
    h("p.hint", {}, "In code: ", h("code", {},
      `model.fetchRequestFromTemplate(withName: "${values.name}", substitutionVariables: […])`)),
  ];
}
