// @ts-check
// The fields of what is selected, and its lists: constraints, user info, members, index elements.

import { h, button } from "../ui.js";
import { state, checksOf, edit, editElement, entities, isEditable, ownerEntity,
  properties } from "./document.js";
import { applies, kindNames, sections } from "./state/fields.js";
import { plural, split } from "./state/names.js";
import { entryFields } from "./entries.js";
import { flag, inspectorField } from "./inspector-field.js";
import { isWide } from "./running.js";
import { typing } from "./typing.js";

/**
 * The inspector of one or several elements of one kind.
 * @param {ModelElement[]} nodes
 * @returns {Content}
 */
export function inspector(nodes) {
  if (!nodes.length) return [];
  const [first] = nodes, { kind } = first, isOne = nodes.length === 1;
  if (!nodes.every((node) => node.kind === kind)) return h("p.hint", {},
    `${nodes.length} elements of different kinds are selected.`);
  const name = kindNames[kind];
  return [
    h("h2.model-title", {}, isOne ? `${name}${first.values.name ? " " + first.values.name : ""}`
      : `${nodes.length} ${plural(name.toLowerCase())}`),
    sections(fieldsOf(kind, isOne), nodes).map((section) => [section.name && h("h3", {}, section.name),
      h("div.stack", {}, section.fields.map(({ description, elements }) =>
        inspectorField(description, elements)))]),
    isOne ? lists(first) : first.userInfo && h("p.hint", {}, "User info is edited one by one."),
  ];
}

/**
 * Predicates of one element are edited in the wide part of the page.
 * @param {ModelKind} kind
 * @param {boolean} isOne
 */
const fieldsOf = (kind, isOne) => (state.fields?.[kind] ?? []).filter((description) =>
  !isOne || !isWide(description, kind));

/** @param {ModelElement} node */
const lists = (node) => [
  node.constraints && constraints(node, node.constraints),
  node.kind === "fetchIndex" && elements(node),
  node.userInfo && userInfo(node, node.userInfo),
];

/**
 * @param {ModelElement} node
 * @param {string[][]} all
 */
function constraints(node, all) {
  const isOpen = isEditable();
  /** @param {(lists: string[][]) => string[][]} make */
  const change = (make) => editElement(node.id,
    ({ id, constraints = [] }) => ({ do: "constraints", id, lists: make(constraints) }));
  const names = properties(node.values.name).filter((each) => each.kind !== "fetchedProperty").map((each) =>
    each.values.name);
  const found = checksOf(node.id).filter((check) => check.field === "constraints");
  /**
   * @param {string[]} list
   * @param {number} index
   */
  const row = (list, index) => h("div.row", {},
    h("input.spring", { type: "text", "aria-label": `Constraint ${index + 1}`, readonly: !isOpen || null,
      list: "model-names",
      ...typing(`${node.id}/constraint${index}`, list.join(", "),
        (text) => change((lists) => lists.map((each, at) => at === index ? split(text) : each))) }),
    isOpen && button("", () => change((lists) => lists.filter((each) => each.join() !== list.join())),
      { icon: "remove", label: `Remove constraint ${list.join(", ")}`, kind: "quiet" }));
  return [
    h("h3", {}, "Uniqueness constraints"),
    h("div.stack", {}, all.map(row)),
    found.map((check) => h("p.message", {}, check.message)),
    h("datalist", { id: "model-names" }, names.map((name) => h("option", { value: name }))),
    isOpen && names.length > 0 && h("div", {},
      button("Add constraint", () => change((lists) => [...lists, [names[0]]]), { icon: "add" })),
  ];
}

/**
 * @param {ModelElement} node
 * @param {InfoEntry[]} entries
 */
function userInfo(node, entries) {
  const { rows, add } = entryFields(entries, node.id, isEditable(), (make) =>
    editElement(node.id, ({ id, userInfo = [] }) =>
      ({ do: "userInfo", ids: [id], entries: make(userInfo) })));
  return [
    h("h3", {}, "User info"),
    rows.length > 0 && h("table.model-pairs", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Value"),
      h("th", { scope: "col" }, h("span.model-hidden", {}, "Remove")))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((part) => h("td", {}, part)))))),
    add,
  ];
}

/**
 * The entities of a configuration, to be ticked.
 * @param {ModelElement} node
 */
export function members(node) {
  /**
   * @param {string} name
   * @param {boolean} isIn
   */
  const set = (name, isIn) => editElement(node.id, ({ id, members = [] }) => (
    { do: "members", id, names: [...members.filter((each) => each !== name), ...(isIn ? [name] : [])] }));
  return h("div.stack.tight", {}, entities().map(({ values: { name } }) => flag(name, h("input", {
      type: "checkbox", checked: node.members?.includes(name), disabled: !isEditable(),
      dataset: { key: `${node.id}/member-${name}` },
      onchange: (event) => set(name, event.target.checked) }))));
}

/** @param {ModelElement} node */
function elements(node) {
  const descriptions = state.fields?.fetchIndexElement ?? [];
  const add = () => {
    const first = properties(ownerEntity(node.id)?.values.name).find((each) => each.kind === "attribute");
    return edit({ do: "add", kind: "fetchIndexElement", parent: node.id,
      values: first ? { property: first.values.name } : {} });
  };
  return [
    h("h3", {}, "Elements"),
    node.children.map((child, index) => h("fieldset.stack", {}, h("legend", {}, `Element ${index + 1}`),
      descriptions.filter((description) => applies(description, child)).map((description) =>
        inspectorField(description, [child])),
      isEditable() && h("div", {}, button("Remove element", () => edit({ do: "remove", ids: [child.id] }),
        { icon: "remove" })))),
    isEditable() && h("div", {}, button("Add element", add, { icon: "add" })),
  ];
}
