// @ts-check
// All findings about the model, each leading to its place.

import { h, empty } from "../ui.js";
import { state, addressOf, node } from "./document.js";
import { focusField } from "./actions.js";

export function issues() {
  const { checks } = state.answer;
  if (!checks.length) return empty("No issues: the model is sound.");
  return h("div.pad", {}, h("ul.list.model-issues", {},
    checks.map((check) => h("li", {}, h("button", { type: "button", onclick: () => go(check) },
    h("span.badge", { class: check.severity }, check.severity),
      h("span", {}, h("strong", {}, check.place || "Model"), " ", check.message))))));
}

/** @param {ModelCheck} check */
function go(check) {
  const element = node(check.id);
  state.selection = element ? [element.id] : [];
  location.hash = addressOf(element);
  if (element) focusField(element.id, check.field);
}
