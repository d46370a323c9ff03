// @ts-check
// The objects of a relationship as rows that are edited where they stand.

import { h, show, button } from "../ui.js";
import { attempt, toast } from "../dialogs.js";
import { get } from "../api.js";
import { objectPath } from "../state/text.js";
import { GridRows } from "./state/grid-rows.js";
import { GridBody } from "./grid-body.js";
import { editCell } from "./grid-cell.js";
import { isNumber } from "./grid-head.js";

/** @typedef {import("./object.js").ObjectHost} ObjectHost */

export class RelatedTable {
  /**
   * @param {ObjectRelation} relation
   * @param {ObjectHost} host
   * @param {(count: number) => void} counted
   */
  constructor(relation, host, counted) {
    this.relation = relation;
    this.host = host;
    this.counted = counted;
    this.rows = new GridRows();
    /** Whether rows came while somebody typed in one of them. */
    this.isPostponed = false;
    this.head = h("thead", {});
    /** @type {GridBody} */
    this.body = new GridBody(relation.destination, this.rows, host.world.refused, {
      edit: (cell, start) => this.#edit(cell, start ?? null), turnPage: () => {}, focusFilter: () => {},
      removeSelected: host.canSet(relation) ? () => { this.#remove(); } : null,
      selectionChanged: () => this.#drawSelection() });
    this.remove = button("Remove from the relationship", () => this.#remove(),
      { icon: "remove", kind: "quiet" });
    this.remove.hidden = true;
    this.element = h("div.stack.tight", {}, h("div.table-area", { tabindex: "0", role: "region",
      "aria-label": `${relation.label} as rows` }, h("table.grid", { "aria-label": relation.label },
        this.head,
      this.body.element)), this.remove);
  }

  /** @param {number} limit */
  async load(limit) {
    this.limit = limit;
    const answer = await attempt(() => get(objectPath(this.host.id, "rows", this.relation.key), { limit }));
    if (!answer || this.host.isStopped) return;
    this.isPostponed = this.body.isEditing;
    if (this.isPostponed) return;
    this.counted(answer.count);
    const focus = this.body.focusPlace();
    this.rows.take(answer, true);
    show(this.head, h("tr", {}, h("th", {}, h("span.model-hidden", {}, "Selected")),
      this.rows.columns.map((column) =>
      h("th", { scope: "col", class: isNumber(column) ? "number" : null }, column.label))));
    this.body.draw();
    this.#drawSelection();
    this.body.focusAgain(focus);
  }

  #drawSelection() {
    this.body.drawSelection();
    this.remove.hidden = this.rows.selected.size === 0 || !this.host.canSet(this.relation);
  }

  async #remove() {
    const ids = [...this.rows.selected];
    this.rows.selected.clear();
    await this.host.changeMembers(this.relation.key, { remove: ids });
  }

  /**
   * @param {HTMLTableCellElement} cell
   * @param {string | null} start
   */
  #edit(cell, start) {
    const { world } = this.host, at = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    const row = this.rows.rows[at.row], column = this.rows.columns[at.column];
    if (world.overview.isReadOnly) { toast("Nothing can be changed here: the studio is read-only, or you may only look."); return; }
    if (column.lock) { toast(column.lock); return; }
    if (row.state === "deleted") return;
    const reload = () => this.load(this.limit ?? 50);
    editCell(cell, row, column, row.cells[at.column], world, {
      open: () => this.body.open(at.row),
      neighbour: (down, right) => this.body.cellAt(at.row + down, at.column + right),
      given: () => this.isPostponed ? reload() : undefined, sent: reload,
    }, start);
  }
}
