// @ts-check
// Elements are added and removed; the page goes to what was added.

import { staying } from "../address.js";
import { menu, prompt } from "../dialogs.js";
import { state, addressOf, choose, edit, entities, entityNamed, isEditable, node, redrawAll,
  suffix } from "./document.js";
import { shownElement } from "./place.js";
import { relationDialog } from "./relation-dialog.js";

/**
 * The field that the person goes to once the inspector shows it.
 * @type {{ id: number, name: string } | null}
 */
let wanted = null;
document.addEventListener("pointerdown", () => { wanted = null; }, true);

/**
 * Goes to a field of an element once the inspector shows it.
 * @param {number} id
 */
export function focusField(id, name = "name") {
  wanted = { id, name };
  redrawAll();
}

/**
 * Looks for the field that was asked for.
 * @param {HTMLElement} page
 */
export function seekField(page) {
  if (!wanted) return;
  /** @type {HTMLInputElement | null} */
  const field = page.querySelector(`[data-field="${CSS.escape(wanted.name)}"][data-key^="${wanted.id}/"]`);
  if (!field) return;
  wanted = null;
  field.focus();
  field.select?.();
}

/**
 * Adds an element and goes to its name.
 * @param {ModelKind} kind
 * @param {number | null} parent
 * @param {object} values
 */
export async function addElement(kind, parent = null, values = {}) {
  const stays = staying(), made = await edit({ do: "add", kind, parent, values });
  const element = made && node(made.at(-1));
  if (!element || !stays()) return;
  state.selection = [element.id];
  const address = addressOf(element);
  if (location.hash !== address) location.hash = address;
  focusField(element.id);
}

/** From a property to its entity, and from there to the model. */
export function goUp() {
  const [id] = state.selection;
  if (id === undefined) {
    if (shownElement()) location.hash = "#/model/entities" + suffix();
    return;
  }
  choose([]);
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="pick${id}"]`))?.focus();
}

export async function removeSelected() {
  const ids = state.selection;
  if (!isEditable() || !ids.length) return;
  const shown = shownElement(), isShown = shown !== undefined && ids.includes(shown.id), stays = staying();
  if (await edit({ do: "remove", ids }) && isShown && stays()) location.hash = "#/model/entities" + suffix();
}

/**
 * More to add to an entity than its first buttons.
 * @param {HTMLElement} anchor
 * @param {ModelElement} entity
 */
export function addMenu(anchor, entity) {
  menu(anchor, [["Attribute", () => addElement("attribute", entity.id)],
    ["Relationship", () => addElement("relationship", entity.id)],
    ["Relationship with inverse…", () => relate(entity)],
      ["Fetched property", () => addElement("fetchedProperty", entity.id)],
      ["Index", () => addElement("fetchIndex", entity.id)]]);
}

/** @param {ModelElement} entity */
async function relate(entity) {
  const other = entities().find((each) => each.id !== entity.id) ?? entity;
  const name = await prompt("Relationship with inverse", "To which entity?", other.values.name, "Next");
  const target = name && entityNamed(name);
  if (target) await relationDialog(entity, target);
}
