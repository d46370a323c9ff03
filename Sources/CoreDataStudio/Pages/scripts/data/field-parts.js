// @ts-check
// The common parts of editors of all kinds of fields.

/** @typedef {{ problem?: string, page?: ObjectPage } | undefined} SetAnswer */
/**
 * Sends a value; undefined takes back a text that was refused.
 * @typedef {(key: string, value: any) => Promise<SetAnswer>} SetValue
 */

/**
 * Shows whether a field is changed, and what is wrong with its value.
 * @param {HTMLElement & { say?(text?: string | null): void }} box
 * @param {ObjectField} field
 */
export function mark(box, field) {
  box.classList.toggle("changed", field.isChanged);
  box.say?.(field.refused?.message ?? (field.message && !field.isQuiet ? field.message : null));
}

/**
 * Puts a message into the paragraph that a field has for it.
 * @param {HTMLElement} box
 * @param {string | null} [message]
 */
export function sayIn(box, message) {
  const note = /** @type {HTMLElement} */ (box.querySelector(":scope > .message"));
  note.textContent = message ?? "";
  note.hidden = !message;
  box.classList.toggle("wrong", Boolean(message));
}
