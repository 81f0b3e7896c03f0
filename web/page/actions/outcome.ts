// Observes the effects of an action until the page has settled.

import { rootsBelow } from "../composed.ts";
import * as dom from "../dom.ts";
import { trackAction, pendingWork } from "../pending.ts";
import type { Page } from "./actions.ts";
import type { Answered } from "./dialogs.ts";
import { Effects } from "./effects.ts";
import { focused, isFocus } from "./focus.ts";
import { isOwnChange } from "./hover_styles.ts";
import { isShown } from "./ready.ts";
import { pause } from "./waiting.ts";

const QUIET_MS = 30;
const MAX_WAIT_MS = 500;
const DIALOGS = "dialog[open], [role=dialog], [role=alertdialog], [popover]:popover-open";

/** The effects of one action, observed from construction until `stop`. */
export class Outcome {
  page: Page;
  roots = Array.from(rootsBelow(document));
  before = new Set(openDialogs(this.roots));
  changed = new Set<Node>();
  invalid = new Set<Element>();
  leaving: string | null = null;
  downloads = false;
  departure = Promise.withResolvers<void>();
  last = performance.now();
  /** The number of timers and requests that were still pending at the end of the wait. */
  pending = 0;
  endAction: () => void;
  controller = new AbortController();
  effects: Effects;
  answered: Answered[] = [];
  stopAnswers: () => void;
  observer = new MutationObserver((records) => this.note(records));

  constructor(page: Page) {
    this.page = page;
    this.endAction = trackAction();
    page.downloads.noteSent(false);
    this.effects = new Effects(this.roots, this.controller.signal);
    this.stopAnswers = page.answers.listen((answered) => this.answered.push(answered));
    for (const root of this.roots) this.watch(root);
  }

  watch(root: Document | ShadowRoot) {
    this.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const listening = { capture: true, signal: this.controller.signal };
    // One for a new window leaves no other trace here.
    dom.addEventListener(root, "submit", (event) => isPost(event) && this.page.downloads.noteSent(true), listening);
    const noteInvalid = (event: Event) => {
      const [element] = event.composedPath();
      if (dom.isElement(element)) this.invalid.add(element);
    };
    dom.addEventListener(root, "invalid", noteInvalid, listening);
    const defaultView = dom.isDocument(root) ? dom.defaultView(root) : null;
    if (!defaultView) return;
    this.page.answers.cover(defaultView);
    defaultView?.navigation?.addEventListener("navigate", (event) => this.noteLeaving(event), {
      signal: this.controller.signal,
    });
  }

  note(records: MutationRecord[]) {
    this.last = performance.now();
    for (const record of records) {
      if (isOwnChange(record)) continue;
      const { type, target, addedNodes } = record;
      if (type === "childList" && addedNodes.length) {
        for (const node of addedNodes) this.changed.add(dom.nodeType(node) === 1 ? node : target);
      } else {
        this.changed.add(type === "characterData" ? (dom.parentNode(target) ?? target) : target);
      }
    }
  }

  noteLeaving(event: NavigateEvent) {
    this.effects.seen = true;
    if (event.downloadRequest !== null) this.downloads = !this.page.downloads.take(event);
    if (event.hashChange || event.downloadRequest !== null || event.destination.sameDocument) return;
    // After all listeners have run, it is known whether the page handles the navigation itself.
    queueMicrotask(() => {
      if (event.defaultPrevented || (event.target && Reflect.get(event.target, "transition"))) return;
      this.leaving = event.destination.url;
      if (event.formData) this.page.downloads.noteSent(true);
      // The answer must be sent before the next document replaces this one, which may happen at once.
      this.departure.resolve();
    });
  }

  /**
   * Wait until the page hasn't changed for a moment and the action's timers and requests have ended, or the page is
   * being left.
   */
  async settle(signal?: AbortSignal) {
    const start = performance.now();
    this.last = start;
    await null;
    this.endAction();
    for (;;) {
      const now = performance.now();
      const { count, ended } = pendingWork();
      const quiet = count ? now + QUIET_MS : Math.max(this.last, ended) + QUIET_MS;
      const left = Math.min(quiet, start + MAX_WAIT_MS) - now;
      this.pending = count;
      if (this.leaving !== null || left <= 0) return;
      await Promise.race([pause(left, signal), this.departure.promise]);
    }
  }

  stop() {
    this.endAction();
    this.note(this.observer.takeRecords());
    this.observer.disconnect();
    this.stopAnswers();
    this.controller.abort();
  }

  /** Return whether the action changed anything; call it before `stop`. */
  hadEffect() {
    this.note(this.observer.takeRecords());
    const { changed, leaving, pending, invalid, answered, effects } = this;
    return (
      changed.size + pending + invalid.size + answered.length > 0 ||
      leaving !== null ||
      effects.happened() ||
      this.opened().length > 0
    );
  }

  /** Return the dialogs that have opened. */
  opened() {
    return openDialogs(Array.from(rootsBelow(document))).filter((one) => !this.before.has(one));
  }

  /** Return the result for an agent. */
  report() {
    const { page } = this;
    const focus = focused();
    const dialogs = this.opened();
    const invalid = Array.from(this.invalid, (one) => ({
      ...page.describe(one),
      message: dom.propertiesOf(one).validationMessage,
    }));
    return {
      url: location.href,
      focus: isFocus(focus) ? page.refs.of(focus) : null,
      dialogs: dialogs.map((one) => page.describe(one)),
      changed: this.changed.size,
      ...(this.leaving === null ? {} : { navigates_to: this.leaving }),
      ...(this.downloads ? { downloads_file: true } : {}),
      ...(this.pending ? { pending: this.pending } : {}),
      ...(invalid.length ? { invalid } : {}),
      ...(this.answered.length ? { answered: this.answered } : {}),
    };
  }
}

function openDialogs(roots: (Document | ShadowRoot)[]) {
  return roots.flatMap((root) => Array.from(dom.querySelectorAll(root, DIALOGS))).filter(isShown);
}

/** @returns whether the form's answer can't be requested again */
function isPost(event: Event & Partial<Pick<SubmitEvent, "submitter">>): boolean {
  const { target, submitter } = event;
  const own = submitter && dom.getAttribute(submitter, "formmethod");
  const method = own ?? (dom.isElement(target) ? dom.getAttribute(target, "method") : null);
  return method?.toLowerCase() === "post";
}
