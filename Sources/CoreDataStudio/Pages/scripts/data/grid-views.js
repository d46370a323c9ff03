// @ts-check
// Views of rows that have a name: columns, filters and order, kept in a file beside the model.

import { h, button } from "../ui.js";
import { ask, attempt, dialog, menu, prompt, toast } from "../dialogs.js";
import { get, post } from "../api.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */

/**
 * A button that leads to an entity's views.
 * @param {EntityPage} entity
 * @param {GridQuery} query
 * @param {() => void} changed the query shows another view
 */
export function viewsButton(entity, query, changed) {
  /** @type {HTMLButtonElement} */
  const own = button("Views", () => attempt(async () => {
    const answer = await get("data/views/" + encodeURIComponent(entity.name));
    openMenu(own, answer, entity, query, changed);
  }), { kind: "quiet", title: "Columns, filters and order that have a name" });
  return own;
}

/**
 * @param {HTMLElement} anchor
 * @param {ViewsAnswer} answer
 * @param {EntityPage} entity
 * @param {GridQuery} query
 * @param {() => void} changed
 */
function openMenu(anchor, { views, place, canSave }, entity, query, changed) {
  if (!views.length && !canSave) {
    toast(place ? "There are no views, and none can be saved here."
      : "This studio keeps no views: it has no file for them.");
    return;
  }
  menu(anchor, [
    ...views.map((view) => /** @type {[string, () => unknown]} */ ([view.name, () => {
      const gone = query.takeView(view, entity);
      if (gone.length) toast(`${gone.join(", ")}: in the view, but no longer in the model.`);
      changed();
    }])),
    ...(views.length && canSave ? [null] : []),
    ...(canSave ? [/** @type {[string, () => unknown]} */ (["Save this view…", () => saveView(query,
      views, place)])] : []),
    ...(views.length && canSave ? [/** @type {[string, () => unknown]} */ (["Remove a view…",
      () => removeView(views)])] : []),
  ]);
}

/**
 * @param {GridQuery} query
 * @param {NamedView[]} views
 * @param {string | null} place
 */
async function saveView(query, views, place) {
  const name = await prompt("Save this view", "Name", query.view ?? "", "Save");
  if (!name) return;
  const isOthers = name !== query.view && views.some((view) => view.name === name);
  if (isOthers && !await ask(`Replace “${name}”?`, "There is a view of that name already.",
    [[true, "Replace", "danger"], [false, "Cancel", "quiet"]])) return;
  if (!await attempt(() => post("data/views", { name, query: query.fields() }))) return;
  query.view = name;
  toast(`Saved in ${place}.`, "good");
}

/** @param {NamedView[]} views */
async function removeView(views) {
  /** @type {NamedView | null} */
  const view = await dialog("Remove a view", (close) => h("div.body", {}, h("ul.list", {}, views.map((view) =>
    h("li", {}, button(view.name, () => close(view)))))));
  if (!view) return;
  const isSure = await ask(`Remove “${view.name}”?`, "Everybody who uses the file loses it.",
    [[true, "Remove", "danger"], [false, "Cancel", "quiet"]]);
  if (!isSure) return;
  if (await attempt(() => post("data/views/remove", { entity: view.query.entity, name: view.name }))) {
    toast("The view is removed.", "good");
  }
}
