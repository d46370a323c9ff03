// @ts-check
// Predicates and configurations in the wide part of the page, run against the studio's store.

import { h, button } from "../ui.js";
import { attempt, dialog } from "../dialogs.js";
import { get } from "../api.js";
import { answered, entities, entityNamed, node, ownerEntity, sendAll, state } from "./document.js";
import { inspectorField } from "./inspector-field.js";
import { area } from "./place.js";
import { rowsOf } from "./state/configuration-rows.js";

/**
 * The predicates that have the wide part of the page, by the kind of element.
 * @type {Partial<Record<ModelKind, string>>}
 */
const wide = { fetchRequest: "predicateString", fetchedProperty: "predicateString",
  fetchIndex: "partialIndexPredicate" };

/**
 * Whether a field is in the wide part of the page, where the inspector needn't have it.
 * @param {FieldDescription} description
 * @param {ModelKind} kind
 */
export const isWide = ({ key }, kind) => wide[kind] === key && area() !== "diagram";

/**
 * The predicate of an element, and the way to the rows that it finds.
 * @param {ModelElement} element
 */
export function widePredicate(element) {
  const { kind, values } = element, key = wide[kind] ?? "";
  const description = state.fields?.[kind].find((each) => each.key === key);
  const owner = ownerEntity(element.id)?.values.name;
  const entity = kind === "fetchRequest" ? values.entity
    : kind === "fetchedProperty" ? values.destinationEntity : owner;
  return [
    description && h("div.panel.model-wide", {}, inspectorField(description, [element])),
    state.session?.hasStore && entityNamed(entity) && h("div.row", {},
      h("a.button.primary", { href: runPlace(entity, values[key] ?? "", owner) }, "Run against this store")),
  ];
}

/**
 * The grid of an entity with a predicate, which asks for its variables.
 * @param {string} entity
 * @param {string} predicate
 * @param {string | undefined} owner the entity of the object that a fetched property is asked for
 */
function runPlace(entity, predicate, owner) {
  const query = { predicate, ...(owner && /\$FETCH_SOURCE\b/.test(predicate) && { source: owner }) };
  return "#/data/" + encodeURIComponent(entity) + (predicate && "?" + new URLSearchParams(query));
}

/**
 * Says which of the store's rows a configuration has a place for.
 * @param {ModelElement} configuration
 */
export const runConfiguration = (configuration) => state.session?.hasStore
  && h("div.row", {}, button("Run against this store", () => attempt(async () => {
    // A box may have been ticked whose edit is on its way.
    await sendAll();
    await answered();
    const counts = await get("data/counts"), { members, values } = node(configuration.id) ?? configuration;
    const rows = rowsOf(entities(), members ?? [], counts);
    await dialog(`${values.name} and this store`, (close) => h("div.body", {},
      h("p", {}, rows.some(({ isIn, count }) => !isIn && count)
        ? "The store has objects of entities that the configuration leaves out."
        : "All objects of the store are of the configuration’s entities."),
      h("table", { "aria-label": "Rows by entity" },
        h("thead", {}, h("tr", {}, ["Entity", "Rows", "Configuration"].map((head, index) =>
          h("th", { scope: "col", class: index === 1 ? "number" : null }, head)))),
        h("tbody", {}, rows.map(({ name, count, isIn }) => h("tr", {},
          h("th", { scope: "row" },
            h("a", { href: "#/data/" + encodeURIComponent(name), onclick: () => close() }, name)),
          h("td.number", {}, count === null ? "–" : count.toLocaleString("en")),
          h("td", {}, isIn ? "in it" : h("span.badge", { class: count ? "warn" : null }, "left out")))))),
      h("footer", {}, button("Close", () => close(), { kind: "primary", autofocus: true }))));
  }), { kind: "primary" }));
