// @ts-check
// A diagram as a drawing: entities as boxes, lines for inheritance and relationships.

import { svg } from "../ui.js";
import { curve, headHeight, lineCurve, measure, rowHeight, short } from "./state/geometry.js";

/** @typedef {import("./state/diagram.js").DiagramState} DiagramState */
/**
 * @typedef {object} CanvasActions
 * @property {(event: PointerEvent) => void} pan
 * @property {(event: PointerEvent) => void} move
 * @property {(event: PointerEvent) => void} drop
 * @property {(event: WheelEvent) => void} wheel
 * @property {(event: PointerEvent, box: GraphBox) => void} drag
 * @property {(event: PointerEvent, box: GraphBox) => void} link
 * @property {(event: KeyboardEvent, box: GraphBox) => void} key
 * @property {(id: number) => void} choose
 */

export class DiagramCanvas {
  /**
   * @param {DiagramState} state
   * @param {CanvasActions} actions
   * @param {{ isEditable: boolean, selection: number[], linking: string | undefined }} shown
   */
  constructor(state, actions, shown) {
    this.state = state;
    this.actions = actions;
    this.shown = shown;
    /**
     * Draw the lines that are on the page anew, each between the boxes that it was made for.
     * @type {(() => void)[]}
     */
    this.curves = [];
    this.layer = svg("g", { class: "layer" });
    this.element = svg("svg", {
      class: "model-svg", role: "group",
      "aria-label": "Diagram of the model. Tab goes from entity to entity, arrow keys move one.",
      onpointerdown: actions.pan, onpointermove: actions.move, onpointerup: actions.drop,
      onpointercancel: actions.drop, onwheel: actions.wheel,
    }, marks(), this.layer);
    const lines = svg("g", { class: "lines" }, state.boxes.map((box) => this.#inheritance(box)),
      (state.graph?.lines ?? []).map((line) => this.#relation(line)));
    this.layer.append(lines, ...state.boxes.map((box) => this.#box(box)));
  }

  get size() { return { width: this.element.clientWidth, height: this.element.clientHeight }; }

  /** @param {string} name @returns {SVGElement | null} */
  part(name) { return this.element.querySelector(`[data-box="${CSS.escape(name)}"]`); }

  /**
   * Shows the part of the diagram that is to be seen.
   * @param {DiagramView} view
   */
  apply({ x, y, scale }) { this.layer.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`); }

  /**
   * Moves a box that is on the page already, and its lines.
   * @param {GraphBox} box
   */
  shift(box) {
    this.part(box.name)?.setAttribute("transform", `translate(${box.x} ${box.y})`);
    for (const draw of this.curves) draw();
  }

  /**
   * Marks the box from which a relationship is drawn.
   * @param {string} [name]
   */
  markLinking(name) {
    this.element.querySelectorAll(".linking").forEach((each) => each.classList.remove("linking"));
    if (name !== undefined) this.part(name)?.classList.add("linking");
  }

  /** @param {GraphBox} box */
  #inheritance(box) {
    const parent = box.parent && this.state.boxNamed(box.parent);
    if (!parent) return null;
    const draw = () => curve(box, -1, parent, -1);
    const element = svg("path", { class: "is", d: draw(), "marker-end": "url(#model-is)" },
      svg("title", {}, `${box.name} inherits from ${parent.name}`));
    this.curves.push(() => element.setAttribute("d", draw()));
    return element;
  }

  /** @param {GraphLine} line */
  #relation(line) {
    const from = this.state.boxNamed(line.from), to = this.state.boxNamed(line.to), { id } = line;
    if (!from || !to) return null;
    const words = `${line.from}.${line.name}, ${line.isToMany ? "to many" : "to one"} ${line.to}`
      + (line.inverse ? `; inverse ${line.inverse}, ${line.isInverseToMany ? "to many" : "to one"}`
      : "; no inverse");
    const d = lineCurve(line, from, to), isChosen = id !== undefined && this.shown.selection.includes(id),
      key = `line ${line.from}.${line.name}`;
    const pick = () => { if (id !== undefined) this.actions.choose(id); };
    /** @param {KeyboardEvent} event */
    const press = (event) => { if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick();
    } };
    const element = svg("g", { class: isChosen ? "to chosen" : "to", tabindex: 0, role: "button",
      "aria-label": words, "aria-pressed": String(isChosen),
      dataset: { box: key, key }, onclick: pick, onkeydown: press },
    svg("title", {}, words), svg("path", { class: "touch", d }),
      svg("path", { class: "line", d, "marker-end": end(line.isToMany),
      "marker-start": line.inverse ? end(line.isInverseToMany) : null }));
    this.curves.push(() => {
      for (const part of element.querySelectorAll("path")) part.setAttribute("d", lineCurve(line, from, to));
    });
    return element;
  }

  /** @param {GraphBox} box */
  #box(box) {
    const { actions, shown } = this, isChosen = box.id !== undefined && shown.selection.includes(box.id);
    const style = ["entity", isChosen && "chosen", box.isAbstract && "abstract",
      shown.linking === box.name && "linking"].filter(Boolean).join(" ");
    const group = svg("g", { class: style, transform: `translate(${box.x} ${box.y})`, tabindex: 0,
      role: "button", "aria-pressed": String(isChosen),
      "aria-label": `Entity ${box.name}` + (box.isAbstract ? ", abstract" : "")
        + (box.parent ? `, inherits from ${box.parent}` : "") + `, ${box.rows.length} properties`,
      dataset: { box: box.name, key: "box " + box.name }, onpointerdown: (event) => actions.drag(event, box),
        onkeydown: (event) => actions.key(event, box) },
    svg("title", {}, box.name),
    svg("rect", { class: "frame", width: box.width, height: box.height, rx: 6 }),
    svg("path", { class: "head",
      d: `M1 ${headHeight - 4} V7 q0 -6 6 -6 H${box.width - 7} q6 0 6 6 V${headHeight - 4} z` }),
    svg("text", { class: "name", x: 10, y: 18 }, short(box.name, box.width - 45)),
    box.rows.map((row, index) => rowView(row, index, box.width)));
    if (shown.isEditable && box.id !== undefined) {
      group.append(svg("circle", { class: "handle", cx: box.width - 14, cy: 14, r: 6,
        onpointerdown: (event) => actions.link(event, box) },
        svg("title", {}, "Drag to another entity to draw a relationship")));
    }
    return group;
  }
}

/** @param {boolean} isToMany */
const end = (isToMany) => `url(#model-${isToMany ? "many" : "one"})`;

/**
 * @param {GraphRow} row
 * @param {number} index
 * @param {number} width
 */
function rowView(row, index, width) {
  const y = headHeight + index * rowHeight + 10, name = short(row.name, 130);
  const arrow = row.kind === "attribute" ? "" : row.isToMany ? "↠ " : "→ ";
  const type = short(arrow + row.type + (row.isOptional ? "?" : ""), width - 28 - measure(name));
  return [svg("text", { x: 10, y, class: row.kind }, name),
    svg("text", { class: "soft", x: width - 10, y, "text-anchor": "end" }, type)];
}

/** The heads of lines. */
function marks() {
  /**
   * @param {string} id
   * @param {number} width
   * @param {string} d
   * @param {string} style
   */
  const mark = (id, width, d, style) => svg("marker",
    { id, viewBox: `0 0 ${width} 12`, refX: width - 1, refY: 6, markerWidth: width, markerHeight: 12,
    orient: "auto-start-reverse" },
    svg("path", { class: style, d }));
  return svg("defs", {}, mark("model-one", 12, "M4 2 L11 6 L4 10", "mark"),
    mark("model-many", 18, "M4 2 L11 6 L4 10 M10 2 L17 6 L10 10", "mark"),
    mark("model-is", 14, "M1 1 L13 6 L1 11 Z", "hollow"));
}
