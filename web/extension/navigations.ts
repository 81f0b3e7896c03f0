/**
 * The navigations of the browser's tabs during an action. One that leads to a file ends without a document, and the browser
 * closes a window that was opened for it (https://developer.chrome.com/docs/extensions/reference/api/webNavigation).
 */

import { Waiters } from "../shared/waiters.ts";

const NO_DOCUMENT = "net::ERR_ABORTED";

export class Navigations {
  /** URLs that ended without a document, by the tab's id. */
  #ended = new Map<number, string>();
  /** The ids of tabs that have another document. */
  #arrived = new Set<number>();
  /** The windows that documents have opened, by their tabs' ids. */
  #openers = new Map<number, { opener: number; url: string }>();
  #change = new Waiters();
  #listening: [chrome.Event<[chrome.Navigation]>, (event: chrome.Navigation) => void][] = [
    [chrome.webNavigation.onBeforeNavigate, (event) => this.#note(event, () => this.#ended.delete(event.tabId))],
    [
      chrome.webNavigation.onErrorOccurred,
      (event) => event.error === NO_DOCUMENT && this.#note(event, () => this.#ended.set(event.tabId, event.url)),
    ],
    [chrome.webNavigation.onCommitted, (event) => this.#note(event, () => this.#arrived.add(event.tabId))],
    [
      chrome.webNavigation.onCreatedNavigationTarget,
      ({ tabId, sourceTabId, url }) => this.#openers.set(tabId, { opener: sourceTabId, url }),
    ],
  ];

  constructor() {
    for (const [event, listener] of this.#listening) event.addListener(listener);
  }

  stop() {
    for (const [event, listener] of this.#listening) event.removeListener(listener);
  }

  /** @param event - of a tab or one of its frames */
  #note({ frameId }: { frameId: number }, record: () => void) {
    if (frameId !== 0) return;
    record();
    this.#change.release();
  }

  /**
   * Wait until a navigation of a tab ends.
   *
   * @param most - ms
   * @returns its URL if no document came of it
   */
  async end(id: number, most: number, signal?: AbortSignal): Promise<string | null> {
    const until = performance.now() + most;
    while (!this.#ended.has(id) && !this.#arrived.has(id)) {
      const left = until - performance.now();
      if (left <= 0) return null;
      await this.#change.wait(left, signal);
    }
    return this.#arrived.has(id) ? null : (this.#ended.get(id) ?? null);
  }

  /** Return whether the last navigation of a tab ended without a document. */
  hasEnded(id: number) {
    return this.#ended.has(id);
  }

  /**
   * Return the windows that a tab's document has opened, as soon as it is known which have a document.
   *
   * @param most - ms
   */
  ofWindows(id: number, most: number, signal?: AbortSignal): Promise<{ url: string; hasDocument: boolean }[]> {
    const opened = [...this.#openers].filter(([, { opener }]) => opener === id);
    return Promise.all(
      opened.map(async ([window, { url }]) => ({ url, hasDocument: (await this.end(window, most, signal)) === null })),
    );
  }
}
