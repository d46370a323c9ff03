// @ts-check
// A query in SQL that the person types; the server runs it read-only, and gives it up after a while.

import { h, show, button } from "../ui.js";
import { post } from "../api.js";
import { duration, plural, visible } from "../state/text.js";
import { Turns } from "../state/turns.js";
import { shown } from "./values.js";
import { question } from "./questions.js";

/** What was typed last, for as long as the page is there. */
let typed = "";

/** The place for a query, with its rows and its plan. */
export function sqlPane() {
  const turns = new Turns(), result = h("div.stack", { "aria-live": "polite" });
  /** @type {HTMLTextAreaElement} */
  const input = h("textarea.mono", { value: typed, rows: "3", spellcheck: "false",
    "aria-label": "Query in SQL",
    placeholder: "SELECT …", oninput: () => { typed = input.value; }, onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
    } });
  const run = async () => {
    const isMine = turns.next();
    show(result, h("p.hint", {}, "Running…"));
    let content;
    try {
      content = answerView(await post("data/sql", { sql: input.value, question: question("/sql") }));
    } catch (error) {
      content = h("p.message", { role: "alert" }, error.message);
    }
    if (isMine()) show(result, content);
  };
  return h("section.panel.stack", { "aria-label": "Query" }, input, h("div.row", {},
    button("Run", run, { kind: "primary", title: "Run (Control-Return)" }),
    h("span.hint", {},
      "One query, read-only, for up to 5 seconds. It reads the file: unsaved changes aren’t in it.")),
      result);
}

/** @param {SQLAnswer} answer */
function answerView({ columns, rows, isCut, milliseconds, plan }) {
  return [
    h("div.row", {}, h("span.badge", {}, isCut ? `the first ${plural(rows.length, "row")}`
      : plural(rows.length, "row")),
      h("span.badge", {}, duration(milliseconds))),
    h("div.table-area", { tabindex: "0", role: "region", "aria-label": "Rows" },
      h("table", { "aria-label": "Rows of the query" },
      h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col" }, visible(column))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value) =>
        h("td", { class: typeof value === "number" ? "number" : null }, value === null ? h("span.nil", {},
          "NULL") : shown(value)))))))),
    plan.length > 0 && h("details", {}, h("summary", {}, "Query plan"), h("ul.plan-lines", {},
      plan.map((line) => h("li", { class: /^SCAN/.test(line) ? "scan" : null }, line)))),
  ];
}
