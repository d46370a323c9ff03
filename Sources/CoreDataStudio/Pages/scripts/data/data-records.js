// What happened: the store's history as a time line, and the SQL of the last actions.

import { h, show, button, select, empty, attempt, icon } from "./ui.js";
import { get, post } from "./api.js";
import { shown, plural, objectPlace, visible, dateText } from "./data-values.js";

const kinds = { inserted: ["add", "good"], updated: ["edit", "warn"], deleted: ["trash", "danger"] };

/** Transactions, the latest first; of one author or object if the address says so. */
export async function showHistory(root, query, world) {
  const list = h("ol.timeline", {});
  const more = h("div.row.pad", {});
  const head = h("div.toolbar", {}, h("h1", {}, "History"), query.object && h("span.badge", {}, query.object.replace("/", " ")));
  let author = null, last = null, authors = [], stopped = false, isComplete = false;
  show(root, head, h("div.pad", {}, list, more));

  async function load(fresh) {
    const answer = await attempt(() => get("data/history", { before: fresh ? null : last, author, object: query.object }));
    if (!answer || stopped) return;
    if (fresh) show(list);
    if (answer.authors.join() !== authors.join()) { authors = answer.authors; drawHead(); }
    for (const transaction of answer.transactions) list.append(item(transaction));
    last = answer.transactions.at(-1)?.number ?? last;
    isComplete = answer.isLast;
    show(more, !answer.isLast && button("Show older", () => load(false), { kind: "quiet" }));
    if (!list.children.length) show(list, h("li", {}, empty(query.object ? "The history says nothing of this object." : "Nothing was saved since the history began.")));
  }

  function drawHead() {
    head.querySelector("label")?.remove();
    if (authors.length < 2) return;
    const choose = select([["*", "Everybody"], ...authors.map((name) => [name, name || "(no author)"])], author ?? "*", { onchange: () => { author = choose.value === "*" ? null : choose.value; load(true); } });
    head.append(h("label.row", {}, h("span.hint", {}, "Author"), choose));
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
