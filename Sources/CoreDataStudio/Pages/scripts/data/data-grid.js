// The grid: pages through an entity's rows, sorts, filters, edits in place.

import { h, show, button, icon, empty, menu, toast, attempt, debounce, held } from "./ui.js";
import { get, post, link } from "./api.js";
import { shown, plain, number, plural, objectPlace, objectPath, visible } from "./data-values.js";
import { cellEditor } from "./data-fields.js";
import { predicatePanel } from "./data-predicate.js";
import { deleteObjects } from "./data-delete.js";
import { keptLayout, keepLayout, chooseColumns, widthGrip, applyWidths } from "./data-columns.js";
import { copyMenu, setInAll } from "./data-selection.js";

const pageSize = 100;
/** What each entity's grid was like when it was left. */
const remembered = new Map();

export async function showGrid(root, name, query, world) {
  const entity = await get("data/entities/" + encodeURIComponent(name));
  const rights = world.entity(name) ?? {};
  const layout = keptLayout(world, name);
  // The model may have changed since.
  const known = new Set([...entity.attributes.flatMap((field) => [field.key, ...(field.elements ?? []).map((element) => `${field.key}.${element.key}`)]), ...entity.relationships.map((field) => field.key)]);
  const isKnown = (key) => known.has(key.replace(/^-/, ""));
  layout.columns = layout.columns?.filter(isKnown) ?? null;
  if (!layout.columns?.length) layout.columns = null;
  layout.sort = layout.sort?.split(",").filter(isKnown).join(",") || null;
  const kept = { ...layout, ...(remembered.get(name) ?? {}) };
  const state = {
    offset: kept.offset ?? 0, sort: kept.sort ?? null, filters: { ...(kept.filters ?? {}) }, predicate: kept.predicate ?? "",
    variables: kept.variables ?? {}, columns: kept.columns ?? null, widths: kept.widths ?? {}, titles: kept.titles ?? {}, selected: new Set(), rows: [], columnList: [], total: null,
  };
  if (query.predicate) state.predicate = query.predicate;
  remembered.set(name, state);
  let stopped = false, isPostponed = false, latest = 0, old = new Map();

  const count = h("span.badge", {}, "…");
  const remove = button("Delete", () => removeSelected(), { icon: "trash", kind: "danger", disabled: true });
  const selection = h("span.hint.selection", { role: "status" });
  const setAll = button("Set…", async () => { if (await setInAll(entity, [...state.selected], world)) await load({ quiet: true }); }, { icon: "edit", kind: "quiet", disabled: true, title: "Set a value in the selected rows" });
  const copy = button("Copy", (event) => copyMenu(event.currentTarget, name, [...state.selected], state.columnList.map((column) => column.column)), { kind: "quiet", disabled: true, title: "Copy the selected rows" });
  const toolbar = h("div.toolbar", {}, h("h1", {}, name), count,
    rights.canInsert && !world.overview.isReadOnly && newButton(), h("span.spring"), selection,
    rights.canExport && copy, !world.overview.isReadOnly && setAll, !world.overview.isReadOnly && remove,
    button("Columns", () => arrange(), { kind: "quiet" }),
    rights.canExport && button("Export", (event) => exportMenu(event.currentTarget), { icon: "download", kind: "quiet" }),
    rights.canImport && !world.overview.isReadOnly && h("a.button.quiet", { href: world.place(name, "import") }, icon("upload"), "Import"));
  const predicate = predicatePanel(entity, state, world, () => { state.offset = 0; load(); });
  const head = h("thead", {});
  const body = h("tbody", {});
  const table = h("table.grid", { "aria-label": name, "aria-rowcount": "-1" }, head, body);
  const area = h("div.grid-area", {}, table);
  const note = h("div.grid-note", {});
  const pager = h("nav.toolbar.pager", { "aria-label": "Pages" });
  show(root, toolbar, predicate.element, area, note, pager);

  function newButton() {
    const add = (kind) => attempt(async () => {
      const object = await world.change("data/objects", { entity: kind });
      location.hash = objectPlace(object.id);
    });
    if (entity.creates.length === 1) return button("New", () => add(entity.creates[0]), { icon: "add", kind: "primary", title: `New ${entity.creates[0]}` });
    const own = button("New", () => menu(own, entity.creates.map((kind) => [kind, () => add(kind)])), { icon: "add", kind: "primary" });
    return own;
  }

  const fields = () => ({
    entity: name, predicate: state.predicate || null, filters: state.filters, sort: state.sort, columns: state.columns,
    variables: state.variables,
  });

  async function load(options = {}) {
    const turn = ++latest;
    area.setAttribute("aria-busy", "true");
    let answer;
    try {
      answer = await post("data/rows", { query: fields(), offset: state.offset, limit: pageSize });
    } catch (error) {
      if (turn !== latest || stopped) return;
      area.removeAttribute("aria-busy");
      predicate.fail(error);
      show(note, h("p.message", { role: "alert" }, error.message));
      return;
    }
    await held();
    if (turn !== latest || stopped) return;
    area.removeAttribute("aria-busy");
    predicate.fail(null);
    world.take(answer.status);
    // Rows don't change under somebody who is typing in one of them.
    isPostponed = Boolean(options.quiet && body.querySelector(".cell-editor"));
    if (isPostponed) return;
    if (!answer.rows.length && state.offset > 0) { state.offset = Math.max(0, state.offset - pageSize); return load(options); }
    const focus = focusPlace();
    old = options.quiet ? new Map(state.rows.map((row) => [row.id, JSON.stringify(row.cells)])) : new Map();
    state.rows = answer.rows;
    state.columnList = answer.columns;
    state.isLast = answer.isLast;
    keepLayout(world, name, state);
    drawHead();
    drawBody();
    drawPager();
    if (focus) cellAt(focus.row, focus.column)?.focus();
    if (!options.quiet || state.total === null) readCount(turn);
    else readCount(turn);
  }

  async function readCount(turn) {
    try {
      const answer = await post("data/count", fields());
      if (turn !== latest || stopped) return;
      state.total = answer.count;
      count.textContent = number(answer.count);
      count.title = plural(answer.count, "row");
      table.setAttribute("aria-rowcount", String(answer.count + 2));
      drawPager();
    } catch { /* The rows say what is wrong. */ }
  }

  // MARK: Head

  const sorted = () => (state.sort ?? "").split(",").filter(Boolean);

  let headKey = "";
  function drawHead() {
    const key = JSON.stringify(state.columnList.map((column) => column.column));
    if (key !== headKey) {
      headKey = key;
      const all = h("input", { type: "checkbox", "aria-label": "Select all rows of the page", onchange: () => selectAll(all.checked) });
      show(head,
        h("tr", {}, h("th.check", {}, all), state.columnList.map((column) => h("th", { scope: "col", dataset: { key: column.column }, class: isNumber(column) ? "number" : null },
          column.isSortable ? h("button.quiet.sort", { type: "button", title: column.help ?? column.type ?? column.destination, onclick: (event) => sortBy(column.column, event.shiftKey),
            onkeydown: (event) => { if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) { event.preventDefault(); moveColumn(column.column, event.key === "ArrowLeft" ? -1 : 1); } } }, h("span", {}, column.label), h("span.arrow", { "aria-hidden": "true" }))
            : h("span.plain", { title: column.help ?? column.type ?? column.destination }, column.label), widthGrip(column, table, state.widths, () => keepLayout(world, name, state))))),
        h("tr.filters", {}, h("th", { "aria-hidden": "true" }), state.columnList.map((column, index) => h("th", {}, filterInput(column, index)))));
    }
    applyWidths(table, state.widths);
    const order = sorted();
    for (const th of head.querySelectorAll("th[data-key]")) {
      const place = order.findIndex((key) => key.replace(/^-/, "") === th.dataset.key);
      const direction = place < 0 ? null : order[place].startsWith("-") ? "descending" : "ascending";
      // Readers are told of the column that counts most.
      if (direction && place === 0) th.setAttribute("aria-sort", direction); else th.removeAttribute("aria-sort");
      const arrow = th.querySelector(".arrow");
      if (arrow) arrow.textContent = (direction === "ascending" ? "▲" : direction === "descending" ? "▼" : "") + (direction && order.length > 1 ? place + 1 : "");
    }
  }

  const isNumber = (column) => column.kind === "number" || column.kind === "decimal";

  function filterInput(column, index) {
    const hints = { text: "contains", number: "> 5, 3..7", decimal: "> 5, 3..7", date: "2024-05", boolean: "yes", toOne: "contains" };
    return h("input.filter", {
      type: "search", value: state.filters[column.column] ?? "", placeholder: hints[column.kind] ?? "nil", "aria-label": `Filter ${column.label}`,
      title: "=text, !=text, > 5, 3..7, nil, !nil; texts: what they contain", dataset: index === 0 ? { search: "" } : {},
      oninput: debounce((event) => setFilter(column.column, event.target.value), 300),
      onkeydown: (event) => { if (event.key === "Enter") setFilter(column.column, event.target.value); if (event.key === "ArrowDown") { event.preventDefault(); cellAt(0, index)?.focus(); } },
    });
  }

  function setFilter(key, text) {
    if ((state.filters[key] ?? "") === text) return;
    if (text.trim()) state.filters[key] = text; else delete state.filters[key];
    state.offset = 0;
    load();
  }

  /** By one column; with Shift by this one after the others. */
  function sortBy(key, isFurther) {
    const order = sorted(), place = order.findIndex((own) => own.replace(/^-/, "") === key);
    const next = place < 0 ? key : order[place] === key ? "-" + key : null;
    const others = isFurther ? order : [];
    if (isFurther && place >= 0) others.splice(place, 1, ...(next ? [next] : []));
    else if (next) others.push(next);
    state.sort = others.join(",") || null;
    state.offset = 0;
    load();
  }

  async function moveColumn(key, step) {
    const keys = state.columnList.map((column) => column.column), at = keys.indexOf(key);
    if (at + step < 0 || at + step >= keys.length) return;
    keys.splice(at + step, 0, keys.splice(at, 1)[0]);
    state.columns = keys;
    await load();
    head.querySelector(`th[data-key="${CSS.escape(key)}"] .sort`)?.focus();
  }

  // MARK: Body

  function drawBody() {
    const ids = new Set(state.rows.map((row) => row.id));
    for (const id of [...state.selected]) if (!ids.has(id)) state.selected.delete(id);
    show(body, state.rows.map((row, index) => drawRow(row, index)));
    drawSelection();
    const isFiltered = state.predicate || Object.keys(state.filters).length;
    show(note, state.rows.length === 0 && (isFiltered
      ? empty("No object matches.", button("Show all", () => { state.filters = {}; state.predicate = ""; predicate.set(""); headKey = ""; load(); }))
      : empty(`There are no objects of ${name} yet.`, rights.canInsert && !world.overview.isReadOnly && newButton())));
  }

  function drawRow(row, index) {
    const before = old.get(row.id);
    const isFresh = before !== undefined && before !== JSON.stringify(row.cells);
    const check = h("input", {
      type: "checkbox", checked: state.selected.has(row.id), "aria-label": `Select ${row.id}`, tabindex: "-1",
      onclick: (event) => { mark(event.shiftKey && lastMarked !== null ? lastMarked : index, index, check.checked); lastMarked = index; },
    });
    const changed = new Set(row.changed);
    return h("tr", { dataset: { id: row.id }, class: [row.state, isFresh && "fresh"].filter(Boolean).join(" ") },
      h("td.check", {}, check), row.cells.map((value, at) => {
        const column = state.columnList[at];
        return h("td", {
          class: [isNumber(column) && "number", changed.has(column.column.split(".")[0]) && "changed"].filter(Boolean).join(" ") || null,
          tabindex: index === 0 && at === 0 ? "0" : "-1", dataset: { row: index, column: at },
          "aria-label": at === 0 ? `${plain(value) || "no value"}, ${row.id}${row.state === "saved" ? "" : ", " + row.state}` : null,
        }, at === 0 ? first(row, value) : shown(value, { tabindex: "-1" }));
      }));
  }

  let lastMarked = null;
  /** Selects the rows from one to another, or no longer. */
  function mark(from, to, isOn) {
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
      const row = state.rows[index];
      if (!row) continue;
      state.selected[isOn ? "add" : "delete"](row.id);
      body.children[index].querySelector("input").checked = isOn;
    }
    drawSelection();
  }

  const first = (row, value) => h("a.object", { href: objectPlace(row.id), tabindex: "-1" },
    value === null || value === "" ? h("span.dim", {}, row.id.replace("/", " ")) : shown(value && value.$ === "object" ? value.title : value),
    row.entity !== name && h("span.badge", {}, row.entity), row.state !== "saved" && h("span.badge", { class: { new: "good", changed: "warn", deleted: "danger" }[row.state] }, row.state));

  const cellAt = (row, column) => body.querySelector(`td[data-row="${row}"][data-column="${column}"]`);
  function focusPlace() {
    const cell = document.activeElement?.closest?.("td[data-row]");
    return cell && body.contains(cell) && document.activeElement === cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : null;
  }

  body.addEventListener("focusin", (event) => {
    const cell = event.target.closest("td[data-row]");
    if (!cell) return;
    for (const other of body.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
  });
  body.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td[data-row]");
    if (!cell || event.target !== cell) return;
    const row = Number(cell.dataset.row), column = Number(cell.dataset.column);
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (moves[event.key]) {
      event.preventDefault();
      const [down, right] = moves[event.key];
      if (row + down < 0) { head.querySelectorAll("input.filter")[column]?.focus(); return; }
      if (event.shiftKey && down && state.rows[row + down]) { mark(row, row + down, true); lastMarked = row + down; }
      cellAt(row + down, column + right)?.focus();
      return;
    }
    const commands = {
      Home: () => cellAt(event.ctrlKey ? 0 : row, 0)?.focus(), End: () => cellAt(event.ctrlKey ? state.rows.length - 1 : row, state.columnList.length - 1)?.focus(),
      PageDown: () => turnPage(1), PageUp: () => turnPage(-1), F2: () => edit(cell), " ": () => body.children[row].querySelector("input").click(),
      Enter: () => column === 0 || event.ctrlKey ? openRow(row) : edit(cell), Escape: () => mark(0, state.rows.length - 1, false),
      Delete: () => { if (!world.overview.isReadOnly) { mark(row, row, true); removeSelected(); } },
    };
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && event.key === "a") mark(0, state.rows.length - 1, true);
    else if (isControl && event.key === "c" && !String(getSelection())) attempt(() => navigator.clipboard.writeText(plain(state.rows[row].cells[column])));
    else if (commands[event.key]) commands[event.key]();
    else if (event.key.length === 1 && !isControl && !event.altKey && event.key !== "/") edit(cell, event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  body.addEventListener("dblclick", (event) => {
    const cell = event.target.closest("td[data-row]");
    if (cell) { event.preventDefault(); edit(cell); }
  });

  const openRow = (row) => { location.hash = objectPlace(state.rows[row].id); };

  /** Edits a cell where it stands; what doesn't fit a line is edited in the object's page. */
  function edit(cell, start = null) {
    const row = state.rows[Number(cell.dataset.row)], at = Number(cell.dataset.column);
    const column = state.columnList[at], value = row.cells[at];
    if (world.overview.isReadOnly) return toast("The studio was opened read-only.");
    if (column.lock) return toast(column.lock);
    if (row.state === "deleted") return;
    const editor = cellEditor(column, value, finish, start);
    if (!editor) { sessionStorage.setItem("focus-field", JSON.stringify({ id: row.id, key: column.column })); return openRow(Number(cell.dataset.row)); }
    const inside = [...cell.childNodes];
    let isDone = false;
    /** `onward`: where the person goes next, in rows and columns; null to stay where they went. */
    async function finish(result, onward = [0, 0]) {
      if (isDone) return;
      isDone = true;
      // At once, so that what is typed next is not lost while the server answers.
      show(cell, result === undefined ? inside : h("span.dim", {}, result === null ? "nil" : visible(String(result))));
      if (onward) (cellAt(Number(cell.dataset.row) + onward[0], at + onward[1]) ?? cell).focus();
      if (result === undefined) { if (isPostponed) await load({ quiet: true }); return; }
      try {
        const page = await world.change(objectPath(row.id), { key: column.column, value: result });
        const field = page.fields.find((field) => field.key === column.column.split(".")[0]);
        if (field?.message) toast(`${field.label}: ${field.message}`, "error");
      } catch (error) {
        toast(error.message, "error");
      }
      await load({ quiet: true });
    }
    show(cell, editor);
    editor.focus();
    if (start === null) editor.select?.();
  }

  // MARK: Pages, selection, columns, files

  function drawPager() {
    const saved = state.rows.filter((row) => row.state !== "new").length;
    const from = state.rows.length ? state.offset + 1 : 0, to = state.offset + saved;
    const last = state.total === null ? null : Math.max(0, Math.floor((state.total - 1) / pageSize) * pageSize);
    const jump = h("input.jump", { type: "number", min: "1", value: String(from || 1), "aria-label": "Go to row",
      onchange: () => { state.offset = Math.max(0, Math.floor((Number(jump.value) - 1) / pageSize) * pageSize); load(); } });
    show(pager, button("", () => goTo(0), { label: "First page", icon: "up", disabled: state.offset === 0 }),
      button("", () => turnPage(-1), { icon: "back", label: "Previous page", disabled: state.offset === 0 }),
      h("span.hint", {}, saved ? `${number(from)}–${number(to)}` + (state.total === null ? "" : ` of ${number(state.total)}`) : "No rows"),
      button("", () => turnPage(1), { icon: "next", label: "Next page", disabled: state.isLast || (state.total !== null && to >= state.total) }),
      button("", () => goTo(last), { icon: "down", label: "Last page", disabled: last === null || state.offset >= last }),
      state.total > pageSize && h("label.row.hint", {}, "Row ", jump),
      h("span.spring"), h("span.hint.keys", {}, "F2 or typing edits, Enter opens, Space selects, Shift+click sorts further"));
  }

  const goTo = (offset) => { state.offset = offset ?? 0; load().then(() => cellAt(0, 0)?.focus()); };
  function turnPage(step) {
    if (step < 0 && state.offset === 0) return;
    if (step > 0 && state.isLast) return;
    goTo(Math.max(0, state.offset + step * pageSize));
  }

  function selectAll(isOn) {
    state.selected = new Set(isOn ? state.rows.map((row) => row.id) : []);
    drawBody();
  }
  function drawSelection() {
    for (const tr of body.children) tr.setAttribute("aria-selected", String(state.selected.has(tr.dataset.id)));
    for (const tool of [remove, setAll, copy]) tool.disabled = state.selected.size === 0;
    const all = head.querySelector("th.check input");
    if (all) {
      all.checked = state.rows.length > 0 && state.selected.size === state.rows.length;
      all.indeterminate = state.selected.size > 0 && !all.checked;
    }
    selection.textContent = state.selected.size ? plural(state.selected.size, "row") + " selected" : "";
  }
  async function removeSelected() {
    if (!await deleteObjects([...state.selected], world)) return;
    state.selected.clear();
    await load({ quiet: true });
  }

  async function arrange() {
    const answer = await chooseColumns(entity, state.columnList.map((column) => column.column));
    if (!answer) return;
    state.columns = answer === "standard" ? null : answer;
    if (answer === "standard") state.widths = {};
    for (const key of Object.keys(state.filters)) if (state.columns && !state.columns.includes(key)) delete state.filters[key];
    headKey = "";
    load();
  }

  function exportMenu(anchor) {
    const query = JSON.stringify(fields());
    /** In parts, so that no answer is long; the browser keeps the file. */
    const file = (form) => attempt(async () => {
      const parts = form === "json" ? ["["] : [];
      const note = toast("Exporting…");
      // All parts are of what was stored when the first was read.
      let snapshot = null;
      for (let offset = 0, rows = Infinity; rows > 0 && offset % 10_000 === 0; offset += rows) {
        const response = await fetch(link("data/export/" + encodeURIComponent(name), { form, query, offset: String(offset), snapshot }));
        if (!response.ok) throw new Error((await response.json()).error.message);
        rows = Number(response.headers.get("X-Studio-Rows"));
        snapshot = response.headers.get("X-Studio-Snapshot");
        parts.push(await response.blob());
        if (note.firstChild) note.firstChild.textContent = `Exporting… ${plural(offset + rows, "row")}`;
      }
      if (form === "json") parts.push("\n]\n");
      const a = h("a", { href: URL.createObjectURL(new Blob(parts, { type: form === "json" ? "application/json" : "text/csv" })), download: `${name}.${form}` });
      document.body.append(a);
      a.click();
      a.remove();
      setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
      note.remove();
    });
    menu(anchor, [["CSV of the rows found", () => file("csv")], ["JSON of the rows found", () => file("json")]]);
  }

  await load();
  return { reload: (options = {}) => load(options), stop: () => { stopped = true; } };
}
