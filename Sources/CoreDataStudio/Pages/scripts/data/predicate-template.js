// @ts-check
// A predicate that is kept in the model, as a fetch request template.

import { attempt, prompt, toast } from "../dialogs.js";
import { get, post } from "../api.js";

/**
 * Asks for a name.
 * @param {string} entity
 * @param {string} text
 */
export async function saveTemplate(entity, text) {
  const name = await prompt("Save as fetch request template", "Name");
  if (!name) return;
  await attempt(async () => {
    const parsed = await post("data/predicate/parse", { entity, text });
    if (parsed.error) throw new Error(parsed.error.message);
    /** @type {ModelAnswer} */
    const model = await get("model");
    const command = { do: "add", kind: "fetchRequest", name, values: { entity, predicateString: text } };
    await post("model/edit", { version: model.version, commands: [command] });
    // Edits that somebody hasn't saved yet are theirs to save.
    if (!model.isUnsaved) await post("model/save", { version: model.version });
    toast(model.isUnsaved ? `${name} is added to the model, which has other unsaved edits: save it there.`
      : `Saved in the model as ${name}.`, "good");
  });
}
