// @ts-check
// The parts that stand over a page: dialogs, questions, messages, menus.

import { h, button, field, unique } from "./ui.js";

/**
 * A modal dialog. Resolves to the result, null when it was cancelled with Escape. Focus goes back to where it
 * was.
 * @param {string} title
 * @param {Content | ((close: (value?: any) => void) => Content)} content may be made by a function that gets
 *   `close(result)`
 * @param {{ class?: string }} options
 * @returns {Promise<any>}
 */
export function dialog(title, content, options = {}) {
  return new Promise((resolve) => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const id = "dialog-" + unique();
    /** @type {unknown} */
    let result = null;
    const close = (value = null) => { result = value; element.close(); };
    const element = h("dialog", { "aria-labelledby": id, class: options.class },
      h("header", {}, h("h2", { id }, title),
        button("", () => close(), { icon: "close", label: "Close", kind: "quiet" })),
      typeof content === "function" ? content(close) : content);
    element.addEventListener("close", () => {
      element.remove();
      if (before && before.isConnected) before.focus();
      resolve(result);
    });
    document.body.append(element);
    element.showModal();
    /** @type {HTMLElement | null} */ (element.querySelector("[autofocus], input, select, textarea"))?.focus();
  });
}

/**
 * Asks.
 * @param {string} title
 * @param {Content} text
 * @param {[value: any, label: string, kind?: string][]} answers the first is what Return does
 */
export function ask(title, text, answers) {
  return dialog(title, (close) => h("div.body", {},
    typeof text === "string" ? h("p", {}, text) : text,
    h("footer", {}, answers.map(([value, label, kind], index) =>
      button(label, () => close(value), { kind, autofocus: index === 0 })))));
}

/**
 * One line of text from the person; null when cancelled.
 * @param {string} title
 * @param {string} label
 */
export function prompt(title, label, value = "", yes = "OK") {
  return dialog(title, (close) => {
    const input = h("input", { type: "text", value, autofocus: true });
    return h("form.body", { onsubmit: (event) => {
      event.preventDefault();
      close(input.value.trim() || null);
    } },
      field(label, input),
      h("footer", {}, h("button.primary", { type: "submit" }, yes),
        button("Cancel", () => close(), { kind: "quiet" })));
  });
}

/**
 * A message that goes away by itself, an error later, and none while somebody points at it or is in it.
 * Readers speak it.
 * @param {string} text
 */
export function toast(text, kind = "info") {
  const place = /** @type {HTMLElement} */ (document.getElementById("messages"));
  /** @type {HTMLElement} */
  const note = h("div.toast", { class: kind, role: kind === "error" ? "alert" : null }, h("span", {}, text),
    button("", () => note.remove(), { icon: "close", label: "Dismiss", kind: "quiet" }));
  place.append(note);
  const end = () => {
    if (note.matches(":hover, :focus-within")) setTimeout(end, 1000); else note.remove();
  };
  setTimeout(end, kind === "error" ? 12_000 : 5000);
  const notes = place.querySelectorAll(".toast:not(.progress)");
  if (notes.length > 4) notes[0].remove();
  return note;
}

/**
 * Says how far something is that takes a while, until it is removed; it can be stopped.
 * @param {string} text
 * @param {() => void} stop
 */
export function progressNote(text, stop) {
  const words = h("span", { role: "status" }, text), bar = h("progress", { max: "1", "aria-label": text });
  const note = h("div.toast.progress", {}, h("div.stack.tight", {}, words, bar),
    button("Stop", () => { stop(); note.remove(); }));
  document.getElementById("messages")?.append(note);
  return {
    /**
     * @param {string} text
     * @param {number | null} part of 1, if that is known
     */
    show(text, part) {
      words.textContent = text;
      if (part !== null) bar.value = Math.min(1, part);
    },
    remove: () => note.remove(),
  };
}

/**
 * Runs an action and tells what went wrong. Gives the action's result, or undefined.
 * @template T
 * @param {() => T | Promise<T>} action
 * @returns {Promise<T | undefined>}
 */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    toast(error.message || String(error), "error");
    return undefined;
  }
}

/**
 * A menu below a button.
 * @param {HTMLElement} anchor
 * @param {([text: string, action: () => unknown, kind?: string] | null)[]} items null for a line
 */
export function menu(anchor, items) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const close = () => {
    box.remove();
    document.removeEventListener("pointerdown", outside, true);
    before?.focus();
  };
  /** @param {Event} event */
  const outside = (event) => { if (!box.contains(/** @type {Node} */ (event.target))) close(); };
  /** @param {KeyboardEvent} event */
  const walk = (event) => {
    const entries = [...box.querySelectorAll("button")];
    const at = entries.findIndex((entry) => entry === document.activeElement);
    // From the menu's button on: the menu itself stands at the end of the page.
    if (event.key === "Tab") { close(); return; }
    if (event.key === "Escape") { event.stopPropagation(); close(); }
    else if (event.key === "ArrowDown") entries[(at + 1) % entries.length].focus();
    else if (event.key === "ArrowUp") entries[(at - 1 + entries.length) % entries.length].focus();
    else if (event.key === "Home") entries[0].focus();
    else if (event.key === "End") entries[entries.length - 1].focus();
    else return;
    event.preventDefault();
  };
  const box = h("div.menu", { role: "menu", onkeydown: walk }, items.map((item) => item === null ? h("hr", {})
    : h("button", { type: "button", role: "menuitem", class: item[2] ?? null, onclick: () => {
      close();
      item[1]();
    } }, item[0])));
  document.body.append(box);
  const place = anchor.getBoundingClientRect();
  box.style.left = Math.max(4, Math.min(place.left, innerWidth - box.offsetWidth - 8)) + "px";
  box.style.top = Math.max(4, Math.min(place.bottom + 4, innerHeight - box.offsetHeight - 8)) + "px";
  box.querySelector("button")?.focus();
  document.addEventListener("pointerdown", outside, true);
}

/**
 * Keeps a file that was made here, or that an address leads to.
 * @param {string} href
 * @param {string} name empty for the server's own
 */
export function download(href, name = "") {
  const anchor = h("a", { href, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}
