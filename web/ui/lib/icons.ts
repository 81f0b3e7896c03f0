/** Icons for buttons and panels, from Lucide. The buttons have labels. */

import { html } from "lit";
import { guard } from "lit/directives/guard.js";
import {
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Bot,
  ChevronDown,
  ChevronUp,
  createElement,
  Download,
  Ellipsis,
  Eraser,
  Eye,
  File,
  Laptop,
  Folder,
  ListFilter,
  LocateFixed,
  Maximize2,
  Minimize2,
  PanelTop,
  PictureInPicture2,
  Play,
  Plus,
  RotateCw,
  Save,
  ScanEye,
  Search,
  Square,
  Wifi,
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
  maximize: Maximize2,
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

/** @param name - a key of `ICONS` */
export function icon(name: string) {
  return pictureOf(ICONS[name]);
}

/** @returns an icon of Lucide's, or an empty text without one */
export function pictureOf(node: IconNode | undefined): unknown {
  // A new element under the pointer would lose the click.
  return node ? html`${guard([node], () => drawn(node))}` : "";
}

/** Draw the icons of index.html, whose elements name them. */
export function drawIcons() {
  for (const place of document.querySelectorAll("[data-icon]")) {
    if (place instanceof HTMLElement) place.prepend(drawn(ICONS[place.dataset.icon ?? ""]));
  }
}

function drawn(node: IconNode) {
  return createElement(node, { class: "picture", width: 16, height: 16, "aria-hidden": "true" });
}
