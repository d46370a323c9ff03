// @ts-check
// The predicate of a grid: its text, its variables, and rows and groups, in step.

import { h, button } from "../ui.js";
import { attempt, menu, toast } from "../dialogs.js";
import { get, post } from "../api.js";
import { debounce, Turns } from "../state/turns.js";
import { finished } from "./state/predicate-rows.js";
import { pickObject } from "./picker.js";
import { PredicateBuilder } from "./builder.js";
import { PredicateInput } from "./predicate-input.js";
import { VariableFields } from "./predicate-variables.js";
import { saveTemplate } from "./predicate-template.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */

export class PredicatePanel {
  /**
   * @param {EntityPage} entity
   * @param {GridQuery} query gets the predicate that is applied, and its variables
   * @param {DataWorld} world
   * @param {() => void} apply asks for the rows
   */
  constructor(entity, query, world, apply) {
    this.entity = entity.name;
    this.query = query;
    this.world = world;
    this.apply = apply;
    this.turns = new Turns();
    /**
     * The text that the builder shows.
     * @type {string | null}
     */
    this.formText = null;
    this.input = new PredicateInput(entity.name, query.predicate,
      { changed: () => this.#check(), apply: () => {
      this.run();
    } });
    this.variables = new VariableFields(query, { apply: () => {
      this.run();
    }, pick: (name, relation) => { this.#pick(name, relation); } });
    this.builder = new PredicateBuilder(entity, () => this.#writeSoon(), (name, relation) => {
      this.#pick(name, relation);
    }, (name) => get("data/entities/" + encodeURIComponent(name)));
    this.toggle = button("Builder", () => this.#openBuilder(this.builder.element.hidden),
      { icon: "filter", "aria-expanded": "false" });
    this.element = h("section.predicate-panel", { "aria-label": "Filter" },
      h("div.row.predicate-line", {}, this.input.element,
        button("Apply", () => this.run(), { title: "Apply (Return)" }),
        button("", () => {
          this.input.text = "";
          this.run();
        }, { icon: "close", kind: "quiet", label: "Clear the predicate" }), this.toggle,
        this.#copyButton(),
        entity.templates.length > 0 && this.#templates(entity.templates),
        world.overview.canSaveTemplate && button("Save as template…",
          () => saveTemplate(this.entity, this.input.text), { kind: "quiet" })),
      this.input.message, this.variables.element, this.builder.element);
  }

  /** What the grid shows, as code and as SQL. */
  #copyButton() {
    /** @param {"predicate" | "request" | "sql"} form */
    const copy = (form) => attempt(async () => {
      const answer = await post("data/query/text", { query: this.query.fields(), form });
      await navigator.clipboard.writeText(answer.text);
      toast("Copied.", "good");
    });
    /** @type {[string, () => unknown]} */
    const sql = ["SQL", () => copy("sql")];
    /** @type {HTMLButtonElement} */
    const own = button("As code…", () => menu(own, [
      ["Swift: NSPredicate", () => copy("predicate")], ["Swift: fetch request", () => copy("request")],
      ...(this.world.overview.hasSQL ? [sql] : []),
    ]), { kind: "quiet", title: "Copy what the grid shows as Swift or SQL" });
    return own;
  }

  /**
   * The model's fetch requests: choosing one runs it, once its variables have values.
   * @param {EntityPage["templates"]} templates
   */
  #templates(templates) {
    /** @type {HTMLButtonElement} */
    const own = button("Templates", () => menu(own, templates.map(({ name, predicate }) =>
      [name, () => this.#runTemplate(predicate)])), { kind: "quiet", title: "Fetch requests of the model" });
    return own;
  }

  /** @param {string} predicate */
  async #runTemplate(predicate) {
    const { query } = this;
    this.set(predicate);
    const answer = await attempt(() => this.#parse(predicate));
    if (!answer) return;
    this.variables.draw(answer);
    if (answer.variables.every((name) => query.variables[name])) await this.run();
    if (answer.variables.length) /** @type {HTMLElement | null} */ (this.variables.element.querySelector("input, button"))?.focus();
  }

  /**
   * Puts a text in the place of the one that is there.
   * @param {string} text
   */
  set(text) { this.input.text = text; }

  async run() {
    this.query.predicate = this.input.text.trim();
    this.input.finish();
    this.apply();
    if (this.#isBuilding && this.input.text !== this.formText) await this.#readForm();
  }

  /**
   * Shows what the server said about the predicate that was applied. Gives whether that tells all.
   * @param {import("../api.js").ApiError | null} error
   */
  fail(error) {
    if (!error) { this.input.showMistake(null); return false; }
    const { position, length, variable } = error.details ?? {};
    if (position !== undefined) {
      const mistake = { message: error.message, position: Number(position), length: Number(length) };
      this.input.showMistake(mistake);
      this.input.selectMistake(mistake);
    } else if (variable !== undefined) {
      this.#parse(this.input.text).then((answer) => this.variables.draw(answer), () => {});
    }
    return position !== undefined;
  }

  get #isBuilding() { return !this.builder.element.hidden; }

  /**
   * @param {string} text
   * @returns {Promise<ParsedPredicate>}
   */
  #parse(text) { return post("data/predicate/parse", { entity: this.entity, text }); }

  /** Tells of mistakes while somebody types, and has the builder follow. */
  #check = debounce(async () => {
    const isMine = this.turns.next(), { builder } = this, { edits } = builder, { text } = this.input;
    let answer;
    try { answer = await this.#parse(text); } catch { return; }
    if (!isMine() || text !== this.input.text || edits !== builder.edits) return;
    this.input.showMistake(answer.error ?? null);
    if (answer.error) return;
    this.variables.draw(answer);
    if (this.#isBuilding && text !== this.formText) {
      this.formText = text;
      await builder.show(answer.form, edits);
    }
  }, 250);

  // The builder.

  /** @param {boolean} isOpen */
  async #openBuilder(isOpen) {
    this.builder.element.hidden = !isOpen;
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) await this.#readForm();
  }

  async #readForm() {
    const { builder } = this, { edits } = builder;
    const answer = await attempt(() => this.#parse(this.input.text));
    if (!answer || edits !== builder.edits) return;
    this.input.showMistake(answer.error ?? null);
    if (answer.error) { builder.say("The builder shows the predicate once its text is right."); return; }
    this.formText = this.input.text;
    this.variables.draw(answer);
    await builder.show(answer.form, edits);
  }

  /** The rows changed: the text follows. */
  #writeSoon = debounce(() => this.#write(), 200);

  async #write() {
    const { builder, input, query } = this, { edits, form } = builder, before = input.text;
    // There are no rows while the text is wrong.
    if (!form) return;
    /** @type {ParsedPredicate} */
    let answer;
    try {
      answer = await post("data/predicate/print",
        { entity: this.entity, form: finished(form) ?? { type: "and", parts: [] } });
    } catch (error) {
      input.showProblem(error.message);
      return;
    }
    // A later change writes itself; what was typed meanwhile is what the person wants.
    if (edits !== builder.edits || input.text !== before) return;
    input.text = answer.text;
    this.formText = answer.text;
    this.variables.draw(answer);
    query.predicate = answer.text;
    if (answer.variables.every((name) => query.variables[name])) this.apply();
  }

  /**
   * An object for a variable, from a list with search.
   * @param {string} name
   * @param {Partial<Relation> & { destination: string }} relation
   */
  async #pick(name, relation) {
    if (this.#isBuilding) await this.#write();
    const wanted = { label: "$" + name, creates: [], ...relation, canCreate: false };
    const chosen = await pickObject(wanted, this.query.variables[name], this.world);
    if (!chosen) return;
    this.query.variables[name] = chosen.id;
    this.query.titles[name] = chosen.title;
    this.variables.drawAgain();
    this.run();
  }
}
