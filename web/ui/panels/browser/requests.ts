/** Requests to the documents of tabs, and their answers. */

import type { DocumentState, Framing, OuterTabs } from "../../../shared/outer_tabs.ts";
import type { Consent, Words } from "../../consent/consent.ts";
import type { EnteredAddress } from "./entered.ts";
import type { Sites } from "./sites.ts";

/** what every request of Python's has */
export interface Asked {
  tab: string;
  words?: Words;
  signal?: AbortSignal;
}

/** the owner of a power, in a separate bundle */
export interface Owner {
  ask(asked: object, page: object): Promise<unknown>;
}

/** what a document's script answers; of actions, whether they had an effect */
export type Answer = ({ success?: boolean; at?: Point; downloads?: unknown[] } & object) | null;
export type Point = { x: number; y: number };

/** called with the answer to each request to a document's script */
export type Watcher = (tab: string, method: string, result: Answer) => void;

/** of {@link Frames} */
export interface FramesOptions {
  /** the parent of frames */
  place: HTMLElement;
  /** the window whose document shows the surface */
  host: Window;
  /** the sites that show files */
  sites: Sites;
  consent: Consent;
  entered: EnteredAddress;
  /** the browsers in which other origins can be opened, the preferred one first */
  outer: () => OuterTabs[];
  onChange: (state: DocumentState) => void;
  /** reads the header that forbids showing a page */
  framing: (url: string) => Promise<Framing | { unreachable: string }>;
}
