// The page script: `globalThis.geminiPage` of a document that is to be read and acted on from inside.
// It stands alone, so that any page may load it, best before its own scripts.

import { createActions } from "./actions/actions.js";
import { describe } from "./actions/describing.js";
import { Answers } from "./actions/dialogs.js";
import { serve } from "./conversation.js";
import { keepSources } from "./hooks.js";
import { watchInternals } from "./internals.js";
import { Listeners } from "./listeners.js";
import { watchPending } from "./pending.js";
import { Refs } from "./refs.js";
import { Snapshots } from "./snapshot/snapshots.js";
import { Targets } from "./targets.js";

/**
 * @import { Policy } from "./actions/dialogs.js"
 * @import { Target } from "./targets.js"
 */

function createPage() {
  const listeners = new Listeners();
  listeners.watch(globalThis);
  watchInternals(globalThis);
  watchPending(globalThis);
  keepSources(globalThis);
  const refs = new Refs();
  const targets = new Targets(refs, () => snapshots.look());
  const snapshots = new Snapshots(refs, listeners, targets);
  const resolve = (/** @type {Target} */ target) => targets.resolve(target);
  const snapshot = (/** @type {object} */ options = {}) => snapshots.take(options);
  const answers = new Answers();
  const actions = createActions({ resolve, refs, answers, describe: (element) => describe(refs, element) });
  /** What the page shall do otherwise while it is controlled. @param {{ dialogs?: Policy }} options */
  const install = ({ dialogs }) => {
    if (dialogs !== undefined) answers.install(dialogs);
  };
  return Object.freeze({
    snapshot,
    install,
    ...actions,
    element: (/** @type {string} */ ref) => targets.resolve({ ref }),
    hearsPresses: (/** @type {Element} */ element) => listeners.hearsPresses(element),
    serve: (/** @type {MessagePort} */ port) => serve(port, { snapshot, install, ...actions }),
  });
}

// A page may load it again; the first one has seen more, and has given refs.
if (!("geminiPage" in globalThis)) {
  Object.defineProperty(globalThis, "geminiPage", { value: createPage(), configurable: true });
}
