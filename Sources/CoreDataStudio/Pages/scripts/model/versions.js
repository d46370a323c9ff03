// @ts-check
// Versions: which there are, what differs in words, whether stores can be migrated.

import { h, show, button, select, field } from "../ui.js";
import { staying } from "../address.js";
import { attempt, dialog } from "../dialogs.js";
import { get } from "../api.js";
import { submitting } from "../keyboard.js";
import { state, act, isEditable } from "./document.js";
import { freeName } from "./state/names.js";
import { currentVersion } from "./state/tree.js";
import { comparedVersions } from "./state/versions.js";

/**
 * The versions to compare that somebody chose.
 * @type {{ from: string | null, to: string | null }}
 */
const chosen = { from: null, to: null };

export function versions() {
  const { answer } = state, isSeveral = answer.versions.length > 1;
  return h("div.pad.stack", {}, list(answer), isSeveral ? comparisonPart(answer)
    : answer.isVersioned && h("p.hint", {},
      "Before you change a model whose stores are in people’s hands, add a version: then what differs and how stores are migrated is shown here."));
}

/** @param {ModelAnswer} answer */
function list(answer) {
  const open = isEditable();
  /** @param {ModelVersion} version */
  const row = ({ name, isCurrent, isUnsaved }) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: "#/model/entities"
      + (isCurrent ? "" : "?v=" + encodeURIComponent(name)) }, name)),
    h("td", {}, isCurrent && h("span.badge.good", {}, "current"), " ",
      isUnsaved && h("span.badge.warn", {}, "unsaved")),
    h("td", {}, open && !isCurrent && button("Set current", () => setCurrent(name),
      { label: `Make ${name} the current version` })));
  return h("section.stack.tight", { "aria-label": "Versions" },
    h("div.model-group", {}, h("h2", {}, "Versions"),
    open && answer.isVersioned && button("Add version…", addVersion, { icon: "add" })),
  h("div.model-scroll", {}, h("table", { "aria-label": "Versions" },
    h("thead", {}, h("tr", {}, ["Version", "",
      ""].map((head) => h("th", { scope: "col" }, head || h("span.model-hidden", {}, "More"))))),
    h("tbody", {}, answer.versions.map(row)))),
  !answer.isVersioned && h("p.hint", {},
    "A single .xcdatamodel has one version; several are in an .xcdatamodeld."));
}

/** @param {ModelAnswer} answer */
function comparisonPart(answer) {
  const names = answer.versions.map((version) => version.name),
    compared = comparedVersions(answer.versions, chosen, state.version);
  const result = h("div.stack", { "aria-live": "polite" });
  const compare = () => attempt(async () => {
    const wanted = { ...compared }, answer = await get("model/compare", wanted);
    // Others may have been chosen meanwhile.
    if (wanted.from === compared.from && wanted.to === compared.to) show(result, comparison(answer));
  });
  /** @param {"from" | "to"} key @param {string} label */
  const choice = (key, label) => field(label,
    select(names, compared[key], { dataset: { key: "compare" + key },
    onchange: (event) => { chosen[key] = compared[key] = event.target.value; compare(); } }));
  compare();
  return h("section.stack", { "aria-label": "Comparison" }, h("h2", {}, "What changed"),
    h("div.row.model-compare", {}, choice("from", "From"), choice("to", "To")), result);
}

const signs = { added: "+", removed: "−", changed: "~" };

/** @param {VersionComparison} comparison */
function comparison({ differences, verdict }) {
  return [
    differences.length
      ? h("ul.model-differences", {}, differences.map((difference) =>
        h("li", { class: difference.kind }, h("span.sign", { "aria-label": difference.kind },
        signs[difference.kind]), h("strong", {}, difference.place), " ", difference.words)))
      : h("p.hint", {}, "The versions say the same."),
    h("h3", {}, "Migration"),
    verdict.isInferable
      ? h("p", {}, h("span.badge.good", {}, "lightweight"), " Stores are migrated without a mapping model.")
      : h("p", {}, h("span.badge.danger", {}, "not lightweight"),
        " A mapping model or a stage of your own is needed: ", verdict.reason),
    verdict.warnings.map((words) => h("p", {}, h("span.badge.warn", {}, "check"), " ", words)),
    verdict.steps.length > 0 && h("div.model-scroll", {}, steps(verdict)),
  ];
}

/** @param {VersionComparison["verdict"]} verdict */
const steps = ({ steps, isCounted }) => h("table", { "aria-label": "Migration plan" },
  h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Step"),
    isCounted && h("th.number", { scope: "col" }, "Rows"),
    h("th", { scope: "col" }, h("span.model-hidden", {}, "Remark")))),
  h("tbody", {}, steps.map((step) => h("tr", {}, h("td", {}, step.words),
    isCounted && h("td.number", {}, String(step.count ?? "")),
    h("td", {}, step.losesData && h("span.badge.danger", {}, "loses data"))))));

function addVersion() {
  const { answer } = state, taken = answer.versions.map((version) => version.name);
  return dialog("Add version", (close) => {
    const name = h("input", { type: "text", value: freeName(answer.name + " ", taken, taken.length + 1),
      autofocus: true });
    const based = select(taken, currentVersion(answer.versions) ?? taken.at(-1));
    const submit = submitting(async () => {
      const made = name.value.trim(), stays = staying();
      if (!await act("model/versions", { name: made, basedOn: based.value })) return;
      close(true);
      if (stays()) location.hash = "#/model/versions?v=" + encodeURIComponent(made);
    });
    return h("form.body", { onsubmit: submit }, field("Name", name), field("Based on", based),
      h("footer", {}, h("button.primary", { type: "submit" }, "Add version"),
        button("Cancel", () => close(), { kind: "quiet" })));
  });
}

/** @param {string} name */
async function setCurrent(name) {
  const stays = staying();
  if (await act("model/current", { version: name }) && stays()) location.hash = "#/model/versions";
}
