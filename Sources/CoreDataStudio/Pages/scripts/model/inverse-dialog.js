// @ts-check
// Asks for the name of a relationship that becomes the inverse of another one.

import { h, button, field } from "../ui.js";
import { dialog } from "../dialogs.js";
import { submitting } from "../keyboard.js";
import { edit, entityNamed, ownerEntity, properties } from "./document.js";
import { inverseName } from "./state/names.js";

/** @param {ModelElement} relationship with a destination */
export function inverseDialog(relationship) {
  const owner = ownerEntity(relationship.id), target = entityNamed(relationship.values.destinationEntity);
  if (!owner || !target) return null;
  const to = target.values.name, from = owner.values.name;
  const taken = properties(to).map((each) => each.values.name);
  return dialog(`New inverse of ${relationship.values.name}`, (close) => {
    const name = h("input", { type: "text", value: inverseName(from, taken), autofocus: true });
    const many = h("input", { type: "checkbox" });
    const submit = submitting(async () => {
      const values = { destinationEntity: from, inverseName: relationship.values.name, toMany: many.checked };
      const made = await edit({ do: "add", kind: "relationship", parent: target.id, name: name.value.trim(),
        values });
      if (made) close(true);
    });
    return h("form.body", { onsubmit: submit },
      field(`Name in ${to}`, name, { hint: `Leads from ${to} to ${from}.` }),
      field("To many", many, { class: "model-flag" }),
      h("footer", {}, h("button.primary", { type: "submit" }, "Add inverse"),
        button("Cancel", () => close(), { kind: "quiet" })));
  });
}
