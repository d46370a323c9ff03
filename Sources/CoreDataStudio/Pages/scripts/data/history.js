// @ts-check
// The store's history as a time line, the latest transaction first; of one author or object if the address
// says so.

import { h, show, button, select, empty, field } from "../ui.js";
import { attempt, dialog, toast } from "../dialogs.js";
import { get, post } from "../api.js";
import { Turns } from "../state/turns.js";
import { dateText, idText, number, objectPlace, plural, visible } from "../state/text.js";

/**
 * The mark of each kind of change.
 * @type {Record<ChangeKind, string>}
 */
const marks = { inserted: "good", updated: "warn", deleted: "danger" };
const kinds = /** @type {ChangeKind[]} */ (Object.keys(marks));

/** The number of transactions that are looked for at once, where a filter finds few. */
const wanted = 10;

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} query
 * @param {DataWorld} world
 * @returns {Promise<ShownPage>}
 */
export async function showHistory(root, query, world) {
  const page = new HistoryPage(root, query.object, world);
  page.drawHead();
  await page.load(true);
  return { reload: () => page.load(true), stop: () => page.turns.end() };
}

class HistoryPage {
  /**
   * @param {HTMLElement} root
   * @param {string | undefined} object
   * @param {DataWorld} world
   */
  constructor(root, object, world) {
    this.object = object;
    this.world = world;
    this.turns = new Turns();
    /**
     * The author that is asked for; null for everybody.
     * @type {string | null}
     */
    this.author = null;
    /** @type {string[]} */
    this.authors = [];
    /**
     * The transaction before which the next part begins.
     * @type {number | null}
     */
    this.last = null;
    this.list = h("ol.timeline", {});
    this.more = h("div.row.pad", {});
    this.head = h("div.toolbar", {}, h("h1", {}, "History"), object && h("span.badge", {}, idText(object)));
    show(root, this.head, h("div.pad", {}, this.list, this.more));
  }

  /**
   * A filter that finds little looks through the history part by part.
   * @param {boolean} isFresh
   */
  async load(isFresh) {
    const isMine = this.turns.next(), { list, author } = this;
    let before = isFresh ? null : this.last, count = 0, isComplete = false;
    do {
      /** @type {HistoryAnswer | undefined} */
      const answer = await attempt(() => get("data/history", { before, author, object: this.object }));
      // Something else may have been asked for meanwhile.
      if (!answer || !isMine()) return;
      if (isFresh) show(list);
      isFresh = false;
      this.#takeAuthors(answer.authors);
      list.append(...answer.transactions.map(transactionView));
      count += answer.transactions.length;
      before = this.last = answer.next;
      isComplete = answer.isLast;
      show(this.more, !isComplete && (count < wanted
        ? h("p.hint", { role: "status" }, `Looking further back than #${number(before ?? 0)}…`)
        : button("Show older", () => this.load(false), { kind: "quiet" })));
    } while (!isComplete && count < wanted);
    if (!list.children.length) show(list, h("li", {},
      empty(this.object ? "The history says nothing of this object."
      : "Nothing was saved since the history began.")));
  }

  /** @param {string[]} authors */
  #takeAuthors(authors) {
    const all = [...new Set([...this.authors, ...authors])].sort();
    if (all.length === this.authors.length) return;
    this.authors = all;
    this.drawHead();
  }

  drawHead() {
    this.head.querySelectorAll("label, .purge").forEach((old) => old.remove());
    const { authors, world } = this;
    if (authors.length > 1) {
      /** @type {HTMLSelectElement} */
      const choose = select([["*", "Everybody"],
        ...authors.map((name) => /** @type {[string, string]} */ ([name, name || "(no author)"]))],
        this.author ?? "*", {
        onchange: () => { this.author = choose.value === "*" ? null : choose.value; this.load(true); } });
      this.head.append(h("label.row", {}, h("span.hint", {}, "Author"), choose));
    }
    if (world.overview.canPurge && !world.overview.isReadOnly) {
      this.head.append(h("span.spring.purge"),
        button("Purge…", () => this.#purge(), { icon: "trash", kind: "purge" }));
    }
  }

  /** Deletes what is old; others that follow the history need what they haven't read yet. */
  async #purge() {
    const before = await askForDay();
    if (!before) return;
    const answer = await attempt(() => post("data/history/purge", { before }));
    if (!answer) return;
    toast(`${plural(answer.count, "transaction")} deleted.`, "good");
    this.authors = [];
    await this.load(true);
  }
}

/** Asks before which day transactions are deleted. */
function askForDay() {
  /** @param {number} time */
  const day = (time) => new Date(time).toISOString().slice(0, 10);
  const date = h("input", { type: "date", value: day(Date.now() - 30 * 86_400_000), max: day(Date.now()),
    required: true });
  return dialog("Purge the history", (close) => h("form.body", { onsubmit: (event) => {
    event.preventDefault();
    close(date.value);
  } },
    h("p", {}, "Transactions from before a day are deleted, for good and at once. The objects stay as they are. Programs that follow the history and haven’t read that part begin anew."),
    field("Before", date), h("footer", {}, h("button.danger", { type: "submit" }, "Purge"),
      button("Cancel", () => close(), { kind: "quiet" }))));
}

/** @param {HistoryTransaction} transaction */
function transactionView(transaction) {
  const { changes } = transaction;
  const counts = kinds.map((kind) => ({ kind,
    count: changes.filter((change) => change.kind === kind).length })).filter(({ count }) => count);
  return h("li", {}, h("details", { open: changes.length <= 5 }, h("summary", {},
    h("span.badge", {}, "#" + transaction.number),
    h("time", { datetime: transaction.date }, dateText(transaction.date)),
    transaction.author ? h("strong", {}, visible(transaction.author)) : h("span.dim", {}, "no author"),
    transaction.context && h("span.dim", {}, "in " + visible(transaction.context)),
    h("span.spring"), counts.map(({ kind, count }) =>
      h("span.badge", { class: marks[kind] }, `${count} ${kind}`))),
  h("ul.list-plain", {}, changes.map(changeView),
    transaction.count > changes.length && h("li.dim", {},
      `… and ${transaction.count - changes.length} more`))));
}

/** @param {HistoryChange} change */
function changeView(change) {
  return h("li", { class: "row" }, h("span.badge", { class: marks[change.kind] }, change.kind),
    change.isThere ? h("a", { href: objectPlace(change.id) },
      change.title ? h("bdi", {}, visible(change.title)) : idText(change.id))
      : h("span", {}, idText(change.id)),
    h("span.dim", {}, change.entity), change.properties.length > 0
      && h("span", {}, change.properties.join(", ")),
    change.kept && h("code", {}, visible(change.kept)));
}
