// @ts-check
// The way that a person took from object to object: kept in addresses, so that the browser's own way back
// works.

/** The number of steps that are kept. */
const length = 8;

/**
 * The objects on the way to a page.
 * @param {Record<string, string>} query
 */
export const trailOf = (query) => (query.trail ?? "").split(",").filter(Boolean).slice(-length);

/**
 * The part of an address that keeps a trail; nothing for an empty one.
 * @param {string[]} trail
 */
export const trailQuery = (trail) => trail.length ? "?"
  + new URLSearchParams({ trail: trail.join(",") }) : "";
