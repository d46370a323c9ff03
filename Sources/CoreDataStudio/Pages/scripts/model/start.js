// @ts-check
// The page of a model that isn't there yet: how to begin it.

import { h, button, field } from "../ui.js";
import { attempt, dialog } from "../dialogs.js";
import { get, post, upload } from "../api.js";
import { submitting } from "../keyboard.js";

/** How much a request may have. */
const uploadLimit = 16 << 20;

/** @typedef {{ path: string, hasStore: boolean, schemes: string[], samples: { name: string, help: string }[] }} NewModelOffer */

/**
 * Ways to begin; the page is loaded anew once there is a model.
 * @returns {Promise<HTMLElement>}
 */
export async function startPage() {
  /** @type {NewModelOffer} */
  const offer = await get("model/new");
  return h("section.content", { "aria-label": "New model" }, h("div.pad.stack.model-start", {},
    h("h1", {}, "New model"),
    h("p", {}, "There is nothing at ", h("code", {}, offer.path), " yet. Begin with:"),
    h("div.model-starts", {},
      way("An empty model", "Entities, attributes and relationships are yours to add.",
        button("Empty model", () => begin({ from: "empty" }), { kind: "primary", icon: "add" })),
      offer.hasStore ? way("The open store", "The copy of its model that the store keeps.",
        button("From the open store", () => begin({ from: "store" })))
        : way("A store", "The copy of its model that an SQLite store keeps.", storeField(offer.path)),
      offer.schemes.length > 0 && way("A database on a server",
        "The model that a store there keeps, or one for the tables that other programs made.", addressForm(offer.schemes[0])),
      offer.samples.map(({ name, help }) => way(`Sample: ${name}`, help,
        button(`${name} sample`, () => begin({ from: "sample", sample: name })))))));
}

/**
 * @param {string} title
 * @param {string} help
 * @param {Content} action
 */
const way = (title, help, action) => h("section.panel.stack.tight", { "aria-label": title },
  h("h2", {}, title), h("p.hint", {}, help), action);

/** @param {object} wish */
const begin = (wish) => attempt(async () => done(await post("model/new", wish)));

/** @param {string} scheme */
function addressForm(scheme) {
  /** @type {HTMLInputElement} */
  const input = h("input", { type: "text", placeholder: `${scheme}://host/database`,
    required: true, spellcheck: "false", autocomplete: "off" });
  const submit = submitting(() => begin({ from: "address", address: input.value.trim() }));
  return h("form.stack.tight", { onsubmit: submit },
    field("Its address", input), h("button", { type: "submit" }, "From this database"));
}

/** @param {string} path */
function storeField(path) {
  /** @type {HTMLInputElement} */
  const input = h("input", { type: "file", onchange: () => attempt(async () => {
    const [file] = input.files ?? [];
    if (!file) return;
    if (file.size > uploadLimit) {
      box.say(`The file is larger than 16 MB: start the studio with it, as in coredata studio ${path} ${file.name}`);
      return;
    }
    await done(await upload("model/new/store", file));
  }) });
  const box = field("From a store’s file", input);
  return box;
}

/** @param {{ remarks: string[] }} made */
async function done({ remarks }) {
  if (remarks.length) await dialog("The model is made", (close) => h("div.body", {},
    h("ul", {}, remarks.map((remark) => h("li", {}, remark))),
    h("footer", {}, button("Go on", () => close(), { kind: "primary", autofocus: true }))));
  location.hash = "#/model";
  location.reload();
}
