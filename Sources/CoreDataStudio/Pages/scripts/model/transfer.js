// @ts-check
// Properties are copied and moved between entities: by the clipboard's keys, by dragging, by a dialog.

import { h, button, select } from "../ui.js";
import { staying } from "../address.js";
import { dialog, toast } from "../dialogs.js";
import { letterOf } from "../state/keys.js";
import { plural } from "../state/text.js";
import { state, addressOf, edit, isEditable, node, ownerEntity, redrawAll } from "./document.js";
import { shownElement } from "./place.js";
import { canHold, holdersOf } from "./state/transfer.js";

/** The kind of what is dragged. */
const kind = "text/x-model-properties";

/**
 * The numbers of the properties that were copied last, and the opening of the model that they hold for.
 * @type {{ ids: number[], opening: string | null }}
 */
let copied = { ids: [], opening: null };

/** @param {number[]} ids */
const nodes = (ids) => ids.flatMap((id) => node(id) ?? []);

/**
 * @param {number[]} ids
 * @param {ModelElement} holder
 * @param {boolean} isCopy
 */
async function transfer(ids, holder, isCopy) {
  const stays = staying(), made = await edit({ do: isCopy ? "copy" : "move", ids, parent: holder.id });
  if (!made || !stays()) return;
  state.selection = isCopy ? made : ids;
  const address = addressOf(node(holder.id));
  if (location.hash === address) redrawAll(); else location.hash = address;
}

/**
 * Control-C and Control-V of properties, unless a text is meant.
 * @param {KeyboardEvent} event
 */
export function clipboardKeys(event) {
  const target = /** @type {Element} */ (event.target), key = letterOf(event);
  const isText = target.closest("input:not([type=checkbox]), textarea") !== null
    || String(getSelection()) !== "";
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || isText
    || document.querySelector("dialog[open]")) return;
  if (key === "c") {
    const chosen = nodes(state.selection).filter((each) => canHold({ ...each, kind: "entity" }, [each]));
    if (!chosen.length) return;
    copied = { ids: chosen.map(({ id }) => id), opening: state.answer.opening };
    toast(`${plural(chosen.length, "property", "properties")} copied: Control-V puts them into the entity that is shown.`);
  } else if (key === "v") {
    const holder = shownElement(), there = copied.opening === state.answer.opening ? nodes(copied.ids) : [];
    if (holder && copied.ids.length && !there.length) toast("The properties that were copied aren’t in this version of the model, or no longer.");
    if (!isEditable() || !holder || !canHold(holder, there)) return;
    transfer(there.map(({ id }) => id), holder, true);
  } else return;
  event.preventDefault();
}

/**
 * What makes a table's row something that can be dragged to an entity of the list at the side.
 * @param {ModelElement} element
 * @returns {Attributes}
 */
export function dragging(element) {
  if (!isEditable() || !canHold({ ...element, kind: "entity" }, [element])) return {};
  return { draggable: "true", /** @param {DragEvent} event */ ondragstart: ({ dataTransfer }) => {
    const ids = state.selection.includes(element.id) ? state.selection : [element.id];
    dataTransfer?.setData(kind, JSON.stringify(ids));
    if (dataTransfer) dataTransfer.effectAllowed = "copyMove";
  } };
}

/**
 * What makes an entity of the list at the side take properties: moved, with Control copied.
 * @param {ModelElement} holder
 * @returns {Attributes}
 */
export function dropping(holder) {
  if (!isEditable() || (holder.kind !== "entity" && holder.kind !== "composite")) return {};
  /** @param {DragEvent} event */
  const place = (event) => /** @type {HTMLElement} */ (event.currentTarget);
  return {
    /** @param {DragEvent} event */
    ondragover: (event) => {
      if (!event.dataTransfer?.types.includes(kind)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = event.ctrlKey || event.metaKey ? "copy" : "move";
      place(event).classList.add("over");
    },
    /** @param {DragEvent} event */
    ondragleave: (event) => place(event).classList.remove("over"),
    /** @param {DragEvent} event */
    ondrop: (event) => {
      event.preventDefault();
      place(event).classList.remove("over");
      const ids = JSON.parse(event.dataTransfer?.getData(kind) || "[]");
      if (ids.length) transfer(ids, holder, event.ctrlKey || event.metaKey);
    },
  };
}

/**
 * A button that asks where properties go; null for what can't go anywhere.
 * @param {ModelElement[]} elements
 */
export function transferButton(elements) {
  const own = ownerEntity(elements[0].id)?.id;
  const holders = holdersOf(state.answer.root, elements).filter(({ id }) => id !== own);
  if (!isEditable() || !holders.length) return null;
  return button("Move…", () => askWhere(elements, holders), { title: "Move or copy to another entity" });
}

/**
 * @param {ModelElement[]} elements
 * @param {ModelElement[]} holders
 */
async function askWhere(elements, holders) {
  const ids = elements.map(({ id }) => id);
  const where = select(holders.map(({ id, values }) => /** @type {[string, string]} */ ([String(id),
    values.name])),
    String(holders[0].id), { "aria-label": "Entity" });
  /** @type {"copy" | "move" | null} */
  const answer = await dialog(`Move ${plural(ids.length, "property", "properties")}`,
    (close) => h("div.body", {},
    h("label.row", {}, "To", where),
    h("p.hint", {},
      "Stores that are migrated lose the values of a property that is moved: no migration can be inferred for it."),
    h("footer", {}, button("Move", () => close("move"), { kind: "primary" }),
      button("Copy", () => close("copy")))));
  const holder = holders.find(({ id }) => String(id) === where.value);
  if (answer && holder) await transfer(ids, holder, answer === "copy");
}
