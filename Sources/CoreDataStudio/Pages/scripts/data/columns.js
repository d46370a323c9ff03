// @ts-check
// A person's choice of a grid's columns, their order and their widths; kept in the browser.

import { h, show, button } from "../ui.js";
import { dialog } from "../dialogs.js";
import { readLayout } from "./state/grid-query.js";
import { ColumnChoice } from "./state/column-choice.js";

/** @typedef {import("./state/grid-query.js").KeptLayout} KeptLayout */

/** @param {DataWorld} world @param {string} name */
const place = (world, name) => `grid:${world.overview.title ?? ""}:${name}`;

/**
 * Columns, widths and order that were chosen earlier.
 * @param {DataWorld} world
 * @param {string} name
 * @param {Set<string>} known
 */
export function keptLayout(world, name, known) {
  /** @type {string | null} */
  let text = null;
  try { text = localStorage.getItem(place(world, name)); } catch { /* Private windows keep nothing. */ }
  return readLayout(text, known);
}

/**
 * @param {DataWorld} world
 * @param {string} name
 * @param {KeptLayout} layout
 */
export function keepLayout(world, name, layout) {
  try { localStorage.setItem(place(world, name), JSON.stringify(layout)); } catch { /* As above. */ }
}

/**
 * Asks which columns, in which order. Resolves to keys, to "standard", or to null.
 * @param {EntityPage} entity
 * @param {string[]} current
 * @returns {Promise<string[] | "standard" | null>}
 */
export function chooseColumns(entity, current) {
  const choice = new ColumnChoice(entity, current);
  return dialog("Columns", (close) => {
    const list = h("ol.column-list", { "aria-label": "Columns, in order" });
    const draw = () => show(list, choice.items.map((item, index) => columnItem(choice, item, index, move)));
    /**
     * @param {number} index
     * @param {number} step
     * @param {string} name
     */
    const move = (index, step, name) => {
      choice.move(index, step);
      draw();
      const tools = /** @type {HTMLButtonElement[]} */ ([...list.children[index
        + step].querySelectorAll("[data-move]")]);
      const wanted = tools.find((tool) => tool.dataset.move === name && !tool.disabled)
        ?? tools.find((tool) => !tool.disabled);
      wanted?.focus();
    };
    draw();
    return h("div.body", {}, list, h("footer", {},
      button("Show", () => close(choice.keys()), { kind: "primary" }),
      button("Standard", () => close("standard"), { kind: "quiet" })));
  });
}

/**
 * @param {ColumnChoice} choice
 * @param {import("./state/column-choice.js").ColumnItem} item
 * @param {number} index
 * @param {(index: number, step: number, name: string) => void} move
 */
function columnItem(choice, item, index, move) {
  /** @type {HTMLInputElement} */
  const box = h("input", { type: "checkbox", checked: item.isShown, value: item.key, onchange: () => {
    item.isShown = box.checked;
  } });
  return h("li.row", {}, h("label.row", {}, box, item.label), h("span.spring"),
    button("", () => move(index, -1, "up"),
      { icon: "up", kind: "quiet", label: `Move ${item.label} up`, disabled: index === 0,
      "data-move": "up" }),
    button("", () => move(index, 1, "down"),
      { icon: "down", kind: "quiet", label: `Move ${item.label} down`,
      disabled: index === choice.items.length - 1, "data-move": "down" }));
}

/**
 * The edge of a column's head, which makes it wider and narrower: dragged, or with the arrow keys.
 * @param {GridColumn} column
 * @param {HTMLTableElement} table
 * @param {Record<string, number>} widths
 * @param {() => void} done
 */
export function widthGrip(column, table, widths, done) {
  const key = column.column;
  /** @param {number} width */
  const set = (width) => {
    if (!Object.keys(widths).length || !table.classList.contains("sized")) freeze(table, widths);
    widths[key] = Math.max(48, Math.min(1200, Math.round(width)));
    applyWidths(table, widths);
  };
  const width = () =>
    table.querySelector(`th[data-key="${CSS.escape(key)}"]`)?.getBoundingClientRect().width ?? 0;
  /** @param {KeyboardEvent} event */
  const step = (event) => {
    const step = event.key === "ArrowLeft" ? -16 : event.key === "ArrowRight" ? 16 : 0;
    if (!step) return;
    event.preventDefault();
    set(width() + step);
    grip.setAttribute("aria-valuenow", String(widths[key]));
    done();
  };
  /** @param {PointerEvent} event */
  const drag = (event) => {
    event.preventDefault();
    const start = event.clientX, from = width();
    grip.setPointerCapture(event.pointerId);
    grip.onpointermove = (moved) => set(from + moved.clientX - start);
    grip.onpointerup = () => { grip.onpointermove = grip.onpointerup = null; done(); };
  };
  /** @type {HTMLElement} */
  const grip = h("span.width-grip", {
    role: "separator", tabindex: "0", "aria-orientation": "vertical",
    "aria-label": `Width of ${column.label}`,
    "aria-valuemin": "48", "aria-valuemax": "1200", "aria-valuenow": "120",
    onfocus: () => grip.setAttribute("aria-valuenow", String(Math.round(width()))), onkeydown: step,
      onpointerdown: drag });
  return grip;
}

/** @param {HTMLTableElement} table */
const titles = (table) => /** @type {HTMLElement[]} */ ([...table.querySelectorAll("th[data-key]")]);

/**
 * From the first change on, all columns keep the widths that they have.
 * @param {HTMLTableElement} table
 * @param {Record<string, number>} widths
 */
function freeze(table, widths) {
  for (const th of titles(table)) widths[th.dataset.key
    ?? ""] ??= Math.round(th.getBoundingClientRect().width);
}

/**
 * @param {HTMLTableElement} table
 * @param {Record<string, number>} widths
 */
export function applyWidths(table, widths) {
  const heads = titles(table);
  const isSized = heads.some((th) => (th.dataset.key ?? "") in widths);
  table.classList.toggle("sized", isSized);
  let total = 34;
  for (const th of heads) {
    const width = widths[th.dataset.key ?? ""] ?? 160;
    total += width;
    th.style.setProperty("width", isSized ? width + "px" : "");
  }
  table.style.setProperty("width", isSized ? total + "px" : "");
}
