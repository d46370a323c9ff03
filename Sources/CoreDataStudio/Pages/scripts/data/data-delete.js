// Deleting: first what goes with the objects, what forgets them, and what stands in the way.

import { h, dialog, button, attempt } from "./ui.js";
import { post } from "./api.js";
import { plural, visible } from "./data-values.js";

/** Asks and deletes. True if it was done. */
export async function deleteObjects(ids, world) {
  if (!ids.length) return false;
  const preview = await attempt(() => post("data/deletions/preview", { ids }));
  if (!preview) return false;
  const name = (object) => h("li", {}, h("bdi", {}, visible(object.title || object.name)), " ", h("span.dim", {}, object.title ? object.name : ""),
    object.keys?.length > 0 && h("span.dim", {}, " · " + object.keys.join(", ")));
  const part = (list, heading, kind) => list.count > 0 && h("section", {}, h("h3", {}, h("span.badge", { class: kind }, String(list.count)), " " + heading),
    h("ul.names", {}, list.objects.map(name), list.count > list.objects.length && h("li.dim", {}, `… and ${list.count - list.objects.length} more`)));
  const isDenied = preview.denied.count > 0;
  const choice = await dialog(isDenied ? "Can’t be deleted" : `Delete ${plural(ids.length, "object")}?`, (close) => h("div.body", {},
    isDenied && h("section", { role: "alert" }, h("h3", {}, "A relationship denies it"), h("ul.names", {}, preview.denied.objects.map((denial) =>
      h("li", {}, h("bdi", {}, visible(denial.object.title || denial.object.name)), ": ", denial.message)))),
    part(preview.asked, "to delete", "danger"), part(preview.cascaded, "deleted with them", "danger"), part(preview.nullified, "changed: they forget the deleted ones", "warn"),
    !isDenied && h("p.hint", {}, "Nothing is gone before you save; until then it can be undone."),
    h("footer", {}, !isDenied && button("Delete", () => close(true), { kind: "danger", autofocus: true }),
      button(isDenied ? "Close" : "Cancel", () => close(), { kind: "quiet" }))));
  if (!choice) return false;
  return Boolean(await attempt(() => world.change("data/deletions", { ids })));
}
