// @ts-check
// An editor for each kind of field of an object's page.

import { h, show, button, field as labelled, unique } from "../ui.js";
import { plain, plural, size, visible } from "../state/text.js";
import { shownIn, bytesAddress } from "./values.js";
import { choiceControl } from "./cell-editor.js";
import { hintOf, labelOf, chosenValue } from "./state/field-text.js";
import { mark, sayIn } from "./field-parts.js";
import { lineField, longTextField } from "./field-typed.js";
import { colorField } from "./field-color.js";
import { bytesField } from "./field-bytes.js";

/** @typedef {import("./field-parts.js").SetValue} SetValue */
/** @typedef {import("./field-bytes.js").PutFile} PutFile */

/**
 * An editor of a field.
 * @param {ObjectField} field
 * @param {ObjectPage} object
 * @param {SetValue} set sends a value
 * @param {PutFile} put sends a file's bytes
 * @returns {FieldEditor}
 */
export function fieldEditor(field, object, set, put) {
  const isCut = field.value !== null && typeof field.value === "object" && field.value.$ === "text";
  const isFixed = Boolean(field.lock) || !object.canUpdate || object.state === "deleted" || isCut;
  const box = make(field, object, set, put, isFixed);
  box.classList.add("kind-" + field.kind);
  box.dataset.key = field.key;
  mark(box, field);
  return box;
}

/**
 * @param {ObjectField} field
 * @param {ObjectPage} object
 * @param {SetValue} set
 * @param {PutFile} put
 * @param {boolean} isFixed
 * @returns {FieldEditor}
 */
function make(field, object, set, put, isFixed) {
  switch (field.kind) {
    case "color": return colorField(field, set, isFixed);
    case "image": case "binary": return bytesField(field, object, set, isFixed, put);
    case "tree": return treeField(field, set, isFixed);
    default: if (isFixed) return fixedField(field, object);
  }
  switch (field.kind) {
    case "longText": return longTextField(field, set);
    case "boolean": case "choice": return choiceField(field, set);
    case "composite": return compositeField(field, object, set, put);
    case "other": return fixedField(field, object);
    default: return lineField(field, set);
  }
}

/**
 * @param {ObjectField} field
 * @param {SetValue} set
 */
function choiceField(field, set) {
  const send = async () => {
    const answer = await set(field.key, chosenValue(field, control.value));
    if (answer?.problem) box.say(answer.problem);
  };
  const control = choiceControl(field, field.value, { onchange: () => send() });
  const box = labelled(labelOf(field), control, { hint: hintOf(field) });
  /** @param {ObjectField} next */
  const update = (next) => {
    const value = next.refused?.text ?? (next.value === null ? "" : plain(next.value));
    if (control.value !== value) control.value = value;
    mark(box, next);
  };
  return Object.assign(box, { update });
}

/**
 * Calculated, locked, or not this person's to change.
 * @param {ObjectField} field
 * @param {ObjectPage} object
 */
function fixedField(field, object) {
  const value = h("output.fixed", { id: "field-" + unique() });
  const box = h("div.field.locked", {}, h("label", { for: value.id }, field.label), value,
    h("p.hint", {}, field.lock ?? field.help ?? ""));
  /** @param {ObjectField} next */
  const update = (next) => {
    const cut = next.value !== null && typeof next.value === "object" && next.value.$ === "text" ? next.value
      : null;
    show(value, shownIn(next, next.value), cut && h("a", { href: bytesAddress(object.id, next.key), download: "" },
      ` Download all ${plural(cut.length, "character")}`));
    box.classList.toggle("changed", next.isChanged);
  };
  update(field);
  return Object.assign(box, { update });
}

/**
 * An editor for each element.
 * @param {ObjectField} field
 * @param {ObjectPage} object
 * @param {SetValue} set
 * @param {PutFile} put
 */
function compositeField(field, object, set, put) {
  const editors = elementsOf(field).map((element) =>
    fieldEditor(element, object, (key, value) => set(`${field.key}.${key}`, value), put));
  const box = h("fieldset.field.composite", {}, h("legend", {}, labelOf(field)), h("div.fields", {}, editors),
    h("p.message", { hidden: true }));
  /** @param {ObjectField} next */
  const update = (next) => {
    elementsOf(next).forEach((element, index) => editors[index].update(element));
    mark(editor, next);
  };
  /** @type {FieldEditor} */
  const editor = Object.assign(box, { update,
    say: (/** @type {string | null | undefined} */ message) => sayIn(box, message) });
  return editor;
}

/**
 * The elements of a composite value as fields.
 * @param {ObjectField} field
 * @returns {ObjectField[]}
 */
function elementsOf(field) {
  const { value, lock } = field;
  const isComposite = value !== null && typeof value === "object" && value.$ === "composite";
  const values = new Map(isComposite ? value.fields.map((element) => [element.key, element.value]) : []);
  return (field.elements ?? []).map((element) => (
    { ...element, value: values.get(element.key) ?? null, isOptional: true, lock, isChanged: false,
      message: null, refused: field.refusedElements?.[element.key] ?? null }));
}

/**
 * A decoded archive: read, and as JSON written where Foundation's classes are all there is in it.
 * @param {ObjectField} field
 * @param {SetValue} set
 * @param {boolean} isFixed
 */
function treeField(field, set, isFixed) {
  let now = field.value;
  const isBytes = now !== null && typeof now === "object" && now.$ === "data";
  const code = h("pre.tree", { tabindex: "0", "aria-label": field.label });
  // What an app's own class archived can't be written as JSON.
  // A value in another form than an archive would be written as one.
  const isCoded = now !== null && typeof now === "object" && now.$ === "tree" && now.isCoded === true;
  const canEdit = !isFixed && !field.lock && !isBytes && !isCoded && !plain(now).includes('"$class"');
  const edit = (text = plain(now)) => editTree(code, field, text, set, say);
  const box = h("div.field.tree", { role: "group", "aria-label": field.label },
    h("span.legend", {}, labelOf(field)), code,
    h("div.row", {}, canEdit && button("Edit as JSON", () => edit(), { icon: "edit", kind: "quiet" }),
      canEdit && field.isOptional && button("Set to nil", () => set(field.key, null), { kind: "quiet" })),
    h("p.hint", {}, field.lock ?? field.help ?? ""), h("p.message", { hidden: true }));
  /** @param {string | null} [message] */
  const say = (message) => sayIn(box, message);
  /** @param {ObjectField} next */
  const update = (next) => {
    now = next.value;
    code.textContent = now === null ? "nil" : typeof now === "object" && now.$ === "data"
      ? `${size(now.bytes)} that are no archive` : visible(plain(now));
    code.classList.toggle("nil", now === null);
    mark(editor, next);
  };
  /** @type {FieldEditor} */
  const editor = Object.assign(box, { say, update });
  update(field);
  if (field.refused && canEdit) edit(field.refused.text);
  return editor;
}

/**
 * Puts a text field in the place of a tree.
 * @param {HTMLElement} code
 * @param {ObjectField} field
 * @param {string} text
 * @param {SetValue} set
 * @param {(message: string) => void} say
 */
function editTree(code, field, text, set, say) {
  const area = h("textarea", { rows: "8", value: text, "aria-label": field.label + " as JSON",
    class: "mono", dataset: { initial: text } });
  const close = () => place.replaceWith(code);
  const cancel = () => { close(); set(field.key, undefined); };
  const take = async () => {
    const answer = await set(field.key, area.value);
    if (answer?.problem) say(answer.problem); else close();
  };
  /** @type {HTMLElement} */
  const place = h("div.stack", {}, area,
    h("div.row", {}, button("Set", take, { kind: "primary" }), button("Cancel", cancel, { kind: "quiet" })));
  code.replaceWith(place);
  area.focus();
}
