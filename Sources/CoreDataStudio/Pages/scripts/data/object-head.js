// @ts-check
// Above an object's page: the way back, the object's title and state, what can be done with it.

import { h, show, button } from "../ui.js";
import { staying } from "../address.js";
import { attempt, menu, toast } from "../dialogs.js";
import { addObject } from "./new-object.js";
import { idText, objectPlace, visible } from "../state/text.js";
import { stateMarks } from "./values.js";
import { trailQuery } from "./state/trail.js";

/**
 * The address of an entity's grid.
 * @param {string} entity
 */
export const entityPlace = (entity) => "#/data/" + encodeURIComponent(entity);

/**
 * The way back.
 * @param {HTMLElement} element
 * @param {ObjectPage} object
 * @param {string[]} trail
 * @param {Map<string, string>} titles of objects that were seen
 */
export function drawCrumbs(element, object, trail, titles) {
  const steps = trail.map((step, index) =>
    h("li", {}, h("a", { href: objectPlace(step) + trailQuery(trail.slice(0, index)) },
    h("bdi", {}, visible(titles.get(step) || idText(step))))));
  show(element, h("ol", {}, h("li", {}, h("a", { href: entityPlace(object.entity) }, object.entity)), steps));
}

/**
 * Saves, and goes on with another new object of the entity.
 * @param {string} entity
 * @param {DataWorld} world
 */
async function saveAndAdd(entity, world) {
  const stays = staying();
  if (await world.bar.save() && stays()) await addObject(entity, world, stays);
}

/** @typedef {{ lead: HTMLElement, words: HTMLElement, tools: HTMLElement, drawn: string }} Head */

/**
 * The parts of the heads that are shown, and what their buttons were drawn for.
 * @type {WeakMap<HTMLElement, Head>}
 */
const heads = new WeakMap();

/**
 * @param {HTMLElement} element
 * @returns {Head}
 */
function headOf(element) {
  const known = heads.get(element);
  if (known) return known;
  const head = { lead: h("div.area"), words: h("div.area"), tools: h("div.area"), drawn: "" };
  show(element, head.lead, head.words, h("span.spring"), head.tools);
  heads.set(element, head);
  return head;
}

/**
 * @param {HTMLElement} element
 * @param {ObjectPage} object
 * @param {DataWorld} world
 * @param {{ hasTrail: boolean, reload: () => void, remove: () => void }} options
 */
export function drawHead(element, object, world, { hasTrail, reload, remove }) {
  const { overview } = world, mark = stateMarks[object.state], head = headOf(element);
  show(head.words,
    h("h1", {}, object.title ? h("bdi", {}, visible(object.title)) : h("span.dim", {}, idText(object.id))),
    object.title && h("span.dim", {}, idText(object.id)),
    mark && h("span.badge", { class: mark }, object.state));
  // Pressing a button ends what is typed in a field, whose answer comes before the button is let go: drawn
  // anew, the button would lose the click.
  const shown = JSON.stringify([hasTrail, object.id, object.uri, object.state, object.canDelete,
    overview.hasHistory, overview.isReadOnly]);
  if (shown === head.drawn) return;
  head.drawn = shown;
  const copy = () => attempt(async () => {
    await navigator.clipboard.writeText(object.uri);
    toast("Copied.");
  });
  show(head.lead,
    hasTrail && button("", () => history.back(), { icon: "back", label: "Back", kind: "quiet" }));
  show(head.tools,
    object.state === "new" && button("Save and add another", () => saveAndAdd(object.entity, world)),
    overview.hasHistory && object.state !== "new"
      && h("a.button.quiet", { href: world.place("-", "history") + "?"
        + new URLSearchParams({ object: object.id }) }, "History"),
    button("", (event) => menu(event.currentTarget, [["Copy the URI", copy], ["Read it again", reload]]),
      { icon: "more", label: "More", kind: "quiet" }),
    object.canDelete && !overview.isReadOnly && object.state !== "deleted"
      && button("Delete", remove, { icon: "trash", kind: "danger" }));
}
