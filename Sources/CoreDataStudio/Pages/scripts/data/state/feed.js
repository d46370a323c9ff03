// @ts-check
// The last change that this page knows: answers overtake each other, and older ones are no news.

export class Feed {
  /** @param {Status} status the first that was told */
  constructor({ feed }) {
    this.version = feed.version;
    this.store = feed.store;
  }

  /**
   * Takes what the server told. Gives null for an answer that was overtaken by a later one, and otherwise
   * whether anything and whether the store changed.
   * @param {Status | null | undefined} status
   */
  take(status) {
    if (!status || status.feed.version < this.version) return null;
    const isLater = status.feed.version > this.version;
    this.version = status.feed.version;
    const isOtherStore = status.feed.store !== this.store;
    this.store = status.feed.store;
    return { isLater, isOtherStore };
  }

  /**
   * A server that was started again counts anew: its answer to a question for what is later than `since`
   * tells.
   * @param {number} since
   * @param {Status} status
   */
  restart(since, { feed }) { if (feed.version < since) this.version = feed.version; }
}
