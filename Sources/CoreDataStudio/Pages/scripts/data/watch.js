// @ts-check
// Waits for what others change.

import { get } from "../api.js";

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const seen = () => new Promise((resolve) =>
  document.addEventListener("visibilitychange", resolve, { once: true }));

/**
 * Waits for news with one request that the server answers when there are some. A page that nobody sees gives
 * its
 * request up, since browsers open few connections to one server.
 * @param {import("./state/feed.js").Feed} feed
 * @param {(status: Status) => unknown} take
 * @returns {() => void} ends it
 */
export function watch(feed, take) {
  /** @type {AbortController | null} */
  let asking = null;
  let isStopped = false;
  /** @param {AbortController} own */
  const ask = async (own) => {
    const since = feed.version;
    /** @type {Status} */
    const status = await get("data/changes", { since, wait: 20 }, { signal: own.signal });
    if (isStopped) return;
    feed.restart(since, status);
    await take(status);
    // Many changes in a row are one piece of news.
    await pause(300);
  };
  const poll = async () => {
    let faults = 0;
    while (!isStopped) {
      if (document.hidden) { await seen(); continue; }
      try {
        await ask(asking = new AbortController());
        faults = 0;
      } catch (error) {
        if (error.status === 401) return;
        if (error.name === "AbortError") continue;
        faults += 1;
        await pause(Math.min(30_000, 1000 * 2 ** faults));
      }
    }
  };
  const giveUp = () => { if (document.hidden) asking?.abort(); };
  document.addEventListener("visibilitychange", giveUp);
  poll();
  return () => {
    isStopped = true;
    asking?.abort();
    document.removeEventListener("visibilitychange", giveUp);
  };
}
