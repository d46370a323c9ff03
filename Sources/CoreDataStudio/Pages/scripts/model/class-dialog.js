// @ts-check
// Generated classes are written to a folder of the project, once it is seen what they change there.

import { h, show, button, field } from "../ui.js";
import { attempt, dialog, toast } from "../dialogs.js";
import { post } from "../api.js";
import { plural } from "../state/text.js";
import { submitting } from "../keyboard.js";
import { state } from "./document.js";
import { lineDiff, nearChanges } from "./state/line-diff.js";

/** @typedef {{ name: string, text: string, before?: string | null, isForEditing?: boolean }} ClassFile */

/** The folder that was chosen last. */
let chosen = "Generated";

/**
 * @param {{ sets?: string, scalars?: string }} options of the generator
 */
export function classDialog(options) {
  return dialog("Write the classes", (close) => {
    const folder = h("input", { type: "text", value: chosen, autofocus: true });
    const result = h("div.stack", { "aria-live": "polite" });
    /** @param {string | null} seen @returns {Promise<{ files: ClassFile[], mark: string } | undefined>} */
    const ask = (seen) => attempt(() => post("model/classes",
      { version: state.version, folder: chosen, seen, ...options }));
    const compare = submitting(async () => {
      chosen = folder.value.trim();
      show(result);
      const answer = await ask(null);
      if (answer) show(result, comparison(answer.files, () => write(answer), close));
    });
    /** @param {{ files: ClassFile[], mark: string }} comparison */
    const write = async ({ files, mark }) => {
      // What changed meanwhile is looked at first.
      if (!await ask(mark)) { await compare(new Event("submit")); return; }
      close(true);
      toast(`${plural(files.filter(isNews).length, "file")} written to ${chosen}.`, "good");
    };
    return h("div.body", {}, h("form.stack", { onsubmit: compare },
      field("Folder", folder, { hint: "Below the folder that the model is in." }),
      h("div", {}, h("button", { type: "submit" }, "Compare"))), result);
  }, { class: "wide" });
}

/**
 * Whether a file would be written: those for people to edit never over what is there.
 * @param {ClassFile} file
 */
const isNews = ({ before, text, isForEditing }) => typeof before !== "string"
  || before !== text && !isForEditing;

/**
 * @param {ClassFile[]} files
 * @param {() => unknown} write
 * @param {() => void} close
 */
function comparison(files, write, close) {
  const news = files.filter(isNews);
  if (!news.length) return h("p.hint", {}, `${plural(files.length, "file")} there, none of them to be written.`);
  return [
    news.map((file) => h("details", { open: news.length < 4 }, h("summary", {}, h("strong", {}, file.name),
      h("span.badge", { class: typeof file.before === "string" ? "warn" : "good" },
        typeof file.before === "string" ? "changed" : "new")),
    h("pre.panel.model-code.model-diff", { tabindex: "0", "aria-label": file.name }, diff(file)))),
    h("footer", {}, button(`Write ${plural(news.length, "file")}`, write, { kind: "primary" }),
      button("Cancel", () => close(), { kind: "quiet" })),
  ];
}

const signs = { same: "  ", added: "+ ", removed: "− " };

/** @param {ClassFile} file */
const diff = ({ before, text }) => typeof before !== "string" ? text
  : nearChanges(lineDiff(before, text)).map((line) => line
    ? h("span", { class: line.kind }, signs[line.kind] + line.text + "\n") : h("span.dim", {}, "  …\n"));
