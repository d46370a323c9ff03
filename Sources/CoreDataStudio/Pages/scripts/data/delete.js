// @ts-check
// Deleting: first what goes with the objects, what forgets them, and what stands in the way.

import { h, button } from "../ui.js";
import { attempt, dialog } from "../dialogs.js";
import { post } from "../api.js";
import { plural, visible } from "../state/text.js";

/**
 * Asks and deletes. True if it was done.
 * @param {string[]} ids
 * @param {DataWorld} world
 */
export async function deleteObjects(ids, world) {
  if (!ids.length) return false;
  /** @type {DeletionPreview | undefined} */
  const preview = await attempt(() => post("data/deletions/preview", { ids }));
  if (!preview) return false;
  const isDenied = preview.denied.count > 0;
  const choice = await dialog(isDenied ? "Can’t be deleted" : `Delete ${plural(ids.length, "object")}?`,
    (close) => h("div.body", {},
    isDenied && denials(preview),
    part(preview.asked, "to delete", "danger"), part(preview.cascaded, "deleted with them", "danger"),
    part(preview.nullified, "changed: they forget the deleted ones", "warn"),
    !isDenied && h("p.hint", {}, "Nothing is gone before you save; until then it can be undone."),
    h("footer", {}, !isDenied && button("Delete", () => close(true), { kind: "danger", autofocus: true }),
      button(isDenied ? "Close" : "Cancel", () => close(), { kind: "quiet" }))));
  if (!choice) return false;
  return Boolean(await attempt(() => world.change("data/deletions", { ids })));
}

/** @param {DeletionPreview} preview */
const denials = ({ denied }) => h("section", { role: "alert" }, h("h3", {}, "A relationship denies it"),
  h("ul.names", {}, denied.objects.map((denial) =>
    h("li", {}, h("bdi", {}, visible(denial.object.title || denial.object.name)), ": ", denial.message))));

/**
 * @param {NamedObjects} list
 * @param {string} heading
 * @param {string} kind
 */
const part = (list, heading, kind) => list.count > 0 && h("section", {},
  h("h3", {}, h("span.badge", { class: kind }, String(list.count)), " " + heading),
  h("ul.names", {}, list.objects.map(nameView),
    list.count > list.objects.length && h("li.dim", {}, `… and ${list.count - list.objects.length} more`)));

/** @param {NamedObject} object */
const nameView = (object) => h("li", {}, h("bdi", {}, visible(object.title || object.name)), " ",
  h("span.dim", {}, object.title ? object.name : ""),
  object.keys && object.keys.length > 0 && h("span.dim", {}, " · " + object.keys.join(", ")));
