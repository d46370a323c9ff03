// @ts-check
// A cell of a grid that is edited where it stands.

import { h, show } from "../ui.js";
import { toast } from "../dialogs.js";
import { idText, plain, visible } from "../state/text.js";
import { shownIn } from "./values.js";
import { cellEditor } from "./cell-editor.js";

/**
 * @typedef {object} CellActions
 * @property {() => void} open goes to the object's page, for what doesn't fit a line
 * @property {(down: number, right: number) => HTMLElement | null} neighbour
 * @property {() => unknown} given the person gave up
 * @property {() => unknown} sent the value was sent
 */

/**
 * Edits a cell.
 * @param {HTMLTableCellElement} cell
 * @param {GridRow} row
 * @param {GridColumn} column
 * @param {StudioValue} value
 * @param {DataWorld} world
 * @param {CellActions} actions
 * @param {string | null} start what was typed to begin
 */
export function editCell(cell, row, column, value, world, actions, start) {
  const inside = [...cell.childNodes];
  let isDone = false;
  /**
   * `onward`: where the person goes next, in rows and columns; null to stay where they went.
   * @param {any} [result] undefined to give up
   * @param {[number, number] | null} onward
   */
  async function finish(result, onward = [0, 0]) {
    if (isDone) return;
    isDone = true;
    if (result === undefined) world.refused.drop(row.id, column.column);
    // At once, so that what is typed next is not lost while the server answers.
    show(cell, result === undefined && !refused ? inside
      : result === undefined ? shownIn(column, value)
      : h("span.dim", {}, typeof result === "string" ? visible(result) : shownIn(column, result)));
    if (onward) (actions.neighbour(...onward) ?? cell).focus();
    if (result === undefined) { await actions.given(); return; }
    const answer = await world.setValue({ id: row.id, title: plain(row.cells[0]) || idText(row.id) },
      column.column, column.label, result);
    // Only a text is kept to be corrected.
    if (answer.problem && typeof result !== "string") {
      show(cell, shownIn(column, value));
      toast(answer.problem, "error");
    }
    await actions.sent();
  }
  const refused = world.refused.of(row.id, column.column);
  const editor = cellEditor(column, value, finish, start ?? refused?.text);
  if (!editor) {
    sessionStorage.setItem("focus-field", JSON.stringify({ id: row.id, key: column.column }));
    actions.open();
    return;
  }
  show(cell, editor);
  editor.focus();
  if (start === null && editor instanceof HTMLInputElement) editor.select();
}
