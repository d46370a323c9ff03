// @ts-check
// Places of boxes that are written into the model, a little after they were moved.

import { act, isEditable, sendFirst } from "./document.js";

export class BoxPlaces {
  /** @param {import("./state/diagram.js").DiagramState} state */
  constructor(state) {
    this.state = state;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    sendFirst(() => { this.write(); });
  }

  /**
   * Writes a box’s place into the model, with those of others that are moved meanwhile.
   * @param {GraphBox} box
   */
  writeSoon(box) {
    if (!isEditable() || this.state.isPart) return;
    this.state.noteMoved(box);
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), 500);
  }

  /** Writes what waits. */
  async write() {
    if (!this.#stop()) return;
    const sent = new Map(this.state.moved);
    await act("model/place", { places: this.state.places() });
    this.state.forget(sent);
  }

  /** Has the model find places for all. */
  async layOut() {
    this.state.view = null;
    this.#stop();
    this.state.moved.clear();
    await act("model/layout");
  }

  /** Gives whether something waited. */
  #stop() {
    const { timer } = this;
    if (timer !== null) clearTimeout(timer);
    this.timer = null;
    return timer !== null;
  }
}
