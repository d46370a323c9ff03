// @ts-check
// Above a grid: how many rows there are, how many are selected, and what can be done.

import { h, button, icon } from "../ui.js";
import { menu } from "../dialogs.js";
import { number, plural } from "../state/text.js";
import { addObject } from "./new-object.js";
import { copyMenu } from "./set-value.js";
import { actionMenu } from "./object-actions.js";
import { exportMenu } from "./grid-export.js";
import { GridSearch } from "./grid-search.js";
import { viewsButton } from "./grid-views.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */
/** @typedef {import("./state/grid-rows.js").GridRows} GridRows */

/**
 * @typedef {object} ToolActions
 * @property {() => void} remove
 * @property {() => void} setValue
 * @property {() => void} acted shows what an action of the app changed
 * @property {() => void} arrange
 * @property {() => void} reload asks for the rows
 * @property {() => void} changed shows a query that was changed
 */

export class GridTools {
  /**
   * @param {EntityPage} entity
   * @param {GridQuery} query
   * @param {GridRows} rows
   * @param {DataWorld} world
   * @param {ToolActions} actions
   * @param {HTMLElement} valuesButton
   */
  constructor(entity, query, rows, world, actions, valuesButton) {
    const rights = world.entity(entity.name), canEdit = !world.overview.isReadOnly, { name } = entity;
    this.rows = rows;
    this.search = new GridSearch(entity, query, actions.reload);
    this.count = h("span.badge", {}, "…");
    this.selection = h("span.hint.selection", { role: "status" });
    const remove = button("Delete", () => actions.remove(),
      { icon: "trash", kind: "danger" });
    const setAll = button("Set…", () => actions.setValue(),
      { icon: "edit", kind: "quiet", title: "Set a value in the selected rows" });
    const copy = button("Copy", (event) =>
      copyMenu(event.currentTarget, name, [...rows.selected], rows.keys()),
      { kind: "quiet", title: "Copy the selected rows" });
    const act = button("Actions", () => actionMenu(act, entity, [...rows.selected], world, actions.acted),
      { kind: "quiet", title: "What the app does with the selected rows" });
    /** The actions on the selected rows. */
    this.ofSelected = [remove, setAll, copy, act];
    /** What is about all rows. */
    this.ofAll = [h("a.button.quiet", { href: world.place(name, "chart") }, "Chart"),
      button("Columns", () => actions.arrange(), { kind: "quiet" }), densityButton()];
    this.element = h("div.toolbar.grid-tools", { class: query.isFiltered ? "is-filtering" : null },
      h("h1", {}, name), this.count, newButton(entity, world), this.#filterButton(),
      this.search.element, valuesButton, viewsButton(entity, query, actions.changed),
      h("span.spring"), this.selection,
      rights?.canExport && copy, canEdit && entity.actions.length > 0 && act,
      canEdit && setAll, canEdit && remove,
      this.ofAll,
      rights?.canExport && button("Export", (event) => exportMenu(event.currentTarget, name, query.fields(),
        () => rows.total),
        { icon: "download", kind: "quiet" }),
      rights?.canImport && canEdit && h("a.button.quiet", { href: world.place(name, "import") },
        icon("upload"), "Import"));
    this.drawSelection();
  }

  /** Where the page is narrow, filters are there on request. */
  #filterButton() {
    /** @type {HTMLButtonElement} */
    const own = button("Filter", () => own.setAttribute("aria-expanded",
      String(this.element.classList.toggle("is-filtering"))),
    { icon: "filter", kind: "quiet narrow-only", "aria-expanded": "false" });
    return own;
  }

  drawSelection() {
    const isSome = this.rows.selected.size > 0;
    for (const tool of this.ofSelected) tool.hidden = !isSome;
    // One line has no room for both.
    for (const tool of this.ofAll) tool.hidden = isSome;
    this.selection.textContent = this.rows.selectionText;
  }

  /** @param {number} count */
  drawCount(count) {
    this.count.textContent = number(count);
    this.count.title = plural(count, "row");
  }
}

/** Rows close together or with room; the browser remembers it. */
function densityButton() {
  const root = document.documentElement;
  const own = button("Compact", () => {
    const isCompact = root.dataset.density !== "compact";
    if (isCompact) root.dataset.density = "compact"; else delete root.dataset.density;
    own.setAttribute("aria-pressed", String(isCompact));
    try {
      localStorage.setItem("density", root.dataset.density ?? "");
    } catch { /* Private windows keep nothing. */ }
  }, { kind: "quiet density", title: "Rows close together",
    "aria-pressed": String(root.dataset.density === "compact") });
  return own;
}

/**
 * Makes an object, and asks of which entity where several are meant; null where nobody may.
 * @param {EntityPage} entity
 * @param {DataWorld} world
 */
export function newButton(entity, world) {
  if (!world.entity(entity.name)?.canInsert || world.overview.isReadOnly) return null;
  /** @param {string} kind */
  const add = (kind) => addObject(kind, world);
  const { creates } = entity;
  if (creates.length === 1) return button("New", () => add(creates[0]),
    { icon: "add", kind: "primary", title: `New ${creates[0]}` });
  /** @type {HTMLButtonElement} */
  const own = button("New", () => menu(own, creates.map((kind) => [kind, () => add(kind)])),
    { icon: "add", kind: "primary" });
  return own;
}
