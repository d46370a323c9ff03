// @ts-check
// Objects from a file: looked at first, columns mapped to properties, errors by line; made as unsaved
// objects.

import { h, show, button, select, empty } from "../ui.js";
import { staying } from "../address.js";
import { attempt, toast } from "../dialogs.js";
import { upload } from "../api.js";
import { Turns } from "../state/turns.js";
import { plural, size, visible } from "../state/text.js";
import { formOf, importCommand, importLimit, targetsOf } from "./state/import-plan.js";

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {DataWorld} world
 * @returns {Promise<ShownPage>}
 */
export async function showImport(root, name, world) {
  new ImportPage(root, name, world);
  return {};
}

class ImportPage {
  /**
   * @param {HTMLElement} root
   * @param {string} entity
   * @param {DataWorld} world
   */
  constructor(root, entity, world) {
    this.entity = entity;
    this.world = world;
    this.path = "data/import/" + encodeURIComponent(entity);
    this.turns = new Turns();
    /**
     * The property that each column becomes.
     * @type {Record<string, string>}
     */
    this.mapping = {};
    this.input = h("input", { type: "file", id: "import-file",
      accept: ".csv,.json,.jsonl,text/csv,application/json", onchange: () => this.#look() });
    this.skip = h("input", { type: "checkbox" });
    this.problems = h("div.stack", {});
    this.result = h("div.stack", { "aria-live": "polite" });
    const label = h("label", { for: "import-file" },
      "A CSV file whose first line names the columns, or JSON objects");
    show(root, h("nav.crumbs", { "aria-label": "Way back" },
      h("ol", {}, h("li", {}, h("a", { href: world.place(entity) }, entity)))),
      h("div.toolbar", {}, h("h1", {}, `Import into ${entity}`)),
      h("div.pad.stack", {}, h("section.panel.stack", {}, h("div.field", {}, label, this.input)),
        this.result));
  }

  async #look() {
    const isMine = this.turns.next(), file = this.input.files?.[0];
    if (!file) { show(this.result); return; }
    if (file.size > importLimit) {
      this.#useCommand(file, `${file.name} has ${size(file.size)}: pages take files of up to 16 MB.`);
      return;
    }
    show(this.result, h("p.hint", {}, "Reading…"));
    try {
      const preview = await upload(this.path + "/preview", file, { form: formOf(file) });
      // Another file may have been chosen meanwhile.
      if (isMine()) this.#draw(preview, file);
    } catch (error) {
      if (!isMine()) return;
      if (error.status === 413) this.#useCommand(file, error.message);
      else show(this.result, h("p.notice.wrong", { role: "alert" }, error.message));
    }
  }

  /**
   * For files that are too long for the page.
   * @param {File} file
   * @param {string} reason
   */
  #useCommand(file, reason) {
    const command = importCommand(this.world.overview.file, this.entity, file.name);
    const copy = () => attempt(async () => {
      await navigator.clipboard.writeText(command);
      toast("Copied.");
    });
    show(this.result, h("section.notice.stack", { role: "alert" }, h("p", {}, reason),
      h("p", {}, "The command has no such bound, and saves as it goes:"),
      h("pre.sql", { tabindex: "0", "aria-label": "Command" }, command),
      h("div.row", {}, button("Copy the command", copy))));
  }

  /**
   * @param {ImportPreview} preview
   * @param {File} file
   */
  #draw(preview, file) {
    this.mapping = { ...preview.mapping };
    this.skip = h("input", { type: "checkbox" });
    this.problems = h("div.stack", {});
    if (preview.count === 0) { show(this.result, empty("The file has no records.")); return; }
    /** @type {HTMLButtonElement} */
    const start = button(`Import ${plural(preview.count, "record")}`, () => this.#run(file, start),
      { kind: "primary" });
    show(this.result, h("section.panel.stack", {},
      h("h2", {}, `${plural(preview.count, "record")}; the first ${preview.rows.length}:`),
      h("div.table-area", {}, this.#table(preview)),
      h("label.row", {}, this.skip, "Leave out records that are wrong"),
      h("div.row", {}, start, h("span.hint", {},
        "The new objects are unsaved: look at them, then save or undo.")), this.problems));
  }

  /** @param {ImportPreview} preview */
  #table({ columns, rows, targets }) {
    /** @param {string | null} text */
    const cell = (text) => h("td", {}, text === null ? h("span.nil", {}, "nil")
      : h("bdi", {}, visible(text)));
    return h("table", {},
      h("thead", {}, h("tr", {}, h("th", {}, "Line"),
        columns.map((column) => h("th", { scope: "col" }, h("bdi", {}, visible(column))))),
        h("tr", {}, h("th", {}, "to"), columns.map((column) => h("th", {}, this.#chooser(column, targets))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("td.number", {}, String(row.line)),
        row.cells.map(cell)))));
  }

  /**
   * @param {string} column
   * @param {string[]} targets
   */
  #chooser(column, targets) {
    /** @type {HTMLSelectElement} */
    const own = select([["", "(leave out)"], ...targetsOf(targets, this.mapping[column])],
      this.mapping[column], {
      "aria-label": `Property for the column ${column}`, onchange: () => {
        this.mapping[column] = own.value;
      } });
    return own;
  }

  /**
   * @param {File} file
   * @param {HTMLButtonElement} start
   */
  async #run(file, start) {
    // Once: a second click would make the objects twice.
    start.disabled = true;
    const stays = staying();
    show(this.problems, h("p.hint", {}, "Importing…"));
    /** @type {ImportAnswer} */
    let answer;
    try {
      const query = { form: formOf(file), mapping: JSON.stringify(this.mapping),
        skip: this.skip.checked ? "1" : null };
      answer = await this.world.send(() => upload(this.path, file, query));
    } catch (error) {
      show(this.problems, h("p.notice.wrong", { role: "alert" }, error.message));
      start.disabled = false;
      return;
    }
    start.disabled = answer.count > 0;
    if (answer.count || !answer.failureCount) toast(`${plural(answer.count, "object")} imported, unsaved.`,
      "good");
    if (answer.failureCount) this.#showFailures(answer);
    else if (stays()) location.hash = this.world.place(this.entity);
  }

  /** @param {ImportAnswer} answer */
  #showFailures({ count, failureCount, failures }) {
    const words = count ? `${plural(count, "object")} imported; ${plural(failureCount, "record")} left out:`
      : `Nothing was imported: ${plural(failureCount, "record")} ${failureCount === 1 ? "is" : "are"} wrong.`;
    show(this.problems, h("p.notice.wrong", { role: "alert" }, words),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Line"), h("th", {}, "What is wrong"))),
        h("tbody", {}, failures.map((failure) =>
          h("tr", {}, h("td.number", {}, String(failure.line)), h("td", {}, visible(failure.message)))))),
      count > 0 && h("div", {}, h("a.button", { href: this.world.place(this.entity) }, "See the objects")));
  }
}
