// @ts-check
// The parts that all pages are built of: elements, buttons, fields. Text is always text, never markup.

/**
 * An element: attributes, `on…` listeners, then children; strings become text, null and false nothing.
 * @template {string} T
 * @param {T} tag a name and classes, as in `span.badge`
 * @param {Attributes} attributes
 * @param {Content[]} children
 * @returns {Made<T>}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  return /** @type {Made<T>} */ (fill(set(element, attributes), children));
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Attributes} attributes
 * @param {Content[]} children
 */
export function svg(name, attributes = {}, ...children) {
  return fill(set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes), children);
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Attributes} attributes
 */
function set(element, attributes) {
  const fields = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.setAttribute("class",
      [element.getAttribute("class"), value].filter(Boolean).join(" "));
    else if (key === "value" && "value" in element) fields.value = value;
    else if (key === "checked" || key === "indeterminate" || key === "selected") fields[key] = value;
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "vars") for (const [name,
      text] of Object.entries(/** @type {Record<string, string>} */ (value))) element.style.setProperty(name,
      text);
    else element.setAttribute(key, value === true ? "" : value);
  }
  return element;
}

/**
 * Adds what stands in an element.
 * @template {Element} E
 * @param {E} element
 * @param {Content[]} children
 */
export function fill(element, children) {
  for (const child of /** @type {any[]} */ (children).flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/**
 * Puts new children into an element.
 * @template {Element} E
 * @param {E} element
 * @param {Content[]} children
 */
export function show(element, ...children) {
  element.replaceChildren();
  return fill(element, children);
}

/** @type {Record<string, string>} */
const glyphs = {
  add: "M8 3v10M3 8h10", remove: "M3 8h10", close: "M4 4l8 8M12 4l-8 8", back: "M10 3L5 8l5 5",
  next: "M6 3l5 5-5 5",
  up: "M3 10l5-5 5 5", down: "M3 6l5 5 5-5", search: "M7 3a4 4 0 100 8 4 4 0 000-8M10 10l4 4",
  check: "M3 8l4 4 6-8",
  undo: "M6 4L3 7l3 3M3 7h6a4 4 0 010 8", redo: "M10 4l3 3-3 3M13 7H7a4 4 0 000 8",
  trash: "M3 4h10M6 4V2h4v2M4 4l1 10h6l1-10",
  save: "M3 3h8l2 2v8H3zM5 3v4h5V3M5 13v-4h6v4", more: "M3 8h.1M8 8h.1M13 8h.1",
  edit: "M3 13l1-4 7-7 3 3-7 7z",
  link: "M7 9l2-2M6 7L4 9a2 2 0 003 3l2-2M10 9l2-2a2 2 0 00-3-3L7 6",
  grip: "M6 3v.1M10 3v.1M6 8v.1M10 8v.1M6 13v.1M10 13v.1",
  download: "M8 2v8M5 7l3 3 3-3M3 13h10", upload: "M8 11V3M5 6l3-3 3 3M3 13h10",
  menu: "M2 4h12M2 8h12M2 12h12",
  filter: "M2 3h12L9 9v5l-2-1V9z", warning: "M8 2l6 12H2zM8 7v3M8 12v.1",
  key: "M5 8a3 3 0 100 .1M8 8h6M12 8v3",
};

/**
 * A line drawing; decoration only, so that readers skip it.
 * @param {string} name
 */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: glyphs[name] ?? glyphs.more }));
}

/**
 * A button.
 * @param {string} text
 * @param {(event: any) => unknown} action
 * @param {ButtonOptions} options icon, kind (primary, danger, quiet), label for readers, title, disabled,
 *   other attributes
 */
export function button(text, action, options = {}) {
  const { icon: glyph, kind, label, title, disabled, ...rest } = options;
  return h("button", {
    type: "button", class: [kind, !text && "square"].filter(Boolean).join(" ") || null,
    "aria-label": label ?? null,
    title: title ?? (text ? null : label), disabled, onclick: action, ...rest,
  }, glyph && icon(glyph), text);
}

/**
 * A labelled field.
 * @param {string} label
 * @param {HTMLElement} control an input, select or textarea
 * @param {{ hint?: Content, class?: string }} options
 * @returns {FieldBox}
 */
export function field(label, control, options = {}) {
  const id = control.id || (control.id = "field-" + unique());
  const note = h("p.message", { id: id + "-message", hidden: true });
  const hint = options.hint ? h("p.hint", { id: id + "-hint" }, options.hint) : null;
  control.setAttribute("aria-describedby", [hint ? hint.id : null, note.id].filter(Boolean).join(" "));
  const box = h("div.field", { class: options.class }, h("label", { for: id }, label), control, hint, note);
  /** @param {string | null} [text] */
  const say = (text) => {
    note.textContent = text ?? "";
    note.hidden = !text;
    box.classList.toggle("wrong", Boolean(text));
    if (text) control.setAttribute("aria-invalid", "true"); else control.removeAttribute("aria-invalid");
  };
  return Object.assign(box, { say });
}

let count = 0;
/** A number that no other call gets. */
export const unique = () => ++count;

/**
 * A select of [value, text] pairs or plain strings.
 * @param {(string | [string, string])[]} choices
 * @param {string | null | undefined} value
 * @param {Attributes} attributes
 */
export function select(choices, value, attributes = {}) {
  const element = h("select", attributes, choices.map((choice) => {
    const [own, text] = Array.isArray(choice) ? choice : [choice, choice];
    return h("option", { value: own, selected: String(own) === String(value ?? "") }, text);
  }));
  return element;
}

/**
 * The text to show where there is nothing: a sentence, and advice.
 * @param {string} text
 * @param {Content[]} actions
 */
export const empty = (text, ...actions) => h("div.empty", {}, h("p", {}, text), actions);
