// @ts-check
// One field of the inspector: made as the server describes it, checked while somebody types.

import { h, field, icon, select } from "../ui.js";
import { debounce } from "../state/turns.js";
import { datePicker } from "../date-picker.js";
import { checksOf, edit, entities, isEditable, ofKind, ownerEntity, properties, state,
  tryOut } from "./document.js";
import { findings, hintOf, sharedValue } from "./state/fields.js";
import { possibleInverses } from "./state/tree.js";
import { inverseDialog } from "./inverse-dialog.js";
import { nameField } from "./renaming.js";
import { predicateField } from "./predicate.js";
import { typing } from "./typing.js";

/**
 * @param {FieldDescription} description
 * @param {ModelElement[]} nodes
 * @returns {FieldBox}
 */
export function inspectorField(description, nodes) {
  const key = `${nodes.map((node) => node.id).join("-")}/${description.key}`;
  if (description.key === "name" && nodes.length === 1) return nameField(nodes[0], key, say);
  const choices = description.kind === "flag" ? null : choicesOf(description, nodes[0]);
  const box = description.kind === "flag" ? flagField(description, nodes, key)
    : choices ? choiceField(description, nodes, key, choices) : textField(description, nodes, key);
  if (nodes.length === 1) say(box, checksOf(nodes[0].id), description.key);
  return box;
}

/**
 * The command that gives all of them a value.
 * @param {FieldDescription} description
 * @param {ModelElement[]} nodes
 * @param {any} value
 */
const setting = (description, nodes, value) =>
  ({ do: "set", ids: nodes.map((node) => node.id), field: description.key, value });

/**
 * @param {FieldDescription} description
 * @param {ModelElement[]} nodes
 * @param {string} key
 */
function flagField(description, nodes, key) {
  const { isMixed, value } = sharedValue(description, nodes);
  return flag(description.label, h("input", {
    type: "checkbox", dataset: { key, field: description.key }, disabled: !isEditable(),
    checked: value === true, indeterminate: isMixed,
    onchange: (event) => edit(setting(description, nodes, event.target.checked)) }), description.help);
}

/**
 * A checkbox with its label behind it.
 * @param {string} label
 * @param {HTMLInputElement} input
 * @param {string} [help]
 */
export const flag = (label, input, help) => field(label, input, { hint: help, class: "model-flag" });

/**
 * @param {FieldDescription} description
 * @param {ModelElement[]} nodes
 * @param {string} key
 * @param {[string, string][]} choices
 */
function choiceField(description, nodes, key, choices) {
  const { isMixed, value } = sharedValue(description, nodes);
  /** @type {[string, string]} */
  const other = [value, value || (isMixed ? "Several values" : "Not stated")];
  const list = choices.some(([own]) => own === value) ? choices : [other, ...choices];
  /** @param {HTMLSelectElement} control */
  const choose = async (control) => {
    if (control.value !== newInverse) return edit(setting(description, nodes, control.value || null));
    control.value = value;
    return inverseDialog(nodes[0]);
  };
  return field(description.label, select(list, value,
    { dataset: { key, field: description.key }, disabled: !isEditable(),
    onchange: (event) => choose(event.target) }), { hint: hintOf(description, nodes[0]) });
}

/** The choice of an inverse that isn’t there yet: no name, for names have no spaces. */
const newInverse = "new inverse";

/**
 * The relationships that lead back, with what choosing one takes from another; and a new one.
 * @param {ModelElement} node
 * @returns {[string, string][]}
 */
function inverseChoices(node) {
  const { destinationEntity, name } = node.values, owner = ownerEntity(node.id)?.values.name;
  const found = possibleInverses(state.answer.root, node).map(({ values }) => {
    const former = values.inverseName && (values.inverseName !== name || values.destinationEntity !== owner)
      ? `, now of ${values.destinationEntity}.${values.inverseName}` : "";
    return /** @type {[string, string]} */ ([values.name, values.name + former]);
  });
  return [["", "None"], ...found,
    ...(isEditable() && destinationEntity ? [/** @type {[string, string]} */ ([newInverse, "New inverse…"])] : [])];
}

/**
 * @param {FieldDescription} description
 * @param {ModelElement[]} nodes
 * @param {string} key
 */
function textField(description, nodes, key) {
  const { isMixed, value } = sharedValue(description, nodes), { id } = nodes[0];
  /** @param {string} typed */
  const command = (typed) => setting(description, nodes, typed || null);
  /** @param {string} typed */
  const check = async (typed) => {
    const checks = typed === value ? checksOf(id)
      : (await tryOut(id, description.key, command(typed)))?.checks;
    // Text that was typed meanwhile asks for itself.
    if (checks && box.isConnected && input.value === typed) say(box, checks, description.key);
  };
  const attributes = typing(key, value, (typed) => edit(command(typed)));
  Object.assign(attributes, {
    dataset: { ...attributes.dataset, field: description.key },
    placeholder: isMixed ? "Several values" : null, readonly: !isEditable() || null,
    class: ["predicate", "expression", "pattern"].includes(description.kind) ? "mono" : null,
    oninput: debounce((event) => { if (event.target.isConnected) check(event.target.value); }, 250),
  });
  const input = description.kind === "predicate" ? h("textarea", { ...attributes, rows: 3 })
    : h("input", { type: "text", inputmode: description.kind === "number" ? "numeric" : null,
      ...attributes });
  const box = field(description.label, input, { hint: hintOf(description, nodes[0]) });
  const isDate = nodes.every(({ values }) => values.attributeType === "Date")
    && ["defaultValue", "minimum", "maximum"].includes(description.key);
  if (isDate && isEditable()) {
    const both = h("div.with-clear", {});
    input.replaceWith(both);
    both.append(input, datePicker(input, description.label));
  }
  const entity = description.kind === "predicate" && nodes.length === 1 && entityOf(description, nodes[0]);
  if (entity) predicateField(box, input, key, entity);
  return box;
}

/**
 * Shows findings about a field below it.
 * @param {FieldBox} box
 * @param {ModelCheck[]} checks
 * @param {string} key
 */
function say(box, checks, key) {
  const { errors, others } = findings(checks, key);
  box.say(errors);
  box.querySelector(".model-note")?.remove();
  if (others) box.append(h("p.model-note", { role: "note" }, icon("warning"), others));
}

/**
 * @param {FieldDescription} description
 * @param {ModelElement} node
 * @returns {[string, string][] | null}
 */
function choicesOf(description, node) {
  /** @param {ModelElement[]} elements @returns {[string, string][]} */
  const named = (elements) => [["", "None"],
    ...elements.map(({ values }) => /** @type {[string, string]} */ ([values.name, values.name]))];
  switch (description.kind) {
    case "choice": return description.choices.map((choice) => [choice.value, choice.label]);
    case "entity": return named(entities().filter(({ values }) =>
      description.key !== "parentEntity" || values.name !== node.values.name));
    case "composite": return named(ofKind("composite"));
    case "inverse": return inverseChoices(node);
    case "property": return named(properties(ownerEntity(node.id)?.values.name).filter((each) =>
      each.kind !== "fetchedProperty"));
    default: return null;
  }
}

/**
 * The entity whose objects a predicate is about; none for what isn’t known.
 * @param {FieldDescription} description
 * @param {ModelElement} node
 * @returns {string | null | undefined}
 */
function entityOf(description, node) {
  switch (description.key) {
    case "predicateString": return node.kind === "fetchRequest" ? node.values.entity
      : node.values.destinationEntity;
    case "partialIndexPredicate": return ownerEntity(node.id)?.values.name;
    default: return null;
  }
}
