// @ts-check
// All unsaved changes with the values before and after, and the SQL of the save.

import { h, show, button } from "../ui.js";
import { attempt, dialog } from "../dialogs.js";
import { get, post } from "../api.js";
import { plural, visible } from "../state/text.js";
import { shown, objectLink, stateMarks } from "./values.js";

/**
 * Shows them. Resolves to what the person asks for: "save", "discard", { revert: id }, or null.
 * @param {Overview} overview
 * @returns {Promise<"save" | "discard" | { revert: string } | null>}
 */
export async function reviewChanges(overview) {
  /** @type {{ objects: UnsavedObject[], count: number } | undefined} */
  const changes = await attempt(() => get("data/unsaved"));
  if (!changes) return null;
  const sql = h("div.stack", {});
  return dialog("Unsaved changes", (close) => h("div.body", {},
    h("div.change-list", {}, changes.objects.map((object) =>
      change(object, () => close({ revert: object.id })))),
    changes.count > changes.objects.length
      && h("p.hint", {}, `… and ${changes.count - changes.objects.length} more.`),
    overview.hasSQL && button("Show the SQL", () => showSQL(sql), { kind: "quiet" }), sql,
    h("footer", {}, button("Save", () => close("save"), { icon: "save", kind: "primary" }),
      button("Discard all", () => close("discard"), { kind: "danger" }),
      button("Close", () => close(), { kind: "quiet" }))), { class: "wide" });
}

/**
 * @param {UnsavedObject} object
 * @param {() => void} revert
 */
function change(object, revert) {
  const isNew = object.state === "new", changes = object.changes ?? [];
  return h("section.change", {},
    h("div.row", {}, h("span.badge", { class: stateMarks[object.state] }, object.state), objectLink(object),
      h("span.dim", {}, object.entity), h("span.spring"),
      button("Revert", revert, { kind: "quiet", label: `Revert ${object.title || object.id}` })),
    changes.length > 0 && h("table", {}, h("tbody", {},
      changes.map(({ label, before, after }) => h("tr", {}, h("th", { scope: "row" }, label),
      h("td", {}, isNew ? "" : shown(before)), h("td.arrow", { "aria-hidden": "true" }, isNew ? "" : "→"),
        h("td", {}, shown(after)))))));
}

/** @param {HTMLElement} place */
async function showSQL(place) {
  /** @type {{ count: number, failure?: string, statements?: { sql: string, bindings: string[] }[] } | undefined} */
  const answer = await attempt(() => post("data/rehearsal"));
  if (!answer) return;
  if (!answer.statements) {
    show(place, h("p.hint", {}, answer.failure ?? "This kind of store has no SQL."));
    return;
  }
  const lines = answer.statements.map((run) =>
    run.sql + (run.bindings.length ? "\n    " + run.bindings.join(", ") : ""));
  show(place, h("p.hint", {},
    `${plural(answer.count, "statement")}, tried in a transaction that was rolled back:`),
    h("pre.sql", { tabindex: "0", "aria-label": "SQL" }, visible(lines.join("\n"))));
}
