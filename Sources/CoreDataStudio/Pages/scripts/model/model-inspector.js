// The fields of what is selected, as the server describes them.

import { h, button, field, select, debounce, icon } from "./ui.js";
import { state, edit, editNow, tryOut, node as elementOf, entities, ofKind, properties, checksOf, isEditable, parentOf } from "./model-state.js";
import { typing, entryFields } from "./model-typing.js";
import { nameField } from "./model-renaming.js";
import { predicateField } from "./model-predicate.js";

const kinds = {
  model: "Model", entity: "Entity", attribute: "Attribute", relationship: "Relationship", fetchedProperty: "Fetched property",
  fetchRequest: "Fetch request", configuration: "Configuration", composite: "Composite type", fetchIndex: "Index", fetchIndexElement: "Index element",
};

/** The inspector of one or several elements of one kind. */
export function inspector(nodes) {
  if (!nodes.length) return [];
  const kind = nodes[0].kind, isSame = nodes.every((node) => node.kind === kind);
  if (!isSame) return [h("p.hint", {}, `${nodes.length} elements of different kinds are selected.`)];
  const parts = [h("h2.model-title", {}, nodes.length === 1 ? `${kinds[kind]}${nodes[0].values.name ? " " + nodes[0].values.name : ""}` : `${nodes.length} ${plural(kinds[kind].toLowerCase())}`)];
  let section = "";
  let box = null;
  for (const description of state.fields[kind] ?? []) {
    const concerned = nodes.filter((node) => applies(description, node));
    if (!concerned.length || (nodes.length > 1 && !description.isShared)) continue;
    if (!box || description.section !== section) {
      section = description.section;
      box = h("div.stack");
      parts.push(section && h("h3", {}, section), box);
    }
    box.append(control(description, concerned));
  }
  if (nodes.length === 1) parts.push(...lists(nodes[0]));
  else if (nodes[0].userInfo) parts.push(h("p.hint", {}, "User info is edited one by one."));
  return parts;
}

const plural = (words) => words.replace(/(y|x|)$/, (end) => ({ y: "ies", x: "xes" })[end] ?? "s");

function applies(description, node) {
  if (description.key === "derivationExpression" || description.key === "filteringPredicate") return node.values.derived === true;
  if (description.key === "ordered" || description.key === "maxCount" || description.key === "minCount") return node.values.toMany === true;
  if (description.key === "indexed") return node.values.indexed === true;
  if (description.key === "expressionType") return Boolean(node.values.expression);
  return !description.types.length || description.types.includes(node.values.attributeType ?? "Undefined");
}

function control(description, nodes) {
  const values = nodes.map((node) => node.values[description.key] ?? (description.kind === "flag" ? false : ""));
  const isMixed = values.some((value) => value !== values[0]);
  const key = `${nodes.map((node) => node.id).join("-")}/${description.key}`;
  if (description.key === "name" && nodes.length === 1) return nameField(nodes[0], key, say);
  const commands = (value) => [{ do: "set", ids: nodes.map((node) => node.id), field: description.key, value }];
  const send = (value) => edit(...commands(value));
  const common = { dataset: { key, field: description.key }, disabled: !isEditable() };
  let box;
  if (description.kind === "flag") {
    const input = h("input", { type: "checkbox", ...common, checked: !isMixed && values[0] === true, indeterminate: isMixed, onchange: (event) => send(event.target.checked) });
    box = flag(description.label, input, description.help);
  } else {
    const choices = choicesOf(description, nodes[0]);
    const value = isMixed ? "" : values[0];
    if (choices) {
      const list = choices.some(([own]) => own === value) ? choices : [[value, value || (isMixed ? "Several values" : "Not stated")], ...choices];
      box = field(description.label, select(list, value, { ...common, onchange: (event) => send(event.target.value || null) }), { hint: hintOf(description, nodes[0]) });
    } else {
      const input = text(description, key, value, isMixed, (typed) => send(typed || null), async (typed) => {
        const checks = typed === value ? checksOf(nodes[0].id) : (await tryOut(nodes[0].id, description.key, ...commands(typed || null)))?.checks;
        // What was typed meanwhile asks for itself.
        if (checks && box.isConnected && input.value === typed) say(box, checks, description.key);
      });
      box = field(description.label, input, { hint: hintOf(description, nodes[0]) });
      const entity = description.kind === "predicate" && nodes.length === 1 && entityOf(description, nodes[0]);
      if (entity) predicateField(box, input, key, entity);
    }
  }
  if (nodes.length === 1) say(box, checksOf(nodes[0].id), description.key);
  return box;
}

function hintOf(description, node) {
  const type = node.values.attributeType;
  if (description.key === "defaultValue") return { Boolean: "YES or NO", Date: "Seconds since 2001" }[type];
  if (description.key === "minimum" || description.key === "maximum") return { String: "Of its length", Date: "Seconds since 2001" }[type];
  return description.help;
}

/** A checkbox with its label behind it. */
function flag(label, input, help) {
  const box = field(label, input, { hint: help, class: "model-flag" });
  return box;
}

function text(description, key, value, isMixed, send, check) {
  const isCode = ["predicate", "expression", "pattern"].includes(description.kind);
  const attributes = typing(key, value, send);
  Object.assign(attributes, {
    dataset: { ...attributes.dataset, field: description.key }, placeholder: isMixed ? "Several values" : null, class: isCode ? "mono" : null, readonly: !isEditable() || null,
    oninput: debounce((event) => { if (event.target.isConnected) check(event.target.value); }, 250),
  });
  return description.kind === "predicate" ? h("textarea", { ...attributes, rows: 3 }) : h("input", { type: "text", inputmode: description.kind === "number" ? "numeric" : null, ...attributes });
}

/** Shows findings about a field below it. */
function say(box, checks, key) {
  const found = checks.filter((check) => check.field === key || (check.field === undefined && key === "name") || (check.field === "entity" && key === "destinationEntity"));
  const errors = found.filter((check) => check.severity === "error"), others = found.filter((check) => check.severity !== "error");
  box.say(errors.map(words).join(" "));
  box.querySelector(".model-note")?.remove();
  if (others.length) box.append(h("p.model-note", { role: "note" }, icon("warning"), others.map(words).join(" ")));
}

const words = (check) => check.position !== undefined ? `${check.message} (character ${check.position + 1})` : check.message;

function choicesOf(description, node) {
  const none = [["", "None"]];
  switch (description.kind) {
  case "choice": return description.choices.map((choice) => [choice.value, choice.label]);
  case "entity": return none.concat(entities().map((entity) => entity.values.name).filter((name) => description.key !== "parentEntity" || name !== node.values.name).map((name) => [name, name]));
  case "composite": return none.concat(ofKind("composite").map((composite) => [composite.values.name, composite.values.name]));
  case "inverse": return none.concat(properties(node.values.destinationEntity).filter((each) => each.kind === "relationship").map((each) => [each.values.name, each.values.name]));
  case "property": return none.concat(properties(ownerEntity(node.id)?.values.name).filter((each) => each.kind !== "fetchedProperty").map((each) => [each.values.name, each.values.name]));
  default: return null;
  }
}

function ownerEntity(id) {
  let owner = parentOf(id);
  while (owner && owner.kind !== "entity" && owner.kind !== "model") owner = parentOf(owner.id);
  return owner;
}

/** The entity whose objects a predicate is about; none for what isn’t known. */
function entityOf(description, node) {
  switch (description.key) {
  case "predicateString": return node.kind === "fetchRequest" ? node.values.entity : node.values.destinationEntity;
  case "partialIndexPredicate": return ownerEntity(node.id)?.values.name;
  default: return null;
  }
}

// Lists: constraints, user info, members, index elements.

function lists(node) {
  const parts = [];
  if (node.constraints) parts.push(...constraints(node));
  if (node.kind === "configuration") parts.push(...members(node));
  if (node.kind === "fetchIndex") parts.push(...elements(node));
  if (node.userInfo) parts.push(...userInfo(node));
  return parts;
}

function constraints(node) {
  const isOpen = isEditable();
  const change = (make) => editNow(() => elementOf(node.id) && [{ do: "constraints", id: node.id, lists: make(elementOf(node.id).constraints) }]);
  const names = properties(node.values.name).filter((each) => each.kind !== "fetchedProperty").map((each) => each.values.name);
  const found = checksOf(node.id).filter((check) => check.field === "constraints");
  return [
    h("h3", {}, "Uniqueness constraints"),
    h("div.stack", {}, node.constraints.map((list, index) => h("div.row", {},
      h("input.spring", { type: "text", "aria-label": `Constraint ${index + 1}`, readonly: !isOpen || null, list: "model-names",
        ...typing(`${node.id}/constraint${index}`, list.join(", "), (text) => change((lists) => lists.map((each, at) => at === index ? split(text) : each))) }),
      isOpen && button("", () => change((lists) => lists.filter((each) => each.join() !== list.join())), { icon: "remove", label: `Remove constraint ${list.join(", ")}`, kind: "quiet" }))),
    found.map((check) => h("p.message", {}, check.message)),
    h("datalist", { id: "model-names" }, names.map((name) => h("option", { value: name }))),
    isOpen && names.length > 0 && h("div", {}, button("Add constraint", () => change((lists) => [...lists, [names[0]]]), { icon: "add" }))),
  ];
}

const split = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);

function userInfo(node) {
  const change = (make) => editNow(() => elementOf(node.id) && [{ do: "userInfo", ids: [node.id], entries: make(elementOf(node.id).userInfo) }]);
  const { rows, add } = entryFields(node.userInfo, node.id, isEditable(), change);
  return [
    h("h3", {}, "User info"),
    rows.length > 0 && h("table.model-pairs", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Value"), h("th", { scope: "col" }, h("span.model-hidden", {}, "Remove")))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((part) => h("td", {}, part)))))),
    add,
  ];
}

function members(node) {
  return [
    h("h3", {}, "Entities"),
    h("div.stack.tight", {}, entities().map((entity) => {
      const name = entity.values.name;
      return flag(name, h("input", { type: "checkbox", checked: node.members.includes(name), disabled: !isEditable(), dataset: { key: `${node.id}/member-${name}` },
        onchange: ({ target: { checked } }) => editNow(() => elementOf(node.id) && [{ do: "members", id: node.id, names: [...elementOf(node.id).members.filter((each) => each !== name), ...(checked ? [name] : [])] }]) }));
    })),
  ];
}

function elements(node) {
  return [
    h("h3", {}, "Elements"),
    node.children.map((child, index) => h("fieldset.stack", {}, h("legend", {}, `Element ${index + 1}`),
      (state.fields.fetchIndexElement ?? []).filter((description) => applies(description, child)).map((description) => control(description, [child])),
      isEditable() && h("div", {}, button("Remove element", () => edit({ do: "remove", ids: [child.id] }), { icon: "remove" })))),
    isEditable() && h("div", {}, button("Add element", () => {
      const first = properties(ownerEntity(node.id)?.values.name).find((each) => each.kind === "attribute");
      return edit({ do: "add", kind: "fetchIndexElement", parent: node.id, values: first ? { property: first.values.name } : {} });
    }, { icon: "add" })),
  ];
}
