// @ts-check
// The keys that shortcuts name.

/**
 * A key's name in small letters. On a layout of another script it is the Latin letter in the key's place: a
 * person who writes Russian presses Control-S where others do, and the browser calls the key ы.
 * @param {{ key: string, code?: string }} event
 */
export function letterOf({ key, code = "" }) {
  const isOther = key.length === 1 && key.charCodeAt(0) > 0x7f && /^Key[A-Z]$/.test(code);
  return (isOther ? code.slice(3) : key).toLowerCase();
}
