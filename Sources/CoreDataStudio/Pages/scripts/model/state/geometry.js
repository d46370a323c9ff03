// @ts-check
// The places of things in a diagram: curves between boxes, texts that fit, and the part that is seen.

export const rowHeight = 18, headHeight = 30;

// Texts.

/**
 * The width of a text, measured as for the exported picture.
 * @param {string} text
 */
export const measure = (text) => [...text].reduce((width, character) => width + widthOf(character), 0);

/** @param {string} character */
function widthOf(character) {
  if ("iljtfrI.,'| ".includes(character)) return 4.2;
  const isCapital = character.toUpperCase() === character && character.toLowerCase() !== character;
  return character === "m" || isCapital ? 8.8 : 7.1;
}

/**
 * As much of a text as fits a width.
 * @param {string} text
 * @param {number} width
 */
export function short(text, width) {
  if (measure(text) <= width) return text;
  let shown = "";
  for (const character of text) {
    if (measure(shown) + 14 >= width) break;
    shown += character;
  }
  return shown + "…";
}

// Lines.

/** @typedef {Pick<GraphBox, "name" | "x" | "y" | "width" | "height" | "rows">} Box */

/**
 * The place at which lines of a row leave a box: the distance to the right above and below, and down at its
 * sides. Row -1 is the head.
 * @param {Box} box
 * @param {number} row
 * @returns {[number, number]}
 */
function leaving(box, row) {
  const middle = box.x + box.width / 2;
  if (row < 0) return [middle, box.y + headHeight / 2];
  return [middle + Math.min(95, Math.max(-95, (2 * row - box.rows.length + 1) * 5)),
    box.y + headHeight + row * rowHeight + 6];
}

/**
 * A curve from one box's side to the other's, beginning and ending at rows where the boxes stand side by
 * side.
 * @param {Box} from
 * @param {number} row
 * @param {Box} to
 * @param {number} other
 */
export function curve(from, row, to, other) {
  const [x, y] = leaving(from, row), [u, v] = leaving(to, other);
  if (from.name === to.name) {
    const right = from.x + from.width, end = y === v ? v + 14 : v;
    return `M${right} ${y} C${right + 44} ${y} ${right + 44} ${end} ${right} ${end}`;
  }
  if (from.x + from.width < to.x || to.x + to.width < from.x) {
    const isRight = from.x < to.x, x1 = isRight ? from.x + from.width : from.x,
      x2 = isRight ? to.x : to.x + to.width;
    const bend = Math.max(30, Math.abs(x2 - x1) / 2) * (isRight ? 1 : -1);
    return `M${x1} ${y} C${x1 + bend} ${y} ${x2 - bend} ${v} ${x2} ${v}`;
  }
  const isBelow = from.y < to.y, y1 = isBelow ? from.y + from.height : from.y,
    y2 = isBelow ? to.y : to.y + to.height;
  const bend = Math.max(24, Math.abs(y2 - y1) / 2) * (isBelow ? 1 : -1);
  return `M${x} ${y1} C${x} ${y1 + bend} ${u} ${y2 - bend} ${u} ${y2}`;
}

/** @param {Box} box @param {string | undefined} name */
const rowOf = (box, name) => name ? box.rows.findIndex((row) => row.name === name) : -1;

/**
 * A relationship's curve, from its row to its inverse's.
 * @param {Pick<GraphLine, "name" | "inverse">} line
 * @param {Box} from
 * @param {Box} to
 */
export const lineCurve = (line, from, to) => curve(from, rowOf(from, line.name), to, rowOf(to, line.inverse));

// The part that is seen.

/** Smaller than this names can’t be read. */
const legible = 0.65;

/** @typedef {{ width: number, height: number }} Size of the page's part that shows the diagram */

/** @param {Box[]} boxes */
function bounds(boxes) {
  const left = Math.min(...boxes.map((box) => box.x)), top = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width)),
    bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * The whole, or as much as can be read: then what is chosen or begins at the top left.
 * @param {Box[]} boxes
 * @param {Size} size
 * @param {Box | undefined} chosen
 * @param {boolean} isWhole however small that is
 * @returns {DiagramView}
 */
export function fitting(boxes, size, chosen, isWhole) {
  const { left, top, width, height } = bounds(boxes);
  const scale = Math.max(0.08, Math.min(1, (size.width - 48) / width, (size.height - 88) / height));
  if (scale >= legible || isWhole) {
    return { scale, x: (size.width - width * scale) / 2 - left * scale,
      y: Math.max(24, (size.height - 40 - height * scale) / 2) - top * scale };
  }
  return chosen
    ? { scale: legible, x: size.width / 2 - (chosen.x + chosen.width / 2) * legible,
      y: Math.max(24, size.height / 3) - chosen.y * legible }
    : { scale: legible, x: 24 - left * legible, y: 24 - top * legible };
}

/**
 * Nearer or further, around a point of the page that stays where it is.
 * @param {DiagramView} view
 * @param {number} factor
 * @param {number} x
 * @param {number} y
 * @returns {DiagramView}
 */
export function zoomed(view, factor, x, y) {
  const scale = Math.min(3, Math.max(0.05, view.scale * factor));
  return { scale, x: x - (x - view.x) * scale / view.scale, y: y - (y - view.y) * scale / view.scale };
}

/**
 * The point of the diagram at a point of the page.
 * @param {DiagramView} view
 * @param {number} x
 * @param {number} y
 * @returns {[number, number]}
 */
export const inDiagram = (view, x, y) => [(x - view.x) / view.scale, (y - view.y) / view.scale];

/**
 * The box at a point of the diagram.
 * @template {Box} Found
 * @param {Found[]} boxes
 * @param {[number, number]} point
 */
export const boxAt = (boxes, [x, y]) =>
  boxes.find((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
