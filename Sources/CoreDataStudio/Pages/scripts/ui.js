// What all pages build with: elements, buttons, dialogs, messages, keys. Text is always text, never markup.

/** An element: attributes, `on…` listeners, then children; strings become text, null and false nothing. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  return fill(set(element, attributes), children);
}

/** The same for SVG. */
export function svg(name, attributes = {}, ...children) {
  return fill(set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes), children);
}

function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.setAttribute("class", [element.getAttribute("class"), value].filter(Boolean).join(" "));
    else if (key === "value" && "value" in element) element.value = value;
    else if (key === "checked" || key === "indeterminate" || key === "selected") element[key] = value;
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "vars") for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    else element.setAttribute(key, value === true ? "" : value);
  }
  return element;
}

function fill(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** Puts new children into an element. */
export function show(element, ...children) {
  element.replaceChildren();
  return fill(element, children);
}

const glyphs = {
  add: "M8 3v10M3 8h10", remove: "M3 8h10", close: "M4 4l8 8M12 4l-8 8", back: "M10 3L5 8l5 5", next: "M6 3l5 5-5 5",
  up: "M3 10l5-5 5 5", down: "M3 6l5 5 5-5", search: "M7 3a4 4 0 100 8 4 4 0 000-8M10 10l4 4", check: "M3 8l4 4 6-8",
  undo: "M6 4L3 7l3 3M3 7h6a4 4 0 010 8", redo: "M10 4l3 3-3 3M13 7H7a4 4 0 000 8", trash: "M3 4h10M6 4V2h4v2M4 4l1 10h6l1-10",
  save: "M3 3h8l2 2v8H3zM5 3v4h5V3M5 13v-4h6v4", more: "M3 8h.1M8 8h.1M13 8h.1", edit: "M3 13l1-4 7-7 3 3-7 7z",
  link: "M7 9l2-2M6 7L4 9a2 2 0 003 3l2-2M10 9l2-2a2 2 0 00-3-3L7 6", grip: "M6 3v.1M10 3v.1M6 8v.1M10 8v.1M6 13v.1M10 13v.1",
  download: "M8 2v8M5 7l3 3 3-3M3 13h10", upload: "M8 11V3M5 6l3-3 3 3M3 13h10", menu: "M2 4h12M2 8h12M2 12h12",
  filter: "M2 3h12L9 9v5l-2-1V9z", warning: "M8 2l6 12H2zM8 7v3M8 12v.1", key: "M5 8a3 3 0 100 .1M8 8h6M12 8v3",
};

/** A line drawing; decoration only, so that readers skip it. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: glyphs[name] ?? glyphs.more }));
}

/** A button; `options`: icon, kind (primary, danger, quiet), label for readers, title, disabled, key (shown in its title). */
export function button(text, action, options = {}) {
  const { icon: glyph, kind, label, title, disabled, ...rest } = options;
  return h("button", {
    type: "button", class: [kind, !text && "square"].filter(Boolean).join(" ") || null, "aria-label": label ?? null,
    title: title ?? (text ? null : label), disabled, onclick: action, ...rest,
  }, glyph && icon(glyph), text);
}

/** A labelled field: `control` is an input, select or textarea. A message can be put below it with `field.say(text)`. */
export function field(label, control, options = {}) {
  const id = control.id || (control.id = "field-" + unique());
  const note = h("p.message", { id: id + "-message", hidden: true });
  const hint = options.hint && h("p.hint", { id: id + "-hint" }, options.hint);
  control.setAttribute("aria-describedby", [hint && hint.id, note.id].filter(Boolean).join(" "));
  const box = h("div.field", { class: options.class }, h("label", { for: id }, label), control, hint, note);
  box.say = (text) => {
    note.textContent = text ?? "";
    note.hidden = !text;
    box.classList.toggle("wrong", Boolean(text));
    if (text) control.setAttribute("aria-invalid", "true"); else control.removeAttribute("aria-invalid");
  };
  return box;
}

let count = 0;
/** A number that no other call gets. */
export const unique = () => ++count;

/** A select of [value, text] pairs or plain strings. */
export function select(choices, value, attributes = {}) {
  const element = h("select", attributes, choices.map((choice) => {
    const [own, text] = Array.isArray(choice) ? choice : [choice, choice];
    return h("option", { value: own, selected: String(own) === String(value ?? "") }, text);
  }));
  return element;
}

/**
 * A modal dialog. `content` is an element, or a function that gets `close(result)` and gives one. Resolves to the
 * result, null when it was cancelled with Escape. Focus goes back to where it was.
 */
export function dialog(title, content, options = {}) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const id = "dialog-" + unique();
    let result = null;
    const close = (value = null) => { result = value; element.close(); };
    const element = h("dialog", { "aria-labelledby": id, class: options.class },
      h("header", {}, h("h2", { id }, title), button("", () => close(), { icon: "close", label: "Close", kind: "quiet" })),
      typeof content === "function" ? content(close) : content);
    element.addEventListener("close", () => {
      element.remove();
      if (before && before.isConnected) before.focus();
      resolve(result);
    });
    document.body.append(element);
    element.showModal();
    element.querySelector("[autofocus], input, select, textarea")?.focus();
  });
}

/** Asks; `answers` are [value, text, kind]. The first is what Return does. */
export function ask(title, text, answers) {
  return dialog(title, (close) => h("div.body", {},
    typeof text === "string" ? h("p", {}, text) : text,
    h("footer", {}, answers.map(([value, label, kind], index) =>
      button(label, () => close(value), { kind, autofocus: index === 0 })))));
}

export const confirm = (title, text, yes = "OK", kind = "primary") =>
  ask(title, text, [[true, yes, kind], [false, "Cancel", "quiet"]]).then(Boolean);

/** One line of text from the person; null when cancelled. */
export function prompt(title, label, value = "", yes = "OK") {
  return dialog(title, (close) => {
    const input = h("input", { type: "text", value, autofocus: true });
    return h("form.body", { onsubmit: (event) => { event.preventDefault(); close(input.value.trim() || null); } },
      field(label, input),
      h("footer", {}, h("button.primary", { type: "submit" }, yes), button("Cancel", () => close(), { kind: "quiet" })));
  });
}

/** A message that goes away by itself; errors stay until they are closed. Readers speak it. */
export function toast(text, kind = "info") {
  const place = document.getElementById("messages");
  const note = h("div.toast", { class: kind, role: kind === "error" ? "alert" : null }, h("span", {}, text),
    button("", () => note.remove(), { icon: "close", label: "Dismiss", kind: "quiet" }));
  place.append(note);
  if (kind !== "error") setTimeout(() => note.remove(), 5000);
  while (place.children.length > 4) place.firstChild.remove();
  return note;
}

/** Runs an action and tells what went wrong. Gives the action's result, or undefined. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    toast(error.message || String(error), "error");
    return undefined;
  }
}

/**
 * Does one step after the other, in the order in which they are asked for, for browsers send requests side by side. The
 * function that comes back takes a step and gives its result; `told` hears when the number of steps under way changes.
 */
export function oneByOne(told = () => {}) {
  let last = Promise.resolve(), underWay = 0;
  const count = (change) => { underWay += change; told(underWay); };
  return (step) => {
    const done = last.then(step);
    last = done.then(() => count(-1), () => count(-1));
    count(1);
    return done;
  };
}

/** Whether a field has text that isn’t sent yet: another one than what it was made with, and than what it sent last. */
export const hasText = (field) => field?.dataset?.initial !== undefined && field.value !== field.dataset.initial && field.value !== field.dataset.sent;

/** Sends what is typed in a field still. */
export function sendTyped() {
  const field = document.activeElement;
  if (hasText(field)) field.dispatchEvent(new Event("change"));
}

/** Undo and redo belong to a text that isn’t sent yet, or never will be. */
const isOwnUndo = (event) => (event.ctrlKey || event.metaKey) && ["z", "y"].includes(event.key.toLowerCase())
  && event.target.matches?.("input:not([type=checkbox], [type=radio], [type=range]), textarea")
  && (event.target.dataset.initial === undefined || hasText(event.target));

/** Calls a function once it was asked for no more for a while. */
export function debounce(action, milliseconds = 250) {
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => action(...values), milliseconds); };
}

const keys = [];
/** A key for an action while `root` is on the page: "Ctrl+S" (also Command on a Mac), "/", "Escape". */
export function shortcut(key, action, root = document.body) {
  keys.push({ parts: key.toLowerCase().split("+"), action, root });
}
document.addEventListener("keydown", (event) => {
  if (isOwnUndo(event)) return;
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    const { parts, action, root } = keys[index];
    if (!root.isConnected) { keys.splice(index, 1); continue; }
    const needsControl = parts.includes("ctrl"), needsShift = parts.includes("shift");
    if (event.key.toLowerCase() !== parts.at(-1)) continue;
    if ((event.ctrlKey || event.metaKey) !== needsControl || (needsShift && !event.shiftKey)) continue;
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (typing && !needsControl && event.key !== "Escape") continue;
    if (document.querySelector("dialog[open]") && !root.closest("dialog")) continue;
    event.preventDefault();
    action(event);
    return;
  }
});

let isPressed = false, releasing = [];
function press(event) {
  const isStill = event.type === "pointerdown" || event.type === "pointermove" && event.buttons !== 0;
  // The click comes right after.
  if (isPressed && !isStill) setTimeout(() => { if (!isPressed) for (const resolve of releasing.splice(0)) resolve(); });
  isPressed = event.type === "pointerdown" || isPressed && isStill;
}
for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "keydown"]) document.addEventListener(type, press, true);
// A list that opens keeps the release to itself.
document.addEventListener("change", (event) => { if (event.target.tagName === "SELECT") press(event); }, true);

/**
 * Null, or while a button or finger is down a promise of its release: the page stays as it is until then, for a click on
 * what was drawn anew meanwhile would be none.
 */
export const held = () => isPressed ? new Promise((resolve) => { releasing.push(resolve); }) : null;

/** A menu below a button: items are [text, action] or null for a line. */
export function menu(anchor, items) {
  const before = document.activeElement;
  const close = () => { box.remove(); document.removeEventListener("pointerdown", outside, true); before?.focus(); };
  const outside = (event) => { if (!box.contains(event.target)) close(); };
  const box = h("div.menu", { role: "menu", onkeydown: (event) => {
    const entries = [...box.querySelectorAll("button")], at = entries.indexOf(document.activeElement);
    if (event.key === "Escape") { event.stopPropagation(); close(); }
    else if (event.key === "ArrowDown") entries[(at + 1) % entries.length].focus();
    else if (event.key === "ArrowUp") entries[(at - 1 + entries.length) % entries.length].focus();
    else return;
    event.preventDefault();
  } }, items.map((item) => item === null ? h("hr", {}) : h("button", {
    type: "button", role: "menuitem", class: item[2] ?? null, onclick: () => { close(); item[1](); },
  }, item[0])));
  document.body.append(box);
  const place = anchor.getBoundingClientRect();
  box.style.left = Math.max(4, Math.min(place.left, innerWidth - box.offsetWidth - 8)) + "px";
  box.style.top = Math.max(4, Math.min(place.bottom + 4, innerHeight - box.offsetHeight - 8)) + "px";
  box.querySelector("button")?.focus();
  document.addEventListener("pointerdown", outside, true);
}

/** What to show where there is nothing: a sentence, and what to do. */
export const empty = (text, ...actions) => h("div.empty", {}, h("p", {}, text), actions);
