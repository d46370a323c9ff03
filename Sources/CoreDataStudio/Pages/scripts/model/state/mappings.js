// @ts-check
// Mapping models: what their lists and edits need to know.

/**
 * The index of a mapping at the time that an edit of it is sent, as others may have come and gone; -1 if it
 * is gone.
 * @param {EntityMapping[]} before
 * @param {number} index
 * @param {EntityMapping[]} now
 */
export function placeNow(before, index, now) {
  const { name } = before[index];
  if (now[index]?.name === name) return index;
  const found = now.findIndex((each) => each.name === name);
  // None went, so that it was renamed.
  return found < 0 && now.length === before.length ? index : found;
}

/**
 * The worst finding about a mapping.
 * @param {MappingCheck[]} checks
 * @param {number} index
 */
export const worstOf = (checks, index) => /** @type {const} */ (["error", "warning"])
  .find((severity) => checks.some((check) => check.mapping === index && check.severity === severity));

/**
 * A side's entities to choose from.
 * @param {MappingSide} side
 * @returns {[string, string][]}
 */
export const entityChoices = (side) => [["", "None"],
  ...side.entities.map((entity) => /** @type {[string, string]} */ ([entity.name, entity.name]))];

/**
 * Choices with a value among them that may be none of them.
 * @param {[string, string][]} choices
 * @param {string | undefined} value
 * @returns {[string, string][]}
 */
export const withValue = (choices, value) =>
  value === undefined || choices.some(([own]) => own === value) ? choices : [[value, value], ...choices];

/**
 * The places that a mapping can move to, in words.
 * @param {number} index
 * @param {number} last
 * @returns {[string, number][]}
 */
export function moves(index, last) {
  /** @type {[string, number][]} */
  const up = [["First", 0], ["One up", index - 1]];
  /** @type {[string, number][]} */
  const down = [["One down", index + 1], ["Last", last]];
  return [...(index > 0 ? up : []), ...(index < last ? down : [])];
}
