// @ts-check
// The request of a grid: its rows, their order, its columns.

/** The number of rows in a page. */
export const pageSize = 100;

/**
 * A sort key without its direction.
 * @param {string} key
 */
const bare = (key) => key.replace(/^-/, "");

/**
 * All that columns and sort keys can name.
 * @param {Pick<EntityPage, "attributes" | "relationships">} entity
 * @returns {Set<string>}
 */
export function knownKeys(entity) {
  const elements = entity.attributes.flatMap((field) =>
    (field.elements ?? []).map((element) => `${field.key}.${element.key}`));
  return new Set([...entity.attributes.map((field) => field.key), ...elements,
    ...entity.relationships.map((field) => field.key)]);
}

/**
 * @typedef {object} KeptLayout What the browser remembers of a grid
 * @property {string[] | null} columns
 * @property {Record<string, number>} widths
 * @property {string | null} sort
 * @property {string[] | null} [facets] the columns whose values are listed beside the rows; null without
 * such a list
 * @property {string[] | null} [searched] columns that the search box looks in; null for the texts
 */

/**
 * A layout that was kept, as text; without what the entity no longer has, for the model may have changed
 * since.
 * @param {string | null} text
 * @param {Set<string>} known
 * @returns {KeptLayout}
 */
export function readLayout(text, known) {
  /** @type {any} */
  let kept = {};
  try { kept = JSON.parse(text ?? "{}") ?? {}; } catch { /* It isn't ours. */ }
  const columns = Array.isArray(kept.columns)
    ? kept.columns.filter((/** @type {unknown} */ key) =>
    typeof key === "string" && known.has(bare(key))) : [];
  const order = typeof kept.sort === "string" ? kept.sort.split(",") : [];
  const searched = Array.isArray(kept.searched)
    ? kept.searched.filter((/** @type {unknown} */ key) => typeof key === "string" && known.has(key)) : [];
  const facets = Array.isArray(kept.facets)
    ? kept.facets.filter((/** @type {unknown} */ key) => typeof key === "string" && known.has(key)) : null;
  return {
    columns: columns.length ? columns : null, widths: kept.widths ?? {}, facets,
    searched: searched.length ? searched : null,
    sort: order.filter((/** @type {string} */ key) => known.has(bare(key))).join(",") || null,
  };
}

/**
 * @typedef {Partial<KeptLayout> & { offset?: number, filters?: Record<string, string>, predicate?: string,
 *   search?: string, view?: string | null, variables?: Record<string, string>, titles?: Record<string,
 * string>, source?: string | null }} KeptQuery
 */

export class GridQuery {
  /**
   * @param {string} entity
   * @param {KeptQuery} kept
   */
  constructor(entity, kept = {}) {
    this.entity = entity;
    this.offset = kept.offset ?? 0;
    /** Keys with a minus before those that fall, joined by commas. */
    this.sort = kept.sort ?? null;
    /** @type {Record<string, string>} */
    this.filters = { ...kept.filters };
    this.predicate = kept.predicate ?? "";
    /** The words of the search box. */
    this.search = kept.search ?? "";
    /** @type {string[] | null} */
    this.searched = kept.searched ?? null;
    /** @type {string[] | null} */
    this.facets = kept.facets ?? null;
    /**
     * The name of the view that was shown last.
     * @type {string | null}
     */
    this.view = kept.view ?? null;
    /**
     * The values of the predicate's variables, and the titles of those that are objects.
     * @type {Record<string, string>}
     */
    this.variables = kept.variables ?? {};
    /** @type {Record<string, string>} */
    this.titles = kept.titles ?? {};
    /**
     * The entity of the object that `$FETCH_SOURCE` stands for, in the predicate of a fetched property.
     * @type {string | null}
     */
    this.source = kept.source ?? null;
    /** @type {string[] | null} */
    this.columns = kept.columns ?? null;
    /** @type {Record<string, number>} */
    this.widths = kept.widths ?? {};
  }

  /** As the server takes it. */
  fields() {
    const { entity, filters, sort, columns, variables, searched } = this;
    return { entity, predicate: this.predicate || null, filters, sort, columns, variables,
      search: this.search || null, searched };
  }

  /**
   * The state that the browser keeps.
   * @returns {KeptLayout}
   */
  layout() {
    const { columns, widths, sort, searched, facets } = this;
    return { columns, widths, sort, searched, facets };
  }

  get isFiltered() {
    return this.predicate !== "" || this.search !== "" || Object.keys(this.filters).length > 0;
  }

  // Order.

  /** The sort keys, the one that counts most first. */
  order() { return (this.sort ?? "").split(",").filter(Boolean); }

  /**
   * The direction in which a column is sorted, and its place among those that are.
   * @param {string} key
   * @returns {{ direction: "ascending" | "descending" | null, place: number, count: number }}
   */
  sorting(key) {
    const order = this.order(), place = order.findIndex((own) => bare(own) === key);
    const direction = place < 0 ? null : order[place].startsWith("-") ? "descending" : "ascending";
    return { direction, place, count: order.length };
  }

  /**
   * Up, then down, then not: by this column alone, or by this one after the others.
   * @param {string} key
   * @param {boolean} isFurther
   */
  sortBy(key, isFurther) {
    const order = this.order(), place = order.findIndex((own) => bare(own) === key);
    const next = place < 0 ? key : order[place] === key ? "-" + key : null;
    const others = isFurther ? order : [];
    if (isFurther && place >= 0) others.splice(place, 1, ...(next ? [next] : []));
    else if (next) others.push(next);
    this.sort = others.join(",") || null;
    this.offset = 0;
  }

  // Columns.

  /**
   * Puts one of the columns that are shown a place further. False if it is at the end.
   * @param {string[]} shown
   * @param {string} key
   * @param {number} step
   */
  moveColumn(shown, key, step) {
    const keys = [...shown], at = keys.indexOf(key);
    if (at < 0 || at + step < 0 || at + step >= keys.length) return false;
    keys.splice(at + step, 0, keys.splice(at, 1)[0]);
    this.columns = keys;
    return true;
  }

  /**
   * Takes what a person chose; filters of columns that go are dropped.
   * @param {string[] | "standard"} chosen
   */
  chooseColumns(chosen) {
    if (chosen === "standard") {
      this.columns = null;
      this.widths = {};
      return;
    }
    this.columns = chosen;
    for (const key of Object.keys(this.filters)) if (!chosen.includes(key)) delete this.filters[key];
  }

  // Filters.

  /**
   * Gives whether anything else is asked for than before.
   * @param {string} key
   * @param {string} text
   */
  setFilter(key, text) {
    if ((this.filters[key] ?? "") === text) return false;
    if (text.trim()) this.filters[key] = text; else delete this.filters[key];
    this.offset = 0;
    return true;
  }

  showAll() {
    this.filters = {};
    this.predicate = "";
    this.search = "";
  }

  /**
   * Shows what a view says. Gives the names of columns that the entity no longer has.
   * @param {NamedView} view
   * @param {Pick<EntityPage, "attributes" | "relationships">} entity
   */
  takeView({ name, query }, entity) {
    const known = knownKeys(entity), layout = readLayout(JSON.stringify(query), known);
    const filters = Object.entries(query.filters ?? {}), isThere = (/** @type {string} */ key) =>
      known.has(bare(key));
    Object.assign(this, { columns: layout.columns, sort: layout.sort, searched: layout.searched ?? null,
      view: name,
      filters: Object.fromEntries(filters.filter(([key]) => isThere(key))),
      predicate: query.predicate ?? "", search: query.search ?? "",
      variables: { ...query.variables }, offset: 0 });
    const named = [...query.columns ?? [], ...filters.map(([key]) => key)].filter((key) => !isThere(key));
    return [...new Set(named)];
  }

  // Search.

  /**
   * Gives whether anything else is asked for than before.
   * @param {string} text
   */
  setSearch(text) {
    const words = text.trim();
    if (words === this.search) return false;
    this.search = words;
    this.offset = 0;
    return true;
  }

  /**
   * Takes the columns that a person chose; all texts are the standard.
   * @param {string[]} chosen
   * @param {Searchable[]} searchable
   */
  chooseSearched(chosen, searchable) {
    const isStandard = searchable.every(({ key, isStandard }) => chosen.includes(key) === isStandard);
    this.searched = isStandard || !chosen.length ? null : chosen;
    this.offset = 0;
  }

  /**
   * The columns that are searched now.
   * @param {Searchable[]} searchable
   */
  searchedOf(searchable) {
    return searchable.filter(({ key, isStandard }) => this.searched?.includes(key) ?? isStandard);
  }

  // Pages.

  /**
   * The page that has a row, counted from 1.
   * @param {number} row
   */
  goToRow(row) { this.offset = Math.max(0, Math.floor((row - 1) / pageSize) * pageSize); }

  /** The page before, where the last one lost its rows. */
  stepBack() { this.offset = Math.max(0, this.offset - pageSize); }
}
