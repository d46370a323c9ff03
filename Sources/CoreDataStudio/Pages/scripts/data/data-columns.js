// What a person made of a grid's columns: which, in which order, how wide; kept in the browser.

import { h, show, button, dialog } from "./ui.js";

const place = (world, name) => `grid:${world.overview.title ?? ""}:${name}`;

/** Columns, widths and order that were chosen earlier. */
export function keptLayout(world, name) {
  try {
    const kept = JSON.parse(localStorage.getItem(place(world, name)) ?? "{}");
    return { columns: Array.isArray(kept.columns) ? kept.columns : null, widths: kept.widths ?? {}, sort: typeof kept.sort === "string" ? kept.sort : null };
  } catch {
    return { columns: null, widths: {}, sort: null };
  }
}

export function keepLayout(world, name, { columns, widths, sort }) {
  try { localStorage.setItem(place(world, name), JSON.stringify({ columns, widths, sort })); } catch { /* Private windows keep nothing. */ }
}

/** Asks which columns, in which order. Resolves to keys, to "standard", or to null. */
export function chooseColumns(entity, current) {
  const all = [...entity.attributes.flatMap((field) => [field, ...(field.elements ?? []).map((element) => ({ key: `${field.key}.${element.key}`, label: `${field.label}: ${element.label}` }))]),
    ...entity.relationships.filter((field) => field.kind === "toOne")];
  const items = [...current.map((key) => all.find((field) => field.key === key)).filter(Boolean), ...all.filter((field) => !current.includes(field.key))]
    .map((field) => ({ key: field.key, label: field.label, isShown: current.includes(field.key) }));
  return dialog("Columns", (close) => {
    const list = h("ol.column-list", { "aria-label": "Columns, in order" });
    const move = (index, step, name) => {
      items.splice(index + step, 0, items.splice(index, 1)[0]);
      draw();
      const wanted = list.children[index + step].querySelector(`[data-move=${name}]`);
      (wanted.disabled ? list.children[index + step].querySelector("[data-move]:not(:disabled)") : wanted)?.focus();
    };
    const draw = () => show(list, items.map((item, index) => {
      const box = h("input", { type: "checkbox", checked: item.isShown, value: item.key, onchange: () => { item.isShown = box.checked; } });
      return h("li.row", {}, h("label.row", {}, box, item.label), h("span.spring"),
        button("", () => move(index, -1, "up"), { icon: "up", kind: "quiet", label: `Move ${item.label} up`, disabled: index === 0, "data-move": "up" }),
        button("", () => move(index, 1, "down"), { icon: "down", kind: "quiet", label: `Move ${item.label} down`, disabled: index === items.length - 1, "data-move": "down" }));
    }));
    draw();
    const chosen = () => items.filter((item) => item.isShown).map((item) => item.key);
    return h("div.body", {}, list, h("footer", {}, button("Show", () => close(chosen().length ? chosen() : "standard"), { kind: "primary" }), button("Standard", () => close("standard"), { kind: "quiet" })));
  });
}

/** The edge of a column's head, which makes it wider and narrower: dragged, or with the arrow keys. */
export function widthGrip(column, table, widths, done) {
  const key = column.column;
  const set = (width) => {
    if (!Object.keys(widths).length || !table.classList.contains("sized")) freeze(table, widths);
    widths[key] = Math.max(48, Math.min(1200, Math.round(width)));
    applyWidths(table, widths);
  };
  const width = () => table.querySelector(`th[data-key="${CSS.escape(key)}"]`).getBoundingClientRect().width;
  const grip = h("span.width-grip", { role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": `Width of ${column.label}`, "aria-valuemin": "48", "aria-valuemax": "1200", "aria-valuenow": "120",
    onfocus: () => grip.setAttribute("aria-valuenow", String(Math.round(width()))),
    onkeydown: (event) => {
      const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
      if (!step) return;
      event.preventDefault();
      set(width() + step);
      grip.setAttribute("aria-valuenow", String(widths[key]));
      done();
    },
    onpointerdown: (event) => {
      event.preventDefault();
      const start = event.clientX, from = width();
      grip.setPointerCapture(event.pointerId);
      grip.onpointermove = (moved) => set(from + moved.clientX - start);
      grip.onpointerup = () => { grip.onpointermove = grip.onpointerup = null; done(); };
    } });
  return grip;
}

/** From the first change on, all columns keep the widths that they have. */
function freeze(table, widths) {
  for (const th of table.querySelectorAll("th[data-key]")) widths[th.dataset.key] ??= Math.round(th.getBoundingClientRect().width);
}

export function applyWidths(table, widths) {
  const heads = [...table.querySelectorAll("th[data-key]")];
  const isSized = heads.length > 0 && heads.some((th) => th.dataset.key in widths);
  table.classList.toggle("sized", isSized);
  let total = 34;
  for (const th of heads) {
    const width = widths[th.dataset.key] ?? 160;
    total += width;
    th.style.setProperty("width", isSized ? width + "px" : "");
  }
  table.style.setProperty("width", isSized ? total + "px" : "");
}
