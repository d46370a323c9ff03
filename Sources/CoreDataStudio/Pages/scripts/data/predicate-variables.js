// @ts-check
// The values of a predicate's variables: a constant that is typed, or an object that is chosen.

import { h, show, button } from "../ui.js";
import { idText, visible } from "../state/text.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */

export class VariableFields {
  /**
   * @param {GridQuery} query
   * @param {{ apply: () => void, pick: (name: string, relation: Relation) => void }} actions
   */
  constructor(query, actions) {
    this.query = query;
    this.actions = actions;
    this.element = h("div.row.variables", {});
    /**
     * The server's last answer.
     * @type {Pick<ParsedPredicate, "variables" | "objects">}
     */
    this.known = { variables: [], objects: {} };
    this.drawn = "[]";
  }

  /** @param {Pick<ParsedPredicate, "variables" | "objects">} answer */
  draw(answer) {
    this.known = answer;
    const { variables } = this.query, names = answer.variables ?? [];
    for (const name of Object.keys(variables)) if (!names.includes(name)) delete variables[name];
    // Text that somebody is typing there stays.
    const key = JSON.stringify(names.map((name) =>
      [name, answer.objects?.[name], answer.objects?.[name] && variables[name]]));
    if (key === this.drawn) return;
    this.drawn = key;
    show(this.element, names.map((name) =>
      answer.objects?.[name] ? this.#object(name, answer.objects[name]) : this.#value(name)));
  }

  /** Draws what was known again, for the values that changed. */
  drawAgain() { this.draw(this.known); }

  /** @param {string} name */
  #value(name) {
    const { variables } = this.query;
    return h("label.row", {}, h("span.mono", {}, "$" + name), h("input.mono", {
      type: "text", value: variables[name] ?? "", "aria-label": `Value of $${name}`,
      placeholder: "value, as in \"abc\" or 5",
      oninput: (event) => { variables[name] = event.target.value; },
      onkeydown: (event) => { if (event.key === "Enter") {
        variables[name] = event.target.value;
        this.actions.apply();
      } } }));
  }

  /**
   * @param {string} name
   * @param {Relation} relation
   */
  #object(name, relation) {
    const id = this.query.variables[name];
    return h("span.row", { role: "group", "aria-label": "$" + name }, h("span.mono", {}, "$" + name + " ="),
      id ? h("bdi", {}, visible(this.query.titles[name] || idText(id)))
        : h("span.dim", {}, `a ${relation.destination}`),
      button("Choose…", () => this.actions.pick(name, relation), { label: `Choose $${name}` }));
  }
}
