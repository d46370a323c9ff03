// Text that is typed: sent once its field is left, and on the page until the server has taken it.

import { h, button, hasText } from "./ui.js";

/** Whether a field’s text is another one than the model’s, sent or not. */
const isTyped = (field) => field?.dataset?.initial !== undefined && field.value !== field.dataset.initial;

const keyed = (root) => [...root.querySelectorAll("[data-key]")];
const find = (key) => keyed(document).find((element) => element.dataset.key === key);

/**
 * What makes a field of text: `send(text)` gives something true if the text was taken. What isn’t taken stays, with the
 * reason that the field’s own checks say; Escape gives it up.
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

/** Puts back what the model says. */
export function giveUp(field) {
  delete field.dataset.sent;
  field.value = field.dataset.initial;
  field.dispatchEvent(new Event("input"));
}

let drawing = 0;

/** Sends a field’s text if it isn’t sent yet. */
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
  if (isTaken) { now.value = now.dataset.initial; return; }
  now.dataset.refused = text;
  now.dispatchEvent(new Event("input"));
}

/** Sends what is typed anywhere on the page. */
export function sendAllTyped() {
  for (const field of keyed(document)) if (hasText(field)) field.dispatchEvent(new Event("change"));
}

/** Whether something is typed that isn’t sent. */
export const holdsText = () => keyed(document).some(hasText);

/** Takes focus, text that is typed, and scrolling over to what is drawn anew. */
export function keepingFocus(root, draw) {
  const active = document.activeElement, key = root.contains(active) ? active.dataset?.key : null;
  const range = key && active.selectionStart !== undefined ? [active.selectionStart, active.selectionEnd] : null;
  const typed = keyed(root).filter(isTyped).map((field) => ({ ...field.dataset, text: field.value, isUnsent: hasText(field) }));
  const places = [...root.querySelectorAll("[data-scroll]")].map((element) => [element.dataset.scroll, element.scrollTop, element.scrollLeft]);
  drawing += 1;
  try { draw(); } finally { drawing -= 1; }
  for (const [name, top, left] of places) {
    const element = root.querySelector(`[data-scroll="${name}"]`);
    if (element) { element.scrollTop = top; element.scrollLeft = left; }
  }
  const fields = new Map(typed.length || key ? keyed(root).map((field) => [field.dataset.key, field]) : []);
  for (const each of typed) restore(fields.get(each.key), each);
  // What is on the page still, because it was put into the new one, goes on as it was.
  const again = root.contains(active) ? active : fields.get(key);
  if (!again || again === document.activeElement || again === document.body) return;
  again.focus({ preventScroll: true });
  if (again !== active && range && again.setSelectionRange) try { again.setSelectionRange(...range); } catch { /* Not all inputs have a selection. */ }
}

function restore(field, { initial, sent, refused, text, isUnsent }) {
  // What was sent is taken once the model says something else.
  if (!field || field.readOnly || field.dataset.initial === undefined || (!isUnsent && field.dataset.initial !== initial)) return;
  field.value = text;
  if (refused !== undefined) field.dataset.refused = refused;
  if (!isUnsent) field.dataset.sent = sent; else if (isTyped(field)) field.dispatchEvent(new Event("input"));
}

/**
 * What edits user info: `rows` has the key’s field, the value’s and the button that removes it for each entry, `add` the
 * button for one more. `change(make)` sends what `make` makes of the entries as they are then.
 */
export function entryFields(entries, place, isOpen, change) {
  const cell = (index, part, value, label) => h("input", { type: "text", "aria-label": label, readonly: !isOpen || null,
    ...typing(`${place}/${part}${index}`, value, (text) => change((list) => list.map((entry, at) => at === index ? { ...entry, [part]: text } : entry))) });
  return {
    rows: entries.map((entry, index) => [
      cell(index, "key", entry.key, `Key ${index + 1}`), cell(index, "value", entry.value, `Value of ${entry.key}`),
      isOpen && button("", () => change((list) => list.filter((each) => each.key !== entry.key)), { icon: "remove", label: `Remove ${entry.key}`, kind: "quiet" })]),
    add: isOpen && h("div", {}, button("Add entry", () => change((list) => [...list, { key: freeKey(list), value: "" }]), { icon: "add" })),
  };
}

function freeKey(entries) {
  let number = 1;
  while (entries.some((entry) => entry.key === `key${number}`)) number += 1;
  return `key${number}`;
}

/** What a form does when it is sent: once, however often Return is pressed meanwhile. */
export function submitting(action) {
  let isUnderWay = false;
  return async (event) => {
    event.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    try { await action(); } finally { isUnderWay = false; }
  };
}
