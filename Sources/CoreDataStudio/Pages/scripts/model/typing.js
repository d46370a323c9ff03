// @ts-check
// Text that is typed: sent once its field is left, and on the page until the server has taken it.

import { hasText } from "../keyboard.js";

/** @typedef {{ key?: string, initial?: string, sent?: string, refused?: string }} Typed What a field says of its text */
/** @typedef {import("../keyboard.js").TextField} TextField */

/**
 * Tells whether a field’s text is another one than the model’s, sent or not.
 * @param {TextField | null | undefined} field
 */
const isTyped = (field) => field?.dataset?.initial !== undefined && field.value !== field.dataset.initial;

/** @param {ParentNode} root */
const keyed = (root) => /** @type {TextField[]} */ ([...root.querySelectorAll("[data-key]")]);
/** @param {string | undefined} key */
const find = (key) => keyed(document).find((element) => element.dataset.key === key);

/**
 * Makes a field of text: `send(text)` gives something true if the text was taken. Text that isn’t taken
 * stays, with the reason that the field’s own checks say; Escape gives it up.
 * @param {string} key
 * @param {string} value
 * @param {(text: string) => Promise<unknown>} send
 * @returns {Attributes}
 */
export function typing(key, value, send) {
  return {
    value, dataset: { key, initial: value }, spellcheck: "false", autocomplete: "off",
    onchange: (event) => take(event.target, send),
    // Browsers tell no change of a field that was drawn anew while somebody typed in it.
    onblur: (event) => { if (event.target.dataset.refused !== event.target.value) take(event.target, send); },
    onkeydown: (event) => {
      const field = event.target;
      if (event.key === "Enter" && field.tagName === "INPUT") take(field, send);
      if (event.key !== "Escape" || !isTyped(field)) return;
      event.stopPropagation();
      giveUp(field);
    },
  };
}

/**
 * Puts back what the model says.
 * @param {TextField} field
 */
export function giveUp(field) {
  delete field.dataset.sent;
  field.value = field.dataset.initial ?? "";
  field.dispatchEvent(new Event("input"));
}

let drawing = 0;

/**
 * Sends a field’s text if it isn’t sent yet.
 * @param {TextField} field
 * @param {(text: string) => Promise<unknown>} send
 */
export async function take(field, send) {
  // A field that is taken from the page to be drawn anew isn’t left.
  if (drawing || !hasText(field)) return;
  const text = field.value, { key } = field.dataset;
  field.dataset.sent = text;
  const isTaken = await send(text);
  // The page was drawn anew meanwhile.
  const now = field.isConnected ? field : find(key);
  if (!now || now.dataset.sent !== text) return;
  delete now.dataset.sent;
  if (now.value !== text) return;
  if (isTaken) { now.value = now.dataset.initial ?? ""; return; }
  now.dataset.refused = text;
  now.dispatchEvent(new Event("input"));
}

/** Sends what is typed anywhere on the page. */
export function sendAllTyped() {
  for (const field of keyed(document)) if (hasText(field)) field.dispatchEvent(new Event("change"));
}

/** Tells whether text is typed that isn’t sent. */
export const holdsText = () => keyed(document).some(hasText);

/**
 * Takes focus, text that is typed, and scrolling over to what is drawn anew.
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
export function keepingFocus(root, draw) {
  const active = /** @type {TextField | null} */ (document.activeElement),
    key = root.contains(active) ? active?.dataset?.key : null;
  /** @type {[number | null, number | null] | null} */
  const range = key && active && active.selectionStart !== undefined
    ? [active.selectionStart, active.selectionEnd] : null;
  const typed = keyed(root).filter(isTyped).map((field) =>
    ({ .../** @type {Typed} */ (field.dataset), text: field.value, isUnsent: hasText(field) }));
  const scrolled = scrolling(root);
  drawing += 1;
  try { draw(); } finally { drawing -= 1; }
  for (const { element, top, left } of scrolled()) { element.scrollTop = top; element.scrollLeft = left; }
  const fields = new Map(typed.length || key ? keyed(root).map((field) => [field.dataset.key, field]) : []);
  for (const each of typed) restore(fields.get(each.key), each);
  // Fields that are still on the page, because they were put into the new one, go on as they were.
  const again = root.contains(active) ? active : fields.get(key ?? undefined);
  if (!again || again === document.activeElement || again === document.body) return;
  again.focus({ preventScroll: true });
  if (again !== active && range && again.setSelectionRange) try {
    again.setSelectionRange(...range);
  } catch { /* Not all inputs have a selection. */ }
}

/**
 * Reads the places that parts of the page are scrolled to; the result gives them to the parts in their
 * places then.
 * @param {HTMLElement} root
 */
function scrolling(root) {
  const parts = () => /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-scroll]")]);
  const places = new Map(parts().map((element) =>
    [element.dataset.scroll, { top: element.scrollTop, left: element.scrollLeft }]));
  return () => parts().flatMap((element) => {
    const place = places.get(element.dataset.scroll);
    return place ? [{ element, ...place }] : [];
  });
}

/**
 * @param {TextField | undefined} field
 * @param {Typed & { text: string, isUnsent: boolean }} typed
 */
function restore(field, { initial, sent, refused, text, isUnsent }) {
  // A sent text is taken once the model says something else.
  if (!field || field.readOnly || field.dataset.initial === undefined
    || (!isUnsent && field.dataset.initial !== initial)) return;
  field.value = text;
  if (refused !== undefined) field.dataset.refused = refused;
  if (!isUnsent) field.dataset.sent = sent; else if (isTyped(field)) field.dispatchEvent(new Event("input"));
}
