// @ts-check
// A file that is imported: its form, which column becomes which property, and the command for those that are
// too long.

/** The bytes that a page can send. */
export const importLimit = 16 << 20;

/** @param {{ name: string, type: string }} file */
export const formOf = (file) => /\.jsonl?$/i.test(file.name) || file.type === "application/json" ? "json"
  : "csv";

/**
 * A word of a command line.
 * @param {string} text
 */
const quoted = (text) => /^[\w./-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";

/**
 * The command that does the same without a bound.
 * @param {string | null} store
 * @param {string} entity
 * @param {string} file
 */
export const importCommand = (store, entity, file) =>
  ["coredata import", quoted(store ?? "STORE"), quoted(entity), quoted(file)].join(" ");

/**
 * The properties that a column can become: those of the entity, and where the file names another one, that.
 * @param {string[]} targets
 * @param {string | undefined} current
 */
export const targetsOf = (targets, current) =>
  !current || targets.includes(current) ? targets : [current, ...targets];
