// Objects from a file: looked at first, columns mapped to properties, errors by line; made as unsaved objects.

import { h, show, button, select, empty, attempt, toast } from "./ui.js";
import { upload } from "./api.js";
import { plural, size, visible } from "./data-values.js";

export async function showImport(root, name, world) {
  const steps = h("div.pad.stack", {});
  const file = h("input", { type: "file", id: "import-file", accept: ".csv,.json,.jsonl,text/csv,application/json", onchange: () => look() });
  const result = h("div.stack", { "aria-live": "polite" });
  show(root, h("nav.crumbs", { "aria-label": "Way back" }, h("ol", {}, h("li", {}, h("a", { href: world.place(name) }, name)))),
    h("div.toolbar", {}, h("h1", {}, `Import into ${name}`)), steps);
  show(steps, h("section.panel.stack", {}, h("div.field", {}, h("label", { for: "import-file" }, "A CSV file whose first line names the columns, or JSON objects"), file)), result);
  const path = "data/import/" + encodeURIComponent(name);
  const form = () => /\.jsonl?$/i.test(file.files[0].name) || file.files[0].type === "application/json" ? "json" : "csv";
  let mapping = {}, turn = 0;

  /** What the page can't take, the command can. */
  function useCommand(reason) {
    const quote = (text) => /^[\w.\/-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
    const command = ["coredata import", quote(world.overview.file ?? "STORE"), quote(name), quote(file.files[0].name)].join(" ");
    show(result, h("section.notice.stack", { role: "alert" }, h("p", {}, reason), h("p", {}, "The command has no such bound, and saves as it goes:"), h("pre.sql", { tabindex: "0", "aria-label": "Command" }, command),
      h("div.row", {}, button("Copy the command", () => attempt(async () => { await navigator.clipboard.writeText(command); toast("Copied."); })))));
  }

  async function look() {
    const mine = ++turn;
    if (!file.files.length) return show(result);
    if (file.files[0].size > 16 << 20) return useCommand(`${file.files[0].name} has ${size(file.files[0].size)}: pages take files of up to 16 MB.`);
    show(result, h("p.hint", {}, "Reading…"));
    try {
      const preview = await upload(path + "/preview", file.files[0], { form: form() });
      // Another file may have been chosen meanwhile.
      if (mine === turn) draw(preview);
    } catch (error) {
      if (mine !== turn) return;
      if (error.status === 413) useCommand(error.message);
      else show(result, h("p.notice.wrong", { role: "alert" }, error.message));
    }
  }

  function draw(preview) {
    mapping = { ...preview.mapping };
    const problems = h("div.stack", {});
    const skip = h("input", { type: "checkbox" });
    const chooser = (column) => {
      const choices = preview.targets.includes(mapping[column]) || !mapping[column] ? preview.targets : [mapping[column], ...preview.targets];
      const own = select([["", "(leave out)"], ...choices], mapping[column], { "aria-label": `Property for the column ${column}`, onchange: () => { mapping[column] = own.value; } });
      return own;
    };
    const start = button(`Import ${plural(preview.count, "record")}`, () => run(problems, skip, start), { kind: "primary", disabled: preview.count === 0 });
    show(result, preview.count === 0 ? empty("The file has no records.") : h("section.panel.stack", {}, h("h2", {}, `${plural(preview.count, "record")}; the first ${preview.rows.length}:`),
      h("div.table-area", {}, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Line"), preview.columns.map((column) => h("th", { scope: "col" }, h("bdi", {}, visible(column))))),
        h("tr", {}, h("th", {}, "to"), preview.columns.map((column) => h("th", {}, chooser(column))))),
      h("tbody", {}, preview.rows.map((row) => h("tr", {}, h("td.number", {}, String(row.line)), row.cells.map((cell) => h("td", {}, cell === null ? h("span.nil", {}, "nil") : h("bdi", {}, visible(cell))))))))),
      h("label.row", {}, skip, "Leave out records that are wrong"), h("div.row", {}, start, h("span.hint", {}, "The new objects are unsaved: look at them, then save or undo.")), problems));
  }

  async function run(place, skip, start) {
    // Once: a second click would make the objects twice.
    start.disabled = true;
    show(place, h("p.hint", {}, "Importing…"));
    let answer;
    try {
      answer = await world.send(() => upload(path, file.files[0], { form: form(), mapping: JSON.stringify(mapping), skip: skip.checked ? "1" : null }));
    } catch (error) {
      show(place, h("p.notice.wrong", { role: "alert" }, error.message));
      start.disabled = false;
      return;
    }
    start.disabled = answer.count > 0;
    if (answer.failureCount) {
      show(place, h("p.notice.wrong", { role: "alert" }, answer.count ? `${plural(answer.count, "object")} imported; ${plural(answer.failureCount, "record")} left out:` : `Nothing was imported: ${plural(answer.failureCount, "record")} ${answer.failureCount === 1 ? "is" : "are"} wrong.`),
        h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Line"), h("th", {}, "What is wrong"))), h("tbody", {}, answer.failures.map((failure) => h("tr", {}, h("td.number", {}, String(failure.line)), h("td", {}, visible(failure.message)))))));
      if (answer.count) {
        toast(`${plural(answer.count, "object")} imported, unsaved.`, "good");
        place.append(h("div", {}, h("a.button", { href: world.place(name) }, "See the objects")));
      }
      return;
    }
    toast(`${plural(answer.count, "object")} imported, unsaved.`, "good");
    location.hash = world.place(name);
  }

  return {};
}
