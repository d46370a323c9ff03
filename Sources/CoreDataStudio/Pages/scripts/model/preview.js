// @ts-check
// The products of a version: Swift sources, Objective-C headers, tables of a store, version hashes.

import { h, show, button, empty, field } from "../ui.js";
import { get } from "../api.js";
import { state, isEditable, suffix } from "./document.js";
import { classDialog } from "./class-dialog.js";
import { isOfVersion, storedState } from "./state/versions.js";

const kinds = [["swift", "Swift"], ["objc", "Objective-C"], ["sql", "SQLite"], ["hashes", "Version hashes"]];

/**
 * @param {string | undefined} wanted
 * @param {Record<string, string>} query
 */
export function preview(wanted, query) {
  const kind = kinds.some(([name]) => name === wanted) ? wanted ?? "swift" : "swift";
  const result = h("div.stack", {}, h("p.empty", {}, "Generating…"));
  const content = kind === "hashes" ? hashes() : sources(kind, query);
  content.then((made) => show(result, made), (error) => show(result, refused(error)));
  return h("div.pad.stack", {}, h("div.row", {},
    h("nav.row", { "aria-label": "Preview of" }, kinds.map(([name, label]) =>
    h("a.button", { href: `#/model/preview/${name}` + suffix(), "aria-current": kind === name ? "page" : null,
      dataset: { key: name } }, label))),
  kind === "swift" && [option("sets", "native", "Sets as Set<…>", query),
    option("scalars", "optional", "Optional scalars as optionals", query), h("span.spring"),
    isEditable() && button("Write to folder…",
      () => classDialog({ sets: query.sets, scalars: query.scalars }))]),
  result);
}

/**
 * @param {string} key
 * @param {string} value
 * @param {string} label
 * @param {Record<string, string>} query
 */
function option(key, value, label, query) {
  return field(label, h("input", { type: "checkbox", checked: query[key] === value,
    dataset: { key: "preview" + key }, onchange: (event) => {
    /** @type {Record<string, string>} */
    const next = { ...(suffix() && state.version !== null ? { v: state.version } : {}), ...query,
      [key]: value };
    if (!event.target.checked) delete next[key];
    location.hash = "#/model/preview/swift?" + new URLSearchParams(next);
  } }), { class: "model-flag" });
}

/**
 * @param {string} kind
 * @param {Record<string, string>} query
 * @returns {Promise<Content>}
 */
async function sources(kind, { sets, scalars }) {
  /** @type {{ name: string, text: string }[]} */
  const files = await get(`model/preview/${kind}`,
    { version: state.version, ...(kind === "swift" ? { sets, scalars } : {}) });
  if (!files.length) return empty(kind === "swift"
    ? "No code is generated: every entity’s Codegen is Manual/None." : "The model has no entities.");
  return [kind === "objc" && h("p.hint", {},
    "The classes as Objective-C sees them, for reading: these headers aren’t written to files."),
  files.map((file) => h("details", { open: true }, h("summary", {}, h("strong", {}, file.name)),
    h("pre.panel.model-code", { tabindex: 0, "aria-label": file.name }, file.text)))];
}

/** @param {import("../api.js").ApiError} error */
const refused = (error) => h("div.panel.stack", {}, h("p", {}, error.message),
  error.details?.problems && h("ul", {},
    error.details.problems.split("\n").map((/** @type {string} */ problem) => h("li", {}, problem))),
  h("a", { href: "#/model/issues" + suffix() }, "All issues"));

// Version hashes: by which a store recognises its model.

/** @returns {Promise<Content>} */
async function hashes() {
  /** @type {VersionHashes} */
  const answer = await get("model/hashes", { version: state.version });
  if (!answer.entities.length) return empty("The model has no entities, and so no version hashes.");
  const hasStore = answer.store !== undefined,
    heads = ["Entity, property", "Version hash", ...(hasStore ? ["Store"] : [])];
  return [
    hasStore && verdict(answer),
    h("div.model-scroll", {}, h("table", { "aria-label": "Version hashes" },
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      answer.entities.map((entity) => entityRows(entity, hasStore)))),
    h("p.row", {}, h("span", {}, "Checksum of the version "), code(answer.checksum, "the checksum")),
    h("p.hint", {},
      "Base64, as in a store’s metadata. An entity’s hash is made of those of its stored properties; a hash modifier changes it."),
  ];
}

/** @param {VersionHashes} answer */
function verdict(answer) {
  const fits = isOfVersion(answer), only = answer.missing.length > 0
    && ` Only in the store: ${answer.missing.join(", ")}.`;
  return h("p.model-verdict", {},
    h("span.badge", { class: fits ? "good" : "danger" }, fits ? "fits" : "doesn’t fit"),
    ` ${answer.store} `,
    fits ? "is of this version." : "is of another version.", only);
}

/**
 * @param {VersionHashes["entities"][number]} entity
 * @param {boolean} hasStore
 */
function entityRows(entity, hasStore) {
  const [mark, words] = storedState(entity);
  return h("tbody", {},
    h("tr", {}, h("th", { scope: "row" }, entity.name),
      h("td", {}, code(entity.hash, entity.name),
        entity.doubt && h("span.model-note", { title: entity.doubt },
        `may differ from Apple’s: ${entity.doubt}`)),
      hasStore && h("td", {}, h("span.badge", { class: mark, title: entity.stored ?? null }, words))),
    entity.properties.map((property) => h("tr", {}, h("td.model-inner", {}, property.name),
      h("td", {}, code(property.hash, `${entity.name}.${property.name}`)), hasStore && h("td", {}))));
}

/**
 * @param {string} text
 * @param {string} name
 */
function code(text, name) {
  const shown = h("code", {}, text);
  /** @param {{ currentTarget: HTMLElement }} event */
  const copy = async ({ currentTarget }) => {
    try { await navigator.clipboard.writeText(text); } catch { selectText(shown); return; }
    currentTarget.textContent = "Copied";
    setTimeout(() => { currentTarget.textContent = "Copy"; }, 1500);
  };
  return h("span.row.model-hash", {}, shown,
    button("Copy", copy, { kind: "quiet", label: `Copy the hash of ${name}` }));
}

/**
 * If the clipboard is closed the text is selected, for the person’s own copying.
 * @param {HTMLElement} element
 */
function selectText(element) {
  const range = document.createRange(), selection = getSelection();
  range.selectNodeContents(element);
  selection?.removeAllRanges();
  selection?.addRange(range);
}
