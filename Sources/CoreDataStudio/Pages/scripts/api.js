// @ts-check
// Requests to the server that the page came from.

/** An answer that says no. `status` is 0 if there was none. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {Record<string, any> | undefined} details
   * @param {number} status
   */
  constructor(message, details, status) {
    super(message);
    this.details = details ?? {};
    this.status = status;
  }
}

/** @type {Promise<Session> | undefined} */
let session;

/** The session; asked for once. */
export function open() {
  session ??= request("session").then((response) => response.json());
  return session;
}

/**
 * The JSON at an address below api/.
 * @param {string} path
 * @param {object} query fields that are null are left out
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
export async function get(path, query = {}, options = {}) {
  return (await request(address(path, query), options)).json();
}

/**
 * Sends JSON and gives the answer's.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function post(path, body = {}) {
  const response = await request(path, { method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body) });
  return response.json();
}

/**
 * Sends a file's bytes.
 * @param {string} path
 * @param {BodyInit} bytes
 * @param {object} query
 * @returns {Promise<any>}
 */
export async function upload(path, bytes, query = {}) {
  const response = await request(address(path, query), { method: "POST", body: bytes });
  return response.json();
}

/**
 * The address of something to download or to show as an image.
 * @param {string} path
 * @param {object} query
 */
export function address(path, query = {}) {
  const fields = Object.entries(query).filter(([, value]) =>
    value !== null && value !== undefined && value !== "");
  return path + (fields.length ? "?" + new URLSearchParams(fields) : "");
}

/**
 * The same from the page's own place, for links.
 * @param {string} path
 * @param {object} [query]
 */
export const link = (path, query) => "api/" + address(path, query);

/**
 * The answer at an address below api/; refusals are thrown.
 * @param {string} path
 * @param {RequestInit} options
 */
export async function request(path, options = {}) {
  /** @type {Record<string, string>} */
  const headers = { .../** @type {object} */ (options.headers ?? {}) };
  if (options.method === "POST") headers["X-Studio-Proof"] = (await open()).proof;
  let response;
  try {
    response = await fetch("api/" + path, { ...options, headers, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server doesn’t answer. What was saved is safe; start the studio again and load this page anew.", {}, 0);
  }
  if (response.ok) return response;
  let message = `The server answered ${response.status}.`, details = {};
  try {
    const answer = await response.json();
    message = answer.error.message;
    details = answer.error.details;
  } catch { /* The server had no words for it. */ }
  throw new ApiError(message, details, response.status);
}
