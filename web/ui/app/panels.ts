/** The panels of the workbench, in the order in which menus list them. A new panel is an entry here and a folder. */

import {
  Activity,
  BookOpen,
  Bot,
  Brain,
  CalendarClock,
  CalendarDays,
  ChartLine,
  CircleQuestionMark as CircleHelp,
  Eye,
  FilePenLine,
  Files,
  GitBranch,
  Globe,
  House,
  Images,
  Inbox,
  Logs,
  MessageSquare,
  Monitor,
  Repeat,
  Search,
  Server,
  Settings,
  SquareChevronRight,
  SquareTerminal,
  TriangleAlert,
  Users,
  Wrench,
} from "lucide";
import type { Actions } from "../state/actions.ts";
import { activityPanel } from "../panels/activity/lazy.ts";
import { type Agents, showAgents } from "../panels/agents/panel.ts";
import { showAutomations } from "../panels/automations/panel.ts";
import { showBrowser } from "../panels/browser/panel.ts";
import { showCalendar } from "../panels/calendar/panel.ts";
import { ChatLauncher } from "../panels/chat/launcher.ts";
import { editFile, openEditor } from "../panels/editor/opening.ts";
import { showEditor } from "../panels/editor/panel.ts";
import { showFigure } from "../panels/figure/panel.ts";
import { showFiles } from "../panels/files/panel.ts";
import { showPreview } from "../panels/files/preview_panel.ts";
import { showHelp } from "../panels/help/panel.ts";
import { codeRunner } from "../workbench/run_code.ts";
import { insertInEditor } from "../panels/editor/opening.ts";
import { showInbox } from "../panels/inbox/panel.ts";
import type { Notifications } from "../panels/inbox/notifications.ts";
import { showMachines } from "../panels/machines/panel.ts";
import { showMemory } from "../panels/memory/panel.ts";
import { showModels } from "../panels/models/section.ts";
import { showPhotos } from "../panels/photos/panel.ts";
import { showConsole } from "../panels/python/panel.ts";
import { showSchedules } from "../panels/schedules/panel.ts";
import { showPageConsole } from "../panels/page_console/panel.ts";
import { showProblems } from "../panels/problems/panel.ts";
import { showScreen } from "../panels/screen/panel.ts";
import { showSearch } from "../panels/search/panel.ts";
import { settingsPanel, showExchange } from "../panels/settings/lazy.ts";
import { showSkills } from "../panels/skills/panel.ts";
import { showStart } from "../panels/start/panel.ts";
import { showSourceControl } from "../panels/source_control/panel.ts";
import type { Store } from "../state/store.ts";
import type { Surface } from "./surface.ts";
import { showTeam } from "../panels/team/panel.ts";
import type { Terminals } from "../panels/terminals/terminals.ts";
import { toolsPanel } from "../panels/tools/lazy.ts";
import type { PanelKind } from "../workbench/panel_kind.ts";
import type { Workbench } from "../workbench/workbench.ts";

/** The parts of the page that panels use, and parts of other panels. A panel that is shown sets its own members. */
export interface Page {
  surface: Surface;
  store: Store;
  actions: Actions;
  terminals: Terminals;
  workbench: Workbench;
  notifications: Notifications;
  /** opens a panel and focuses it */
  focus: (id: string) => void;
  /** shows a file */
  preview: (path: string) => Promise<void>;
  run: Parameters<typeof showEditor>[2]["run"];
  /** opens the dialog that connects a model */
  connectModel: (then: () => unknown) => Promise<void>;
  agents: Agents;
  figure: ReturnType<typeof showFigure>;
  chat: ChatLauncher;
  console: ReturnType<typeof showConsole>;
  problems: ReturnType<typeof showEditor>;
  activity: ReturnType<typeof activityPanel>;
  tools: ReturnType<typeof toolsPanel>;
  searchFiles: ReturnType<typeof showSearch>;
}

interface Panel extends PanelKind {
  /** connects it to the page; its content may be drawn later */
  show?: (page: Page) => unknown;
}

/** Return what shows a run and opens a file. */
const links = ({ agents }: Page) => ({ run: (id: string) => agents.show(id), file: openEditor });

export const PANELS: Panel[] = [
  { id: "start", title: "Start", icon: House, area: "document", show: showStartOf },
  { id: "files", title: "Files", icon: Files, area: "side", show: showFilesOf },
  { id: "terminals", title: "Terminals", icon: SquareTerminal, area: "below" },
  { id: "editor", title: "Editor", icon: FilePenLine, area: "document", show: showEditorOf },
  {
    id: "preview",
    title: "Preview",
    icon: Eye,
    area: "document",
    show: ({ store, actions }) => showPreview(store, actions, openEditor),
  },
  { id: "browser", title: "Browser", icon: Globe, area: "document", show: showBrowserOf },
  {
    id: "figure",
    title: "Figure",
    icon: ChartLine,
    area: "document",
    show: (page) => (page.figure = showFigure(() => page.focus("figure"))),
  },
  {
    id: "python",
    title: "Python console",
    icon: SquareChevronRight,
    area: "below",
    show: showConsoleOf,
  },
  {
    id: "problems",
    title: "Problems",
    icon: TriangleAlert,
    area: "below",
    show: ({ problems, workbench }) => showProblems(problems, workbench),
  },
  {
    id: "page-console",
    title: "Page console",
    icon: Logs,
    area: "below",
    show: ({ store, surface }) => showPageConsole(store, surface.frames, openEditor),
  },
  {
    id: "chat",
    title: "Chat",
    icon: MessageSquare,
    area: "agent",
    show: showChatOf,
  },
  {
    id: "activity",
    title: "Activity",
    icon: Activity,
    area: "agent",
    show: (page) =>
      (page.activity = activityPanel(page.store, page.actions, () => page.surface.link.settings("allowance_uses"))),
  },
  {
    id: "tools",
    title: "Tools",
    icon: Wrench,
    area: "side",
    show: (page) => (page.tools = toolsPanel(page.store, page.actions)),
  },
  { id: "agent", title: "Agent", icon: Bot, area: "agent", show: showAgentsOf },
  {
    id: "team",
    title: "Team",
    icon: Users,
    area: "agent",
    show: (page) => showTeam(page.store, page.actions, links(page)),
  },
  {
    id: "photos",
    title: "Photos",
    icon: Images,
    area: "document",
    show: ({ store, actions, preview }) => showPhotos(store, actions, preview),
  },
  {
    id: "calendar",
    title: "Calendar",
    icon: CalendarDays,
    area: "document",
    show: ({ store, actions, surface }) => showCalendar(store, actions, surface.link),
  },
  {
    id: "memory",
    title: "Memory",
    icon: Brain,
    area: "side",
    show: ({ store, actions }) => showMemory(store, actions),
  },
  { id: "machines", title: "Machines", icon: Server, area: "side", show: showMachinesOf },
  {
    id: "skills",
    title: "Skills",
    icon: BookOpen,
    area: "side",
    show: ({ store, actions }) => showSkills(store, actions),
  },
  {
    id: "automations",
    title: "Automations",
    icon: Repeat,
    area: "side",
    show: (page) => showAutomations(page.store, page.actions, links(page)),
  },
  {
    id: "schedules",
    title: "Schedules",
    icon: CalendarClock,
    area: "side",
    show: (page) => showSchedules(page.store, page.actions, { ...links(page), link: page.surface.link }),
  },
  { id: "inbox", title: "Inbox", icon: Inbox, area: "side", show: showInboxOf },
  {
    id: "screen",
    title: "Screen",
    icon: Monitor,
    area: "document",
    show: (page) => showScreen(page.store, page.actions, links(page).run),
  },
  {
    id: "source-control",
    title: "Source Control",
    icon: GitBranch,
    area: "side",
    show: ({ store, actions }) => showSourceControl(store, actions),
  },
  { id: "search", title: "Search", icon: Search, area: "side", show: showSearchOf },
  { id: "help", title: "Help", icon: CircleHelp, area: "document", show: showHelpOf },
  { id: "settings", title: "Settings", icon: Settings, area: "document", show: showSettingsOf },
];

function showStartOf(page: Page) {
  showStart(page.store, {
    start: (task) => page.agents.start(task),
    demo: (example) => page.agents.demo(example),
    connectModel: (then) => page.connectModel(then),
    openFile: openEditor,
    openRun: (id) => page.agents.show(id),
    openChat: (id) => page.chat.open(id),
  });
}

function showFilesOf({ store, actions, preview, workbench, run }: Page) {
  showFiles(store, actions, { open: openEditor, edit: editFile, preview, panel: (id) => workbench.open(id), run });
}

function showEditorOf(page: Page) {
  const { store, actions, preview, workbench, run, focus } = page;
  page.problems = showEditor(store, actions, {
    openPanel: (id) => workbench.open(id),
    preview,
    previewBeside: () => workbench.openBeside("preview", "editor"),
    run,
    listProblems: () => focus("problems"),
  });
}

function showConsoleOf(page: Page) {
  const { dock } = page.workbench;
  page.console = showConsole(page.store, page.actions, {
    openFile: openEditor,
    figure: (figure) => page.figure(figure),
    size: {
      height: () => dock.place("python")?.height ?? 0,
      whole: () => dock.root.clientHeight,
      set: (height) => dock.floats("python") || dock.size("python", { height }),
    },
  });
}

function showHelpOf({ store, actions, focus, workbench }: Page) {
  showHelp(() => focus("help"), codeRunner(store, actions, workbench));
}

function showChatOf(page: Page) {
  const { store, actions, workbench } = page;
  const run = codeRunner(store, actions, workbench);
  const inConsole = (code: string) => {
    workbench.open("python");
    page.console.put(code);
  };
  const put = { console: inConsole, terminal: run.prompt };
  page.chat = new ChatLauncher(store, actions, page.focus, page.connectModel, { run, put, insert: insertInEditor });
}

function showBrowserOf(page: Page) {
  showBrowser(page.store, page.actions, page.surface.frames, page.workbench, {
    openFile: openEditor,
    fix: (task) => void page.agents.compose(task),
    run: (id) => void page.agents.show(id),
    console: () => page.focus("page-console"),
  });
}

function showAgentsOf(page: Page) {
  const { store, actions, workbench, connectModel } = page;
  const tab = (tab: string) => {
    workbench.open("browser");
    void actions.tabs({ action: "focus", tab });
  };
  page.agents = showAgents(store, actions, page.focus, { connectModel, tab, file: openEditor });
}

function showMachinesOf({ store, actions, terminals }: Page) {
  showMachines(store, actions, (machine) => terminals.create(machine === "main" ? "linux" : `linux:${machine}`));
}

function showInboxOf(page: Page) {
  const { notifications, surface, focus } = page;
  const { run } = links(page);
  showInbox(page.store, page.actions, {
    consent: surface.consent,
    notifications,
    run,
    schedules: () => focus("schedules"),
  });
}

function showSearchOf(page: Page) {
  const openPanel = (id: string) => page.workbench.open(id);
  page.searchFiles = showSearch(page.store, page.actions, { openPanel, openPath: openEditor });
}

function showSettingsOf({ store, actions, surface, terminals, connectModel }: Page) {
  showExchange(store, actions, () => {
    // The imported files are text from outside, and may hold code.
    surface.consent.noteTaint({ run: "", origin: "an imported archive" });
    surface.kernel.startAgain();
  });
  showModels(store, actions, surface.link, () => connectModel(() => {}));
  settingsPanel({ store, actions, terminals, link: surface.link, consent: surface.consent });
}
