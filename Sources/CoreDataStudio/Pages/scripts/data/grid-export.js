// @ts-check
// The rows that a grid finds as a file.

import { address, request } from "../api.js";
import { attempt, download, menu, progressNote } from "../dialogs.js";
import { number, plural } from "../state/text.js";

/**
 * Asks in which form.
 * @param {HTMLElement} anchor
 * @param {string} entity
 * @param {object} fields what the grid asks for
 * @param {() => number | null} total how many rows there are, once that is known
 */
export function exportMenu(anchor, entity, fields, total) {
  const query = JSON.stringify(fields);
  menu(anchor, [
    ["CSV of the rows found", () => attempt(() => exportRows(entity, query, "csv", total))],
    ["JSON of the rows found", () => attempt(() => exportRows(entity, query, "json", total))],
  ]);
}

/**
 * In parts, so that no answer is long; the browser keeps the file.
 * @param {string} entity
 * @param {string} query
 * @param {"csv" | "json"} form
 * @param {() => number | null} total
 */
async function exportRows(entity, query, form, total) {
  const stopping = new AbortController();
  const note = progressNote(`Exporting ${entity}…`, () => stopping.abort());
  try {
    const parts = await readParts(entity, query, form, stopping.signal, (rows) => {
      const all = total();
      note.show(all ? `Exporting ${number(rows)} of ${plural(all, "row")}` : `Exporting ${plural(rows, "row")}`,
        all ? rows / all : null);
    });
    const file = URL.createObjectURL(new Blob(parts,
      { type: form === "json" ? "application/json" : "text/csv" }));
    download(file, `${entity}.${form}`);
    setTimeout(() => URL.revokeObjectURL(file), 60_000);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    note.remove();
  }
}

/**
 * @param {string} entity
 * @param {string} query
 * @param {"csv" | "json"} form
 * @param {AbortSignal} signal
 * @param {(rows: number) => void} told hears how many rows were read
 */
async function readParts(entity, query, form, signal, told) {
  /** @type {(string | Blob)[]} */
  const parts = form === "json" ? ["["] : [];
  // All parts are of what was stored when the first was read.
  /** @type {string | null} */
  let snapshot = null;
  for (let offset = 0, rows = Infinity; rows > 0 && offset % 10_000 === 0; offset += rows) {
    /** @type {Response} */
    const response = await request(address("data/export/" + encodeURIComponent(entity),
      { form, query, offset: String(offset), snapshot }), { signal });
    rows = Number(response.headers.get("X-Studio-Rows"));
    snapshot = response.headers.get("X-Studio-Snapshot");
    parts.push(await response.blob());
    told(offset + rows);
  }
  if (form === "json") parts.push("\n]\n");
  return parts;
}
