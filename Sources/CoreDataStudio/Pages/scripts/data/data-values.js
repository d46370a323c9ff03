// How values look, and what a person types for them.

import { h } from "./ui.js";
import { link } from "./api.js";

const digits = new Intl.NumberFormat("en");
export const number = (value) => digits.format(value);

export const plural = (count, one, many = one + "s") => `${number(count)} ${count === 1 ? one : many}`;

/** The address of an object's page. */
export const objectPlace = (id, query = "") => "#/data/" + id.split("/").map(encodeURIComponent).join("/") + query;

/** A byte count for people. */
export function size(bytes) {
  if (bytes < 1000) return plural(bytes, "byte");
  if (bytes < 1e6) return (bytes / 1000).toFixed(1) + " kB";
  return (bytes / 1e6).toFixed(1) + " MB";
}

/** An ISO date as people read it, in UTC: the seconds only where there are any. */
export function dateText(text) {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?Z$/.exec(text);
  if (!match) return text;
  const seconds = match[3] && match[3] !== ":00" ? match[3].slice(0, 3) : "";
  return match[2] === "00:00" && !seconds ? match[1] : `${match[1]} ${match[2]}${seconds}`;
}

export const colorText = (color) => "#" + ["red", "green", "blue", "alpha"].map((part) =>
  Math.round(color[part] * 255).toString(16).padStart(2, "0").toUpperCase()).join("");

/** A swatch; transparency shows on a chequered ground. */
export const swatch = (color) => h("span.swatch", {
  role: "img", "aria-label": "Colour " + colorText(color), vars: { "--swatch": colorText(color) } });

/** The text that an input shows for a value, and that the server reads again. */
export function plain(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  switch (value.$) {
    case "object": return value.title || value.id || "";
    case "color": return colorText(value);
    case "data": return size(value.bytes);
    case "composite": return value.isNull ? "" : value.fields.map((field) => `${field.key}: ${plain(field.value)}`).join(", ");
    case "members": return plural(value.count, "object");
    case "fault": return "not read yet";
    default: return value.text ?? "";
  }
}

/** A value as a cell or a line shows it: never longer than a line or so, and safe whatever it holds. */
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
    case "data": return h("span.badge", {}, (value.type ? value.type.replace("image/", "") + " · " : "") + size(value.bytes));
    case "object": return objectLink(value, options);
    case "composite": return value.isNull ? h("span.nil", {}, "nil")
      : h("span", {}, value.fields.filter((field) => field.value !== null).map((field, index) => [index ? ", " : "", h("span.dim", {}, field.key + " "), shown(field.value)]));
    case "tree": return h("code", {}, visible(value.text));
    case "fault": return h("span.badge", {}, "not read yet");
    default: return h("bdi", {}, visible(value.text ?? ""));
  }
}

/** Control characters and those that turn the direction of writing would hide what is there. */
export function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => "\u2423\u200b".slice(0, 0) + "\\u{" + character.codePointAt(0).toString(16) + "}");
}

export function objectLink(value, options = {}) {
  if (value.hidden) return h("span.dim", {}, `a ${value.entity}`);
  return h("a.object", { href: objectPlace(value.id, options.query ?? ""), tabindex: options.tabindex ?? null },
    value.title ? h("bdi", {}, visible(value.title)) : h("span.dim", {}, value.id.replace("/", " ")));
}

/** Where the bytes of an attribute are. */
export const bytesAddress = (id, key, query) =>
  link(`data/objects/${id.split("/").map(encodeURIComponent).join("/")}/bytes/${encodeURIComponent(key)}`, query);

/** The path of an object's routes. */
export const objectPath = (id, ...rest) => ["data/objects", ...id.split("/").map(encodeURIComponent), ...rest.map(encodeURIComponent)].join("/");
