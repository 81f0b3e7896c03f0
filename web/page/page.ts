// A document's page: its methods, by which agents read and act (docs/page.md).

import { createActions } from "./actions/actions.ts";
import { describe } from "./actions/describing.ts";
import { Answers, type Policy } from "./actions/dialogs.ts";
import type { Devices } from "./actions/input_devices.ts";
import { revealedBox } from "./box.ts";
import { watchCloseWatchers } from "./close_watchers.ts";
import { reportMessages, type Console } from "./console.ts";
import { about } from "./control.ts";
import * as dom from "./dom.ts";
import { Downloads } from "./downloads.ts";
import { Connection } from "../../webmcp_bridge.js";
import { evaluate } from "./evaluate.ts";
import { find } from "./find.ts";
import { go, reload } from "./history.ts";
import { keepSources } from "./hooks.ts";
import { keepFocus, regainFocus, watchFocus } from "./retained_focus.ts";
import { watchInternals } from "./internals.ts";
import { Listeners } from "./listeners.ts";
import { drawMarks } from "./marks.ts";
import { NetworkLog } from "./network_log.ts";
import { Parts } from "./parts.ts";
import { watchPending } from "./pending.ts";
import { Refs } from "./refs.ts";
import { reportShortcuts } from "./shortcuts.ts";
import { Snapshots } from "./snapshot/snapshots.ts";
import { tableRows } from "./table_rows.ts";
import { Targets, type Target } from "./targets.ts";
import { pageTools, reportTools, toolNames } from "./webmcp/tools.ts";

/** the options of a method */
type Given<M extends (options: never) => unknown> = NonNullable<Parameters<M>[0]>;

/** of a controlled page */
interface Options {
  /** its answers to dialogs */
  dialogs?: Policy | null;
  /** the folder of the script's parts */
  folder?: string;
  shortcuts?: boolean;
  messages?: boolean;
  tools?: boolean;
  downloads?: boolean | "actions";
  focus?: boolean | "regain";
}

/**
 * Configure a controlled page: whether it reports the keys of the palette, new messages, changed tools and downloads, and
 * whether it keeps its focus while users type elsewhere or gets it back.
 * @param page - the controller gets the reports
 */
function configure(
  { shortcuts, messages, tools, downloads: loads, focus }: Options,
  { console, controller, downloads }: { console: Console; controller: Connection | null; downloads: Downloads },
) {
  if (focus === "regain") regainFocus();
  else if (focus !== undefined) keepFocus(focus);
  if (shortcuts && controller) reportShortcuts(controller);
  if (messages && controller) reportMessages(console, controller);
  if (tools && controller) reportTools(controller);
  if (loads && controller) downloads.report(controller, loads === "actions");
  console.listen();
}

/**
 * @param script - the URL of the page script
 * @param modules - the parts that needn't be loaded, by their file names
 * @param watchers - of a script that isn't in the page's own realm
 */
export function createPage(
  console: Console,
  script: string | null,
  modules: ConstructorParameters<typeof Parts>[2] = {},
  watchers: { listeners?: Listeners; answers?: Answers; network?: NetworkLog; devices?: () => Devices | null } = {},
) {
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
  const resolve = (target: Target) => targets.resolve(target);
  const describeElement = (element: Element) => describe(refs, element);
  const parts = new Parts(script, resolve, modules);
  const downloads = new Downloads();
  let controller: Connection | null = null;
  const install = (options: Options) => {
    configure(options, { console, controller, downloads });
    if (options.dialogs !== undefined) answers.install(options.dialogs);
    if (options.folder !== undefined) parts.folder = options.folder;
  };
  let removeMarks = () => {};
  /** Draw boxes with refs over the page, or remove them. */
  const mark = ({ on }: { on: boolean }) => {
    removeMarks();
    removeMarks = on ? drawMarks(snapshots) : () => {};
  };
  const screenshot = async ({ boxes = false, ...options }: { boxes?: boolean } = {}) => {
    if (boxes) mark({ on: true });
    try {
      return await parts.screenshot(options);
    } finally {
      mark({ on: false });
    }
  };
  const methods = {
    snapshot: (options: Given<Snapshots["take"]> = {}) => snapshots.take(options),
    // A page that has broken its own list offers no tools, and can be read all the same.
    about: async (options: Given<typeof about>) => ({
      ...(await about(options)),
      type: dom.contentType(document),
      tools: await toolNames().catch(() => []),
    }),
    tools: pageTools,
    install,
    console: (options: Given<Console["read"]> = {}) => console.read(options),
    refused: () => [...console.refused],
    evaluate: ({ code }: { code: string }) => evaluate(code, describeElement),
    go,
    reload,
    box: (options: Target) => revealedBox(resolve(options)),
    text: (options: Given<Parts["text"]> = {}) => parts.text(options),
    screenshot,
    mark,
    find: (options: Parameters<typeof find>[2]) => find(snapshots, refs, options),
    table: (options: Target & Parameters<typeof tableRows>[1]) => tableRows(resolve(options), options),
    network: (options: Given<NetworkLog["read"]> = {}) => network.read(options),
    dialogs: (options: Policy) => answers.decide(options),
    download: (options: Given<Downloads["read"]> | { id?: undefined; url?: string } = {}) =>
      options.id === undefined ? downloads.begin(options) : downloads.read(options),
    ...createActions({ resolve, refs, answers, downloads, describe: describeElement, devices }),
  };
  return Object.freeze({
    ...methods,
    element: (ref: string) => targets.resolve({ ref }),
    hearsPresses: (element: Element) => listeners.hasPressListener(element),
    serve: (port: MessagePort) => {
      console.listen();
      controller = new Connection(port, methods);
    },
  });
}
