// @ts-check
// Bytes as people read them: sixteen to a line, in hexadecimal and as text.

/**
 * @param {Uint8Array} bytes
 * @returns {string[]}
 */
export function hexLines(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += 16) {
    const part = [...bytes.subarray(start, start + 16)];
    const digits = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = part.map((byte) => byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".").join("");
    lines.push(`${start.toString(16).padStart(8, "0")}  ${digits.padEnd(47)}  ${text}`);
  }
  return lines;
}
