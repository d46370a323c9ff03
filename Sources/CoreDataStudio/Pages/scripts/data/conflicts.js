// @ts-check
// Somebody else saved the same objects: the person chooses whose values shall be.

import { h, button } from "../ui.js";
import { dialog } from "../dialogs.js";
import { shown, objectLink } from "./values.js";
import { Sides } from "./state/unsaved.js";

/**
 * Asks whose values to save. Resolves to what the server takes, to null if nothing is to be saved.
 * @param {SaveConflict[]} conflicts
 */
export async function chooseSides(conflicts) {
  const sides = new Sides(conflicts);
  const isChosen = await dialog("Saved by somebody else meanwhile", (close) => h("div.body", {},
    h("p", {}, "Somebody else saved these objects while they were changed here. Choose what each value shall be; what only one side changed is kept."),
    conflicts.map((conflict) => h("section.conflict", {}, h("h3", {}, objectLink(conflict)),
      conflict.isDeleted ? deleted(conflict, sides) : properties(conflict, sides))),
    h("footer", {}, button("Save with these values", () => close(true), { kind: "primary" }),
      button("Cancel", () => close(), { kind: "quiet" }))),
  { class: "wide" });
  return isChosen ? sides.fields() : null;
}

/**
 * @param {SaveConflict} conflict
 * @param {Sides} sides
 */
function properties(conflict, sides) {
  if (conflict.properties.length === 0) {
    const kept = conflict.changedThere.length
      ? ` They changed ${conflict.changedThere.join(", ")}, which is kept.` : "";
    return h("p.hint", {}, "No value was changed on both sides." + kept);
  }
  return h("table", {}, h("thead", {}, h("tr", {},
    ["Property", "Yours", "Theirs", "Before"].map((head) => h("th", {}, head)))),
    h("tbody", {}, conflict.properties.map((property) => {
      const name = `side-${conflict.id}-${property.key}`;
      /** @param {boolean} isTheirs */
      const choice = (isTheirs) => h("label.side", {},
        h("input", { type: "radio", name, checked: !isTheirs,
          onchange: () => sides.choose(conflict.id, property.key, isTheirs) }),
        h("span", {}, shown(isTheirs ? property.theirs : property.mine)));
      return h("tr", {}, h("th", { scope: "row" }, property.label), h("td", {}, choice(false)),
        h("td", {}, choice(true)),
        h("td.dim", {}, shown(property.before)));
    })));
}

/**
 * @param {SaveConflict} conflict
 * @param {Sides} sides
 */
function deleted(conflict, sides) {
  /**
   * @param {string} text
   * @param {boolean} isTheirs
   */
  const choice = (text, isTheirs) => h("label.side", {}, h("input", {
    type: "radio", name: "side-" + conflict.id, checked: isTheirs,
      onchange: () => sides.choose(conflict.id, "*", isTheirs) }), text);
  return h("div.stack", {}, h("p", {}, "They deleted it."), choice("Let it be deleted", true),
    choice("Save yours as a new object", false));
}
