// What an action brought about: the page is watched until it has settled.

import { rootsBelow } from "../composed.js";
import { beginCausing, underWay } from "../pending.js";
import { focused, isFocus } from "./focus.js";
import { isShown } from "./ready.js";
import { pause } from "./waiting.js";

/**
 * @import { Page } from "./actions.js"
 * @import { Answered } from "./dialogs.js"
 */

const QUIET_MS = 30;
const LONGEST_MS = 500;
const DIALOGS = "dialog[open], [role=dialog], [role=alertdialog], [popover]:popover-open";

/** Watches the page from its making until `stop`. */
export class Outcome {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.roots = Array.from(rootsBelow(document));
    this.before = new Set(openDialogs(this.roots));
    /** @type {Set<Node>} */
    this.changed = new Set();
    /** @type {Set<Element>} */
    this.invalid = new Set();
    /** @type {string | null} */
    this.leaving = null;
    /** @type {PromiseWithResolvers<void>} */
    this.departure = Promise.withResolvers();
    this.last = performance.now();
    /** How much had not ended when the wait was over. */
    this.pending = 0;
    this.caused = beginCausing();
    this.gone = new AbortController();
    /** @type {Answered[]} */
    this.answered = [];
    this.answers = page.answers.listen((answered) => this.answered.push(answered));
    this.observer = new MutationObserver((records) => this.note(records));
    for (const root of this.roots) this.watch(root);
  }

  /** @param {Document | ShadowRoot} root */
  watch(root) {
    this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const listening = { capture: true, signal: this.gone.signal };
    root.addEventListener("invalid", (event) => this.invalid.add(/** @type {Element} */ (event.composedPath()[0])), listening);
    const { defaultView } = /** @type {Document} */ (root);
    if (!defaultView) return;
    this.page.answers.cover(defaultView);
    const { navigation } = /** @type {any} */ (defaultView);
    navigation?.addEventListener("navigate", (/** @type {any} */ event) => this.noteLeaving(event), { signal: this.gone.signal });
  }

  /** @param {MutationRecord[]} records */
  note(records) {
    this.last = performance.now();
    for (const { type, target, addedNodes } of records) {
      if (type === "childList" && addedNodes.length) {
        for (const node of addedNodes) this.changed.add(node.nodeType === 1 ? node : target);
      } else {
        this.changed.add(type === "characterData" ? (target.parentNode ?? target) : target);
      }
    }
  }

  /** @param {any} event */
  noteLeaving(event) {
    if (event.hashChange || event.downloadRequest !== null || event.destination.sameDocument) return;
    // Only when its listeners are through is it known whether the page handles it by itself.
    queueMicrotask(() => {
      if (event.defaultPrevented || event.target?.transition) return;
      this.leaving = event.destination.url;
      // The answer has to be out before the next document takes the place of this one, which may be at once.
      this.departure.resolve();
    });
  }

  /**
   * Wait until nothing has changed for a moment and what the action began has ended, or the page is on its way out.
   * @param {AbortSignal} [signal]
   */
  async settle(signal) {
    const start = performance.now();
    this.last = start;
    await null;
    this.caused();
    for (;;) {
      const now = performance.now();
      const { count, ended } = underWay();
      const quiet = count ? now + QUIET_MS : Math.max(this.last, ended) + QUIET_MS;
      const left = Math.min(quiet, start + LONGEST_MS) - now;
      this.pending = count;
      if (this.leaving !== null || left <= 0) return;
      await Promise.race([pause(left, signal), this.departure.promise]);
    }
  }

  stop() {
    this.caused();
    this.note(this.observer.takeRecords());
    this.observer.disconnect();
    this.answers();
    this.gone.abort();
  }

  /** What happened, for an agent. */
  told() {
    const { page } = this;
    const focus = focused();
    const dialogs = openDialogs(Array.from(rootsBelow(document))).filter((one) => !this.before.has(one));
    const invalid = Array.from(this.invalid, (one) => ({
      ...page.describe(one),
      message: /** @type {HTMLInputElement} */ (one).validationMessage,
    }));
    return {
      url: location.href,
      focus: isFocus(focus) ? page.refs.of(focus) : null,
      dialogs: dialogs.map((one) => page.describe(one)),
      changed: this.changed.size,
      ...(this.leaving === null ? {} : { navigates_to: this.leaving }),
      ...(this.pending ? { pending: this.pending } : {}),
      ...(invalid.length ? { invalid } : {}),
      ...(this.answered.length ? { answered: this.answered } : {}),
    };
  }
}

/** @param {(Document | ShadowRoot)[]} roots */
function openDialogs(roots) {
  return roots.flatMap((root) => Array.from(root.querySelectorAll(DIALOGS))).filter(isShown);
}
