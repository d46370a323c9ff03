// @ts-check
// Names that are proposed, and words for kinds of elements.

/**
 * A name with the first number that makes it another one than all that are taken.
 * @param {string} start
 * @param {string[]} taken
 */
export function freeName(start, taken, number = 1) {
  while (taken.includes(start + number)) number += 1;
  return start + number;
}

/** @param {string} name */
const lowered = (name) => name ? name[0].toLowerCase() + name.slice(1) : name;

/** @param {string} name */
const many = (name) => name.endsWith("y") ? name.slice(0, -1) + "ies" : name.endsWith("s") ? name + "es"
  : name + "s";

/**
 * Names for a new pair of relationships between two entities.
 * @param {string} source
 * @param {string} target
 */
export const relationNames = (source, target) => ({
  name: many(lowered(target)), inverse: source === target ? "inverse" : lowered(source) });

/**
 * A name for a relationship back to an entity that is none of those that are taken.
 * @param {string} source
 * @param {string[]} taken
 */
export function inverseName(source, taken) {
  const name = lowered(source);
  return taken.includes(name) ? freeName(name, taken, 2) : name;
}

/**
 * A name for a mapping model between two versions.
 * @param {string} from
 * @param {string} to
 */
export const mappingName = (from, to) => `${from}To${to}`.replace(/\s+/g, "");

/**
 * Parts of a list that is written with commas.
 * @param {string} text
 */
export const split = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);

/**
 * Several of a kind of element, in words.
 * @param {string} words
 */
export const plural = (words) => words.replace(/(y|x|)$/,
  (end) => end === "y" ? "ies" : end === "x" ? "xes" : "s");

/**
 * A place in a list that is by one place before another, or the first that isn't it.
 * @param {string[]} names
 * @param {string} name
 */
export const nameBefore = (names, name) =>
  names[names.indexOf(name) - 1] ?? names.find((each) => each !== name);
