// Versions: which there are, what differs in words, whether stores can be migrated; and what a version becomes.

import { h, show, button, select, dialog, field, attempt, empty } from "./ui.js";
import { get } from "./api.js";
import { state, act, isEditable, suffix } from "./model-state.js";
import { submitting } from "./model-typing.js";

/** The versions to compare that somebody chose; the others follow from which is current. */
const chosen = { from: null, to: null };

export function versions() {
  const { answer } = state, open = isEditable();
  const names = answer.versions.map((version) => version.name);
  const current = answer.versions.find((version) => version.isCurrent)?.name;
  const list = h("section.stack.tight", { "aria-label": "Versions" }, h("div.model-group", {}, h("h3", {}, "Versions"),
    open && answer.isVersioned && button("Add version…", addVersion, { icon: "add" })),
  h("div.model-scroll", {}, h("table", { "aria-label": "Versions" }, h("thead", {}, h("tr", {}, ["Version", "", ""].map((head) => h("th", { scope: "col" }, head || h("span.model-hidden", {}, "More"))))),
    h("tbody", {}, answer.versions.map((version) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: "#/model/entities" + (version.isCurrent ? "" : "?v=" + encodeURIComponent(version.name)) }, version.name)),
      h("td", {}, version.isCurrent && h("span.badge.good", {}, "current"), " ", version.isUnsaved && h("span.badge.warn", {}, "unsaved")),
      h("td", {}, open && !version.isCurrent && button("Set current", () => setCurrent(version.name), { label: `Make ${version.name} the current version` }))))))),
  !answer.isVersioned && h("p.hint", {}, "A single .xcdatamodel has one version; several are in an .xcdatamodeld."));
  const box = h("div.pad.stack", {}, list);
  if (names.length < 2) {
    if (answer.isVersioned) box.append(h("p.hint", {}, "Before you change a model whose stores are in people’s hands, add a version: then what differs and how stores are migrated is shown here."));
    return box;
  }
  const to = names.includes(chosen.to) ? chosen.to : current ?? names.at(-1);
  const from = names.includes(chosen.from) ? chosen.from : names[names.indexOf(to) - 1] ?? names.find((name) => name !== to);
  const compared = { from, to };
  const result = h("div.stack", { "aria-live": "polite" });
  const compare = () => attempt(async () => {
    const wanted = { ...compared }, answer = await get("model/compare", wanted);
    // Others may have been chosen meanwhile.
    if (wanted.from === compared.from && wanted.to === compared.to) show(result, comparison(answer));
  });
  const choice = (key, label) => field(label, select(names, compared[key], { dataset: { key: "compare" + key }, onchange: (event) => { chosen[key] = compared[key] = event.target.value; compare(); } }));
  box.append(h("section.stack", { "aria-label": "Comparison" }, h("h3", {}, "What changed"), h("div.row.model-compare", {}, choice("from", "From"), choice("to", "To")), result));
  compare();
  return box;
}

function comparison({ differences, verdict }) {
  const signs = { added: "+", removed: "−", changed: "~" };
  return [
    differences.length
      ? h("ul.model-differences", {}, differences.map((difference) => h("li", { class: difference.kind }, h("span.sign", { "aria-label": difference.kind }, signs[difference.kind]), h("strong", {}, difference.place), " ", difference.words)))
      : h("p.hint", {}, "The versions say the same."),
    h("h3", {}, "Migration"),
    verdict.isInferable
      ? h("p", {}, h("span.badge.good", {}, "lightweight"), " Stores are migrated without a mapping model.")
      : h("p", {}, h("span.badge.danger", {}, "not lightweight"), " A mapping model or a stage of your own is needed: ", verdict.reason),
    verdict.warnings.map((words) => h("p", {}, h("span.badge.warn", {}, "check"), " ", words)),
    verdict.steps.length > 0 && h("div.model-scroll", {}, h("table", { "aria-label": "Migration plan" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Step"), verdict.isCounted && h("th.number", { scope: "col" }, "Rows"), h("th", { scope: "col" }, h("span.model-hidden", {}, "Remark")))),
      h("tbody", {}, verdict.steps.map((step) => h("tr", {}, h("td", {}, step.words), verdict.isCounted && h("td.number", {}, step.count ?? ""), h("td", {}, step.losesData && h("span.badge.danger", {}, "loses data"))))))),
  ];
}

function addVersion() {
  const { answer } = state;
  const taken = answer.versions.map((version) => version.name);
  const base = answer.versions.find((version) => version.isCurrent)?.name ?? taken.at(-1);
  let number = taken.length + 1;
  while (taken.includes(`${answer.name} ${number}`)) number += 1;
  return dialog("Add version", (close) => {
    const name = h("input", { type: "text", value: `${answer.name} ${number}`, autofocus: true });
    const based = select(taken, base);
    return h("form.body", { onsubmit: submitting(async () => {
      const made = name.value.trim();
      if (await act("model/versions", { name: made, basedOn: based.value })) { close(true); location.hash = "#/model/versions?v=" + encodeURIComponent(made); }
    }) }, field("Name", name), field("Based on", based), h("footer", {}, h("button.primary", { type: "submit" }, "Add version"), button("Cancel", () => close(), { kind: "quiet" })));
  });
}

async function setCurrent(name) {
  if (await act("model/current", { version: name })) location.hash = "#/model/versions";
}

/** What a version becomes: Swift sources, tables of a store. */
export function preview(kind = "swift", query = {}) {
  const what = ["sql", "hashes"].includes(kind) ? kind : "swift";
  const result = h("div.stack", {}, h("p.empty", {}, "Generating…"));
  const options = { sets: query.sets ?? null, scalars: query.scalars ?? null };
  const toggle = (key, value, label) => field(label, h("input", { type: "checkbox", checked: query[key] === value, dataset: { key: "preview" + key }, onchange: (event) => {
    const next = { ...(suffix() ? { v: state.version } : {}), ...query, [key]: value };
    if (!event.target.checked) delete next[key];
    location.hash = "#/model/preview/swift?" + new URLSearchParams(next);
  } }), { class: "model-flag" });
  if (what === "hashes") attempt(async () => {
    try { show(result, hashes(await get("model/hashes", { version: state.version }))); } catch (error) { show(result, refused(error)); }
  });
  else attempt(async () => {
    try {
      const files = await get(`model/preview/${what}`, { version: state.version, ...(what === "swift" ? options : {}) });
      show(result, files.length
        ? files.map((file) => h("details", { open: true }, h("summary", {}, h("strong", {}, file.name)), h("pre.panel.model-code", { tabindex: 0, "aria-label": file.name }, file.text)))
        : empty(what === "swift" ? "No code is generated: every entity’s Codegen is Manual/None." : "The model has no entities."));
    } catch (error) {
      show(result, refused(error));
    }
  });
  return h("div.pad.stack", {}, h("div.row", {}, h("nav.row", { "aria-label": "Preview of" },
    h("a.button", { href: "#/model/preview/swift" + suffix(), "aria-current": what === "swift" ? "page" : null, dataset: { key: "swift" } }, "Swift"),
    h("a.button", { href: "#/model/preview/sql" + suffix(), "aria-current": what === "sql" ? "page" : null, dataset: { key: "sql" } }, "SQLite"),
    h("a.button", { href: "#/model/preview/hashes" + suffix(), "aria-current": what === "hashes" ? "page" : null, dataset: { key: "hashes" } }, "Version hashes")),
  what === "swift" && toggle("sets", "native", "Sets as Set<…>"), what === "swift" && toggle("scalars", "optional", "Optional scalars as optionals")), result);
}

const refused = (error) => h("div.panel.stack", {}, h("p", {}, error.message), error.details?.problems && h("ul", {}, error.details.problems.split("\n").map((problem) => h("li", {}, problem))),
  h("a", { href: "#/model/issues" + suffix() }, "All issues"));

// Version hashes: by which a store recognises its model.

function hashes(answer) {
  if (!answer.entities.length) return empty("The model has no entities, and so no version hashes.");
  const hasStore = answer.store !== undefined;
  const state = (entity) => entity.stored === undefined ? ["warn", "not in the store"] : entity.stored === entity.hash ? ["good", "same"] : ["danger", "differs"];
  const fits = hasStore && !answer.missing.length && answer.entities.every((entity) => entity.stored === entity.hash);
  return [
    hasStore && h("p", {}, h("span.badge", { class: fits ? "good" : "danger" }, fits ? "fits" : "doesn’t fit"), ` ${answer.store} `, fits ? "is of this version." : "is of another version.",
      answer.missing.length > 0 && ` Only in the store: ${answer.missing.join(", ")}.`),
    h("p.row", {}, h("span", {}, "Checksum of the version "), code(answer.checksum, "the checksum")),
    h("div.model-scroll", {}, h("table", { "aria-label": "Version hashes" }, h("thead", {}, h("tr", {}, ["Entity, property", "Version hash", ...(hasStore ? ["Store"] : [])].map((head) => h("th", { scope: "col" }, head)))),
      answer.entities.map((entity) => h("tbody", {}, h("tr", {}, h("th", { scope: "row" }, entity.name), h("td", {}, code(entity.hash, entity.name), entity.doubt && h("span.model-note", { title: entity.doubt }, `may differ from Apple’s: ${entity.doubt}`)),
        hasStore && h("td", {}, h("span.badge", { class: state(entity)[0], title: entity.stored ?? null }, state(entity)[1]))),
      entity.properties.map((property) => h("tr", {}, h("td.model-inner", {}, property.name), h("td", {}, code(property.hash, `${entity.name}.${property.name}`)), hasStore && h("td", {}))))))),
    h("p.hint", {}, "Base64, as in a store’s metadata. An entity’s hash is made of those of its stored properties; a hash modifier changes it."),
  ];
}

function code(text, name) {
  return h("span.row.model-hash", {}, h("code", {}, text), button("Copy", async (event) => {
    const own = event.currentTarget;
    try { await navigator.clipboard.writeText(text); } catch { select_(own.previousSibling); return; }
    own.textContent = "Copied";
    setTimeout(() => { own.textContent = "Copy"; }, 1500);
  }, { kind: "quiet", label: `Copy the hash of ${name}` }));
}

/** Where the clipboard is closed the text is selected, for the person’s own copying. */
function select_(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}
