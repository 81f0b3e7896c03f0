/// <reference path="../style/css.d.ts" />
/** Start the page: kernel, bridge, store and panels. */

// Must be first: it removes the companion's code from the address.
import "../companion/entrance.ts";
import "@xterm/xterm/css/xterm.css";
import "../style/index.css";
import { IN_EXTENSION } from "../../shared/in_extension.ts";
import type { OuterTabs } from "../../shared/outer_tabs.ts";
import { type BuiltTools, builtTools } from "./built_tools.ts";
import { createActions } from "../state/actions.ts";
import { restoreFocusAfterDialogs } from "./focus_after_dialogs.ts";
import { showUnconnected } from "../companion/connect_browser.ts";
import { OwnTerminals } from "../companion/own_terminals.ts";
import { showConsent } from "../consent/dialog.ts";
import { showRefusing } from "../consent/refusing.ts";
import { stopper } from "../consent/stopping.ts";
import { editFile, openEditor } from "../panels/editor/opening.ts";
import { onControlAlt } from "../lib/chords.ts";
import { byId, h } from "../lib/elements.ts";
import { followSharedLinks } from "../panels/files/link_launcher.ts";
import { Viewer } from "../panels/files/viewer.ts";
import { showCallNames } from "../help/calls.ts";
import { commands } from "../lib/commands.ts";
import { PAGE_KEYS } from "../help/keys.ts";
import { showHelpMenu } from "../help/menu.ts";
import { showShortcutSheet } from "../help/shortcuts.ts";
import { Tour } from "../help/tour.ts";
import { callAttention, hostWindow, isFramedElsewhere, isNested, offerOwnTab } from "./host.ts";
import { Notifications } from "../panels/inbox/notifications.ts";
import { reportQuestions } from "../panels/inbox/report.ts";
import { isolate } from "./isolation.ts";
import { modelDialog } from "../panels/models/launcher.ts";
import { ModelTickets } from "../state/model_tickets.ts";
import { addressMode } from "../omnibar/address_mode.ts";
import { agentMode } from "../omnibar/agent_mode.ts";
import { chatMode } from "../omnibar/chat_mode.ts";
import { commandMode } from "../omnibar/command_mode.ts";
import { destinations } from "../omnibar/destinations.ts";
import { everythingMode } from "../omnibar/everything_mode.ts";
import { meaningMode } from "../omnibar/meaning_mode.ts";
import { Omnibar } from "../omnibar/omnibar.ts";
import { searchMode } from "../omnibar/search_mode.ts";
import { createPageApi } from "./page_api.ts";
import { addPageCommands } from "./page_commands.ts";
import { type Page, PANELS } from "./panels.ts";
import { loadPart } from "../lib/lazy_bundles.ts";
import { runner } from "../workbench/run_file.ts";
import { reportClock } from "../panels/schedules/clock.ts";
import { connectDialog } from "../panels/settings/lazy.ts";
import { showToolList } from "../panels/settings/tool_list.ts";
import { focusStart } from "../panels/start/panel.ts";
import { showStatus } from "../status/status.ts";
import { refuseStrayDrops } from "../lib/stray_drops.ts";
import { type ExtensionPart, report, Surface } from "./surface.ts";
import { Terminals } from "../panels/terminals/terminals.ts";
import { followContrast } from "../lib/theme.ts";
import { blockUntrustedEvents } from "../lib/trusted.ts";
import { followLinks } from "../lib/untrusted_view.ts";
import { ensureWebMcp } from "./webmcp.ts";
import { drawIcons } from "../lib/icons.ts";
import { connectBelow } from "../workbench/below_keys.ts";
import { showPanelsMenu } from "../workbench/menu.ts";
import { showRail } from "../workbench/rail.ts";
import { Workbench } from "../workbench/workbench.ts";

// Panels are drawn then, also if the list of tools hasn't come, or Python's start hasn't begun.
const LONGEST_UNDRAWN_MS = 500;

async function main() {
  if (isNested()) return refuse();
  // Only the tools are awaited if the page is isolated and has WebMCP, so that they register before anything else.
  blockUntrustedEvents();
  refuseStrayDrops();
  followContrast();
  if (isFramedElsewhere()) return offerOwnTab();
  const isolating = isolate();
  if (isolating) await isolating;
  const tools = builtTools();
  const host = hostWindow();
  const webmcp = ensureWebMcp(host.document);
  const mode = typeof webmcp === "string" ? webmcp : await webmcp;
  const surface = new Surface(host);
  if (IN_EXTENSION) await surface.useExtension();
  surface.start();
  // Calls are checked by the list.
  surface.listBuiltTools(tools.list);
  tools.connect(surface.watched);
  const registered = mode === "missing" || mode === "unkeyed" ? Promise.resolve() : registerTools(surface, tools);
  surface.store.dispatch({ type: "webmcp", mode });
  Object.defineProperty(globalThis, "gemini", { value: createPageApi(surface.kernel, surface.store) });
  // Agents wait for the tools, and everyone for Python. Drawing takes longer, and Python starts meanwhile.
  const begun = Promise.all([registered, surface.kernel.begun]);
  await Promise.race([begun, new Promise((done) => setTimeout(done, LONGEST_UNDRAWN_MS))]);
  const page = showPage(surface);
  if (surface.extension) await offerSharing(surface.extension, page);
  if (host !== window) callAttention(surface.consent);
  // An application that embeds the surface has an address of its own.
  else openSharedLinks(page);
}

/** Register the tools on the host's WebMCP, if app/early.ts hasn't, and show the choice of them. */
function registerTools({ store, host }: Surface, tools: BuiltTools) {
  const { bridge, done } = tools.register(host.document);
  tools.follow((registered) => store.dispatch({ type: "registered", registered }));
  showToolList(store, bridge);
  return done.catch(report("Agents can't see the tools."));
}

/** Ask about files or the demo that a link in the address shares. */
function openSharedLinks({ store, actions, workbench, agents }: Page) {
  followSharedLinks(store, actions, {
    demo: (example) => agents.demo(example),
    show: (path) => {
      workbench.open("files");
      return actions.openFile({ path });
    },
  });
}

/** Show the button of the extension with which the user shares tabs. */
async function offerSharing(extension: OuterTabs, { actions }: Page) {
  const part = await loadPart<ExtensionPart>("ui-extension.js");
  const show = part.sharing(extension, (url) => actions.tabs({ action: "open", url }));
  const button = h("button", { id: "share-tabs-button", type: "button", class: "quiet", onclick: show }, "Share tabs");
  byId("new-tab", HTMLButtonElement).after(button);
}

/** Show why the surface doesn't start here. */
function refuse() {
  const note = document.createElement("p");
  note.textContent = "The surface doesn't start in a page of its own origin.";
  document.body.replaceChildren(note);
}

/** Show the workbench, its panels and their surroundings. */
function showPage(surface: Surface): Page {
  const { store, kernel, link } = surface;
  const actions = createActions(kernel.connection, kernel.blobs, new ModelTickets(link, store));
  followLinks((url) => void actions.openPage({ url }));
  const terminals = new Terminals(actions, new OwnTerminals(link), {
    attach: (id) => kernel.attachTerminal(id),
    interrupt: (id, send) => kernel.interruptTerminal(id, send),
    typed: (id, line) => surface.typed.note(id, line),
    placed: (place) => void kernel.connection.request("terminal/placed", place),
  });
  const workbench = new Workbench(PANELS, (id) => terminals.guest(id));
  const focus = (id: string) => workbench.open(id, { focus: true });
  const viewer = new Viewer(actions, { open: openEditor, edit: editFile });
  // The panels set the rest.
  const page = {
    ...{ surface, store, actions, terminals, workbench, focus },
    preview: (path: string) => viewer.view(path),
    run: runner(store, actions, workbench),
    connectModel: modelDialog(store, actions, link),
    notifications: new Notifications(focus),
  } as Page;
  drawIcons();
  showRail(workbench);
  showPanelsMenu(workbench);
  connectBelow(workbench);
  terminals.connect(store, workbench);
  page.notifications.follow(store, surface.consent);
  for (const { show } of PANELS) show?.(page);
  followRuns(page);
  showQuestions(page);
  showAround(page);
  return page;
}

/** Open the agents' place when a run starts, without the focus. */
function followRuns({ store, workbench }: Page) {
  let known: Set<string> | null = null;
  store.follow(
    ({ runs, seq }) => [runs, seq === null],
    ({ runs, seq }) => {
      if (seq === null) return;
      const before = known;
      known = new Set(runs.map(({ id }) => id));
      if (before !== null && runs.some(({ id }) => !before.has(id))) workbench.reveal("agent");
    },
  );
}

/** Show the questions of consent, and tell the kernel and the companion what waits. */
function showQuestions({ surface, store, actions, terminals }: Page) {
  const { consent, callers, kernel, link } = surface;
  showConsent(consent, {
    stop: stopper(callers, { store, actions, interrupt: (id) => terminals.interrupt(id) }),
    restart: () => kernel.restart(),
  });
  showRefusing(consent);
  reportClock(store, link);
  reportQuestions(store, consent, kernel.connection);
}

/** Show the status bar, the omnibar and the help. */
function showAround(page: Page) {
  const { surface, store, terminals, workbench, focus, connectModel, chat } = page;
  const restart = () => surface.kernel.restart();
  const setUpModel = () => connectModel(() => focusStart() || chat.open(null));
  onControlAlt("M", setUpModel);
  const interrupt = (id: string) => terminals.interrupt(id);
  showStatus(store, surface.kernel, {
    ...{ open: focus, restart, interrupt, console: page.console, setUpModel },
    connectBrowser: showUnconnected(store, surface.link),
  });
  const omnibar = createOmnibar(page);
  surface.frames.onShortcut = (frame) => omnibar.enterFromPage(frame);
  const connectClient = connectDialog(store, surface.link);
  addPageCommands({ workbench, terminals, omnibar, store, setUpModel, connectClient, restart });
  showHelp(page);
}

function createOmnibar({ surface, store, actions, workbench, agents, chat, activity, tools, ...page }: Page): Omnibar {
  const to = destinations(store, actions, workbench, surface.frames.entered, {
    searchFiles: page.searchFiles,
    openPath: openEditor,
    showCall: (id) => void activity(id),
    showTool: (name) => void tools(name),
    typePython: (code) => page.console.put(code),
  });
  const modes = [
    everythingMode(store, actions, to),
    searchMode(actions, to),
    meaningMode(store, actions, to, (text) => omnibar.enter("meaning", text)),
    addressMode(store, actions, to),
    commandMode(store, to),
    agentMode(store, agents),
    chatMode(store, chat),
  ];
  const omnibar = new Omnibar(modes, "everything");
  return omnibar;
}

function showHelp({ store, workbench }: Page) {
  restoreFocusAfterDialogs();
  commands.addKeys(...PAGE_KEYS);
  showCallNames();
  showShortcutSheet();
  const tour = new Tour(workbench);
  showHelpMenu();
  store.follow(
    ({ kernel }) => [kernel === "ready"],
    ({ kernel }) => kernel === "ready" && tour.offer(),
  );
}

void main();
