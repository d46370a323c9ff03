// @ts-check
// A person's input by keys and pointer: texts that are typed, shortcuts, buttons that are held down.

import { letterOf } from "./state/keys.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement} TextField */

/**
 * Tells whether a field has text that isn’t sent yet: another one than it was made with, and than it sent
 * last.
 * @param {Element | null | undefined} element
 */
export function hasText(element) {
  const field = /** @type {TextField | null | undefined} */ (element);
  return field?.dataset?.initial !== undefined && field.value !== field.dataset.initial
    && field.value !== field.dataset.sent;
}

/** Sends what is typed in a field still. */
export function sendTyped() {
  const field = document.activeElement;
  if (field && hasText(field)) field.dispatchEvent(new Event("change"));
}

/** Lets the text of the field that has the focus go: it is no longer one that isn’t sent. */
export function forgetTyped() {
  const field = /** @type {TextField | null} */ (document.activeElement);
  if (field && hasText(field)) field.dataset.initial = field.value;
}

/**
 * Undo and redo belong to a text that isn’t sent yet, or never will be.
 * @param {KeyboardEvent} event
 */
function isOwnUndo(event) {
  const field = /** @type {TextField} */ (event.target);
  return (event.ctrlKey || event.metaKey) && ["z", "y"].includes(letterOf(event))
    && field.matches?.("input:not([type=checkbox], [type=radio], [type=range]), textarea")
    && (field.dataset.initial === undefined || hasText(field));
}

/** @type {{ parts: string[], action: (event: KeyboardEvent) => void, root: HTMLElement }[]} */
const keys = [];

/**
 * A key for an action while `root` is on the page.
 * @param {string} key "Ctrl+S" (also Command on a Mac), "/", "Escape"
 * @param {(event: KeyboardEvent) => void} action
 */
export function shortcut(key, action, root = document.body) {
  keys.push({ parts: key.toLowerCase().split("+"), action, root });
}

/**
 * @param {KeyboardEvent} event
 * @param {{ parts: string[], root: HTMLElement }} key
 */
function isMeant(event, { parts, root }) {
  const needsControl = parts.includes("ctrl"), needsShift = parts.includes("shift");
  if ((needsControl ? letterOf(event) : event.key.toLowerCase()) !== parts.at(-1)) return false;
  if ((event.ctrlKey || event.metaKey) !== needsControl || (needsShift && !event.shiftKey)) return false;
  const target = /** @type {Element} */ (event.target);
  const typing = target.closest?.("input, textarea, select, [contenteditable]");
  if (typing && !needsControl && event.key !== "Escape") return false;
  return !document.querySelector("dialog[open]") || root.closest("dialog") !== null;
}

document.addEventListener("keydown", (event) => {
  if (isOwnUndo(event)) return;
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    if (!keys[index].root.isConnected) { keys.splice(index, 1); continue; }
    if (!isMeant(event, keys[index])) continue;
    event.preventDefault();
    keys[index].action(event);
    return;
  }
});

let isPressed = false;
/** @type {((value: unknown) => void)[]} */
const releasing = [];

/** @param {Event} event */
function press(event) {
  const { buttons } = /** @type {PointerEvent} */ (event);
  const isStill = event.type === "pointerdown" || event.type === "pointermove" && buttons !== 0;
  // The click comes right after.
  if (isPressed && !isStill) setTimeout(() => {
    if (!isPressed) for (const resolve of releasing.splice(0)) resolve(undefined);
  });
  isPressed = event.type === "pointerdown" || isPressed && isStill;
}
for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel",
  "keydown"]) document.addEventListener(type, press, true);
// A list that opens keeps the release to itself.
document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement) press(event);
}, true);

/**
 * Null, or while a button or finger is down a promise of its release: the page stays as it is until then, for
 * a click on
 * what was drawn anew meanwhile would be none.
 */
export const held = () => isPressed ? new Promise((resolve) => { releasing.push(resolve); }) : null;

/**
 * Returns the work of a form when it is sent: once, however often Return is pressed meanwhile.
 * @param {() => Promise<unknown>} action
 */
export function submitting(action) {
  let isUnderWay = false;
  return async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    try { await action(); } finally { isUnderWay = false; }
  };
}
