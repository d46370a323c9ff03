// @ts-check
// The rows that a grid finds as a file.

import { link } from "../api.js";
import { attempt, download, menu, toast } from "../dialogs.js";
import { plural } from "../state/text.js";

/**
 * Asks in which form.
 * @param {HTMLElement} anchor
 * @param {string} entity
 * @param {object} fields what the grid asks for
 */
export function exportMenu(anchor, entity, fields) {
  const query = JSON.stringify(fields);
  menu(anchor, [
    ["CSV of the rows found", () => attempt(() => exportRows(entity, query, "csv"))],
    ["JSON of the rows found", () => attempt(() => exportRows(entity, query, "json"))],
  ]);
}

/**
 * In parts, so that no answer is long; the browser keeps the file.
 * @param {string} entity
 * @param {string} query
 * @param {"csv" | "json"} form
 */
async function exportRows(entity, query, form) {
  /** @type {(string | Blob)[]} */
  const parts = form === "json" ? ["["] : [];
  const note = toast("Exporting…");
  // All parts are of what was stored when the first was read.
  /** @type {string | null} */
  let snapshot = null;
  for (let offset = 0, rows = Infinity; rows > 0 && offset % 10_000 === 0; offset += rows) {
    /** @type {Response} */
    const response = await fetch(link("data/export/" + encodeURIComponent(entity),
      { form, query, offset: String(offset), snapshot }));
    if (!response.ok) throw new Error((await response.json()).error.message);
    rows = Number(response.headers.get("X-Studio-Rows"));
    snapshot = response.headers.get("X-Studio-Snapshot");
    parts.push(await response.blob());
    if (note.firstChild) note.firstChild.textContent = `Exporting… ${plural(offset + rows, "row")}`;
  }
  if (form === "json") parts.push("\n]\n");
  const file = URL.createObjectURL(new Blob(parts,
    { type: form === "json" ? "application/json" : "text/csv" }));
  download(file, `${entity}.${form}`);
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
  note.remove();
}
