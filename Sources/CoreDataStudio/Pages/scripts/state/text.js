// @ts-check
// The look of values as text.

const digits = new Intl.NumberFormat("en");

/** @param {number} value */
export const number = (value) => digits.format(value);

/**
 * @param {number} count
 * @param {string} one
 */
export const plural = (count, one, many = one + "s") => `${number(count)} ${count === 1 ? one : many}`;

/**
 * A byte count for people.
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 1000) return plural(bytes, "byte");
  if (bytes < 1e6) return (bytes / 1000).toFixed(1) + " kB";
  return (bytes / 1e6).toFixed(1) + " MB";
}

/**
 * The time that something took.
 * @param {number} milliseconds
 */
export const duration = (milliseconds) =>
  milliseconds < 1 ? `${Math.round(milliseconds * 1000)} µs` : `${milliseconds.toFixed(1)} ms`;

/**
 * An ISO date as people read it, in UTC; midnight is the day alone.
 * @param {string} text
 */
export function dateText(text) {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?Z$/.exec(text);
  if (!match) return text;
  const seconds = (match[3] ?? ":00").slice(0, 3);
  return match[2] === "00:00" && seconds === ":00" ? match[1] : `${match[1]} ${match[2]}${seconds}`;
}

/**
 * A date that is typed, as a browser's picker takes it: without zone, for all dates here are in UTC.
 * @param {string} text
 */
export function pickerDate(text) {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?).*)?$/.exec(text.trim());
  if (!match) return "";
  const time = match[2] ?? "00:00:00";
  return `${match[1]}T${time.length === 5 ? time + ":00" : time}`;
}

/**
 * What a picker gives, as the server reads it; midnight is the day alone.
 * @param {string} value
 */
export function pickedDate(value) {
  const [day, time = ""] = value.split("T"), seconds = time.length === 5 ? time + ":00" : time;
  return seconds === "00:00:00" || !seconds ? day : `${day}T${seconds}Z`;
}

/** @param {Omit<ColorValue, "$">} color */
export const colorText = (color) => "#" + [color.red, color.green, color.blue, color.alpha]
  .map((part) => Math.round(part * 255).toString(16).padStart(2, "0").toUpperCase()).join("");

/**
 * The text that an input shows for a value, and that the server reads again.
 * @param {StudioValue | undefined} value
 * @returns {string}
 */
export function plain(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  switch (value.$) {
    case "object": return value.title || value.id || "";
    case "color": return colorText(value);
    case "data": return size(value.bytes);
    case "composite":
      return value.isNull ? "" : value.fields.map((field) =>
        `${field.key}: ${plain(field.value)}`).join(", ");
    case "members": return plural(value.count, "object");
    case "fault": return value.count === null ? "not read yet" : plural(value.count, "object");
    default: return value.text ?? "";
  }
}

/**
 * Control characters and those that turn the direction of writing would hide what is there.
 * @param {string} text
 */
export const visible = (text) =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => "\\u{" + character.charCodeAt(0).toString(16) + "}");

const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const scripts = ["Arab", "Beng", "Deva", "Gujr", "Guru", "Knda", "Mlym", "Sinh", "Taml", "Telu"]
  .map((script) => `\\p{Script=${script}}`).join("");
// Joiners show in how their neighbours are drawn: within an emoji, and within words of some scripts.
const emoji = /([\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu;
const words = new RegExp(`([${scripts}])[\\u200c\\u200d](?=[${scripts}])`, "gu");

/**
 * The parts of a text that can't be seen, in words; null if there is nothing.
 * @param {unknown} text
 */
export function unseen(text) {
  const found = typeof text === "string"
    ? text.replace(emoji, "$1").replace(words, "$1").match(hidden) : null;
  if (!found) return null;
  const codes = [...new Set(found)].slice(0, 5)
    .map((character) => "U+" + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0"));
  return `Holds ${plural(found.length, "character")} that can’t be seen: ${codes.join(", ")}`;
}

/**
 * Browsers make all ends of lines alike: those of the text that was there are given back.
 * @param {string} text
 */
export function lineEnds(text) {
  if (!/\r/.test(text)) return "\n";
  return /[^\r]\n|^\n/.test(text) || /\r(?!\n)/.test(text) ? (/\n/.test(text) ? "\n" : "\r") : "\r\n";
}

/**
 * The address of an object's page.
 * @param {string} id
 */
export const objectPlace = (id, query = "") =>
  "#/data/" + id.split("/").map(encodeURIComponent).join("/") + query;

/**
 * The path of an object's routes.
 * @param {string} id
 * @param {string[]} rest
 */
export const objectPath = (id, ...rest) =>
  ["data/objects", ...id.split("/").map(encodeURIComponent), ...rest.map(encodeURIComponent)].join("/");

/**
 * An object's name for people where it has no title: `Hero 3`.
 * @param {string} id
 */
export const idText = (id) => id.replace("/", " ");
