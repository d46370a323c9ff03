// @ts-check
// A store of an older version than the model: what a migration would do, and doing it.

import { h, show, button } from "../ui.js";
import { attempt, dialog } from "../dialogs.js";
import { get, post } from "../api.js";

/** @typedef {{ lines: string[], losesData: boolean }} MigrationPlan */

/**
 * Says that the store is of another version; nothing if it isn't.
 * @param {Overview} overview
 */
export function migrationBanner({ migration }) {
  if (!migration) return null;
  return h("div.row.notice.migration", { role: "status" },
    h("span", {}, migration.from ? `This store is of version ${migration.from}; the model is at ${migration.to}.`
      : `This store was made with another model than ${migration.to}.`),
    migration.isOffered ? [h("span.spring"), button("Migrate…", () => plan(), { kind: "primary" })]
      : h("span.hint", {}, h("code", {}, "coredata migrate"), " brings it there."));
}

/** Shows the steps, and does them if the person wants. */
async function plan() {
  /** @type {MigrationPlan | undefined} */
  const found = await attempt(() => get("data/migration"));
  if (!found) return;
  /** @type {HTMLInputElement} */
  const backsUp = h("input", { type: "checkbox", checked: true });
  const place = h("div.stack", {});
  await dialog("Migrate the store", (close) => {
    show(place,
      found.lines.length ? h("ul.plan-lines", {}, found.lines.map(planLine))
        : h("p", {}, "The tables stay as they are."),
      found.losesData && h("p.notice.wrong", {}, "Values that are marked are gone afterwards."),
      h("label.row", {}, backsUp, "Keep a copy of the store beside it, with .backup at its name’s end"),
      h("footer", {}, button("Migrate", () => migrate(place, backsUp.checked),
        { kind: found.losesData ? "danger" : "primary" }),
      button("Cancel", () => close(), { kind: "quiet" })));
    return h("div.body", {}, place);
  }, { class: "wide" });
}

/** @param {string} line of which the first character says whether data is lost */
const planLine = (line) => h("li", { class: line.startsWith("!") ? "scan" : null }, line.slice(1).trim(),
  line.startsWith("!") && [" ", h("span.badge.danger", {}, "loses data")]);

/**
 * @param {HTMLElement} place
 * @param {boolean} backsUp
 */
async function migrate(place, backsUp) {
  const words = h("p", { role: "status" }, "Migrating…");
  show(place, words, h("progress", { "aria-label": "Migrating" }));
  const timer = setInterval(async () => {
    const answer = await get("data/migration/progress").catch(() => null);
    if (answer?.words && words.textContent !== answer.words) words.textContent = answer.words;
  }, 500);
  try {
    const { backup } = await post("data/migration", { backsUp });
    // However the person leaves: the page shows the older store still.
    place.closest("dialog")?.addEventListener("close", () => location.reload());
    tell(place, [h("p", { role: "status" }, "The store is of the model’s version now."),
      backup && h("p.hint", {}, "As it was before it is at ", h("code", {}, backup), "."),
      h("footer", {}, button("Go on", () => location.reload(), { kind: "primary", autofocus: true }))]);
  } catch (error) {
    tell(place, [h("p.notice.wrong", { role: "alert" }, error.message),
      h("footer", {}, button("Close", (event) => event.currentTarget.closest("dialog").close(), { kind: "primary" }))]);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Says how it ended, in a dialog of its own where the first was closed meanwhile.
 * @param {HTMLElement} place
 * @param {Content[]} content
 */
function tell(place, content) {
  show(place, content);
  if (!place.isConnected) dialog("Migrate the store", h("div.body", {}, place), { class: "wide" });
  /** @type {HTMLElement | null} */ (place.querySelector("footer button"))?.focus();
}
