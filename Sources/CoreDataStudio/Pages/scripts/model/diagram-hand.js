// @ts-check
// A person's work in a diagram with pointer and keys: moves boxes, looks around, draws relationships.

import { svg } from "../ui.js";
import { choose, entityNamed, isEditable, node, state as model, suffix } from "./document.js";
import { boxAt, inDiagram, zoomed } from "./state/geometry.js";
import { Clicks } from "./state/picking.js";
import { relationDialog } from "./relation-dialog.js";

/** @typedef {import("./diagram-canvas.js").DiagramCanvas} DiagramCanvas */
/** @typedef {import("./diagram-canvas.js").CanvasActions} CanvasActions */
/** @typedef {{ x: number, y: number, pan: DiagramView } | { x: number, y: number, box: GraphBox, from: [number, number], moved: boolean, isFurther: boolean }} Drag */

/** @implements {CanvasActions} */
export class DiagramHand {
  /**
   * @param {import("./state/diagram.js").DiagramState} state
   * @param {import("./diagram-places.js").BoxPlaces} places
   */
  constructor(state, places) {
    this.state = state;
    this.places = places;
    /** @type {DiagramCanvas} */
    this.canvas;
    /** @type {Drag | null} */
    this.dragging = null;
    /**
     * The entity from which a relationship is drawn; with the pointer, its line.
     * @type {{ from: string, line?: SVGElement } | null}
     */
    this.linking = null;
    /** @type {Clicks<string>} */
    this.clicks = new Clicks();
  }

  /** True if a person holds something, which must not be taken away. */
  get isBusy() { return this.dragging !== null || this.linking?.line !== undefined; }

  // The part that is seen.

  /** @param {number} factor */
  zoom(factor, x = this.canvas.size.width / 2, y = this.canvas.size.height / 2) {
    if (this.state.view) this.#show(zoomed(this.state.view, factor, x, y));
  }

  /** @param {DiagramView} view */
  #show(view) {
    this.state.view = view;
    this.canvas.apply(view);
  }

  /**
   * A place on the page, from the canvas's corner.
   * @param {MouseEvent} event
   * @returns {[number, number]}
   */
  #at(event) {
    const frame = this.canvas.element.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  }

  wheel = (/** @type {WheelEvent} */ event) => {
    event.preventDefault();
    const { view } = this.state;
    if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY / 300), ...this.#at(event));
    else if (view) this.#show({ ...view, x: view.x - event.deltaX, y: view.y - event.deltaY });
  };

  // Dragging.

  pan = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0 || !this.state.view
      || /** @type {Element} */ (event.target).closest(".entity, .to")) return;
    this.dragging = { x: event.clientX, y: event.clientY, pan: { ...this.state.view } };
    this.canvas.element.setPointerCapture(event.pointerId);
  };

  drag = (/** @type {PointerEvent} */ event, /** @type {GraphBox} */ box) => {
    if (event.button !== 0 || /** @type {Element} */ (event.target).classList.contains("handle")) return;
    const isFurther = event.ctrlKey || event.metaKey || event.shiftKey;
    this.dragging = { x: event.clientX, y: event.clientY, box, from: [box.x, box.y], moved: false,
      isFurther };
    /** @type {SVGElement} */ (event.currentTarget).focus({ preventScroll: true });
    this.canvas.element.setPointerCapture(event.pointerId);
  };

  move = (/** @type {PointerEvent} */ event) => {
    if (this.linking?.line) { this.#stretch(event); return; }
    const { dragging, state: { view } } = this;
    if (!dragging || !view) return;
    const x = event.clientX - dragging.x, y = event.clientY - dragging.y;
    if ("pan" in dragging) { this.#show({ ...view, x: dragging.pan.x + x, y: dragging.pan.y + y }); return; }
    if (!isEditable() || (!dragging.moved && Math.hypot(x, y) < 4)) return;
    dragging.moved = true;
    dragging.box.x = Math.round(dragging.from[0] + x / view.scale);
    dragging.box.y = Math.round(dragging.from[1] + y / view.scale);
    this.canvas.shift(dragging.box);
  };

  drop = (/** @type {PointerEvent} */ event) => {
    if (this.linking?.line) { this.#endLink(event); return; }
    const done = this.dragging;
    this.dragging = null;
    if (!done || "pan" in done) return;
    if (done.moved) { this.places.writeSoon(done.box); this.places.write(); return; }
    // A captured pointer's clicks don't reach the box, so that double clicks are counted here.
    if (this.clicks.isAgain(done.box.name, event.timeStamp)) {
      location.hash = "#/model/entities/" + encodeURIComponent(done.box.name) + suffix();
      return;
    }
    if (done.box.id === undefined) return;
    const others = done.isFurther ? model.selection.filter((id) => node(id)?.kind === "entity") : [];
    choose([...new Set([...others, done.box.id])]);
  };

  // Keys.

  choose = (/** @type {number} */ id) => choose([id]);

  key = (/** @type {KeyboardEvent} */ event, /** @type {GraphBox} */ box) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step && isEditable()) {
      event.preventDefault();
      this.#step(box, step, event.shiftKey ? 40 : 10);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#press(box);
    } else if (event.key === "r" && isEditable()) {
      this.linking = { from: box.name };
      this.canvas.markLinking(box.name);
    } else if (event.key === "Escape") {
      this.linking = null;
      this.canvas.markLinking();
    } else if (event.key === "+" || event.key === "-") this.zoom(event.key === "+" ? 1.2 : 1 / 1.2);
  };

  /**
   * @param {GraphBox} box
   * @param {number[]} direction
   * @param {number} distance
   */
  #step(box, [right, down], distance) {
    box.x += right * distance;
    box.y += down * distance;
    this.canvas.shift(box);
    this.places.writeSoon(box);
  }

  /** @param {GraphBox} box */
  #press(box) {
    const { linking } = this;
    this.linking = null;
    if (linking) relate(linking.from, box.name);
    else if (box.id !== undefined) choose([box.id]);
  }

  // Drawing a relationship from entity to entity.

  link = (/** @type {PointerEvent} */ event, /** @type {GraphBox} */ box) => {
    event.stopPropagation();
    event.preventDefault();
    const line = svg("path", { class: "drawing" });
    this.linking = { from: box.name, line };
    this.canvas.layer.append(line);
    this.canvas.element.setPointerCapture(event.pointerId);
  };

  /** @param {PointerEvent} event */
  #inDiagram(event) { return this.state.view ? inDiagram(this.state.view, ...this.#at(event)) : null; }

  /** @param {PointerEvent} event */
  #stretch(event) {
    const from = this.state.boxNamed(this.linking?.from), point = this.#inDiagram(event);
    if (from && point) this.linking?.line?.setAttribute("d",
      `M${from.x + from.width - 14} ${from.y + 14} L${point.join(" ")}`);
  }

  /** @param {PointerEvent} event */
  #endLink(event) {
    const { linking } = this, point = this.#inDiagram(event),
      target = point && boxAt(this.state.boxes, point);
    this.linking = null;
    linking?.line?.remove();
    if (linking && target) relate(linking.from, target.name);
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function relate(from, to) {
  const source = entityNamed(from), target = entityNamed(to);
  if (source && target) relationDialog(source, target);
}
