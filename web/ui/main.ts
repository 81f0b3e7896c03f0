/// <reference path="./css.d.ts" />
/** Start the page: kernel, bridge, store and panels. */

// Must be first: it removes the companion's code from the address.
import "./companion/entrance.ts";
import "@xterm/xterm/css/xterm.css";
import "./style.css";
import { IN_EXTENSION } from "../shared/in_extension.ts";
import { modelContextOf } from "../../webmcp_adapter.js";
import { Bridge } from "../../webmcp_bridge.js";
import type { ToolRow } from "../generated/types.ts";
import type { OuterTabs } from "../shared/outer_tabs.ts";
import { startKernel } from "./kernel/kernel.ts";
import { createActions } from "./actions.ts";
import { showActivity } from "./activity/panel.ts";
import { showAgents } from "./agents/panel.ts";
import { EnteredAddress } from "./browser/entered.ts";
import { Frames } from "./browser/frames.ts";
import { showBrowser } from "./browser/panel.ts";
import { serversOf } from "./browser/servers.ts";
import { ownOrigins } from "./browser/own_origins.ts";
import { SiteNetwork } from "./browser/site_network.ts";
import { Sites } from "./browser/sites.ts";
import { restoreCaretAfterDialogs } from "./caret.ts";
import { ChatLauncher } from "./chat/launcher.ts";
import { CompanionLink } from "./companion/link.ts";
import { OwnTerminals } from "./companion/own_terminals.ts";
import { isOver } from "./agents/labels.ts";
import { Callers } from "./consent/callers.ts";
import { Consent } from "./consent/consent.ts";
import { showConsent } from "./consent/dialog.ts";
import { browserGrants } from "./consent/grants.ts";
import { showRefusing } from "./consent/refusing.ts";
import { stopper } from "./consent/stopping.ts";
import { browserRecord } from "./consent/record.ts";
import { TaintWatch } from "./consent/taint.ts";
import { editFile, openEditor } from "./editor/opening.ts";
import { showEditor } from "./editor/panel.ts";
import { byId, h } from "./elements.ts";
import { showFiles } from "./files/panel.ts";
import { showPreview } from "./files/preview_panel.ts";
import { Viewer } from "./files/viewer.ts";
import { showCallNames } from "./help/calls.ts";
import { addPageKeys } from "./help/keys.ts";
import { showHelpMenu } from "./help/menu.ts";
import { showShortcutSheet } from "./help/shortcuts.ts";
import { Tour } from "./help/tour.ts";
import { callAttention, hostWindow, isFramedElsewhere, isNested, offerOwnTab } from "./host.ts";
import { fetchOfBuild } from "./integrity.ts";
import { isolate } from "./isolation.ts";
import { cacheForOffline } from "./offline.ts";
import { mirror } from "./mirror.ts";
import { loadPart } from "./parts.ts";
import { answerNetwork } from "./network.ts";
import { agentMode } from "./omnibar/agent_mode.ts";
import { addressMode } from "./omnibar/address_mode.ts";
import { chatMode } from "./omnibar/chat_mode.ts";
import { commandMode } from "./omnibar/command_mode.ts";
import { destinations } from "./omnibar/destinations.ts";
import { everythingMode } from "./omnibar/everything_mode.ts";
import { meaningMode } from "./omnibar/meaning_mode.ts";
import { Omnibar } from "./omnibar/omnibar.ts";
import { searchMode } from "./omnibar/search_mode.ts";
import { addPageCommands } from "./page_commands.ts";
import { createPageApi } from "./page_api.ts";
import { showConsole } from "./python/panel.ts";
import { showSearch } from "./search/panel.ts";
import { showCompanionSettings } from "./settings/companion.ts";
import { connectDialog } from "./settings/connect.ts";
import { showExchange } from "./settings/exchange.ts";
import { showGrants } from "./settings/grants.ts";
import { showHistoryLimits } from "./settings/history.ts";
import { showGitProxy } from "./settings/git_proxy.ts";
import { showPackageList } from "./settings/packages.ts";
import { ModelTickets } from "./models/tickets.ts";
import { modelDialog, onModelKey } from "./models/launcher.ts";
import { showModels } from "./models/section.ts";
import { showSettings } from "./settings/panel.ts";
import { chosenTools, showToolList } from "./settings/tool_list.ts";
import { showAutomations } from "./automations/panel.ts";
import { Notifications } from "./inbox/notifications.ts";
import { showScreen } from "./screen/panel.ts";
import { showInbox } from "./inbox/panel.ts";
import { reportQuestions } from "./inbox/report.ts";
import { showMachines } from "./machines/panel.ts";
import { showCalendar } from "./calendar/panel.ts";
import { showPhotos } from "./photos/panel.ts";
import { showMemory } from "./memory/panel.ts";
import { showTeam } from "./team/panel.ts";
import { reportClock } from "./schedules/clock.ts";
import { showSchedules } from "./schedules/panel.ts";
import { showSkills } from "./skills/panel.ts";
import { showSourceControl } from "./source_control/panel.ts";
import { runner } from "./running.ts";
import { measure } from "./status/measure.ts";
import { showStatus } from "./status/status.ts";
import { createStore, whenChanged, type Store } from "./store.ts";
import { refuseStrayDrops } from "./stray_drops.ts";
import { synchronise } from "./sync.ts";
import { Terminals } from "./terminals/terminals.ts";
import { followContrast } from "./theme.ts";
import { showTools } from "./tools/panel.ts";
import { blockUntrustedEvents } from "./trusted.ts";
import type { KernelState } from "./types.ts";
import { followLinks } from "./untrusted_view.ts";
import { ensureWebMcp } from "./webmcp.ts";
import { drawIcons } from "./workbench/icons.ts";
import { focusStart, startCard } from "./workbench/start_card.ts";
import { showPanelsMenu } from "./workbench/menu.ts";
import { Workbench } from "./workbench/workbench.ts";

/** web/extension/page.ts, which only the extension has */
interface ExtensionPart {
  start(): Promise<OuterTabs>;
  restoreTabs(tabs: OuterTabs, frames: Frames): Promise<void>;
  sharing(tabs: OuterTabs, open: (url: string) => Promise<unknown>): () => void;
}

const OFFLINE_AFTER_MS = 3_000;
// Panels are drawn then, also if the list of tools hasn't come.
const LONGEST_REGISTERING_MS = 300;

async function main() {
  if (isNested()) return refuse();
  // Only the tools are awaited if the page is isolated and has WebMCP, so that they register before anything else.
  blockUntrustedEvents();
  refuseStrayDrops();
  followContrast();
  if (isFramedElsewhere()) return offerOwnTab();
  const reloading = isolate();
  if (reloading === true || (reloading && (await reloading))) return;
  // Code on a shared origin could change the copy, and the marks of tools that return untrusted text.
  const tools = fetchOfBuild("tools.json");
  const host = hostWindow();
  const webmcp = ensureWebMcp(host.document);
  const mode = typeof webmcp === "string" ? webmcp : await webmcp;
  const store = createStore();
  let refresh = async () => {};
  let watch = () => {};
  let attended = true;
  let waits = false;
  const callers = new Callers((run) => store.state.runs.some((row) => row.id === run && !isOver(row)));
  const consent = new Consent({
    grants: browserGrants(),
    record: browserRecord(),
    attended: () => attended,
    waits: () => waits,
    identify: (words) => callers.of(words),
  });
  let link: CompanionLink | undefined;
  let extension: OuterTabs | null = null;
  const sites = new Sites({
    network: new SiteNetwork(consent, ownOrigins()),
    read: (request) => kernel.connection.request("site/read", request),
    servers: serversOf((method, params) => kernel.connection.request(method, params)),
    relay: () => link?.sites ?? null,
  });
  const frames = new Frames({
    entered: new EnteredAddress(byId("browser-url", HTMLInputElement)),
    place: byId("browser-stage", HTMLElement),
    host,
    sites,
    consent,
    outer: () => [extension, link?.tabs].filter((tabs) => tabs != null),
    onChange: (document) => void kernel.connection.request("document/changed", document),
    framing: (url) => link?.framing(url) ?? Promise.resolve("unknown"),
  });
  if (IN_EXTENSION) {
    const part = await loadPart<ExtensionPart>("ui-extension.js");
    extension = await part.start();
    await part.restoreTabs(extension, frames);
  }
  const kernel = startKernel({
    onNetwork: (question, port) => void answerNetwork(consent, question, port),
    serveDocuments: (port) => frames.serve(port),
    onProgress: (stage, fraction) => store.dispatch({ type: "progress", stage, fraction }),
    onState: (state, error) => {
      follow(store, state, error ?? null, () => refresh());
      link?.want(state === "booting" || state === "ready");
      if (state === "ready" && !attended) void kernel.connection.request("page/attended", { attended });
      if (state === "ready") link?.renew();
      if (state === "elsewhere") watch();
    },
    onStart: (bare) => consent.record.start(bare),
    onFresh: () => consent.renew(),
    onSilent: (silent) => store.dispatch({ type: "silent", silent }),
    onBeat: (sizes) => measure(store, sizes),
    onFilesProblem: (problem) => store.dispatch({ type: "files_problem", problem }),
    onPlace: (apart) => store.dispatch({ type: "kernel_place", apart }),
    onSnapshot: (state) => {
      document.documentElement.dataset.snapshot = state;
    },
  });
  callers.follow(kernel.connection);
  const taint = new TaintWatch(consent, () => store.state.tools);
  taint.listen(kernel.connection);
  const watched = taint.watch(kernel.connection);
  link = new CompanionLink({
    connection: watched,
    consent,
    attach: (port) => kernel.attachCompanion(port),
    onState: (companion) => store.dispatch({ type: "companion", companion }),
    onAttended: (now, later) => {
      const changed = now !== attended;
      attended = now;
      waits = later;
      if (!attended && !waits) consent.refuseAll();
      if (changed && store.state.kernel === "ready") void kernel.connection.request("page/attended", { attended });
    },
  });
  link.want(true);
  refresh = synchronise(kernel.connection, store);
  watch = mirror(kernel.connection, store);
  listBuiltTools(store, kernel, taint, tools).catch(report("The list of tools could not be read."));
  let registered = Promise.resolve();
  if (mode !== "missing") {
    const bridge = new Bridge(watched, {
      modelContext: modelContextOf(host.document),
      choice: chosenTools(),
      onRegistered: (registered) => store.dispatch({ type: "registered", registered }),
    });
    registered = bridge.start(tools).catch(report("Agents can't see the tools."));
    showToolList(store, bridge);
  }
  store.dispatch({ type: "webmcp", mode });
  Object.defineProperty(globalThis, "gemini", { value: createPageApi(kernel, store) });
  // Agents wait for the tools meanwhile, and drawing takes longer.
  await Promise.race([registered, new Promise((done) => setTimeout(done, LONGEST_REGISTERING_MS))]);
  const actions = showPanels(store, kernel, frames, link, consent, callers);
  if (extension)
    offerSharing(
      (await loadPart<ExtensionPart>("ui-extension.js")).sharing(extension, (url: string) =>
        actions.tabs({ action: "open", url }),
      ),
    );
  if (host !== window) callAttention(consent);
}

/** Show the button of the extension with which the person shares tabs. */
function offerSharing(show: () => void) {
  const button = h("button", { id: "share-tabs-button", type: "button", class: "quiet", onclick: show }, "Share tabs");
  byId("new-tab", HTMLButtonElement).after(button);
}

/** Show why the surface doesn't start here. */
function refuse() {
  const note = document.createElement("p");
  note.textContent = "The surface doesn't start in a page of its own origin.";
  document.body.replaceChildren(note);
}

/** Update the page when the kernel's state changes. */
function follow(store: Store, state: KernelState, error: Error | null, refresh: () => Promise<void>) {
  document.documentElement.dataset.kernel = state;
  if (state === "booting" || state === "elsewhere") store.dispatch({ type: "disconnected" });
  store.dispatch({ type: "kernel", kernel: state, reason: error && error.message });
  if (state !== "ready") return;
  refresh().catch(report("The kernel's state could not be read."));
  // Delayed so that it doesn't compete with the start and the first calls.
  // A cache on this origin doesn't help a kernel with its own origin.
  if (store.state.kernelApart === false && !IN_EXTENSION) setTimeout(() => void cacheForOffline(), OFFLINE_AFTER_MS);
}

/** List the tools known at build time until the kernel sends its list. */
async function listBuiltTools(
  store: Store,
  kernel: ReturnType<typeof startKernel>,
  taint: TaintWatch,
  response: Promise<Response>,
) {
  // The bridge reads the response itself.
  const copy = (await response).clone();
  const { tools }: { tools: ToolRow[] } = await copy.json();
  kernel.learnTools(tools);
  taint.learn(tools);
  if (store.state.tools.length === 0) store.dispatch({ type: "tools", tools });
}

function report(message: string) {
  return (error: unknown) => console.error(message, error);
}

function showPanels(
  store: Store,
  kernel: ReturnType<typeof startKernel>,
  frames: Frames,
  link: CompanionLink,
  consent: Consent,
  callers: Callers,
) {
  const actions = createActions(kernel.connection, kernel.blobs, new ModelTickets(link, store));
  followLinks((url) => void actions.openPage({ url }));
  const own = new OwnTerminals(link);
  const terminals = new Terminals(actions, own, {
    attach: (id) => kernel.attachTerminal(id),
    interrupt: (id, send) => kernel.interruptTerminal(id, send),
    placed: (place) => void kernel.connection.request("terminal/placed", place),
  });
  const workbench = new Workbench(
    (id) => terminals.guest(id),
    () =>
      startCard({
        hasModel: () => Boolean(store.state.models.chosen),
        onModel: (listener) => void store.subscribe(whenChanged(({ models }) => [models.chosen], listener)),
        start: (task) => agents.start(task),
        demo: () => agents.demo(),
      }),
  );
  drawIcons();
  const openPanel = (id: string) => workbench.open(id);
  showPanelsMenu(workbench);
  terminals.connect(store, workbench);
  const run = runner(store, actions, workbench);
  const viewer = new Viewer(actions, { open: openEditor, edit: editFile });
  const preview = (path: string) => viewer.view(path);
  showPreview(store, actions, openEditor);
  const previewBeside = () => workbench.openBeside("preview", "editor");
  showEditor(store, actions, { openPanel, preview, previewBeside, run });
  showFiles(store, actions, { open: openEditor, edit: editFile, preview, panel: openPanel, run });
  showBrowser(store, actions, frames, workbench, {
    openFile: openEditor,
    fix: (task) => void agents.compose(task),
    run: (id) => void agents.show(id),
  });
  showExchange(store, actions, () => {
    // The imported files are text from outside, and may hold code.
    consent.noteTaint({ run: "", origin: "an imported archive" });
    kernel.startAgain();
  });
  const python = showConsole(store, actions, openEditor);
  showStatus(store, kernel, {
    open: (id) => workbench.open(id, { focus: true }),
    restart: () => kernel.restart(),
    interrupt: (id) => terminals.interrupt(id),
    console: python,
    setUpModel: () => void setUpModel(),
  });
  const activity = showActivity(store, actions, () => link.settings("allowance_uses"));
  const tools = showTools(store, actions);
  const connectModel = modelDialog(store, actions, link);
  showModels(store, actions, () => connectModel(() => {}));
  const showTab = (tab: string) => {
    openPanel("browser");
    void actions.tabs({ action: "focus", tab });
  };
  const agents = showAgents(store, actions, (id) => workbench.open(id, { focus: true }), {
    connectModel,
    tab: showTab,
    file: openEditor,
  });
  showSettings(store, actions, terminals);
  showHistoryLimits(store, actions);
  showPackageList(store, actions);
  showGitProxy();
  showCompanionSettings(store, link);
  showGrants(consent);
  showConsent(consent, {
    stop: stopper(callers, { store, actions, interrupt: (id) => terminals.interrupt(id) }),
    restart: () => kernel.restart(),
  });
  showRefusing(consent);
  showSourceControl(store, actions);
  showMachines(store, actions, (machine) => terminals.create(machine === "main" ? "linux" : `linux:${machine}`));
  showMemory(store, actions);
  showCalendar(store, actions, link);
  showPhotos(store, actions, preview);
  showTeam(store, actions, { run: agents.show, file: openEditor });
  showSkills(store, actions);
  showAutomations(store, actions, { run: agents.show, file: openEditor });
  showSchedules(store, actions, { run: agents.show, link });
  reportClock(store, link);
  const notifications = new Notifications((id) => workbench.open(id, { focus: true }));
  notifications.follow(store, consent);
  showScreen(store, actions, agents.show);
  showInbox(store, actions, {
    consent,
    notifications,
    run: agents.show,
    schedules: () => workbench.open("schedules", { focus: true }),
  });
  reportQuestions(store, consent, kernel.connection);
  const chat = new ChatLauncher(store, actions, (id) => workbench.open(id, { focus: true }), connectModel);
  const setUpModel = () => connectModel(() => focusStart() || chat.open(null));
  onModelKey(setUpModel);
  const searchFiles = showSearch(store, actions, { openPanel, openPath: openEditor });
  const to = destinations(store, actions, workbench, frames.entered, {
    searchFiles,
    openPath: openEditor,
    showCall: (id) => activity.show(id),
    showTool: (name) => tools.show(name),
    typePython: (code) => python.put(code),
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
  frames.onShortcut = (frame) => omnibar.enterFromPage(frame);
  addPageCommands({
    workbench,
    terminals,
    omnibar,
    store,
    setUpModel,
    connectClient: connectDialog(store, link),
    restart: () => kernel.restart(),
  });
  showHelp(store, workbench);
  return actions;
}

function showHelp(store: Store, workbench: Workbench) {
  restoreCaretAfterDialogs();
  addPageKeys();
  showCallNames();
  showShortcutSheet();
  const tour = new Tour(workbench);
  showHelpMenu();
  store.subscribe(
    whenChanged(
      ({ kernel }) => [kernel === "ready"],
      ({ kernel }) => kernel === "ready" && tour.offer(),
    ),
  );
}

void main();
