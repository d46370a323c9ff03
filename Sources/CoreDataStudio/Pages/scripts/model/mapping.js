// @ts-check
// A mapping model: between which versions it leads, and its mappings of entities.

import { h, button, field, icon, select, empty } from "../ui.js";
import { dialog } from "../dialogs.js";
import { submitting } from "../keyboard.js";
import { state } from "./document.js";
import { act, address, choose, desk, edit, isOpen, open } from "./mapping-desk.js";
import { mappingList } from "./mapping-list.js";
import { mappingFields } from "./mapping-fields.js";
import { entityChoices, worstOf } from "./state/mappings.js";

/**
 * One mapping model, or the list of all.
 * @param {string | undefined} file
 */
export function mappings(file) {
  if (!file) return mappingList();
  open(file);
  if (desk.problem) return empty(desk.problem, h("a", { href: address() }, "All mapping models"));
  const { answer } = desk;
  if (!answer) return h("p.empty", {}, "Reading…");
  desk.place = Math.max(0, Math.min(desk.place, answer.mappings.length - 1));
  const general = answer.checks.filter((check) => check.mapping === undefined);
  return h("div.pad.stack", {},
    h("div.row", {}, h("a", { href: address() }, "Mapping models"),
      h("span.dim", { "aria-hidden": "true" }, "›"), h("h2", {}, answer.file)),
    answer.obstacle && h("p.model-banner", {}, answer.obstacle),
    answer.isChangedOnDisk && h("p.model-banner.warn", {}, "Another program changed the file. ",
      button("Load it", () => act("discard-reload"))),
    sides(answer), general.map(note), entityMappings(answer));
}

/** @param {MappingAnswer} answer */
function entityMappings(answer) {
  const hasSome = answer.mappings.length > 0;
  if (!hasSome && !isOpen()) return empty("No entity is mapped.");
  return h("div.model-mapping", {}, listOf(answer),
    hasSome ? mappingFields(answer, desk.place)
      : empty("No entity is mapped yet.", button("Add mapping…", () => addEntity(answer), { icon: "add" })));
}

/** @param {MappingAnswer} answer */
function sides(answer) {
  if (!answer.source.entities.length) return null;
  const isStale = !answer.source.version || !answer.destination.version;
  /** @param {MappingSide} side */
  const words = (side) => side.version ? h("strong", {}, side.version)
    : h("span.badge.warn", {}, "no version as it is now");
  return h("div.row", {}, h("span", {}, "From ", words(answer.source), " to ", words(answer.destination)),
    isOpen() && button("Versions…", () => chooseVersions(answer),
      { kind: "quiet", label: "Choose the versions" }),
    isStale && h("span.hint", {},
      "The model was edited since this was made: choose the versions again, so that it fits them."));
}

/** @param {MappingAnswer} answer */
function chooseVersions(answer) {
  const names = state.answer.versions.map((version) => version.name);
  return dialog("Versions of the mapping model", (close) => {
    const from = select(names, answer.source.version ?? names[0]),
      to = select(names, answer.destination.version ?? names.at(-1));
    const submit = submitting(async () => {
      if (await act("models", { source: from.value, destination: to.value })) close(true);
    });
    return h("form.body", { onsubmit: submit }, field("From version", from), field("To version", to),
      h("p.hint", {}, "Values of properties that both versions have stay as they are."),
      h("footer", {}, h("button.primary", { type: "submit" }, "Take these versions"),
        button("Cancel", () => close(), { kind: "quiet" })));
  });
}

/** @param {MappingCheck} check */
const note = (check) => h("p", { class: check.severity === "error" ? "message model-wrong" : "model-note" },
  icon("warning"), " ", check.message);

/** @param {MappingAnswer} answer */
function listOf(answer) {
  const add = isOpen() && button("", () => addEntity(answer),
    { icon: "add", label: "Add mapping", kind: "quiet" });
  return h("section.stack.tight", { "aria-label": "Entity mappings" },
    h("div.model-group", {}, h("h3", {}, "Entity mappings"), add),
    h("ul.list.model-mappings", {}, answer.mappings.map((mapping, index) => {
      const worst = worstOf(answer.checks, index);
      return h("li", {}, h("button", {
        type: "button", "aria-current": index === desk.place ? "true" : null,
        dataset: { key: "mapping" + index }, onclick: () => choose(index),
      }, h("span.model-name", {}, mapping.name),
        worst && h("span.dot", { class: worst, title: worst }, h("span.model-hidden", {}, worst)),
        h("span.count", {}, mapping.kind)));
    })));
}

/** @param {MappingAnswer} answer */
function addEntity(answer) {
  return dialog("Add mapping", (close) => {
    const from = select(entityChoices(answer.source), ""), to = select(entityChoices(answer.destination), "");
    const submit = submitting(async () => {
      if (!await edit(() => ({ do: "add", source: from.value, destination: to.value }))) return;
      close(true);
      choose((desk.answer?.mappings.length ?? 1) - 1);
    });
    return h("form.body", { onsubmit: submit },
      field("Source entity", from, { hint: "None for an entity that is new." }),
      field("Destination entity", to, { hint: "None for one whose objects are dropped." }),
      h("footer", {}, h("button.primary", { type: "submit" }, "Add mapping"),
        button("Cancel", () => close(), { kind: "quiet" })));
  });
}
