// @ts-check
// Questions whose answers a page may want no more once it asks anew.

/** Names this page of the browser, so that what it asks ends what it asked before. */
const page = Math.random().toString(36).slice(2);
/** How many questions the page has asked. */
let asked = 0;

/**
 * A question that ends the one before it of the same part of the page.
 * @param {string} part
 */
export const question = (part = "") => ({ page: page + part, number: ++asked });
