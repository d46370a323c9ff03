// @ts-check
// One side of a row in the predicate builder.

import { h, button, select, unique } from "../ui.js";
import { chooseKey, chooseOperand, chooseType, isYes, leftProperty } from "./state/predicate-rows.js";

/** @typedef {import("./state/predicate-keys.js").PredicateKeys} PredicateKeys */
/** @typedef {import("./state/predicate-keys.js").Property} Property */
/**
 * @typedef {object} BuilderHost
 * @property {PredicateKeys} keys
 * @property {() => void} changed something was changed in place
 * @property {(focus?: string) => void} redraw the same, and the rows are drawn anew
 * @property {(focus: string) => void} draw the rows are drawn anew
 * @property {(name: string, relation: Property | null) => void} pick an object for a variable is asked for
 */

/** @type {Record<string, string>} */
const sides = { left: "Left side", right: "Right side" };
/** @type {Record<string, string>} */
const places = { left: "What is compared", right: "What it is compared with" };

/**
 * @param {PredicateRow} row
 * @param {"left" | "right"} side
 * @param {BuilderHost} host
 */
export function operandView(row, side, host) {
  const own = row[side], property = leftProperty(host.keys, row);
  const relation = side === "right" && property?.destination ? property : null;
  const kinds = [["constant", "Value"], side === "right" && ["list", "List"],
    relation && ["object", "Object"], ["key", "Key"], ["variable", "Variable"], ["expression", "Expression"]];
  /** @type {HTMLSelectElement} */
  const kind = select(/** @type {[string, string][]} */ (kinds.filter(Boolean)), own.kind,
    { "aria-label": sides[side], class: "kind", onchange: () => {
    const name = chooseOperand(host.keys, row, side, kind.value);
    host.redraw();
    if (name !== null) host.pick(name, relation);
  } });
  return h("span.row.operand", { role: "group", "aria-label": places[side] }, kind,
    control(own, row, relation, host));
}

/**
 * @param {Operand} own
 * @param {PredicateRow} row
 * @param {Property | null} relation
 * @param {BuilderHost} host
 */
function control(own, row, relation, host) {
  switch (own.kind) {
    case "key": return keyField(own, row, host);
    case "list": return listFields(own, row, host);
    case "constant": return valueField(own, row, host);
    case "variable": return [
      plainField(own, "Variable’s name", (text) => text.trim(), host),
      relation && button("Choose…", () => host.pick(own.text, relation),
        { label: `Choose the object for $${own.text}` })];
    default: return plainField(own, "Expression", (text) => text, host);
  }
}

/**
 * @param {Operand} own
 * @param {string} label
 * @param {(text: string) => string} read
 * @param {BuilderHost} host
 */
const plainField = (own, label, read, host) =>
  h("input.mono", { type: "text", value: own.text, "aria-label": label,
  onchange: (event) => { own.text = read(event.target.value); host.changed(); } });

/**
 * @param {Operand} own
 * @param {PredicateRow} row
 * @param {BuilderHost} host
 */
function keyField(own, row, host) {
  const id = "keys-" + unique();
  const take = (/** @type {{ target: HTMLInputElement }} */ event) => {
    chooseKey(host.keys, row, own, event.target.value);
    host.redraw();
  };
  return [h("input.mono.key", { type: "text", value: own.text, list: id, "aria-label": "Key",
    onchange: take }),
    h("datalist", { id }, host.keys.paths().map((key) => h("option", { value: key })))];
}

/**
 * @param {Operand} own
 * @param {BuilderHost} host
 */
function typeField(own, host) {
  const types = [["text", "text"], ["number", "number"], ["date", "date"], ["boolean", "yes/no"],
    own.kind === "constant" && ["nil", "nil"]];
  return select(/** @type {[string, string][]} */ (types.filter(Boolean)), own.type,
    { "aria-label": "Type of value",
    onchange: (event) => { chooseType(own, event.target.value); host.redraw(); } });
}

/**
 * @param {string} value
 * @param {Operand} own
 * @param {string} label
 * @param {(text: string) => void} put
 * @param {PredicateRow} row
 * @param {BuilderHost} host
 */
function textField(value, own, label, put, row, host) {
  const choices = leftProperty(host.keys, row)?.choices, id = choices ? "values-" + unique() : null;
  const field = h("input", { type: "text", value, "aria-label": label, list: id,
    placeholder: own.type === "date" ? "2024-05-01" : "",
    inputmode: own.type === "number" ? "decimal" : null, onchange: (event) => {
      put(event.target.value);
      host.changed();
    } });
  return [field, choices && h("datalist", { id },
    choices.map((choice) => h("option", { value: choice.value }, choice.label)))];
}

/**
 * @param {Operand} own
 * @param {PredicateRow} row
 * @param {BuilderHost} host
 */
function valueField(own, row, host) {
  if (own.type === "nil") return typeField(own, host);
  if (own.type === "boolean") {
    return [typeField(own, host), select([["YES", "yes"], ["NO", "no"]], isYes(own.text) ? "YES" : "NO",
      { "aria-label": "Value",
      onchange: (event) => { own.text = event.target.value; host.changed(); } })];
  }
  return [typeField(own, host), textField(own.text, own, "Value", (text) => { own.text = text; }, row, host)];
}

/**
 * @param {Operand} own
 * @param {PredicateRow} row
 * @param {BuilderHost} host
 */
function listFields(own, row, host) {
  const items = own.items ??= [], isRange = row.op === "BETWEEN";
  /** @param {number} index */
  const name = (index) => isRange ? (index ? "To" : "From") : `Value ${index + 1}`;
  /** @param {number} index */
  const drop = (index) => button("", () => {
    items.splice(index, 1);
    host.redraw();
  }, { icon: "remove", kind: "quiet", label: `Remove value ${index + 1}` });
  return [typeField(own, host),
    items.map((item, index) => [isRange && index === 1 && h("span.dim", {}, "to"),
      textField(item, own, name(index), (text) => {
        items[index] = text;
      }, row, host), !isRange && items.length > 1 && drop(index)]),
    !isRange && button("", () => {
      items.push("");
      host.draw(".operand input");
    }, { icon: "add", kind: "quiet", label: "Add a value" })];
}
