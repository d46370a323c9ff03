// @ts-check
// Asks for the names of a new pair of relationships.

import { h, button, field } from "../ui.js";
import { dialog } from "../dialogs.js";
import { submitting } from "../keyboard.js";
import { choose, edit } from "./document.js";
import { relationNames } from "./state/names.js";

/**
 * @param {ModelElement} source
 * @param {ModelElement} target
 */
export function relationDialog(source, target) {
  const [from, to] = [source.values.name, target.values.name], names = relationNames(from, to);
  return dialog(`Relationship from ${from} to ${to}`, (close) => {
    const name = h("input", { type: "text", value: names.name, autofocus: true });
    const many = h("input", { type: "checkbox", checked: true });
    const inverse = h("input", { type: "text", value: names.inverse });
    const inverseMany = h("input", { type: "checkbox" });
    const submit = submitting(async () => {
      const made = await edit({ do: "relate", from: source.id, to: target.id, name: name.value.trim(),
        toMany: many.checked,
        inverse: inverse.value.trim() || null, inverseToMany: inverseMany.checked });
      if (made) { close(true); choose([made[0]]); }
    });
    return h("form.body", { onsubmit: submit },
      field(`Name in ${from}`, name), field("To many", many, { class: "model-flag" }),
      field(`Inverse in ${to}`, inverse, { hint: "Empty for none, which is seldom right." }),
      field("Inverse is to many", inverseMany, { class: "model-flag" }),
      h("footer", {}, h("button.primary", { type: "submit" }, "Add relationship"),
        button("Cancel", () => close(), { kind: "quiet" })));
  });
}
