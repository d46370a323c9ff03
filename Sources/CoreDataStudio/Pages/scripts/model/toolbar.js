// @ts-check
// Above the model's views: its name and version, undo and save, what has to be known, and the views' names.

import { h, button, select } from "../ui.js";
import { state, isEditable, redo, suffix, undo } from "./document.js";
import { askAboutFiles, decide, save } from "./saving.js";
import { place, withVersion } from "./place.js";
import { mappingDesk } from "./mapping-desk.js";

const views = [["entities", "Table"], ["diagram", "Diagram"], ["versions", "Versions"],
  ["mappings", "Mappings"], ["preview", "Preview"], ["issues", "Issues"]];

/** The document of undo and save: the model, or the mapping model that is shown. */
export const desk = () => (place.path[0] === "mappings" && mappingDesk(place.path[1])) || {
  isEditable: isEditable(), isUnsaved: state.answer.isUnsaved, undoLabel: state.answer.undo,
  redoLabel: state.answer.redo, undo, redo, save: () => save(),
};

export function toolbar() {
  const { answer } = state;
  const own = desk(), open = own.isEditable;
  const names = answer.versions.map(({ name, isCurrent, isUnsaved }) =>
    /** @type {[string, string]} */ ([name,
    name + (isCurrent ? " (current)" : "") + (isUnsaved ? " •" : "")]));
  const picker = names.length > 1 && select(names, state.version,
    { "aria-label": "Version", dataset: { key: "version" }, onchange: (event) => {
      location.hash = withVersion(event.target.value);
    } });
  return h("div.toolbar", {},
    h("h1.model-name", { title: answer.path ?? "" }, answer.name), picker,
    open && own.isUnsaved && h("span.badge.warn", {}, "unsaved"),
    h("span.spring"),
    open && button("", () => own.undo(), { icon: "undo",
      label: own.undoLabel ? `Undo: ${own.undoLabel}` : "Nothing to undo", disabled: !own.undoLabel,
      dataset: { key: "undo" } }),
    open && button("", () => own.redo(), { icon: "redo",
      label: own.redoLabel ? `Redo: ${own.redoLabel}` : "Nothing to redo", disabled: !own.redoLabel,
      dataset: { key: "redo" } }),
    open && button("Save", () => own.save(),
      { icon: "save", kind: "primary", disabled: !own.isUnsaved, title: "Save (Ctrl+S)",
      dataset: { key: "save" } }));
}

/** The one thing that most has to be known. */
export function banner() {
  const { answer } = state;
  if (answer.obstacle) return h("p.model-banner", {}, answer.obstacle);
  if (answer.left) return leftover(answer.left);
  if (answer.keepingProblem) return h("p.model-banner.warn", {}, answer.keepingProblem);
  if (answer.filesChangedOnDisk.length) {
    return h("p.model-banner.warn", {}, "Another program changed the model’s files. ",
      button("Look", () => askAboutFiles(answer.filesChangedOnDisk)));
  }
  if (answer.unreadable.length) return h("p.model-banner.warn", {}, answer.unreadable.join(" "));
  if (answer.isReformatted && answer.isUnsaved) return h("p.model-banner", {},
    "This file isn’t laid out as Xcode does it: saving lays it out anew and drops comments.");
  return null;
}

/**
 * Unsaved changes of an earlier run of the studio.
 * @param {{ date: string, isUndecided: boolean }} left
 */
function leftover({ date, isUndecided }) {
  const time = new Date(date), isToday = time.toDateString() === new Date().toDateString();
  const words = h("time", { datetime: date },
    isToday ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : time.toLocaleString([], { dateStyle: "medium", timeStyle: "short" }));
  return h("div.model-banner.warn.row", { role: "status" }, isUndecided
    ? [h("span", {}, "There are unsaved changes from ", words, ", but the model’s files changed since."),
      button("Put mine in place of theirs", () => decide("restore")),
      button("Drop my changes", () => decide("discard"), { kind: "danger" })]
    : [h("span", {}, "Unsaved changes from ", words, " were restored."), button("Keep", () => decide("keep")),
      button("Discard", () => decide("discard"), { kind: "danger" })]);
}

/** @param {string} area */
export function tabs(area) {
  const here = views.some(([name]) => name === area) ? area : "entities";
  const count = state.answer.checks.filter((check) => check.severity !== "note").length;
  const worst = state.answer.checks[0]?.severity;
  return h("nav.tabs", { "aria-label": "Views of the model" }, views.map(([name, label]) =>
    h("a", { href: `#/model/${name}${suffix()}`, "aria-current": name === here ? "page" : null,
      dataset: { key: "tab" + name } }, label,
      name === "issues" && count > 0 && [" ", h("span.badge", { class: worst }, String(count))])));
}
