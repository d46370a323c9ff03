// @ts-check
// Fields of text and numbers: sent when the person leaves them or presses Return.

import { h, button, field as labelled } from "../ui.js";
import { hasText } from "../keyboard.js";
import { plain, lineEnds, unseen } from "../state/text.js";
import { hintOf, inputMode, labelOf } from "./state/field-text.js";
import { datePicker } from "../date-picker.js";
import { mark } from "./field-parts.js";

/** @typedef {import("./field-parts.js").SetValue} SetValue */
/** @typedef {HTMLInputElement | HTMLTextAreaElement} TextField */

class TypedField {
  /**
   * @param {ObjectField} field
   * @param {SetValue} set
   * @param {TextField} control
   */
  constructor(field, set, control) {
    this.field = field;
    this.set = set;
    this.control = control;
    this.isText = field.kind === "text" || field.kind === "longText";
    this.isNil = false;
    /** True if the person asked for the empty text in place of nil. */
    this.isEmptied = false;
    this.ends = "\n";
    this.pending = 0;
    this.note = h("p.hint", { hidden: true });
    this.box = labelled(labelOf(field), control, { hint: hintOf(field) });
    this.box.append(this.note);
    this.clear = nilButton(field, this.isText, () => { control.value = ""; this.#send(null); },
      () => { this.isEmptied = true; control.value = ""; this.#send(""); });
    const both = h("div.with-clear", {});
    control.replaceWith(both);
    both.append(control, ...(this.clear ? [this.clear.element] : []));
    control.addEventListener("change", () =>
      this.#send(control.value === "" && !this.isText ? null : control.value));
    control.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Escape" && hasText(control)) this.#giveUp();
    });
    this.#put(field.value);
  }

  /** @param {ObjectField} next */
  update(next) {
    // Answers to other fields come while the person types here, or while this field's own is on its way.
    const isTyping = this.pending > 0 || (document.activeElement === this.control && hasText(this.control));
    this.field = next;
    mark(this.box, next);
    if (!isTyping) this.#put(next.value);
  }

  /** @param {StudioValue} value */
  #put(value) {
    const { control } = this, text = plain(value);
    this.isNil = value === null;
    // Lines without an end would keep the browser busy for many seconds.
    control.classList.toggle("huge", text.length > 100_000);
    if (control.value !== text) control.value = text;
    // Not always what was put there: a browser drops and changes characters.
    control.dataset.initial = control.value;
    this.ends = lineEnds(text);
    control.placeholder = this.isNil ? "nil" : this.isText && text === "" ? "empty" : "";
    this.note.textContent = this.field.note ?? unseen(value) ?? "";
    this.note.hidden = !this.note.textContent;
    this.clear?.toggle(this.isNil);
    // It is no value, so the text stays one that isn't sent.
    if (this.field.refused) control.value = this.field.refused.text;
  }

  /** Goes back to the value, without a text that was refused. */
  #giveUp() {
    this.control.value = this.control.dataset.initial ?? "";
    this.set(this.field.key, undefined);
  }

  /** @param {string | null} value */
  async #send(value) {
    const { control } = this;
    const isFromNil = this.isNil && value === "" && control.value === "" && this.isEmptied;
    if (value !== null && !hasText(control) && !isFromNil) {
      if (this.field.refused) this.#giveUp();
      return;
    }
    this.isEmptied = false;
    const before = { initial: control.dataset.initial, isNil: this.isNil };
    control.dataset.initial = control.value;
    this.isNil = value === null;
    this.pending += 1;
    const answer = await this.set(this.field.key,
      typeof value === "string" ? value.replace(/\n/g, this.ends) : value);
    this.pending -= 1;
    if (answer?.problem) {
      control.dataset.initial = before.initial;
      this.isNil = before.isNil;
      this.box.say(answer.problem);
    } else if (!this.pending) {
      this.update(this.field);
    }
  }
}

/**
 * @param {ObjectField} field
 * @param {SetValue} set
 * @param {TextField} control
 */
function typed(field, set, control) {
  const own = new TypedField(field, set, control);
  return Object.assign(own.box, { update: (/** @type {ObjectField} */ next) => own.update(next) });
}

/**
 * Sets to nil; where a text is nil, to the empty text.
 * @param {ObjectField} field
 * @param {boolean} isText
 * @param {() => void} toNil
 * @param {() => void} toEmpty
 */
function nilButton(field, isText, toNil, toEmpty) {
  if (!field.isOptional) return null;
  const element = button("", () => (isNil && isText ? toEmpty : toNil)(), { icon: "close", kind: "quiet" });
  let isNil = false;
  /** @param {boolean} next */
  const toggle = (next) => {
    isNil = next;
    const text = isNil && isText ? `Set ${field.label} to the empty text` : `Set ${field.label} to nil`;
    element.setAttribute("aria-label", text);
    element.title = text;
    element.disabled = isNil && !isText;
  };
  return { element, toggle };
}

/**
 * A text of one line or a few, a number, a date, and whatever else is typed.
 * @param {ObjectField} field
 * @param {SetValue} set
 * @returns {FieldEditor}
 */
export function lineField(field, set) {
  const isText = field.kind === "text";
  /** @param {KeyboardEvent} event */
  const enter = (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    if (isText) event.preventDefault();
    changed(control);
  };
  const rest = {
    inputmode: field.kind === "uri" ? "url" : inputMode(field), spellcheck: isText ? null : "false",
    dir: isText ? "auto" : null,
    maxlength: field.maxLength && field.maxLength < 1e6 ? String(field.maxLength + 1000) : null,
    onkeydown: enter,
  };
  // A text may have several lines, which an input would drop: Shift+Return makes another one.
  const isShort = plain(field.value).length < 5000;
  /** @type {TextField} */
  const control = isText ? h("textarea",
    { rows: isShort ? "1" : "8", class: isShort ? "line" : null, ...rest })
    : h("input", { type: "text", ...rest });
  const box = typed(field, set, control);
  addSlider(box, field, control);
  if (field.kind === "date") control.after(datePicker(control, field.label), filling(control, "Now", `Set ${field.label} to now`,
    () => new Date().toISOString().replace(/\.\d+Z$/, "Z")));
  if (field.kind === "uuid") control.after(filling(control, "New", `New UUID for ${field.label}`,
    () => crypto.randomUUID?.() ?? ""));
  return box;
}

/** @param {HTMLElement} control */
const changed = (control) => control.dispatchEvent(new Event("change"));

/**
 * A button that fills in a value.
 * @param {TextField} control
 * @param {string} text
 * @param {string} label
 * @param {() => string} make
 */
const filling = (control, text, label, make) =>
  button(text, () => { control.value = make(); changed(control); }, { kind: "quiet", label });

/**
 * Small ranges of whole numbers have a slider, too.
 * @param {FieldEditor} box
 * @param {ObjectField} field
 * @param {TextField} control
 */
function addSlider(box, field, control) {
  const { min, max } = field;
  if (field.kind !== "number" || !field.isInteger || typeof min !== "number" || typeof max !== "number"
    || max - min > 1000) return;
  /** @type {HTMLInputElement} */
  const slider = h("input", { type: "range", min: String(min), max: String(max), step: "1",
    value: plain(field.value) || String(min),
    "aria-label": field.label + ", slider", oninput: () => {
      control.value = slider.value;
    }, onchange: () => changed(control) });
  control.after(slider);
  control.addEventListener("input", () => { slider.value = control.value; });
  const update = box.update;
  box.update = (next) => { update(next); if (next.value !== null) slider.value = plain(next.value); };
}

/**
 * A text of several lines.
 * @param {ObjectField} field
 * @param {SetValue} set
 * @returns {FieldEditor}
 */
export const longTextField = (field, set) => typed(field, set, h("textarea", { rows: "5", dir: "auto" }));
