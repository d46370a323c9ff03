// @ts-check
// The geometry of a chart: bars, or a line over dates.

/**
 * @typedef {{ label: string, filter: string | null, count: number, value: number | null, isDate: boolean }}
 * ChartPoint
 */
/** @typedef {"count" | "sum" | "average" | "min" | "max"} ChartFunction */

/** The size of the drawing, and the room for the axes' texts. */
const width = 760, height = 340, left = 64, right = 12, top = 12, bottom = 58;
/** The width of the widest bar. */
const widest = 64;

/**
 * The groups as points; a group without a value of the measure has none.
 * @param {FacetValue[]} rows
 * @param {ChartFunction} measure
 * @param {(label: StudioValue) => string} text
 * @returns {ChartPoint[]}
 */
export const pointsOf = (rows, measure, text) => rows.map(({ label, filter, count, number }) => ({
  label: label === null ? "nil" : text(label), filter, count, value: measure === "count" ? count : number,
  isDate: typeof label === "string" && /^\d{4}(-\d\d){0,2}$/.test(label) }));

/**
 * The date after another one of the same unit.
 * @param {string} text
 */
function next(text) {
  const [year, month, day] = text.split("-").map(Number);
  if (!month) return String(year + 1).padStart(4, "0");
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1 + (day ? 0 : 1), day ? day + 1 : 1);
  return date.toISOString().slice(0, text.length);
}

/**
 * Dates without rows stand between those with some, unless there would be too many: 0 rows, and no value of
 * another measure.
 * @param {ChartPoint[]} points
 * @param {boolean} isZero whether what isn't there counts as 0
 * @param {number} most
 */
export function withGaps(points, isZero, most = 400) {
  const dates = points.filter(({ isDate }) => isDate), others = points.filter(({ isDate }) => !isDate);
  /** @type {ChartPoint[]} */
  const filled = [];
  for (const point of dates) {
    const before = filled.at(-1);
    for (let date = before ? next(before.label) : point.label; date < point.label; date = next(date)) {
      if (filled.length >= most) return points;
      filled.push({ label: date, filter: date, count: 0, value: isZero ? 0 : null, isDate: true });
    }
    filled.push(point);
  }
  return [...filled, ...others];
}

/**
 * Round numbers from below the least value to above the greatest, with 0 among them; whole ones for whole
 * values.
 * @param {number[]} values
 */
export function ticks(values) {
  const low = Math.min(0, ...values), high = Math.max(0, ...values) || (low < 0 ? 0 : 1), span = high - low;
  const rough = span / 4, power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  const step = values.every(Number.isInteger) ? Math.max(1, round) : round;
  const from = Math.floor(low / step), to = Math.ceil(high / step);
  // Without what floating point adds: 0.30000000000000004.
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
}

/**
 * The whole drawing as numbers.
 * @param {ChartPoint[]} points
 */
export function layout(points) {
  const marks = ticks(points.flatMap(({ value }) => value === null ? [] : [value]));
  const low = marks[0], high = marks[marks.length - 1];
  /** @param {number} value */
  const y = (value) => top + (height - top - bottom) * (1 - (value - low) / (high - low));
  const step = (width - left - right) / Math.max(1, points.length), zero = y(0);
  const bars = points.map(({ value, isDate }, index) => {
    const end = y(value ?? 0);
    const thick = Math.min(widest, step * 0.8), middle = left + step * (index + 0.5);
    return { x: middle - thick / 2, y: Math.min(end, zero), width: thick,
      height: Math.abs(end - zero),
      middle, end, isThere: value !== null, isApart: !isDate && points[index - 1]?.isDate === true };
  });
  // As many names as have room, each 40 wide at least.
  const every = Math.max(1, Math.ceil(40 / step));
  return { width, height, left, right: width - right, bottom: height - bottom, zero, bars,
    ticks: marks.map((value) => ({ value, y: y(value) })),
    names: points.map(({ label }, index) => ({ label, x: bars[index].middle })).filter((_,
      index) => index % every === 0) };
}

/**
 * The line through the points, with a gap where there is no value, and between dates and what is none.
 * @param {ReturnType<typeof layout>["bars"]} bars
 */
export function linePath(bars) {
  let isOpen = false;
  return bars.map(({ middle, end, isThere, isApart }) => {
    const command = isThere ? `${isOpen && !isApart ? "L" : "M"}${middle.toFixed(1)} ${end.toFixed(1)}` : "";
    isOpen = isThere;
    return command;
  }).join("");
}
