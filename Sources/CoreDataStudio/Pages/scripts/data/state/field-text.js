// @ts-check
// The text beside a field, and the text that is typed in it.

import { plain } from "../../state/text.js";

/** @param {StudioValue | undefined} value */
const bound = (value) => plain(value).replace(/T00:00:00Z$/, "");

/**
 * The values that an attribute takes, in words; null if all.
 * @param {Attribute} field
 */
export function hintOf(field) {
  const parts = [field.help, range(field)];
  if (field.minLength !== undefined
    && field.minLength > 1) parts.push(`at least ${field.minLength} characters`);
  if (field.maxLength !== undefined) parts.push(`at most ${field.maxLength} characters`);
  if (field.pattern) parts.push(`matches ${field.pattern}`);
  return parts.filter(Boolean).join(" · ") || null;
}

/** @param {Attribute} field */
function range({ min, max }) {
  // The bounds of a type go without saying.
  const isWide = typeof max === "number" && [32767, 2147483647].includes(max) && min === -max - 1;
  if (isWide) return null;
  if (min !== undefined && max !== undefined) return `${bound(min)} to ${bound(max)}`;
  if (min !== undefined) return `at least ${bound(min)}`;
  return max === undefined ? null : `at most ${bound(max)}`;
}

/**
 * A field's name, with a star where it has to have a value.
 * @param {Pick<Attribute, "label" | "isOptional" | "lock">} field
 */
export const labelOf = (field) => field.label + (field.isOptional || field.lock ? "" : " *");

/**
 * The values of an attribute that has a few.
 * @param {Pick<Attribute, "kind" | "choices">} field
 * @returns {[value: string, label: string][]}
 */
export const choicesOf = (field) => field.kind === "boolean" ? [["true", "yes"], ["false", "no"]]
  : (field.choices ?? []).map((choice) => [choice.value, choice.label]);

/**
 * The value that a list's choice stands for.
 * @param {Pick<Attribute, "kind">} field
 * @param {string} text
 */
export const chosenValue = (field, text) =>
  text === "" ? null : field.kind === "boolean" ? text === "true" : text;

/**
 * The value that is sent for a cell's text: undefined for nothing new. An emptied text is an empty text,
 * unless it was nil; anything else that is emptied becomes nil.
 * @param {Pick<Attribute, "kind">} field
 * @param {StudioValue} before
 * @param {string} text
 */
export function typedValue(field, before, text) {
  if (text === plain(before)) return undefined;
  return text === "" && (field.kind !== "text" || before === null) ? null : text;
}

/**
 * Tells whether a value can be edited in one line.
 * @param {StudioValue} value
 */
export const fitsLine = (value) =>
  !(typeof value === "string" && /[\r\n]/.test(value))
    && !(value !== null && typeof value === "object" && value.$ === "text");

/**
 * The keys that a touch screen offers.
 * @param {Pick<Attribute, "kind" | "isInteger">} field
 */
export const inputMode = (field) =>
  field.kind === "number" || field.kind === "decimal" ? (field.isInteger ? "numeric" : "decimal") : null;
