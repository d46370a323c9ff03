// @ts-check
// A diagram as the page knows it: what is shown of which part, and boxes that the model doesn't know in their
// places yet.

/** @typedef {{ around: string, steps: string, detail: string }} DiagramPart Which part is asked for, and how much of it */

/** @param {Record<string, string>} query @returns {DiagramPart} */
export const partOf = ({ around = "", steps = "1", detail = "" }) => ({ around, steps, detail });

export class DiagramState {
  constructor() {
    /** @type {ModelGraph | null} */
    this.graph = null;
    /**
     * Nothing before the diagram was fitted to the page.
     * @type {DiagramView | null}
     */
    this.view = null;
    /** The entity around which the diagram is. */
    this.around = "";
    /** Names the version and the part that the graph is of. */
    this.shownFor = "";
    /**
     * The places of moved boxes that the model doesn’t know yet, by name.
     * @type {Map<string, { x: number, y: number }>}
     */
    this.moved = new Map();
  }

  /**
   * Takes a graph. Of the same part, boxes that were moved meanwhile stay where they are; of another part,
   * the view begins anew.
   * @param {ModelGraph} graph
   * @param {string} key
   * @param {string} around
   */
  take(graph, key, around) {
    if (this.shownFor !== key) this.view = null;
    else for (const box of graph.boxes) Object.assign(box, this.moved.get(box.name));
    this.graph = graph;
    this.shownFor = key;
    this.around = around;
  }

  get boxes() { return this.graph?.boxes ?? []; }

  /** @param {string | undefined} name */
  boxNamed(name) { return this.boxes.find((box) => box.name === name); }

  /** True if not all properties are shown. */
  get isReduced() { return this.graph !== null && this.graph.detail !== "all"; }

  /** True if less than everything is shown: its places are for looking, not for the file. */
  get isPart() { return this.around !== "" || this.isReduced; }

  /** @param {GraphBox} box */
  noteMoved({ name, x, y }) { this.moved.set(name, { x, y }); }

  /** The places to write: of the boxes that were moved, or of all where the file had none. */
  places() {
    const boxes = this.graph?.isAutomatic ? this.boxes : this.boxes.filter((box) => this.moved.has(box.name));
    return boxes.map(({ name, x, y }) => ({ name, x, y }));
  }

  /**
   * The model knows places now; boxes that were moved again meanwhile wait still.
   * @param {Map<string, { x: number, y: number }>} sent
   */
  forget(sent) {
    for (const [name, place] of sent) if (this.moved.get(name) === place) this.moved.delete(name);
  }
}
