// A document's page: its methods, by which agents read and act (docs/page.md).

import { createActions } from "./actions/actions.js";
import { describe } from "./actions/describing.js";
import { Answers } from "./actions/dialogs.js";
import { revealedBox } from "./box.js";
import { watchCloseWatchers } from "./close_watchers.js";
import { reportErrors } from "./console.js";
import { about } from "./control.js";
import * as dom from "./dom.js";
import { Downloads } from "./downloads.js";
import { serve } from "./conversation.js";
import { evaluate } from "./evaluate.js";
import { find } from "./find.js";
import { go, reload } from "./history.js";
import { keepSources } from "./hooks.js";
import { keepFocus, regainFocus, watchFocus } from "./retained_focus.js";
import { watchInternals } from "./internals.js";
import { Listeners } from "./listeners.js";
import { drawMarks } from "./marks.js";
import { NetworkLog } from "./network_log.js";
import { Parts } from "./parts.js";
import { watchPending } from "./pending.js";
import { Refs } from "./refs.js";
import { reportShortcuts } from "./shortcuts.js";
import { Snapshots } from "./snapshot/snapshots.js";
import { tableRows } from "./table_rows.js";
import { Targets } from "./targets.js";
import { pageTools, reportTools, toolNames } from "./webmcp/tools.js";

/**
 * @import { Console } from "./console.js"
 * @import { Policy } from "./actions/dialogs.js"
 * @import { Devices } from "./actions/hand.js"
 * @import { Target } from "./targets.js"
 *
 * @typedef {object} Options of a controlled page
 * @property {Policy | null} [dialogs] its answers to dialogs
 * @property {string} [folder] that of the script's parts
 * @property {boolean} [shortcuts]
 * @property {boolean} [errors]
 * @property {boolean} [tools]
 * @property {boolean | "actions"} [downloads]
 * @property {boolean | "regain"} [focus]
 */

/**
 * Configure a controlled page: whether it reports the keys of the palette, new errors, changed tools and downloads, and
 * whether it keeps its focus while people type elsewhere or gets it back.
 * @param {Options} options
 * @param {{ console: Console, controller: MessagePort | null, downloads: Downloads }} page the controller gets the reports
 */
function configure({ shortcuts, errors, tools, downloads: loads, focus }, { console, controller, downloads }) {
  if (focus === "regain") regainFocus();
  else if (focus !== undefined) keepFocus(focus);
  if (shortcuts && controller) reportShortcuts(controller);
  if (errors && controller) reportErrors(console, controller);
  if (tools && controller) reportTools(controller);
  if (loads && controller) downloads.report(controller, loads === "actions");
  console.listen();
}

/**
 * @param {Console} console
 * @param {string | null} script the URL of the page script
 * @param {Record<string, object>} [modules] the parts that needn't be loaded, by their file names
 * @param {{ listeners?: Listeners, answers?: Answers, network?: NetworkLog, devices?: () => Devices | null }} [watchers] of a script that isn't in the
 *   page's own realm
 */
export function createPage(console, script, modules = {}, watchers = {}) {
  const { listeners = new Listeners(), answers = new Answers(), network = new NetworkLog(), devices } = watchers;
  listeners.watch(globalThis);
  watchInternals(globalThis);
  watchCloseWatchers(globalThis);
  watchPending(globalThis);
  watchFocus(globalThis);
  network.watch(globalThis);
  keepSources(globalThis);
  const refs = new Refs();
  const targets = new Targets(refs, () => snapshots.candidates());
  const snapshots = new Snapshots(refs, listeners, targets);
  const resolve = (/** @type {Target} */ target) => targets.resolve(target);
  const describeElement = (/** @type {Element} */ element) => describe(refs, element);
  const parts = new Parts(script, resolve, modules);
  const downloads = new Downloads();
  /** @type {MessagePort | null} */
  let controller = null;
  /** @param {Options} options */
  const install = (options) => {
    configure(options, { console, controller, downloads });
    if (options.dialogs !== undefined) answers.install(options.dialogs);
    if (options.folder !== undefined) parts.folder = options.folder;
  };
  let removeMarks = () => {};
  /** Draw boxes with refs over the page, or remove them. @param {{ on: boolean }} options */
  const mark = ({ on }) => {
    removeMarks();
    removeMarks = on ? drawMarks(snapshots) : () => {};
  };
  /** @param {{ boxes?: boolean }} options */
  const screenshot = async ({ boxes = false, ...options } = {}) => {
    if (boxes) mark({ on: true });
    try {
      return await parts.screenshot(options);
    } finally {
      mark({ on: false });
    }
  };
  /** @satisfies {Record<string, (options: any) => unknown>} */
  const methods = {
    snapshot: (options = {}) => snapshots.take(options),
    // A page that has broken its own list offers no tools, and can be read all the same.
    about: async (options) => ({ ...await about(options), type: dom.contentType(document), tools: await toolNames().catch(() => []) }),
    tools: pageTools,
    install,
    console: (options = {}) => console.read(options),
    refused: () => [...console.refused],
    evaluate: ({ code }) => evaluate(code, describeElement),
    go,
    reload,
    box: (options) => revealedBox(resolve(options)),
    text: (options = {}) => parts.text(options),
    screenshot,
    mark,
    find: (options) => find(snapshots, refs, options),
    table: (options) => tableRows(resolve(options), options),
    network: (options = {}) => network.read(options),
    dialogs: (options) => answers.decide(options),
    download: (options = {}) => (options.id === undefined ? downloads.begin(options) : downloads.read(options)),
    ...createActions({ resolve, refs, answers, downloads, describe: describeElement, devices }),
  };
  return Object.freeze({
    ...methods,
    element: (/** @type {string} */ ref) => targets.resolve({ ref }),
    hearsPresses: (/** @type {Element} */ element) => listeners.hasPressListener(element),
    serve: (/** @type {MessagePort} */ port) => {
      console.listen();
      controller = port;
      serve(port, methods);
    },
  });
}
