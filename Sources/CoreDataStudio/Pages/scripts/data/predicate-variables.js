// @ts-check
// The values of a predicate's variables: a constant that is typed, or an object that is chosen.

import { h, show, button } from "../ui.js";
import { idText, visible } from "../state/text.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */
/** @typedef {Partial<Relation> & { destination: string }} WantedObject */

export class VariableFields {
  /**
   * @param {GridQuery} query
   * @param {{ apply: () => void, pick: (name: string, relation: WantedObject) => void }} actions
   */
  constructor(query, actions) {
    this.query = query;
    this.actions = actions;
    this.element = h("div.row.variables", {});
    /**
     * The server's last answer.
     * @type {{ variables: string[], objects: Record<string, WantedObject> }}
     */
    this.known = { variables: [], objects: {} };
    this.drawn = "[]";
  }

  /** @param {{ variables?: string[], objects?: Record<string, WantedObject> }} answer */
  draw(answer) {
    const { variables, source } = this.query, names = answer.variables ?? [];
    const objects = source && names.includes("FETCH_SOURCE")
      ? { ...answer.objects, FETCH_SOURCE: { destination: source } } : answer.objects ?? {};
    this.known = { variables: names, objects };
    for (const name of Object.keys(variables)) if (!names.includes(name)) delete variables[name];
    // Text that somebody is typing there stays.
    const key = JSON.stringify(names.map((name) =>
      [name, objects[name], objects[name] && variables[name]]));
    if (key === this.drawn) return;
    this.drawn = key;
    show(this.element, names.map((name) =>
      objects[name] ? this.#object(name, objects[name]) : this.#value(name)));
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
   * @param {WantedObject} relation
   */
  #object(name, relation) {
    const id = this.query.variables[name];
    return h("span.row", { role: "group", "aria-label": "$" + name }, h("span.mono", {}, "$" + name + " ="),
      id ? h("bdi", {}, visible(this.query.titles[name] || idText(id)))
        : h("span.dim", {}, `a ${relation.destination}`),
      button("Choose…", () => this.actions.pick(name, relation), { label: `Choose $${name}` }));
  }
}
