// @ts-check
// The diagram's view: which part is shown, how much of it, and what can be done with the whole.

import { h, show, button, select, empty } from "../ui.js";
import { attempt, download, menu } from "../dialogs.js";
import { get, link } from "../api.js";
import { state as model, entities, isEditable, suffix } from "./document.js";
import { DiagramState, partOf } from "./state/diagram.js";
import { fitting } from "./state/geometry.js";
import { DiagramCanvas } from "./diagram-canvas.js";
import { DiagramHand } from "./diagram-hand.js";
import { BoxPlaces } from "./diagram-places.js";

/** @typedef {import("./state/diagram.js").DiagramPart} DiagramPart */

const state = new DiagramState();
const places = new BoxPlaces(state);
const hand = new DiagramHand(state, places);

/**
 * The diagram's element; its content comes when the server has answered.
 * @param {Record<string, string>} query
 */
export function diagram(query) {
  const part = partOf(query), place = h("div.model-canvas"),
    box = h("div.model-diagram", {}, tools(part), place);
  if (!entities().length) {
    show(place, empty("There is nothing to draw yet: add an entity first."));
    return box;
  }
  const key = [model.version, part.around, part.steps, part.detail].join("\n"),
    isSame = state.graph !== null && state.shownFor === key;
  if (isSame) draw(place); else show(place, h("p.empty", {}, "Laying out…"));
  if (!isSame || state.graph?.change !== model.answer.change) attempt(() => load(place, box, key, part));
  return box;
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} box
 * @param {string} key
 * @param {DiagramPart} part
 */
async function load(place, box, key, { around, steps, detail }) {
  const { change } = model.answer;
  /** @type {ModelGraph} */
  const answer = await get("model/graph",
    { version: model.version, around, steps: around ? steps : null, detail });
  // Nothing is taken out of somebody's hand.
  while (hand.isBusy) await new Promise((resolve) => setTimeout(resolve, 50));
  // Another part was asked for meanwhile, and its answer may have come first.
  if (!place.isConnected) return;
  state.take({ ...answer, change }, key, around);
  /** @type {HTMLSelectElement | null} */
  const shown = box.querySelector("[data-key=detail]");
  if (shown) shown.value = answer.detail;
  draw(place);
}

/** @param {HTMLElement} place */
function draw(place) {
  if (!state.boxes.length) { show(place, empty("There is nothing to draw.")); return; }
  const active = place.contains(document.activeElement)
    ? /** @type {HTMLElement} */ (document.activeElement).dataset.box : undefined;
  const canvas = new DiagramCanvas(state, hand,
    { isEditable: isEditable(), selection: model.selection, linking: hand.linking?.from });
  hand.canvas = canvas;
  const hint = state.graph?.isAutomatic && isEditable() && !state.isPart
    ? "Laid out automatically; drag an entity to keep places in the model."
    : state.isReduced ? "Choose an entity under “Around”, or a double click, to see more of it." : null;
  show(place, canvas.element, hint && h("p.hint.model-corner", {}, hint));
  if (active) canvas.part(active)?.focus({ preventScroll: true });
  requestAnimationFrame(() => {
    if (hand.canvas !== canvas) return;
    if (!state.view) fit(false);
    if (state.view) canvas.apply(state.view);
  });
}

/** @param {boolean} isWhole */
function fit(isWhole) {
  const chosen = state.boxes.find((box) => box.id !== undefined && model.selection.includes(box.id))
    ?? state.boxNamed(state.around);
  state.view = fitting(state.boxes, hand.canvas.size, chosen, isWhole);
}

/** @param {DiagramPart} part */
function tools(part) {
  const { around, steps, detail } = part;
  const aroundField = select([["", "all entities"],
    ...entities().map(({ values: { name } }) => /** @type {[string, string]} */ ([name, name]))], around,
    { dataset: { key: "around" }, onchange: (event) => go({ ...part, around: event.target.value }) });
  const stepsField = select(["0", "1", "2", "3"], steps,
    { dataset: { key: "steps" }, onchange: (event) => go({ ...part, steps: event.target.value }) });
  const detailField = select([["all", "all properties"], ["relationships", "relationships"],
    ["names", "names"]], detail || state.graph?.detail || "all",
    { dataset: { key: "detail" }, onchange: (event) => go({ ...part, detail: event.target.value }) });
  /** @param {string} text @param {HTMLElement} control */
  const labelled = (text, control) => h("label.row", {}, h("span.hint", {}, text), control);
  return h("div.toolbar.model-tools", {},
    labelled("Around", aroundField), around && labelled("Steps", stepsField), labelled("Show", detailField),
    h("span.spring"),
    isEditable() && !around && !state.isReduced
      && button("Lay out", () => places.layOut(),
      { title: "Find places for all entities", dataset: { key: "layout" } }),
    button("", () => hand.canvas && hand.zoom(1 / 1.2),
      { icon: "remove", label: "Zoom out", dataset: { key: "out" } }),
      button("", () => hand.canvas && hand.zoom(1.2),
      { icon: "add", label: "Zoom in", dataset: { key: "in" } }),
    button("Fit", () => showWhole(), { title: "Show all of it", dataset: { key: "fit" } }),
    exportButton(part));
}

function showWhole() {
  if (!hand.canvas) return;
  fit(true);
  if (state.view) hand.canvas.apply(state.view);
}

/**
 * Goes to another part.
 * @param {DiagramPart} part
 */
function go({ around, steps, detail }) {
  const fields = { ...(suffix() && model.version !== null ? { v: model.version } : {}),
    ...(around ? { around, steps } : {}), ...(detail ? { detail } : {}) };
  location.hash = "#/model/diagram" + (Object.keys(fields).length ? "?" + new URLSearchParams(fields) : "");
}

/** @param {DiagramPart} part */
function exportButton({ around, steps }) {
  const query = { version: model.version, around: around || null, steps: around ? steps : null };
  const formats = [["SVG", "svg"], ["Mermaid", "mermaid"], ["PlantUML", "plantuml"], ["Text", "text"]];
  return button("Export", (event) => menu(event.currentTarget,
    formats.map(([label, format]) => [label, () => download(link(`model/graph/${format}`, query))])),
    { icon: "download", dataset: { key: "export" } });
}
