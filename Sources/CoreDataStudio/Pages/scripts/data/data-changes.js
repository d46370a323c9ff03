// Unsaved changes: how many, what they are, saved, undone, discarded; and what to decide when the save can't be.

import { h, show, button, dialog, ask, toast, attempt, oneByOne, hasText, sendTyped } from "./ui.js";
import { get, post } from "./api.js";
import { shown, plural, objectLink } from "./data-values.js";

/** The bar above the objects. `page`: reload(options), status(status), open(id). */
export function changesBar(overview, page) {
  let status = overview.status, underWay = 0, isSaving = false;
  const text = h("span.unsaved", { role: "status" });
  const undo = button("Undo", () => act.undo(), { icon: "undo", kind: "quiet", title: "Undo (Ctrl+Z)" });
  const redo = button("Redo", () => act.redo(), { icon: "redo", kind: "quiet", title: "Redo (Ctrl+Y)" });
  const review = button("Review", () => act.review(), { title: "See all unsaved changes" });
  const save = button("Save", () => act.save(), { icon: "save", kind: "primary", title: "Save (Ctrl+S)" });
  const element = h("div.toolbar.changes", { "aria-label": "Unsaved changes", role: "region" }, text, h("span.spring"), undo, redo, review, save);

  const act = {
    element,
    /** Whether the last save was refused: then new objects are told what they lack. */
    wasRefused: false,
    /** Sends what changes objects, once what was sent before is answered. */
    inTurn: oneByOne((count) => { underWay = count; draw(); }),
    show(next) { status = next; draw(); },
    /** Whether something would be lost if the page was left now: the server keeps unsaved changes. */
    isUnsent: () => underWay > 0 || hasText(document.activeElement),
    /** What a field holds that isn’t sent may have changed. */
    typed: () => draw(),
    undo: () => act.inTurn(() => status.undo !== null && run("data/undo")),
    redo: () => act.inTurn(() => status.redo !== null && run("data/redo")),
    save() {
      sendTyped();
      return act.inTurn(async () => {
        if (!unsaved()) return;
        isSaving = true;
        draw();
        const answer = await attempt(() => post("data/save"));
        isSaving = false;
        if (answer) await settle(answer);
      });
    },
    review: () => reviewChanges(),
  };

  const unsaved = () => status.inserted + status.updated + status.deleted;

  /** What was asked for is named until it is done, so that nobody takes an older state for it. */
  function draw() {
    const parts = [
      status.inserted && `${status.inserted} new`, status.updated && `${status.updated} changed`,
      status.deleted && `${status.deleted} deleted`,
    ].filter(Boolean);
    const isOpen = unsaved() > 0 || act.isUnsent();
    const words = isSaving ? "Saving…" : parts.length ? "Unsaved: " + parts.join(", ") : underWay ? "Sending…" : isOpen ? "Unsaved: what is typed" : "Everything is saved";
    // Readers say a text that is put again once more.
    if (text.textContent !== words) text.textContent = words;
    text.setAttribute("aria-busy", String(underWay > 0));
    element.classList.toggle("dirty", isOpen);
    element.hidden = overview.isReadOnly;
    undo.disabled = status.undo === null;
    redo.disabled = status.redo === null;
    undo.title = status.undo ? `Undo ${status.undo} (Ctrl+Z)` : "Nothing to undo";
    redo.title = status.redo ? `Redo ${status.redo} (Ctrl+Y)` : "Nothing to redo";
    review.disabled = unsaved() === 0;
    save.disabled = !isOpen;
  }

  async function run(path, body = {}) {
    const next = await attempt(() => post(path, body));
    if (!next) return;
    page.status(next);
    page.reload({ quiet: true });
  }

  async function settle(answer) {
    if (answer.outcome === "saved") {
      act.wasRefused = false;
      toast("Saved.", "good");
      page.status(answer.status);
      page.reload({ quiet: true });
    } else if (answer.outcome === "conflicts") {
      await chooseSides(answer.conflicts);
    } else {
      await showProblems(answer);
    }
  }

  /** The save can't be: fix it, or let the changes go. */
  async function showProblems(answer) {
    act.wasRefused = true;
    const first = answer.problems.find((problem) => problem.object);
    const list = h("ul.problems", {}, answer.problems.map((problem) => h("li", {},
      problem.object && [objectLink(problem.object), " "], problem.label && h("strong", {}, problem.label + ": "), problem.message)));
    const choice = await ask("The changes can’t be saved", list, [
      ["fix", "Fix", "primary"], ["discard", "Discard changes", "danger"],
    ]);
    if (choice === "fix" && first) {
      sessionStorage.setItem("focus-field", JSON.stringify({ id: first.object.id, key: first.key }));
      const before = location.hash;
      page.open(first.object.id);
      if (before === location.hash) await page.reload({});
    }
    if (choice === "discard") await discardAll(answer.problems);
  }

  async function discardAll(problems) {
    const ids = [...new Set(problems.filter((problem) => problem.object).map((problem) => problem.object.id))];
    const total = unsaved();
    let which = "all";
    if (ids.length && ids.length < total) {
      which = await ask("Discard which changes?", `${plural(ids.length, "object")} of ${total} can’t be saved.`, [
        ["these", "Only of those that can’t be saved", "primary"], ["all", "All unsaved changes", "danger"],
      ]);
    }
    if (which) await run("data/discard", which === "these" ? { ids } : {});
  }

  /** Somebody else saved the same objects: whose values shall be. */
  async function chooseSides(conflicts) {
    const theirs = new Map(conflicts.map((conflict) => [conflict.id, new Set()]));
    const content = (close) => h("div.body", {},
      h("p", {}, "Somebody else saved these objects while they were changed here. Choose what each value shall be; what only one side changed is kept."),
      conflicts.map((conflict) => h("section.conflict", {}, h("h3", {}, objectLink({ ...conflict, $: "object" })),
        conflict.isDeleted ? deleted(conflict) : table(conflict))),
      h("footer", {}, button("Save with these values", () => close(true), { kind: "primary" }), button("Cancel", () => close(), { kind: "quiet" })));
    const side = (name, conflict, property, value, mine) => h("label.side", {},
      h("input", { type: "radio", name, checked: mine, onchange: () => { theirs.get(conflict.id)[mine ? "delete" : "add"](property); } }),
      h("span", {}, shown(value)));
    const table = (conflict) => conflict.properties.length === 0
      ? h("p.hint", {}, "No value was changed on both sides." + (conflict.changedThere.length ? ` They changed ${conflict.changedThere.join(", ")}, which is kept.` : ""))
      : h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Property"), h("th", {}, "Yours"), h("th", {}, "Theirs"), h("th", {}, "Before"))),
        h("tbody", {}, conflict.properties.map((property) => {
          const name = `side-${conflict.id}-${property.key}`;
          return h("tr", {}, h("th", { scope: "row" }, property.label), h("td", {}, side(name, conflict, property.key, property.mine, true)),
            h("td", {}, side(name, conflict, property.key, property.theirs, false)), h("td.dim", {}, shown(property.before)));
        })));
    const deleted = (conflict) => {
      const name = "side-" + conflict.id;
      theirs.get(conflict.id).add("*");
      return h("div.stack", {}, h("p", {}, "They deleted it."),
        h("label.side", {}, h("input", { type: "radio", name, checked: true, onchange: () => theirs.get(conflict.id).add("*") }), "Let it be deleted"),
        h("label.side", {}, h("input", { type: "radio", name, onchange: () => theirs.get(conflict.id).clear() }), "Save yours as a new object"));
    };
    if (!await dialog("Saved by somebody else meanwhile", content, { class: "wide" })) return;
    const answer = await attempt(() => post("data/resolution", {
      theirs: Object.fromEntries([...theirs].map(([id, keys]) => [id, [...keys]])) }));
    if (answer) await settle(answer);
  }

  /** All that would be saved, and the SQL of it. */
  async function reviewChanges() {
    const changes = await attempt(() => get("data/unsaved"));
    if (!changes) return;
    const states = { new: "good", changed: "warn", deleted: "danger" };
    const sql = h("div.stack", {});
    const revert = (close, object) => { close(); act.inTurn(() => run("data/discard", { ids: [object.id] })); };
    const result = await dialog("Unsaved changes", (close) => h("div.body", {},
      h("div.change-list", {}, changes.objects.map((object) => h("section.change", {},
        h("div.row", {}, h("span.badge", { class: states[object.state] }, object.state), objectLink(object), h("span.dim", {}, object.entity), h("span.spring"),
          button("Revert", () => revert(close, object), { kind: "quiet", label: `Revert ${object.title || object.id}` })),
        object.changes?.length > 0 && h("table", {}, h("tbody", {}, object.changes.map((change) => h("tr", {}, h("th", { scope: "row" }, change.label),
          h("td", {}, object.state === "new" ? "" : shown(change.before)), h("td.arrow", { "aria-hidden": "true" }, object.state === "new" ? "" : "→"), h("td", {}, shown(change.after))))))))),
      changes.count > changes.objects.length && h("p.hint", {}, `… and ${changes.count - changes.objects.length} more.`),
      overview.hasSQL && button("Show the SQL", () => showSQL(sql), { kind: "quiet" }), sql,
      h("footer", {}, button("Save", () => close("save"), { icon: "save", kind: "primary" }), button("Discard all", () => close("discard"), { kind: "danger" }),
        button("Close", () => close(), { kind: "quiet" }))), { class: "wide" });
    if (result === "save") await act.save();
    if (result === "discard") await act.inTurn(() => run("data/discard"));
  }

  async function showSQL(place) {
    const answer = await attempt(() => post("data/rehearsal"));
    if (!answer) return;
    if (!answer.statements) { show(place, h("p.hint", {}, answer.failure ?? "This kind of store has no SQL.")); return; }
    show(place, h("p.hint", {}, `${plural(answer.count, "statement")}, tried in a transaction that was rolled back:`),
      h("pre.sql", { tabindex: "0", "aria-label": "SQL" }, answer.statements.map((run) => run.sql + (run.bindings.length ? "\n    " + run.bindings.join(", ") : "")).join("\n")));
  }

  return act;
}
