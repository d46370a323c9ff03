// Editors for values, one for each kind.

import { h, show, button, field as labelled, select, toast, unique, hasText } from "./ui.js";
import { shown, plain, swatch, colorText, size, bytesAddress, visible, plural } from "./data-values.js";

/** What a request may have. */
const uploadLimit = 16 << 20;

/** A one-line editor for a cell; `finish(value, [down, right])` takes it and goes on, `finish()` gives up. `start`: what was typed. Null for kinds that need room. */
export function cellEditor(column, value, finish, start = null) {
  const keys = (read) => ({
    onkeydown: (event) => {
      // Control-S means the whole: this cell first.
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") finish(read());
      else event.stopPropagation();
      if (event.key === "Escape") { event.preventDefault(); finish(); }
      if (event.key === "Enter") { event.preventDefault(); finish(read(), event.shiftKey ? [-1, 0] : [1, 0]); }
      if (event.key === "Tab") { event.preventDefault(); finish(read(), event.shiftKey ? [0, -1] : [0, 1]); }
    },
    onblur: () => finish(read(), null), "aria-label": column.label, class: "cell-editor",
  });
  if (column.kind === "boolean" || column.kind === "choice") {
    const control = choiceControl(column, value, { ...keys(() => readChoice(column, control)), onchange: null });
    return control;
  }
  if (["text", "number", "decimal", "date", "uuid", "uri"].includes(column.kind)) {
    if (typeof value === "string" && /[\r\n]/.test(value) || value?.$ === "text") return null;
    const before = plain(value), isNil = value === null;
    const read = () => input.value === before ? undefined : input.value === "" && (column.kind !== "text" || isNil) ? null : input.value;
    const input = h("input", { type: "text", value: start ?? before, inputmode: inputMode(column), dir: column.kind === "text" ? "auto" : null, dataset: { initial: before }, ...keys(read) });
    return input;
  }
  return null;
}

const inputMode = (field) => field.kind === "number" || field.kind === "decimal" ? (field.isInteger ? "numeric" : "decimal") : null;

function choiceControl(field, value, attributes) {
  const choices = field.kind === "boolean" ? [["true", "yes"], ["false", "no"]] : field.choices.map((choice) => [choice.value, choice.label]);
  const current = value === null ? "" : plain(value);
  if (current !== "" && !choices.some(([own]) => own === current)) choices.push([current, current]);
  return select([["", field.isOptional ? "–" : "Choose…"], ...choices], current, attributes);
}

const readChoice = (field, control) => control.value === "" ? null : field.kind === "boolean" ? control.value === "true" : control.value;

/**
 * A field of the object's page. `set(key, value)` sends a value and resolves to the object's new page or null.
 * Gives an element with `update(field)`, which takes a new value unless the person is typing there. `put(key, file)` sends
 * a file's bytes.
 */
export function fieldEditor(field, object, set, put) {
  const make = {
    longText: longText, boolean: choice, choice, color, image: binary, binary, composite, tree, other: fixed,
  }[field.kind] ?? line;
  const isFixed = field.lock || !object.canUpdate || object.state === "deleted" || (field.value && field.value.$ === "text");
  const box = (isFixed && !["color", "image", "binary", "tree"].includes(field.kind) ? fixed : make)(field, object, set, isFixed, put);
  box.classList.add("kind-" + field.kind);
  box.dataset.key = field.key;
  mark(box, field);
  return box;
}

function mark(box, field) {
  box.classList.toggle("changed", field.isChanged);
  box.say?.(field.message && !field.isQuiet ? field.message : null);
}

const hint = (field) => {
  const parts = [field.help];
  const bound = (value) => plain(value).replace(/T00:00:00Z$/, "");
  // The bounds of a type go without saying.
  const isWide = [32767, 2147483647].includes(field.max) && field.min === -field.max - 1;
  if (isWide) parts.push(null);
  else if (field.min !== undefined && field.max !== undefined) parts.push(`${bound(field.min)} to ${bound(field.max)}`);
  else if (field.min !== undefined) parts.push(`at least ${bound(field.min)}`);
  else if (field.max !== undefined) parts.push(`at most ${bound(field.max)}`);
  if (field.minLength > 1) parts.push(`at least ${field.minLength} characters`);
  if (field.maxLength !== undefined) parts.push(`at most ${field.maxLength} characters`);
  if (field.pattern) parts.push(`matches ${field.pattern}`);
  return parts.filter(Boolean).join(" · ") || null;
};

const label = (field) => field.label + (field.isOptional || field.lock ? "" : " *");

/** What of a text can't be seen, in words; null if there is nothing. */
function unseen(text) {
  const found = typeof text === "string" ? text.match(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g) : null;
  if (!found) return null;
  const codes = [...new Set(found)].slice(0, 5).map((character) => "U+" + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0"));
  return `Holds ${plural(found.length, "character")} that can’t be seen: ${codes.join(", ")}`;
}

/** Browsers make all ends of lines alike: those of the text that was there are given back. */
function lineEnds(text) {
  if (!/\r/.test(text)) return "\n";
  return /[^\r]\n|^\n/.test(text) || /\r(?!\n)/.test(text) ? (/\n/.test(text) ? "\n" : "\r") : "\r\n";
}

/** Text and numbers: sent when the person leaves the field or presses Return. */
function typed(field, object, set, control) {
  const isText = field.kind === "text" || field.kind === "longText";
  const note = h("p.hint", { hidden: true });
  let isNil = false, ends = "\n", pending = 0;
  function put(value) {
    const text = plain(value);
    isNil = value === null;
    // Lines without an end would keep the browser busy for many seconds.
    control.classList.toggle("huge", text.length > 100_000);
    if (control.value !== text) control.value = text;
    // Not always what was put there: a browser drops and changes characters.
    control.dataset.initial = control.value;
    ends = lineEnds(text);
    control.placeholder = isNil ? "nil" : isText && text === "" ? "empty" : "";
    note.textContent = unseen(value) ?? "";
    note.hidden = !note.textContent;
    clear?.toggle(isNil);
  }
  const send = async (value) => {
    if (value !== null && !hasText(control) && !(isNil && value === "" && control.value === "" && isEmptied)) return;
    isEmptied = false;
    const before = [control.dataset.initial, isNil];
    control.dataset.initial = control.value;
    isNil = value === null;
    pending += 1;
    const answer = await set(field.key, typeof value === "string" ? value.replace(/\n/g, ends) : value);
    pending -= 1;
    if (answer?.problem) {
      [control.dataset.initial, isNil] = before;
      box.say(answer.problem);
    } else if (!pending) {
      box.update(field);
    }
  };
  let isEmptied = false;
  const read = () => control.value === "" && !isText ? null : control.value;
  control.addEventListener("change", () => send(read()));
  const box = labelled(label(field), control, { hint: hint(field) });
  box.append(note);
  const clear = nilButton(field, isText, () => { control.value = ""; send(null); }, () => { isEmptied = true; control.value = ""; send(""); });
  const both = h("div.with-clear", {});
  control.replaceWith(both);
  both.append(control, ...(clear ? [clear.element] : []));
  put(field.value);
  box.update = (next) => {
    // Answers to other fields come while the person types here, or while this field's own is on its way.
    const isTyping = pending > 0 || (document.activeElement === control && hasText(control));
    field = next;
    mark(box, next);
    if (!isTyping) put(next.value);
  };
  return box;
}

/** Sets to nil; where a text is nil, to the empty text. */
function nilButton(field, isText, toNil, toEmpty) {
  if (!field.isOptional) return null;
  const element = button("", () => (isNil && isText ? toEmpty : toNil)(), { icon: "close", kind: "quiet" });
  let isNil = false;
  return { element, toggle(next) {
    isNil = next;
    const text = isNil && isText ? `Set ${field.label} to the empty text` : `Set ${field.label} to nil`;
    element.setAttribute("aria-label", text);
    element.title = text;
    element.disabled = isNil && !isText;
  } };
}

function line(field, object, set) {
  const isText = field.kind === "text";
  const rest = {
    inputmode: field.kind === "uri" ? "url" : inputMode(field), spellcheck: isText ? null : "false", dir: isText ? "auto" : null,
    maxlength: field.maxLength && field.maxLength < 1e6 ? String(field.maxLength + 1000) : null,
    onkeydown: (event) => { if (event.key === "Enter" && !event.shiftKey) { if (isText) event.preventDefault(); control.dispatchEvent(new Event("change")); } },
  };
  // A text may have several lines, which an input would drop: Shift+Return makes another one.
  const isShort = plain(field.value).length < 5000;
  const control = isText ? h("textarea", { rows: isShort ? "1" : "8", class: isShort ? "line" : null, ...rest }) : h("input", { type: "text", ...rest });
  const box = typed(field, object, set, control);
  if (field.kind === "number" && field.isInteger && typeof field.min === "number" && typeof field.max === "number" && field.max - field.min <= 1000) {
    const slider = h("input", { type: "range", min: String(field.min), max: String(field.max), step: "1", value: plain(field.value) || String(field.min), "aria-label": field.label + ", slider",
      oninput: () => { control.value = slider.value; }, onchange: () => control.dispatchEvent(new Event("change")) });
    control.after(slider);
    control.addEventListener("input", () => { slider.value = control.value; });
    const update = box.update;
    box.update = (next) => { update(next); if (next.value !== null) slider.value = plain(next.value); };
  }
  if (field.kind === "date") {
    const now = button("Now", () => { control.value = new Date().toISOString().replace(/\.\d+Z$/, "Z"); control.dispatchEvent(new Event("change")); }, { kind: "quiet", label: `Set ${field.label} to now` });
    control.after(now);
  }
  if (field.kind === "uuid") {
    control.after(button("New", () => { control.value = crypto.randomUUID?.() ?? ""; control.dispatchEvent(new Event("change")); }, { kind: "quiet", label: `New UUID for ${field.label}` }));
  }
  return box;
}

function longText(field, object, set) {
  return typed(field, object, set, h("textarea", { rows: "5", dir: "auto" }));
}

function choice(field, object, set) {
  const control = choiceControl(field, field.value, { onchange: async () => {
    const answer = await set(field.key, readChoice(field, control));
    if (answer?.problem) box.say(answer.problem);
  } });
  const box = labelled(label(field), control, { hint: hint(field) });
  box.update = (next) => { field = next; const value = next.value === null ? "" : plain(next.value); if (control.value !== value) control.value = value; mark(box, next); };
  return box;
}

/** What is calculated, locked, or not this person's to change. */
function fixed(field, object) {
  const value = h("output.fixed", { id: "field-" + unique() });
  const box = h("div.field.locked", {}, h("label", { for: value.id }, field.label), value, h("p.hint", {}, field.lock ?? field.help ?? ""));
  box.update = (next) => {
    show(value, shown(next.value), next.value?.$ === "text" && h("a", { href: bytesAddress(object.id, next.key), download: "" }, ` Download all ${plural(next.value.length, "character")}`));
    box.classList.toggle("changed", next.isChanged);
  };
  box.say = () => {};
  box.update(field);
  return box;
}

/** Sliders for red, green, blue and alpha with a swatch that follows them. */
function color(field, object, set, isFixed) {
  const parts = ["red", "green", "blue", "alpha"];
  let value = field.value?.$ === "color" ? { ...field.value } : { red: 0, green: 0, blue: 0, alpha: 1 };
  let isNil = field.value?.$ !== "color";
  const locked = isFixed || field.canSet === false;
  const live = h("span.swatch.large", { role: "img" });
  const text = h("output.mono", {});
  // What the person mixes counts for as long as answers are on their way.
  let pending = 0;
  const send = async () => {
    pending += 1;
    const answer = await set(field.key, { ...value, $: "color" });
    pending -= 1;
    if (answer?.problem) box.say(answer.problem);
  };
  const sliders = parts.map((part) => {
    const slider = h("input", { type: "range", min: "0", max: "255", step: "1", disabled: locked, "aria-label": `${field.label}, ${part}`,
      oninput: () => { value[part] = Number(slider.value) / 255; isNil = false; draw(); }, onchange: send });
    const exact = h("input.part", { type: "number", min: "0", max: "255", disabled: locked, "aria-label": `${field.label}, ${part}, number`,
      onchange: () => { value[part] = Math.min(255, Math.max(0, Number(exact.value) || 0)) / 255; isNil = false; draw(); send(); } });
    return { part, slider, exact };
  });
  function draw() {
    live.style.setProperty("--swatch", isNil ? "transparent" : colorText(value));
    live.setAttribute("aria-label", isNil ? "No colour" : "Colour " + colorText(value));
    text.textContent = isNil ? "nil" : colorText(value);
    for (const { part, slider, exact } of sliders) { slider.value = exact.value = String(Math.round(value[part] * 255)); }
  }
  const box = h("fieldset.field.color", {}, h("legend", {}, label(field)), h("div.color-top", {}, live, text,
    field.isOptional && !locked && button("", () => set(field.key, null), { icon: "close", kind: "quiet", label: `Set ${field.label} to nil`, title: "Set to nil" })),
    sliders.map(({ part, slider, exact }) => h("div.slider", { class: part }, h("span", { "aria-hidden": "true" }, part[0].toUpperCase()), slider, exact)),
    h("p.hint", {}, field.canSet === false && !field.lock ? "Its value transformer isn’t here: the colour can be seen, not changed." : field.lock ?? field.help ?? ""), h("p.message", { hidden: true }));
  box.say = (message) => sayIn(box, message);
  box.update = (next) => {
    field = next;
    mark(box, next);
    if (pending) return;
    isNil = next.value?.$ !== "color";
    if (!isNil) value = { ...next.value };
    draw();
  };
  draw();
  return box;
}

function sayIn(box, message) {
  const note = box.querySelector(".message");
  note.textContent = message ?? "";
  note.hidden = !message;
  box.classList.toggle("wrong", Boolean(message));
}

/** Bytes: a preview where they are an image, upload, download. */
function binary(field, object, set, isFixed, put) {
  const preview = h("div.preview", {});
  const file = h("input", { type: "file", id: "field-" + unique(), hidden: true, accept: field.kind === "image" ? "image/*" : null, onchange: () => send() });
  const send = async () => {
    if (!file.files.length) return;
    if (file.files[0].size > uploadLimit) { file.value = ""; toast("The studio takes files of up to 16 MB. Larger ones are set by a program.", "error"); return; }
    await put(field.key, file.files[0]);
    file.value = "";
  };
  const tools = h("div.row", {});
  const box = h("div.field.binary", { role: "group", "aria-label": field.label }, h("span.legend", {}, label(field)), preview, tools, file, h("p.hint", {}, field.lock ?? field.help ?? ""), h("p.message", { hidden: true }));
  box.say = (message) => sayIn(box, message);
  box.update = (next) => {
    field = next;
    const value = next.value, has = value?.$ === "data";
    const isImage = has && value.type?.startsWith("image/");
    show(preview, !has ? h("span.nil", {}, "nil") : isImage ? h("img", { src: bytesAddress(object.id, next.key, { show: "1", size: value.bytes, at: Date.now() }), alt: `${next.label}: ${value.type}, ${size(value.bytes)}` }) : null,
      has && h("span.hint", {}, `${value.type ?? "bytes"}, ${size(value.bytes)}`));
    show(tools, !isFixed && button(has ? "Replace…" : "Upload…", () => file.click(), { icon: "upload" }),
      has && h("a.button", { href: bytesAddress(object.id, next.key), download: "" }, "Download"),
      !isFixed && has && next.isOptional && button("Remove", () => set(next.key, null), { kind: "quiet" }));
    mark(box, next);
  };
  box.update(field);
  return box;
}

/** An editor for each element. */
function composite(field, object, set, isFixed) {
  const inner = h("div.fields", {});
  const box = h("fieldset.field.composite", {}, h("legend", {}, label(field)), inner, h("p.message", { hidden: true }));
  box.say = (message) => sayIn(box, message);
  let editors = [];
  const values = (next) => new Map((next.value?.fields ?? []).map((element) => [element.key, element.value]));
  const elements = (next) => next.elements.map((element) => ({ ...element, value: values(next).get(element.key) ?? null, isOptional: true, lock: next.lock, isChanged: false, message: null }));
  editors = elements(field).map((element) => fieldEditor(element, object, (key, value) => set(`${field.key}.${key}`, value)));
  show(inner, editors);
  box.update = (next) => { elements(next).forEach((element, index) => editors[index].update(element)); mark(box, next); };
  return box;
}

/** A decoded archive: read, and as JSON written where Foundation's classes are all there is in it. */
function tree(field, object, set, isFixed) {
  const code = h("pre.tree", { tabindex: "0", "aria-label": field.label });
  // What an app's own class archived can't be written as JSON.
  const canEdit = !isFixed && !field.lock && field.value?.$ !== "data" && !plain(field.value).includes('"$class"');
  const box = h("div.field.tree", { role: "group", "aria-label": field.label }, h("span.legend", {}, label(field)), code, h("div.row", {}, canEdit && button("Edit as JSON", edit, { icon: "edit", kind: "quiet" }),
    canEdit && field.isOptional && button("Set to nil", () => set(field.key, null), { kind: "quiet" })), h("p.hint", {}, field.lock ?? field.help ?? ""), h("p.message", { hidden: true }));
  box.say = (message) => sayIn(box, message);
  function edit() {
    const area = h("textarea", { rows: "8", value: plain(field.value), "aria-label": field.label + " as JSON", class: "mono" });
    const close = () => area.parentElement.replaceWith(code);
    code.replaceWith(h("div.stack", {}, area, h("div.row", {}, button("Set", async () => {
      const answer = await set(field.key, area.value);
      if (answer?.problem) box.say(answer.problem); else close();
    }, { kind: "primary" }), button("Cancel", close, { kind: "quiet" }))));
    area.focus();
  }
  box.update = (next) => {
    field = next;
    code.textContent = next.value === null ? "nil" : next.value.$ === "data" ? `${size(next.value.bytes)} that are no archive` : visible(plain(next.value));
    code.classList.toggle("nil", next.value === null);
    mark(box, next);
  };
  box.update(field);
  return box;
}
