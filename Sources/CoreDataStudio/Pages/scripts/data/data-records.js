// What happened: the store's history as a time line, and the SQL of the last actions.

import { h, show, button, select, empty, attempt, icon, dialog, toast, field as labelled } from "./ui.js";
import { get, post } from "./api.js";
import { number, plural, objectPlace, visible, dateText } from "./data-values.js";

const kinds = { inserted: ["add", "good"], updated: ["edit", "warn"], deleted: ["trash", "danger"] };

/** Transactions, the latest first; of one author or object if the address says so. */
export async function showHistory(root, query, world) {
  const list = h("ol.timeline", {});
  const more = h("div.row.pad", {});
  const head = h("div.toolbar", {}, h("h1", {}, "History"), query.object && h("span.badge", {}, query.object.replace("/", " ")));
  let author = null, last = null, authors = [], stopped = false, isComplete = false, turn = 0;
  show(root, head, h("div.pad", {}, list, more));

  async function load(fresh) {
    const mine = ++turn;
    let count = 0;
    // A filter that finds little looks through the history part by part.
    do {
      const answer = await attempt(() => get("data/history", { before: fresh ? null : last, author, object: query.object }));
      // Something else may have been asked for meanwhile.
      if (!answer || stopped || mine !== turn) return;
      if (fresh) show(list);
      fresh = false;
      const all = [...new Set([...authors, ...answer.authors])].sort();
      if (all.length !== authors.length) { authors = all; drawHead(); }
      for (const transaction of answer.transactions) list.append(item(transaction));
      count += answer.transactions.length;
      last = answer.next;
      isComplete = answer.isLast;
      show(more, !isComplete && (count < 10 ? h("p.hint", { role: "status" }, `Looking further back than #${number(last)}…`) : button("Show older", () => load(false), { kind: "quiet" })));
    } while (!isComplete && count < 10);
    if (!list.children.length) show(list, h("li", {}, empty(query.object ? "The history says nothing of this object." : "Nothing was saved since the history began.")));
  }

  function drawHead() {
    head.querySelectorAll("label, .purge").forEach((old) => old.remove());
    if (authors.length > 1) {
      const choose = select([["*", "Everybody"], ...authors.map((name) => [name, name || "(no author)"])], author ?? "*", { onchange: () => { author = choose.value === "*" ? null : choose.value; last = null; load(true); } });
      head.append(h("label.row", {}, h("span.hint", {}, "Author"), choose));
    }
    if (world.overview.canPurge && !world.overview.isReadOnly) head.append(h("span.spring.purge"), button("Purge…", () => purge(), { icon: "trash", kind: "purge" }));
  }

  /** Deletes what is old; others that follow the history need what they haven't read yet. */
  async function purge() {
    const date = h("input", { type: "date", value: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10), max: new Date().toISOString().slice(0, 10), required: true });
    const wanted = await dialog("Purge the history", (close) => h("form.body", { onsubmit: (event) => { event.preventDefault(); close(date.value); } },
      h("p", {}, "Transactions from before a day are deleted, for good and at once. The objects stay as they are. Programs that follow the history and haven’t read that part begin anew."),
      labelled("Before", date), h("footer", {}, h("button.danger", { type: "submit" }, "Purge"), button("Cancel", () => close(), { kind: "quiet" }))));
    if (!wanted) return;
    const answer = await attempt(() => post("data/history/purge", { before: wanted }));
    if (!answer) return;
    toast(`${plural(answer.count, "transaction")} deleted.`, "good");
    authors = [];
    await load(true);
  }

  function item(transaction) {
    const counts = Object.keys(kinds).map((kind) => [kind, transaction.changes.filter((change) => change.kind === kind).length]).filter(([, count]) => count);
    return h("li", {}, h("details", { open: transaction.changes.length <= 5 }, h("summary", {},
      h("span.badge", {}, "#" + transaction.number), h("time", { datetime: transaction.date }, dateText(transaction.date)),
      transaction.author ? h("strong", {}, visible(transaction.author)) : h("span.dim", {}, "no author"), transaction.context && h("span.dim", {}, "in " + visible(transaction.context)),
      h("span.spring"), counts.map(([kind, count]) => h("span.badge", { class: kinds[kind][1] }, `${count} ${kind}`))),
    h("ul.list-plain", {}, transaction.changes.map((change) => h("li", { class: "row" }, h("span.badge", { class: kinds[change.kind][1] }, change.kind),
      change.isThere ? h("a", { href: objectPlace(change.id) }, change.title ? h("bdi", {}, visible(change.title)) : change.id.replace("/", " ")) : h("span", {}, change.id.replace("/", " ")),
      h("span.dim", {}, change.entity), change.properties.length > 0 && h("span", {}, change.properties.join(", ")), change.kept && h("code", {}, visible(change.kept)))),
    transaction.count > transaction.changes.length && h("li.dim", {}, `… and ${transaction.count - transaction.changes.length} more`))));
  }

  drawHead();
  await load(true);
  return { reload: () => load(true), stop: () => { stopped = true; } };
}

/** The statements of the last actions, with times and query plans. */
export async function showStatements(root, world) {
  const list = h("div.stack.pad", {});
  show(root, h("div.toolbar", {}, h("h1", {}, "SQL"), h("span.hint", {}, "What the last actions asked of SQLite"), h("span.spring"), button("Refresh", () => load())), list);

  async function load() {
    const actions = await attempt(() => get("data/statements"));
    if (!actions) return;
    show(list, actions.length === 0 && empty("No action has asked the store anything yet.", h("a.button", { href: "#/data" }, "Open an entity")),
      actions.map((action, index) => h("details.panel.action", { open: index === 0 }, h("summary", {}, h("strong", {}, visible(action.title)), h("time.dim", { datetime: action.date }, dateText(action.date)),
        h("span.spring"), h("span.badge", {}, plural(action.count, "statement")), h("span.badge", {}, time(action.milliseconds))),
      h("ol.statements", {}, action.statements.map((run, place) => statement(action, run, place))),
      action.count > action.statements.length && h("p.hint", {}, `… and ${action.count - action.statements.length} more.`))));
  }

  const time = (milliseconds) => milliseconds < 1 ? `${Math.round(milliseconds * 1000)} µs` : `${milliseconds.toFixed(1)} ms`;

  function statement(action, run, place) {
    const plan = h("div.plan", {});
    return h("li", {}, h("pre.sql", { tabindex: "0", "aria-label": "Statement" }, visible(run.sql)),
      run.bindings.length > 0 && h("p.hint.mono", {}, visible(run.bindings.join(", "))),
      h("div.row", {}, h("span.badge", {}, time(run.milliseconds)), /^\s*(select|update|delete|with)/i.test(run.sql) && button("Query plan", async () => {
        const lines = await attempt(() => post("data/statements/plan", { action: action.number, statement: place }));
        if (lines) show(plan, lines.length ? h("ul.plan-lines", {}, lines.map((line) => h("li", { class: /^SCAN/.test(line) ? "scan" : null }, line))) : h("p.hint", {}, "SQLite has no plan for it."));
      }, { kind: "quiet" })), plan);
  }

  await load();
  return {};
}
