// @ts-check
// Bytes: a preview where they are an image, upload, download.

import { h, show, button, unique } from "../ui.js";
import { attempt, dialog, toast } from "../dialogs.js";
import { size, visible } from "../state/text.js";
import { bytesAddress } from "./values.js";
import { labelOf } from "./state/field-text.js";
import { hexLines } from "./state/hex.js";
import { mark, sayIn } from "./field-parts.js";

/** The greatest size of a request. */
const uploadLimit = 16 << 20;

/** @typedef {(key: string, file: File) => Promise<void>} PutFile */

/**
 * @param {ObjectField} field
 * @param {ObjectPage} object
 * @param {import("./field-parts.js").SetValue} set
 * @param {boolean} isFixed
 * @param {PutFile} put
 * @returns {FieldEditor}
 */
export function bytesField(field, object, set, isFixed, put) {
  const preview = h("div.preview", {}), tools = h("div.row", {});
  const file = fileInput(field, put);
  const box = h("div.field.binary", { role: "group", "aria-label": field.label },
    h("span.legend", {}, labelOf(field)), preview, tools, file,
    h("p.hint", {}, field.lock ?? field.help ?? ""), h("p.message", { hidden: true }));
  /** @param {ObjectField} next */
  const update = (next) => {
    const value = dataOf(next.value);
    show(preview, value ? image(next, object, value) : h("span.nil", {}, "nil"),
      value?.text && h("pre.tree", { tabindex: "0", "aria-label": field.label }, visible(value.text)),
      value && h("span.hint", {}, `${value.type ?? "bytes"}, ${size(value.bytes)}`));
    show(tools, !isFixed && button(value ? "Replace…" : "Upload…", () => file.click(), { icon: "upload" }),
      value && button("Hex", () => showHex(next, object),
        { kind: "quiet", label: `${next.label} in hexadecimal` }),
      value && h("a.button", { href: bytesAddress(object.id, next.key), download: "" }, "Download"),
      !isFixed && value && next.isOptional && button("Remove", () => set(next.key, null), { kind: "quiet" }));
    mark(editor, next);
  };
  const say = (/** @type {string | null | undefined} */ message) => sayIn(box, message);
  /** @type {FieldEditor} */
  const editor = Object.assign(box, { say, update });
  update(field);
  return editor;
}

/**
 * @param {StudioValue} value
 * @returns {DataValue | null}
 */
const dataOf = (value) => value !== null && typeof value === "object" && value.$ === "data" ? value : null;

/**
 * @param {ObjectField} field
 * @param {ObjectPage} object
 * @param {DataValue} value
 */
function image(field, object, value) {
  if (!value.type?.startsWith("image/")) return null;
  const src = bytesAddress(object.id, field.key, { show: "1", size: value.bytes, at: Date.now() });
  return h("img", { src, alt: `${field.label}: ${value.type}, ${size(value.bytes)}` });
}

/** How many bytes are shown. */
const hexLimit = 16_384;

/**
 * Shows the bytes, or the first of them.
 * @param {ObjectField} field
 * @param {ObjectPage} object
 */
const showHex = (field, object) => attempt(async () => {
  const answer = await fetch(bytesAddress(object.id, field.key));
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  await dialog(`${field.label}, ${size(bytes.length)}`, (close) => h("div.body", {},
    h("pre.hex", { tabindex: "0", "aria-label": "Bytes" }, hexLines(bytes.subarray(0, hexLimit)).join("\n")),
    bytes.length > hexLimit && h("p.hint", {}, `The first ${size(hexLimit)} of ${size(bytes.length)}.`),
    h("footer", {}, button("Close", () => close()))), { class: "wide" });
});

/**
 * @param {ObjectField} field
 * @param {PutFile} put
 */
function fileInput(field, put) {
  const send = async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    if (chosen.size > uploadLimit) toast("The studio takes files of up to 16 MB. Larger ones are set by a program.", "error");
    else await put(field.key, chosen);
    file.value = "";
  };
  const file = h("input", { type: "file", id: "field-" + unique(), hidden: true,
    accept: field.kind === "image" ? "image/*" : null, onchange: () => send() });
  return file;
}
