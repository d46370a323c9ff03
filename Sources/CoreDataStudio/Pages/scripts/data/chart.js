// @ts-check
// A chart of an entity's rows, as they are filtered: in groups by a column, drawn as bars or as a line, with
// a table of the same
// figures.

import { h, show, svg, select, empty, icon } from "../ui.js";
import { get, post } from "../api.js";
import { plain, plural, visible } from "../state/text.js";
import { Turns } from "../state/turns.js";
import { facetColumns } from "./state/facets.js";
import { layout, linePath, pointsOf, withGaps } from "./state/chart.js";
import { question } from "./questions.js";
import { queryOf } from "./remembered.js";

/** @typedef {import("./state/chart.js").ChartPoint} ChartPoint */

/** @type {[string, string][]} */
const measures = [["sum", "Sum of"], ["average", "Average of"], ["min", "Least"], ["max", "Greatest"]];
const figures = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {DataWorld} world
 * @returns {Promise<ShownPage>}
 */
export async function showChart(root, name, world) {
  /** @type {EntityPage} */
  const entity = await get("data/entities/" + encodeURIComponent(name));
  const page = new ChartPage(root, entity, world);
  await page.load();
  return { reload: () => page.load(), stop: () => page.turns.end() };
}

/**
 * What is drawn, and how.
 * @param {import("./state/facets.js").FacetColumn[]} columns
 * @param {Attribute[]} numbers
 * @param {{ reload: () => void, draw: () => void }} actions
 */
function controls(columns, numbers, { reload, draw }) {
  const dates = columns.find(({ kind }) => kind === "dates");
  /** @type {[string, string][]} */
  const choices = [["count", "Number of rows"]];
  for (const [key, label] of measures) {
    for (const one of numbers) choices.push([`${key}:${one.key}`, `${label} ${one.label}`]);
  }
  return {
    by: select(columns.map(({ key, label }) => [key, label]), (dates ?? columns[0])?.key,
      { "aria-label": "By", onchange: reload }),
    unit: select(["year", "month", "day"], "month", { "aria-label": "Each", onchange: reload }),
    measure: select(choices, "count", { "aria-label": "Show", onchange: reload }),
    form: select(["bars", "line"], dates ? "line" : "bars", { "aria-label": "As", onchange: draw }),
  };
}

class ChartPage {
  /**
   * @param {HTMLElement} root
   * @param {EntityPage} entity
   * @param {DataWorld} world
   */
  constructor(root, entity, world) {
    this.entity = entity;
    this.query = queryOf(entity, world);
    this.world = world;
    this.turns = new Turns();
    this.columns = [...facetColumns(entity),
      ...entity.attributes.filter(({ kind, isSortable }) => kind === "number" && isSortable)
      .map(({ key, label }) => ({ key, label, kind: /** @type {const} */ ("values"), isShort: false }))];
    this.numbers = entity.attributes.filter(({ kind, type }) => kind === "number" || kind === "decimal"
      || kind === "choice" && type !== "String");
    this.controls = controls(this.columns, this.numbers,
      { reload: () => { this.load(); }, draw: () => this.#draw() });
    this.result = h("div.chart-body.pad", {});
    this.note = h("p.hint", { role: "status" });
    show(root, h("div.toolbar", {}, h("h1", {}, `${entity.name}: chart`),
      h("a.button.quiet", { href: world.place(entity.name) }, icon("back"), "Rows"), this.note),
    h("div.toolbar.chart-tools", {}, this.#labelled("By", this.controls.by),
      this.unitLabel = this.#labelled("Each",
      this.controls.unit),
      this.#labelled("Show", this.controls.measure), this.#labelled("As", this.controls.form)), this.result);
  }

  /** @param {string} label @param {HTMLElement} control */
  #labelled(label, control) { return h("label.row", {}, h("span.hint", {}, label), control); }

  get #column() { return this.columns.find(({ key }) => key === this.controls.by.value); }

  async load() {
    const column = this.#column;
    if (!column) { show(this.result,
      empty("The entity has no columns that rows can be grouped by.")); return; }
    this.unitLabel.hidden = column.kind !== "dates";
    const isMine = this.turns.next(), [fn, key] = this.controls.measure.value.split(":");
    /** @type {ChartAnswer} */
    let answer;
    try {
      answer = await post("data/chart", { question: question("/chart"), query: this.query.fields(),
        column: column.key,
        unit: this.controls.unit.value, measure: { function: fn, key: key ?? null } });
    } catch (error) {
      if (isMine()) show(this.result, h("p.message", { role: "alert" }, error.message));
      return;
    }
    if (!isMine()) return;
    const isDates = column.kind === "dates", found = pointsOf(answer.rows, /** @type {any} */ (fn), plain);
    this.points = isDates ? withGaps(found, fn === "count" || fn === "sum") : found;
    const rows = found.reduce((sum, { count }) => sum + count, 0);
    this.note.textContent = (this.query.isFiltered ? "of the filtered rows, " : "") + plural(found.length,
      "group")
      + (fn === "count" ? `, ${plural(rows, "row")}` : "");
    this.#draw();
  }

  #draw() {
    const { points } = this;
    if (!points) return;
    if (!points.length) { show(this.result, empty("There are no rows.")); return; }
    const title = `${this.controls.measure.selectedOptions[0].text} by ${this.#column?.label}`;
    show(this.result, h("figure.chart", {}, drawing(points, title, this.controls.form.value === "line"),
      h("figcaption", {}, title)),
      this.#table(points, title));
  }

  /**
   * The figures; a group leads to its rows.
   * @param {ChartPoint[]} points
   * @param {string} title
   */
  #table(points, title) {
    /** @param {ChartPoint} point */
    const open = ({ filter }) => {
      this.query.setFilter(this.controls.by.value, filter ?? "");
      location.hash = this.world.place(this.entity.name);
    };
    return h("div.table-area.chart-table", { tabindex: "0", role: "region", "aria-label": "Figures" },
      h("table", { "aria-label": title },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, this.#column?.label ?? ""),
        h("th.number", { scope: "col" }, this.controls.measure.selectedOptions[0].text))),
      h("tbody", {}, points.map((point) => h("tr", {}, h("td", {}, point.filter && point.count
        ? h("button.quiet", { type: "button", title: "Show these rows", onclick: () => open(point) },
          visible(point.label))
        : visible(point.label)), h("td.number", {}, point.value === null ? "–"
          : figures.format(point.value)))))));
  }
}

/**
 * The drawing. Its figures are in the table, so that readers are told of its title alone.
 * @param {ChartPoint[]} points
 * @param {string} title
 * @param {boolean} isLine
 */
function drawing(points, title, isLine) {
  const at = layout(points);
  return svg("svg", { viewBox: `0 0 ${at.width} ${at.height}`, role: "img", "aria-label": title,
    class: "chart-svg" },
    at.ticks.map(({ value, y }) => [svg("line", { class: "grid-line", x1: at.left, x2: at.right, y1: y,
      y2: y }),
      svg("text", { x: at.left - 6, y: y + 4, "text-anchor": "end" }, figures.format(value))]),
    isLine ? [svg("path", { class: "line", d: linePath(at.bars) }),
      at.bars.map((bar, index) => bar.isThere && svg("circle", { class: "dot", cx: bar.middle, cy: bar.end,
        r: points.length > 80 ? 1.5 : 3 },
        svg("title", {}, hint(points[index]))))]
      : at.bars.map((bar, index) => svg("rect", { class: "bar", x: bar.x, y: bar.y, width: bar.width,
        height: bar.height },
        svg("title", {}, hint(points[index])))),
    svg("line", { class: "axis", x1: at.left, x2: at.right, y1: at.zero, y2: at.zero }),
    at.names.map(({ label, x }) => svg("text", { "text-anchor": "end",
      transform: `translate(${x + 4} ${at.bottom + 14}) rotate(-35)` },
      label.length > 14 ? label.slice(0, 13) + "…" : label)));
}

/** @param {ChartPoint} point */
const hint = ({ label, value }) => `${label}: ${value === null ? "no value" : figures.format(value)}`;
