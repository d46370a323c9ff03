// @ts-check
// The bar above the objects: unsaved changes, how they are saved, undone and discarded.

import { h, button } from "../ui.js";
import { ask, attempt, toast } from "../dialogs.js";
import { forgetTyped, hasText, sendTyped } from "../keyboard.js";
import { oneByOne } from "../state/turns.js";
import { post } from "../api.js";
import { plural, visible } from "../state/text.js";
import { objectLink } from "./values.js";
import { brokenObjects, unsavedCount, unsavedWords } from "./state/unsaved.js";
import { chooseSides } from "./conflicts.js";
import { reviewChanges } from "./review.js";

/**
 * @typedef {object} BarActions
 * @property {(options: { quiet?: boolean }) => unknown} reload
 * @property {(status: Status) => void} status
 * @property {(id: string) => void} open goes to an object's page
 * @property {(text: import("./state/refused.js").RefusedText) => unknown} send sends a text once more
 */

export class ChangesBar {
  /**
   * @param {Overview} overview
   * @param {import("./state/refused.js").RefusedTexts} refused
   * @param {BarActions} page
   */
  constructor(overview, refused, page) {
    this.overview = overview;
    this.refused = refused;
    this.page = page;
    this.status = overview.status;
    this.underWay = 0;
    this.isSaving = false;
    /** True if the last save was refused: then new objects are told what they lack. */
    this.wasRefused = false;
    /** Sends what changes objects, once what was sent before is answered. */
    this.inTurn = oneByOne((count) => { this.underWay = count; this.#draw(); });
    this.text = h("span.unsaved", { role: "status" });
    this.undoButton = button("Undo", () => this.undo(),
      { icon: "undo", kind: "quiet", title: "Undo (Ctrl+Z)" });
    this.redoButton = button("Redo", () => this.redo(),
      { icon: "redo", kind: "quiet", title: "Redo (Ctrl+Y)" });
    this.reviewButton = button("Review", () => this.review(), { title: "See all unsaved changes" });
    this.saveButton = button("Save", () => this.save(),
      { icon: "save", kind: "primary", title: "Save (Ctrl+S)" });
    this.element = h("div.toolbar.changes", { "aria-label": "Unsaved changes", role: "region" }, this.text,
      h("span.spring"),
      this.undoButton, this.redoButton, this.reviewButton, this.saveButton);
  }

  /** @param {Status} next */
  show(next) {
    this.status = next;
    this.#draw();
  }

  /** Whether something would be lost if the page was left now: the server keeps unsaved changes. */
  isUnsent() { return this.underWay > 0 || this.refused.count > 0 || hasText(document.activeElement); }

  /** The text of a field that isn’t sent may have changed. */
  typed() { this.#draw(); }

  undo() { return this.inTurn(async () => { if (this.status.undo !== null) await this.#run("data/undo"); }); }

  redo() { return this.inTurn(async () => { if (this.status.redo !== null) await this.#run("data/redo"); }); }

  /**
   * Saves all changes. Gives whether nothing is unsaved then.
   * @returns {Promise<boolean>}
   */
  save() {
    sendTyped();
    const unsent = this.refused.unsent();
    for (const text of unsent) this.page.send(text);
    return this.inTurn(async () => {
      if (this.refused.count) return this.#showRefused();
      if (unsent.length) this.page.reload({ quiet: true });
      if (!unsavedCount(this.status)) return true;
      this.isSaving = true;
      this.#draw();
      const answer = await attempt(() => post("data/save"));
      this.isSaving = false;
      if (answer) await this.#resolve(answer);
      return unsavedCount(this.status) === 0;
    });
  }

  async review() {
    const wanted = await reviewChanges(this.overview);
    if (wanted === "save") await this.save();
    else if (wanted === "discard") await this.inTurn(() => this.#drop());
    else if (wanted) await this.inTurn(() => this.#drop([wanted.revert]));
  }

  #draw() {
    const { status, text } = this, isOpen = unsavedCount(status) > 0 || this.isUnsent();
    const words = unsavedWords(status, { isSaving: this.isSaving, underWay: this.underWay, isTyped: isOpen,
      refused: this.refused.count, unsent: this.refused.unsent().length });
    // Readers say a text that is put again once more.
    if (text.textContent !== words) text.textContent = words;
    text.setAttribute("aria-busy", String(this.underWay > 0));
    this.element.classList.toggle("dirty", isOpen);
    this.element.hidden = this.overview.isReadOnly;
    this.undoButton.disabled = status.undo === null;
    this.redoButton.disabled = status.redo === null;
    this.undoButton.title = status.undo ? `Undo ${status.undo} (Ctrl+Z)` : "Nothing to undo";
    this.redoButton.title = status.redo ? `Redo ${status.redo} (Ctrl+Y)` : "Nothing to redo";
    this.reviewButton.disabled = unsavedCount(status) === 0;
    this.saveButton.disabled = !isOpen;
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async #run(path, body = {}) {
    const next = await attempt(() => post(path, body));
    if (!next) return;
    this.page.status(next);
    this.page.reload({ quiet: true });
  }

  /** @param {SaveAnswer} answer */
  async #resolve(answer) {
    if (answer.outcome === "conflicts") {
      const theirs = await chooseSides(answer.conflicts);
      const next = theirs && await attempt(() => post("data/resolution", { theirs }));
      if (next) await this.#resolve(next);
    } else if (answer.outcome === "saved") {
      this.wasRefused = false;
      toast("Saved.", "good");
      this.page.status(answer.status);
      this.page.reload({ quiet: true });
    } else {
      await this.#showProblems(answer.problems);
    }
  }

  /** Nothing is saved while a field holds what can't be taken or sent: fix it, or let the texts go. */
  async #showRefused() {
    const texts = this.refused.all(), many = texts.length !== 1;
    const isUnsent = texts.length === this.refused.unsent().length;
    const list = h("ul.problems", {}, texts.map(({ id, title, label, text, message }) => h("li", {},
      objectLink({ id, title, entity: "" }), " ", h("strong", {}, `${label}: `),
      h("q", {}, visible(text)), " – ", message)));
    const words = isUnsent ? "couldn’t be sent:" : `can’t be taken as ${many ? "they are" : "it is"}:`;
    const choice = await ask("Nothing is saved yet", h("div.stack", {},
      h("p", {}, `${plural(texts.length, "text")} ${words}`), list), [
      isUnsent ? ["again", "Try again", "primary"] : ["fix", "Fix", "primary"],
      ["drop", many ? "Drop these texts" : "Drop the text", "danger"]]);
    if (choice === "again") setTimeout(() => this.save());
    if (choice === "fix") await this.#goTo(texts[0].id, texts[0].key);
    if (choice === "drop") await this.#dropRefused();
    return false;
  }

  async #dropRefused() {
    forgetTyped();
    this.refused.clear();
    await this.page.reload({ quiet: true });
  }

  /**
   * Goes to a field of an object.
   * @param {string} id
   * @param {string | undefined} key
   */
  async #goTo(id, key) {
    sessionStorage.setItem("focus-field", JSON.stringify({ id, key }));
    const before = location.hash;
    this.page.open(id);
    if (before === location.hash) await this.page.reload({});
  }

  /**
   * The save can't be: fix it, or let the changes go.
   * @param {SaveProblem[]} problems
   */
  async #showProblems(problems) {
    this.wasRefused = true;
    const list = h("ul.problems", {}, problems.map((problem) => h("li", {},
      problem.object && [objectLink(problem.object), " "],
        problem.label && h("strong", {}, problem.label + ": "), problem.message)));
    const choice = await ask("The changes can’t be saved", list,
      [["fix", "Fix", "primary"], ["discard", "Discard changes", "danger"]]);
    const first = problems.find((problem) => problem.object);
    if (choice === "fix" && first?.object) await this.#goTo(first.object.id, first.key);
    if (choice === "discard") await this.#discard(brokenObjects(problems));
  }

  /**
   * Discards all changes, or only those of the objects that can't be saved.
   * @param {string[]} ids
   */
  async #discard(ids) {
    const total = unsavedCount(this.status);
    let which = "all";
    if (ids.length && ids.length < total) {
      which = await ask("Discard which changes?",
        `${plural(ids.length, "object")} of ${total} can’t be saved.`, [
        ["these", "Only of those that can’t be saved", "primary"], ["all", "All unsaved changes", "danger"],
      ]);
    }
    if (which) await this.#drop(which === "these" ? ids : undefined);
  }

  /**
   * Lets the changes of some objects go, or all.
   * @param {string[]} [ids]
   */
  async #drop(ids) {
    if (ids) for (const id of ids) this.refused.drop(id); else this.refused.clear();
    await this.#run("data/discard", ids ? { ids } : {});
  }
}
