// @ts-check
// The look of values on the page.

import { h } from "../ui.js";
import { link } from "../api.js";
import { plain, plural, size, dateText, colorText, visible, idText, objectPlace,
  objectPath } from "../state/text.js";

/**
 * The mark of a state.
 * @type {Record<string, string | undefined>}
 */
export const stateMarks = { new: "good", changed: "warn", deleted: "danger" };

/**
 * A swatch; transparency shows on a chequered ground.
 * @param {ColorValue} color
 */
export const swatch = (color) => h("span.swatch", {
  role: "img", "aria-label": "Colour " + colorText(color), vars: { "--swatch": colorText(color) } });

/**
 * A value as a cell or a line shows it: never longer than a line or so, and safe whatever it holds.
 * @param {StudioValue | undefined} value
 * @param {{ query?: string, tabindex?: string }} options
 * @returns {HTMLElement}
 */
export function shown(value, options = {}) {
  if (value === null || value === undefined) return h("span.nil", {}, "nil");
  if (value === "") return h("span.nil", {}, "empty");
  if (typeof value === "boolean") return h("span.flag", {}, value ? "yes" : "no");
  if (typeof value === "number") return h("span.number", {}, String(value));
  if (typeof value === "string") return h("bdi", {}, visible(value));
  switch (value.$) {
    case "date": return h("time", { datetime: value.text, title: value.text }, dateText(value.text));
    case "color": return h("span.row", {}, swatch(value), h("span.mono", {}, colorText(value)));
    case "text": return h("bdi", { title: plural(value.length, "character") }, visible(value.text), "…");
    case "data": return value.text ? h("code", { title: size(value.bytes) }, visible(value.text)) : h("span.badge", {},
      (value.type ? value.type.replace("image/", "") + " · " : "") + size(value.bytes));
    case "object": return objectLink(value, options);
    case "composite": return composite(value);
    case "tree": return h("code", {}, visible(value.text));
    case "fault": case "members": return h("span.badge", {}, plain(value));
    default: return h("bdi", {}, visible("text" in value ? value.text ?? "" : ""));
  }
}

/**
 * The value of a column or field: of one that has a few values the label of the one that it is.
 * @param {Pick<Attribute, "choices"> | Pick<Relation, "choices">} field
 * @param {StudioValue | undefined} value
 * @param {{ query?: string, tabindex?: string }} options
 */
export function shownIn({ choices }, value, options = {}) {
  const choice = value === null ? undefined : choices?.find((each) => each.value === plain(value));
  return choice ? h("bdi", { title: choice.value }, visible(choice.label)) : shown(value, options);
}

/** @param {CompositeValue} value */
function composite(value) {
  if (value.isNull) return h("span.nil", {}, "nil");
  return h("span", {}, value.fields.filter((field) => field.value !== null)
    .map((field, index) => [index ? ", " : "", h("span.dim", {}, field.key + " "), shown(field.value)]));
}

/**
 * @param {Pick<ObjectLink, "id" | "title" | "entity" | "hidden">} value
 * @param {{ query?: string, tabindex?: string }} options
 */
export function objectLink(value, options = {}) {
  if (value.hidden) return h("span.dim", {}, `a ${value.entity}`);
  return h("a.object", { href: objectPlace(value.id, options.query ?? ""),
    tabindex: options.tabindex ?? null },
    value.title ? h("bdi", {}, visible(value.title)) : h("span.dim", {}, idText(value.id)));
}

/**
 * The address of an attribute's bytes.
 * @param {string} id
 * @param {string} key
 * @param {object} [query]
 */
export const bytesAddress = (id, key, query) => link(objectPath(id, "bytes", key), query);
