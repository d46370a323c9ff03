// @ts-check
// The statements of the last actions, with times and query plans.

import { h, show, button, empty } from "../ui.js";
import { attempt } from "../dialogs.js";
import { get, post } from "../api.js";
import { sqlPane } from "./sql-pane.js";
import { dateText, duration, plural, visible } from "../state/text.js";

/**
 * @param {HTMLElement} root
 * @param {DataWorld} world
 * @returns {Promise<ShownPage>}
 */
export async function showStatements(root, { overview }) {
  const list = h("div.stack", {});
  const load = async () => {
    /** @type {StoreAction[] | undefined} */
    const actions = await attempt(() => get("data/statements"));
    if (!actions) return;
    show(list, actions.length === 0 && empty("No action has asked the store anything yet.",
      h("a.button", { href: "#/data" }, "Open an entity")),
      actions.map((action, index) => actionView(action, index === 0)));
  };
  show(root, h("div.toolbar", {}, h("h1", {}, "SQL"),
    h("span.hint", {}, "What the last actions asked of SQLite"), h("span.spring"),
    overview.hasSQL && button("Refresh", () => load())),
  h("div.stack.pad", {}, overview.canRunSQL && sqlPane(), list));
  if (overview.hasSQL) await load();
  return {};
}

/**
 * @param {StoreAction} action
 * @param {boolean} isOpen
 */
function actionView(action, isOpen) {
  return h("details.panel.action", { open: isOpen },
    h("summary", {}, h("strong", {}, visible(action.title)),
      h("time.dim", { datetime: action.date }, dateText(action.date)),
      h("span.spring"), h("span.badge", {}, plural(action.count, "statement")),
        h("span.badge", {}, duration(action.milliseconds))),
    h("ol.statements", {}, action.statements.map((run, place) => statementView(action, run, place))),
    action.count > action.statements.length
      && h("p.hint", {}, `… and ${action.count - action.statements.length} more.`));
}

/**
 * @param {StoreAction} action
 * @param {RunStatement} run
 * @param {number} place
 */
function statementView(action, run, place) {
  const plan = h("div.plan", {});
  const ask = async () => {
    /** @type {string[] | undefined} */
    const lines = await attempt(() => post("data/statements/plan",
      { action: action.number, statement: place }));
    if (!lines) return;
    show(plan, lines.length ? h("ul.plan-lines", {},
      lines.map((line) => h("li", { class: /^SCAN/.test(line) ? "scan" : null }, line)))
      : h("p.hint", {}, "SQLite has no plan for it."));
  };
  const hasPlan = /^\s*(select|update|delete|with)/i.test(run.sql);
  return h("li", {}, h("pre.sql", { tabindex: "0", "aria-label": "Statement" }, visible(run.sql)),
    run.bindings.length > 0 && h("p.hint.mono", {}, visible(run.bindings.join(", "))),
    h("div.row", {}, h("span.badge", {}, duration(run.milliseconds)),
      hasPlan && button("Query plan", ask, { kind: "quiet" })), plan);
}
