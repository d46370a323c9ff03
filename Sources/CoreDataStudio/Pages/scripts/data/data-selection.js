// What is done with several rows at once: copied, given one value.

import { h, show, button, select, dialog, attempt, toast, menu } from "./ui.js";
import { post } from "./api.js";
import { plural, visible } from "./data-values.js";
import { pickObject } from "./data-picker.js";

/** A menu to copy rows as CSV or JSON, with the columns that are shown. */
export function copyMenu(anchor, name, ids, columns) {
  const copy = (form) => attempt(async () => {
    const answer = await post("data/rows/text", { entity: name, ids, columns, form });
    await navigator.clipboard.writeText(answer.text);
    toast(`${plural(ids.length, "row")} copied.`, "good");
  });
  menu(anchor, [["Copy as CSV", () => copy("csv")], ["Copy as JSON", () => copy("json")]]);
}

/** Asks for a property and a value, and sets it in all of them: one step to undo. True if it was done. */
export async function setInAll(entity, ids, world) {
  const fields = [...entity.attributes.filter((field) => !field.lock && ["text", "longText", "number", "decimal", "date", "uuid", "uri", "boolean", "choice"].includes(field.kind)),
    ...entity.relationships.filter((field) => field.kind === "toOne" && !field.lock)];
  if (!fields.length) { toast("None of these properties can be set at once."); return false; }
  const wanted = await dialog(`Set a value in ${plural(ids.length, "object")}`, (close) => {
    const place = h("div.field", {});
    let read = () => null;
    const isNil = h("input", { type: "checkbox", onchange: () => { for (const control of place.querySelectorAll("input, select, button")) control.disabled = isNil.checked; } });
    const nil = h("label.row", {}, isNil, "Set to nil");
    const key = select(fields.map((field) => [field.key, field.label]), fields[0].key, { id: "set-key", onchange: () => draw() });
    const draw = () => {
      const field = fields.find((field) => field.key === key.value);
      const [control, value] = valueControl(field, world);
      read = value;
      isNil.checked = false;
      nil.hidden = !field.isOptional;
      show(place, h("label", { for: "set-value" }, "Value"), control);
    };
    draw();
    return h("form.body", { onsubmit: (event) => { event.preventDefault(); close({ key: key.value, value: isNil.checked ? null : read() }); } },
      h("div.field", {}, h("label", { for: "set-key" }, "Property"), key), place, nil,
      h("footer", {}, h("button.primary", { type: "submit" }, "Set"), button("Cancel", () => close(), { kind: "quiet" })));
  });
  if (!wanted) return false;
  const answer = await attempt(() => world.change("data/values", { ids, ...wanted }));
  if (!answer) return false;
  if (answer.problems.length) toast(`${plural(answer.problems.length, "object")} can’t be saved so: ${visible(answer.problems[0])}`, "error");
  return true;
}

/** A control for a value, and how it is read. */
function valueControl(field, world) {
  if (field.destination) {
    let chosen = null;
    const name = h("bdi", {}, "none");
    const choose = button("Choose…", async () => {
      const object = await pickObject({ ...field, canCreate: false }, chosen, world);
      if (object) { chosen = object.id; name.textContent = visible(object.title) || object.id; }
    }, { id: "set-value" });
    return [h("span.row", {}, choose, name), () => chosen];
  }
  if (field.kind === "boolean" || field.kind === "choice") {
    const choices = field.kind === "boolean" ? [["true", "yes"], ["false", "no"]] : field.choices.map((choice) => [choice.value, choice.label]);
    const control = select(choices, choices[0]?.[0], { id: "set-value" });
    return [control, () => field.kind === "boolean" ? control.value === "true" : control.value];
  }
  const control = field.kind === "longText" ? h("textarea", { id: "set-value", rows: "4" }) : h("input", { id: "set-value", type: "text", placeholder: field.kind === "date" ? "2024-05-01T10:20:30Z" : "" });
  return [control, () => control.value];
}
