// @ts-check
// The columns whose values stand beside a grid with their counts, and the parts of dates.

/**
 * @typedef {object} FacetColumn
 * @property {string} key
 * @property {string} label
 * @property {"values" | "dates"} kind
 * @property {boolean} isShort whether it has few values for certain
 */

/** Short ones first. */
const order = ["boolean", "choice", "toOne", "date", "text"];

/**
 * The columns of an entity whose values can be listed.
 * @param {Pick<EntityPage, "attributes" | "relationships">} entity
 * @returns {FacetColumn[]}
 */
export function facetColumns({ attributes, relationships }) {
  return [...attributes, ...relationships]
    // A value that is computed when it is read is in no store.
    .filter(({ kind, isSortable }) => order.includes(kind) && (kind === "toOne" || isSortable))
    .map(({ key, label, kind }) => ({ key, label, kind: kind === "date" ? /** @type {const} */ ("dates")
      : /** @type {const} */ ("values"),
      isShort: kind === "boolean" || kind === "choice", place: order.indexOf(kind) }))
    .sort((one, other) => one.place - other.place)
    .map(({ key, label, kind, isShort }) => ({ key, label, kind, isShort }));
}

/**
 * The parts of a date that a filter leads through, and the one whose parts are listed: the month of a day,
 * for a day has
 * none.
 * @param {string} filter
 * @returns {{ within: string | null, trail: { label: string, filter: string }[] }}
 */
export function dateTrail(filter) {
  const parts = /^\d{4}(-\d\d){0,2}$/.test(filter) ? filter.split("-") : [];
  const trail = parts.map((label, index) => ({ label, filter: parts.slice(0, index + 1).join("-") }));
  return { within: trail[Math.min(trail.length, 2) - 1]?.filter ?? null, trail };
}

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
  "October", "November", "December"];

/**
 * A part of a date as it stands below the part that has it.
 * @param {string} text
 */
export function datePart(text) {
  const parts = text.split("-");
  if (parts.length === 2) return months[Number(parts[1]) - 1] ?? text;
  return parts.length === 3 ? parts[2] : text;
}

/**
 * The filter's text once a value is clicked: a second click lets go of it.
 * @param {string} filter
 * @param {string} value
 */
export const toggled = (filter, value) => filter === value ? "" : value;
