// @ts-check
// Actions on several rows at once: they are copied, or given one value.

import { h, show, button, select } from "../ui.js";
import { attempt, dialog, menu, toast } from "../dialogs.js";
import { post } from "../api.js";
import { submitting } from "../keyboard.js";
import { plural, visible } from "../state/text.js";
import { choicesOf, chosenValue } from "./state/field-text.js";
import { pickObject } from "./picker.js";

/**
 * A menu to copy rows as CSV or JSON, with the columns that are shown.
 * @param {HTMLElement} anchor
 * @param {string} name
 * @param {string[]} ids
 * @param {string[]} columns
 */
export function copyMenu(anchor, name, ids, columns) {
  /** @param {"csv" | "json"} form */
  const copy = (form) => attempt(async () => {
    const answer = await post("data/rows/text", { entity: name, ids, columns, form });
    await navigator.clipboard.writeText(answer.text);
    toast(`${plural(ids.length, "row")} copied.`, "good");
  });
  menu(anchor, [["Copy as CSV", () => copy("csv")], ["Copy as JSON", () => copy("json")]]);
}

/** The kinds of attributes whose values are typed or chosen from a few. */
const settable = ["text", "longText", "number", "decimal", "date", "uuid", "uri", "boolean", "choice"];

/**
 * The properties that can be set in several objects at once.
 * @param {EntityPage} entity
 * @returns {(Attribute | Relation)[]}
 */
const settableFields = (entity) => [
  ...entity.attributes.filter((field) => !field.lock && settable.includes(field.kind)),
  ...entity.relationships.filter((field) => field.kind === "toOne" && !field.lock),
];

/**
 * Asks for a property and a value, and sets it in all of them: one step to undo. True if it was done.
 * @param {EntityPage} entity
 * @param {string[]} ids
 * @param {DataWorld} world
 */
export async function setInAll(entity, ids, world) {
  const fields = settableFields(entity);
  if (!fields.length) { toast("None of these properties can be set at once."); return false; }
  /** @type {{ problems: string[] } | null} */
  const answer = await dialog(`Set a value in ${plural(ids.length, "object")}`, (close) =>
    valueForm(fields, world, async (wanted) => {
      close(await world.change("data/values", { ids, ...wanted }));
    }, close));
  if (!answer) return false;
  if (answer.problems.length) toast(`${plural(answer.problems.length, "object")} can’t be saved so: ${visible(answer.problems[0])}`, "error");
  return true;
}

/**
 * A form that stays, with what is typed, until its value is taken.
 * @param {(Attribute | Relation)[]} fields
 * @param {DataWorld} world
 * @param {(wanted: { key: string, value: any }) => Promise<void>} take
 * @param {() => void} close
 */
function valueForm(fields, world, take, close) {
  const place = h("div.field", {}), message = h("p.message", { role: "alert" });
  /** @type {() => any} */
  let read = () => null;
  /** @type {HTMLInputElement} */
  const isNil = h("input", { type: "checkbox", onchange: () => {
    const controls = /** @type {NodeListOf<HTMLInputElement>} */ (place.querySelectorAll("input, select, button"));
    for (const control of controls) control.disabled = isNil.checked;
  } });
  const nil = h("label.row", {}, isNil, "Set to nil");
  const draw = () => {
    const field = fields.find((field) => field.key === key.value) ?? fields[0];
    const control = valueControl(field, world);
    read = control.read;
    isNil.checked = false;
    nil.hidden = !field.isOptional;
    show(place, h("label", { for: "set-value" }, "Value"), control.element);
  };
  const names = fields.map((field) => /** @type {[string, string]} */ ([field.key, field.label]));
  const key = select(names, fields[0].key, { id: "set-key", onchange: () => draw() });
  draw();
  const submit = submitting(async () => {
    message.textContent = "";
    try {
      await take({ key: key.value, value: isNil.checked ? null : read() });
    } catch (error) {
      message.textContent = error.message;
      /** @type {HTMLElement | null} */ (place.querySelector("#set-value"))?.focus();
    }
  });
  return h("form.body", { onsubmit: submit },
    h("div.field", {}, h("label", { for: "set-key" }, "Property"), key), place, message, nil,
    h("footer", {}, h("button.primary", { type: "submit" }, "Set"),
      button("Cancel", () => close(), { kind: "quiet" })));
}

/**
 * A control for a value, and how it is read.
 * @param {Attribute | Relation} field
 * @param {DataWorld} world
 * @returns {{ element: HTMLElement, read: () => any }}
 */
function valueControl(field, world) {
  if (field.destination !== undefined) return objectControl(/** @type {Relation} */ (field), world);
  if (field.kind === "boolean" || field.kind === "choice") {
    const choices = choicesOf(field);
    const control = select(choices, choices[0]?.[0], { id: "set-value" });
    return { element: control, read: () => chosenValue(field, control.value) };
  }
  const control = field.kind === "longText" ? h("textarea", { id: "set-value", rows: "4" })
    : h("input", { id: "set-value", type: "text",
      placeholder: field.kind === "date" ? "2024-05-01T10:20:30Z" : "" });
  return { element: control, read: () => control.value };
}

/**
 * @param {Relation} field
 * @param {DataWorld} world
 */
function objectControl(field, world) {
  /** @type {string | null} */
  let chosen = null;
  const name = h("bdi", {}, "none");
  const choose = button("Choose…", async () => {
    const object = await pickObject({ ...field, canCreate: false }, chosen, world);
    if (object) { chosen = object.id; name.textContent = visible(object.title) || object.id; }
  }, { id: "set-value" });
  return { element: h("span.row", {}, choose, name), read: () => chosen };
}
