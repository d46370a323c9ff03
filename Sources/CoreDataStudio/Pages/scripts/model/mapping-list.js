// @ts-check
// The mapping models beside the model.

import { h, button, field, select, empty } from "../ui.js";
import { staying } from "../address.js";
import { attempt, dialog } from "../dialogs.js";
import { get, post } from "../api.js";
import { Turns } from "../state/turns.js";
import { submitting } from "../keyboard.js";
import { state, inTurn, isEditable, redrawAll } from "./document.js";
import { address, answers, desk } from "./mapping-desk.js";
import { mappingName, nameBefore } from "./state/names.js";
import { currentVersion } from "./state/tree.js";

const turns = new Turns();

/** Asked anew whenever the list is gone to. */
export function forgetList() { desk.list = null; }

function loadList() {
  const isMine = turns.next();
  attempt(async () => {
    const list = await get("model/mappings");
    if (!isMine()) return;
    desk.list = list;
    redrawAll();
  });
}

export function mappingList() {
  if (!desk.list) { loadList(); return h("p.empty", {}, "Reading…"); }
  const { items, versions, obstacle, folder } = desk.list;
  if (obstacle) return empty(obstacle);
  const add = isEditable() && button("New mapping model…", () => addMapping(versions),
    { icon: "add", kind: items.length ? null : "primary" });
  if (!items.length) {
    return empty("A mapping model says what becomes of each entity and property where a migration can’t be inferred. There is none beside the model yet.",
      versions.length > 1 ? add : h("p.hint", {},
        "It leads from one version of the model to another: "
        + (state.answer.isVersioned ? "add a version first." : "a single .xcdatamodel has but one.")));
  }
  return h("div.pad.stack", {}, h("div.model-group", {}, h("h3", {}, "Mapping models"), add),
    h("div.model-scroll", {}, h("table", { "aria-label": "Mapping models" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "File"), h("th", { scope: "col" }, "State"))),
        h("tbody", {}, items.map(row)))),
    h("p.hint", {}, `In ${folder}. A store is migrated by one with `,
      h("code", {}, "coredata migrate STORE --to MODEL --mapping FILE"), "."));
}

/** @param {MappingList["items"][number]} item */
const row = ({ file, isUnsaved, problem, obstacle }) =>
  h("tr", {}, h("th", { scope: "row" }, problem ? file : h("a", { href: address(file) }, file)),
  h("td", {}, isUnsaved && h("span.badge.warn", {}, "unsaved"),
    problem ? h("span.model-wrong", {}, problem) : obstacle
      && h("span.hint", {}, file.endsWith(".cdm") ? "compiled" : "read-only")));

/** @param {string[]} versions */
function addMapping(versions) {
  const current = currentVersion(state.answer.versions) ?? versions.at(-1) ?? "";
  return dialog("New mapping model", (close) => {
    const from = select(versions, nameBefore(versions, current) ?? current), to = select(versions, current);
    const name = h("input", { type: "text", autofocus: true });
    const suggest = () => { name.value = mappingName(from.value, to.value); };
    let isOwn = false;
    name.addEventListener("input", () => { isOwn = true; });
    for (const list of [from, to]) list.addEventListener("change", () => { if (!isOwn) suggest(); });
    suggest();
    const submit = submitting(async () => {
      const stays = staying();
      /** @type {MappingAnswer | undefined} */
      const answer = await inTurn(() => post("model/mappings/new",
        { name: name.value.trim(), source: from.value, destination: to.value }));
      if (!answer) return;
      answers.set(answer.file, answer);
      close(true);
      if (!stays()) return;
      Object.assign(desk, { file: answer.file, place: 0, problem: null, list: null });
      location.hash = address(answer.file);
    });
    return h("form.body", { onsubmit: submit }, field("From version", from), field("To version", to),
      field("Name", name,
        { hint: "Entities and properties that have the same name, or a renaming ID, are mapped at once." }),
      h("footer", {}, h("button.primary", { type: "submit" }, "Make mapping model"),
        button("Cancel", () => close(), { kind: "quiet" })));
  });
}
