// @ts-check
// Editors of one line, for cells of a grid.

import { h, select } from "../ui.js";
import { letterOf } from "../state/keys.js";
import { plain } from "../state/text.js";
import { choicesOf, chosenValue, fitsLine, inputMode, typedValue } from "./state/field-text.js";

/** @typedef {(value?: any, onward?: [number, number] | null) => void} Finish takes the value and goes on; `finish()` gives up */

/**
 * An editor for a cell; null for kinds that need room.
 * @param {GridColumn} column
 * @param {StudioValue} value
 * @param {Finish} finish
 * @param {string | null} start what was typed to begin, or what was refused
 */
export function cellEditor(column, value, finish, start = null) {
  const field = /** @type {Attribute & { column: string }} */ (column);
  if (field.kind === "boolean" || field.kind === "choice") {
    /** @type {HTMLSelectElement} */
    const control = choiceControl(field, value,
      { ...keys(field, finish, () => chosenValue(field, control.value)), onchange: null });
    return control;
  }
  if (!["text", "number", "decimal", "date", "uuid", "uri"].includes(field.kind)
    || !fitsLine(value)) return null;
  const before = plain(value);
  /** @type {HTMLInputElement} */
  const input = h("input", { type: "text", value: start ?? before, inputmode: inputMode(field),
    dir: field.kind === "text" ? "auto" : null,
    dataset: { initial: before }, ...keys(field, finish, () => typedValue(field, value, input.value)) });
  return input;
}

/**
 * @param {GridColumn} column
 * @param {Finish} finish
 * @param {() => any} read
 */
const keys = (column, finish, read) => ({
  /** @param {KeyboardEvent} event */
  onkeydown: (event) => {
    // Control-S means the whole: this cell first.
    if ((event.ctrlKey || event.metaKey) && letterOf(event) === "s") finish(read());
    else event.stopPropagation();
    if (event.key === "Escape") { event.preventDefault(); finish(); }
    if (event.key === "Enter") { event.preventDefault(); finish(read(), event.shiftKey ? [-1, 0] : [1, 0]); }
    if (event.key === "Tab") { event.preventDefault(); finish(read(), event.shiftKey ? [0, -1] : [0, 1]); }
  },
  onblur: () => finish(read(), null), "aria-label": column.label, class: "cell-editor",
});

/**
 * A list of the values that an attribute has.
 * @param {Attribute} field
 * @param {StudioValue} value
 * @param {Attributes} attributes
 */
export function choiceControl(field, value, attributes) {
  const choices = choicesOf(field), current = value === null ? "" : plain(value);
  if (current !== "" && !choices.some(([own]) => own === current)) choices.push([current, current]);
  return select([["", field.isOptional ? "–" : "Choose…"], ...choices], current, attributes);
}
