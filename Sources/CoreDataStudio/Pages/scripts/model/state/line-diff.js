// @ts-check
// What changes from one text to another, line by line.

/** @typedef {{ kind: "same" | "added" | "removed", text: string }} DiffLine */

/** More lines than these aren't compared one by one: both texts are shown whole. */
const most = 3000;

/**
 * The lines of both texts, those that they have in common once.
 * @param {string} before
 * @param {string} after
 * @returns {DiffLine[]}
 */
export function lineDiff(before, after) {
  const old = before.split("\n"), next = after.split("\n");
  if (Math.max(old.length, next.length) > most) return [...marked("removed", old), ...marked("added", next)];
  const lengths = common(old, next);
  /** @type {DiffLine[]} */
  const lines = [];
  let [left, right] = [0, 0];
  while (left < old.length && right < next.length) {
    if (old[left] === next[right]) {
      lines.push({ kind: "same", text: old[left] });
      left += 1;
      right += 1;
    } else if (lengths[left + 1][right] >= lengths[left][right + 1]) {
      lines.push({ kind: "removed", text: old[left] });
      left += 1;
    } else {
      lines.push({ kind: "added", text: next[right] });
      right += 1;
    }
  }
  return [...lines, ...marked("removed", old.slice(left)), ...marked("added", next.slice(right))];
}

/**
 * @param {DiffLine["kind"]} kind
 * @param {string[]} lines
 * @returns {DiffLine[]}
 */
const marked = (kind, lines) => lines.map((text) => ({ kind, text }));

/**
 * How many lines the rests of both texts have in common, in order.
 * @param {string[]} old
 * @param {string[]} next
 */
function common(old, next) {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(next.length + 1));
  for (let left = old.length - 1; left >= 0; left -= 1) {
    for (let right = next.length - 1; right >= 0; right -= 1) {
      lengths[left][right] = old[left] === next[right] ? lengths[left + 1][right + 1] + 1
        : Math.max(lengths[left + 1][right], lengths[left][right + 1]);
    }
  }
  return lengths;
}

/**
 * The lines that differ, with a few around them; null where some are left out.
 * @param {DiffLine[]} lines
 * @returns {(DiffLine | null)[]}
 */
export function nearChanges(lines, around = 2) {
  const isNear = lines.map((_, index) => lines.slice(Math.max(0, index - around), index + around + 1)
    .some((line) => line.kind !== "same"));
  return lines.flatMap((line, index) => isNear[index] ? [line]
    : index === 0 || isNear[index - 1] ? [null] : []);
}
