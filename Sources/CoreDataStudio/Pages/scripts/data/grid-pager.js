// @ts-check
// Below a grid: which rows are shown, and the ways to others.

import { h, show, button } from "../ui.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */
/** @typedef {import("./state/grid-rows.js").GridRows} GridRows */

/**
 * Draws the pager.
 * @param {HTMLElement} element
 * @param {GridQuery} query
 * @param {GridRows} rows
 * @param {{ goTo: (offset: number) => void, turnPage: (step: number) => void, reload: () => void }} actions
 */
export function drawPager(element, query, rows, { goTo, turnPage, reload }) {
  const at = rows.position(query.offset);
  /** @type {HTMLInputElement} */
  const jump = h("input.jump", { type: "number", min: "1", value: String(at.from || 1),
    "aria-label": "Go to row",
    onchange: () => { query.goToRow(Number(jump.value)); reload(); } });
  show(element,
    button("", () => goTo(0), { label: "First page", icon: "up", disabled: at.isFirst }),
    button("", () => turnPage(-1), { icon: "back", label: "Previous page", disabled: at.isFirst }),
    h("span.hint", {}, at.text),
    button("", () => turnPage(1), { icon: "next", label: "Next page", disabled: !at.hasNext }),
    button("", () => goTo(at.last ?? 0), { icon: "down", label: "Last page", disabled: !at.hasLast }),
    at.hasSeveral && h("label.row.hint", {}, "Row ", jump),
    h("span.spring"), h("span.hint.keys", {},
      "F2 or typing edits, Enter opens, Space selects, Shift+click sorts further"));
}
