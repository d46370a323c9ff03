// @ts-check
// A relationship to one object: its name, and the tools to choose another one or none.

import { h, show, button } from "../ui.js";
import { labelOf } from "./state/field-text.js";
import { shown } from "./values.js";
import { keepingFocus } from "./focus.js";
import { pickObject } from "./picker.js";

/** @typedef {import("./object.js").ObjectHost} ObjectHost */

/**
 * @param {ObjectRelation} relation
 * @param {ObjectHost} host
 * @returns {RelationView}
 */
export function toOneView(relation, host) {
  const value = h("span.value", {}), tools = h("span.row", {}), note = h("p.message", { hidden: true });
  const element = h("div.field.relation",
    { role: "group", "aria-label": relation.label, dataset: { key: relation.key } },
    h("span.legend", {}, labelOf({ ...relation, lock: null })), h("div.relation-line", {}, value, tools),
      relation.help && h("p.hint", {}, relation.help), note);
  /** @param {string | null | undefined} problem */
  const say = (problem) => {
    note.textContent = problem ?? "";
    note.hidden = !problem;
  };
  /** @param {string | null} target */
  const put = async (target) => {
    const answer = await host.set(relation.key, target);
    if (answer.problem) say(answer.problem);
  };
  let drawn = "";
  /** @param {ObjectRelation} next */
  const update = (next) => {
    element.classList.toggle("changed", next.isChanged);
    const problem = host.isQuiet(next.key) ? null : next.message;
    say(problem);
    element.classList.toggle("wrong", Boolean(problem));
    const canSet = host.canSet(next), state = JSON.stringify([next.value, canSet]);
    // A dialog that is open goes back to the button that opened it.
    if (state === drawn) return;
    drawn = state;
    keepingFocus(element, () => {
      show(value, shown(next.value, { query: host.onward }));
      show(tools, canSet && toOneTools(next, put, host));
    });
  };
  update(relation);
  return { element, update };
}

/**
 * @param {ObjectRelation} relation
 * @param {(target: string | null) => Promise<void>} put
 * @param {ObjectHost} host
 */
function toOneTools(relation, put, host) {
  const target = /** @type {ObjectLink | null} */ (relation.value);
  const choose = async () => {
    const chosen = await pickObject(relation, target?.id ?? null, host.world);
    if (chosen) await put(chosen.id);
  };
  return [
    button("Choose…", choose, { label: `Choose ${relation.label}` }),
    target && !target.hidden && relation.isOptional
      && button("", () => put(null), { icon: "close", kind: "quiet", label: `Clear ${relation.label}`,
        title: "Set to nil" }),
  ];
}
