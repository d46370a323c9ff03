// @ts-check
// A fetched property: asked for when the person opens it.

import { h, show, button } from "../ui.js";
import { attempt } from "../dialogs.js";
import { get } from "../api.js";
import { objectPath } from "../state/text.js";
import { shown } from "./values.js";

/**
 * @param {Report} property
 * @param {import("./object.js").ObjectHost} host
 */
export function reportView(property, host) {
  const list = h("ul.members", {}), count = h("span.badge", {}, "report");
  const run = async () => {
    const answer = await attempt(() => get(objectPath(host.id, "report", property.key)));
    if (!answer) return;
    count.textContent = String(answer.count);
    show(list, answer.members.map((/** @type {ObjectLink} */ member) =>
      h("li", {}, shown(member, { query: host.onward }))),
      answer.count === 0 && h("li.dim", {}, "Nothing found."),
      answer.count > answer.members.length && h("li.dim", {},
        `… and ${answer.count - answer.members.length} more`));
  };
  show(list, h("li", {}, button("Fetch", run, { label: `Fetch ${property.label}` })));
  return h("section.panel.report", { "aria-label": property.label, dataset: { key: property.key } },
    h("div.row", {}, h("h2", {}, property.label), count, h("span.dim", {}, property.destination),
      h("span.spring")),
    h("p.hint.mono", {}, property.predicate ?? ""), list);
}
