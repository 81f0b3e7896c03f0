/** Icons for buttons and panels, from Lucide. The buttons have labels. */

import { html } from "lit";
import { guard } from "lit/directives/guard.js";
import {
  Activity,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  BookOpen,
  Bot,
  Brain,
  CalendarClock,
  CalendarDays,
  ChevronDown,
  ChevronUp,
  createElement,
  Download,
  Ellipsis,
  Eraser,
  Eye,
  File,
  FilePenLine,
  Laptop,
  Files,
  Folder,
  GitBranch,
  Globe,
  Images,
  Inbox,
  ListFilter,
  LocateFixed,
  Maximize2,
  MessageSquare,
  Minimize2,
  Monitor,
  PanelTop,
  PictureInPicture2,
  Play,
  Plus,
  Repeat,
  RotateCw,
  Save,
  ScanEye,
  Search,
  Server,
  Settings,
  Square,
  SquareChevronRight,
  Users,
  Wifi,
  Wrench,
  X,
  type IconNode,
} from "lucide";

const ICONS: Record<string, IconNode> = {
  agent: Bot,
  back: ArrowLeft,
  clear: Eraser,
  close: X,
  computer: Laptop,
  dock: PanelTop,
  download: Download,
  file: File,
  filter: ListFilter,
  find: Search,
  folder: Folder,
  float: PictureInPicture2,
  follow: LocateFixed,
  forward: ArrowRight,
  maximise: Maximize2,
  more: Ellipsis,
  network: Wifi,
  next: ChevronDown,
  play: Play,
  plus: Plus,
  preview: Eye,
  previous: ChevronUp,
  refs: ScanEye,
  reload: RotateCw,
  restore: Minimize2,
  save: Save,
  stop: Square,
  up: ArrowUp,
};

/** by the panel's id; terminals have names only */
const PANELS: Record<string, IconNode> = {
  activity: Activity,
  agent: Bot,
  automations: Repeat,
  browser: Globe,
  calendar: CalendarDays,
  photos: Images,
  chat: MessageSquare,
  editor: FilePenLine,
  files: Files,
  inbox: Inbox,
  machines: Server,
  memory: Brain,
  preview: Eye,
  python: SquareChevronRight,
  screen: Monitor,
  schedules: CalendarClock,
  search: Search,
  settings: Settings,
  skills: BookOpen,
  "source-control": GitBranch,
  team: Users,
  tools: Wrench,
};

/** @param name - a key of `ICONS` */
export function icon(name: string) {
  return picture(name, ICONS);
}

/**
 * @param id - of a panel
 * @returns the icon, or an empty text for a panel without one
 */
export function panelIcon(id: string): unknown {
  return id in PANELS ? picture(id, PANELS) : "";
}

/** Draw the icons of index.html, whose elements name them. */
export function drawIcons() {
  for (const place of document.querySelectorAll("[data-icon]")) {
    if (place instanceof HTMLElement) place.prepend(drawn(ICONS[place.dataset.icon ?? ""]));
  }
}

function picture(name: string, set: typeof ICONS) {
  // A new element under the pointer would lose the click.
  return html`${guard([name], () => drawn(set[name]))}`;
}

function drawn(node: IconNode) {
  return createElement(node, { class: "picture", width: 16, height: 16, "aria-hidden": "true" });
}
