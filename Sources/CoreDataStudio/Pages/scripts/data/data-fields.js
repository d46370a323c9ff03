// Editors for values, one for each kind.

import { h, show, button, field as labelled, select, attempt, toast, unique } from "./ui.js";
import { upload, post } from "./api.js";
import { shown, plain, swatch, colorText, size, bytesAddress, objectPath, visible, plural } from "./data-values.js";

/** A one-line editor for a cell; `finish(value)` takes it, `finish()` gives up. Null for kinds that need room. */
export function cellEditor(column, value, finish) {
  const keys = (read) => ({
    onkeydown: (event) => {
      event.stopPropagation();
      if (event.key === "Escape") { event.preventDefault(); finish(); }
      if (event.key === "Enter" || event.key === "Tab") { event.preventDefault(); finish(read()); }
    },
    onblur: () => finish(read()), "aria-label": column.label, class: "cell-editor",
  });
  if (column.kind === "boolean" || column.kind === "choice") {
    const control = choiceControl(column, value, { ...keys(() => readChoice(column, control)), onchange: null });
    return control;
  }
  if (["text", "number", "decimal", "date", "uuid", "uri"].includes(column.kind)) {
    if (typeof value === "string" && value.includes("\n") || value?.$ === "text") return null;
    const before = plain(value), isNil = value === null;
    const read = () => input.value === before ? undefined : input.value === "" && (column.kind !== "text" || isNil) ? null : input.value;
    const input = h("input", { type: "text", value: before, inputmode: inputMode(column), ...keys(read) });
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
 * Gives an element with `update(field)`, which takes a new value unless the person is typing there.
 */
export function fieldEditor(field, object, set, reload) {
  const make = {
    longText: longText, boolean: choice, choice, color, image: binary, binary, composite, tree, other: fixed,
  }[field.kind] ?? line;
  const isFixed = field.lock || !object.canUpdate || object.state === "deleted" || (field.value && field.value.$ === "text");
  const box = (isFixed && !["color", "image", "binary", "tree"].includes(field.kind) ? fixed : make)(field, object, set, isFixed, reload);
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
  if (field.min !== undefined && field.max !== undefined) parts.push(`${bound(field.min)} to ${bound(field.max)}`);
  else if (field.min !== undefined) parts.push(`at least ${bound(field.min)}`);
  else if (field.max !== undefined) parts.push(`at most ${bound(field.max)}`);
  if (field.minLength > 1) parts.push(`at least ${field.minLength} characters`);
  if (field.maxLength !== undefined) parts.push(`at most ${field.maxLength} characters`);
  if (field.pattern) parts.push(`matches ${field.pattern}`);
  return parts.filter(Boolean).join(" · ") || null;
};

const label = (field) => field.label + (field.isOptional || field.lock ? "" : " *");

function withClear(box, field, control, clear) {
  const none = field.isOptional && button("", clear, { icon: "close", kind: "quiet", label: `Set ${field.label} to nil`, title: "Set to nil" });
  const both = h("div.with-clear", {});
  control.replaceWith(both);
  both.append(control, ...(none ? [none] : []));
  return box;
}

/** Text and numbers: sent when the person leaves the field or presses Return. */
function typed(field, object, set, control) {
  let sent = plain(field.value), isNil = field.value === null, pending = 0;
  control.placeholder = isNil ? "nil" : "";
  const send = async (value) => {
    if (value !== null && control.value === sent && !(isNil && value === "")) return;
    if (value !== null && control.value === sent && isNil) return;
    const before = [sent, isNil];
    [sent, isNil] = [value ?? "", value === null];
    pending += 1;
    const answer = await set(field.key, value);
    pending -= 1;
    if (answer?.problem) {
      [sent, isNil] = before;
      box.say(answer.problem);
    } else if (!pending) {
      box.update(field);
    }
  };
  const read = () => control.value === "" && field.kind !== "text" && field.kind !== "longText" ? null : control.value;
  control.addEventListener("change", () => send(read()));
  const box = labelled(label(field), control, { hint: hint(field) });
  withClear(box, field, control, () => { control.value = ""; send(null); });
  box.update = (next) => {
    // Answers to other fields come while the person types here, or while this field's own is on its way.
    const isTyping = pending > 0 || (document.activeElement === control && control.value !== sent);
    field = next;
    mark(box, next);
    if (isTyping) return;
    isNil = next.value === null;
    sent = plain(next.value);
    control.placeholder = isNil ? "nil" : "";
    if (control.value !== sent) control.value = sent;
  };
  return box;
}

function line(field, object, set) {
  const kinds = { uri: "url", text: "text" };
  const control = h("input", {
    type: "text", value: plain(field.value), inputmode: field.kind === "uri" ? "url" : inputMode(field), spellcheck: field.kind === "text" ? null : "false",
    placeholder: field.kind === "date" ? "2024-05-01T10:20:30Z" : null, maxlength: field.maxLength && field.maxLength < 1e6 ? String(field.maxLength + 1000) : null,
    onkeydown: (event) => { if (event.key === "Enter") control.dispatchEvent(new Event("change")); },
  });
  const box = typed(field, object, set, control);
  if (field.kind === "number" && field.isInteger && typeof field.min === "number" && typeof field.max === "number" && field.max - field.min <= 1000) {
    const slider = h("input", { type: "range", min: String(field.min), max: String(field.max), step: "1", value: plain(field.value) || String(field.min), "aria-label": field.label + ", slider",
      oninput: () => { control.value = slider.value; }, onchange: () => control.dispatchEvent(new Event("change")) });
    control.after(slider);
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
  return typed(field, object, set, h("textarea", { value: plain(field.value), rows: "5" }));
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
function binary(field, object, set, isFixed, reload) {
  const preview = h("div.preview", {});
  const file = h("input", { type: "file", id: "field-" + unique(), hidden: true, accept: field.kind === "image" ? "image/*" : null, onchange: () => send() });
  const send = async () => {
    if (!file.files.length) return;
    const page = await attempt(() => upload(objectPath(object.id, "bytes", field.key), file.files[0]));
    file.value = "";
    if (page) reload(page);
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
