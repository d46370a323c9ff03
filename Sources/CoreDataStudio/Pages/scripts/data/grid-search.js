// @ts-check
// The search box of a grid: words that are looked for in its texts, or in the columns that a person chose.

import { h, button } from "../ui.js";
import { dialog } from "../dialogs.js";
import { debounce } from "../state/turns.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */

export class GridSearch {
  /**
   * @param {EntityPage} entity
   * @param {GridQuery} query
   * @param {() => void} reload asks for the rows
   */
  constructor(entity, query, reload) {
    this.query = query;
    this.columns = entity.searchable;
    this.reload = reload;
    const set = () => { if (query.setSearch(this.input.value)) reload(); };
    /** @param {KeyboardEvent} event */
    const keys = (event) => { if (event.key === "Enter") set(); };
    /** @type {HTMLInputElement} */
    this.input = h("input.search", { type: "search", value: query.search,
      "aria-label": `Search ${entity.name}`,
      dataset: { search: "" }, oninput: debounce(set, 300), onkeydown: keys });
    this.chooser = button("", () => this.#choose(), { icon: "more", kind: "quiet",
      label: "Where to search" });
    this.element = h("span.row.search-box", { hidden: !this.columns.length }, this.input, this.chooser);
    this.draw();
  }

  /** Shows what the query says. */
  draw() {
    const labels = this.query.searchedOf(this.columns).map(({ label }) => label);
    this.input.placeholder = labels.length > 2 ? `Search ${labels.length} columns`
      : `Search ${labels.join(" and ")}`;
    this.input.title = `Each word is in one of: ${labels.join(", ")}. Words in quotes stand together.`;
    if (document.activeElement !== this.input) this.input.value = this.query.search;
  }

  /** Asks which columns are searched. */
  async #choose() {
    const { query, columns } = this, chosen = query.searchedOf(columns);
    const boxes = columns.map((column) => h("input", { type: "checkbox", value: column.key,
      checked: chosen.includes(column) }));
    /** @type {string[] | null} */
    const keys = await dialog("Columns to search", (close) => h("form.body", { onsubmit: (event) => {
      event.preventDefault();
      close(boxes.filter((box) => box.checked).map((box) => box.value));
    } }, h("div.stack.tight", {}, columns.map(({ label }, index) => h("label.row", {}, boxes[index], label))),
    h("footer", {}, h("button.primary", { type: "submit" }, "Search these"),
      button("Standard", () => close([]), { kind: "quiet" }))));
    if (!keys) return;
    query.chooseSearched(keys, columns);
    this.draw();
    this.reload();
  }
}
