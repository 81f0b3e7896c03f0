/**
 * Types of tabs outside of this page, in a browser that the companion or the extension drives
 * (web/ui/panels/browser/outer_tab.ts), and of the states of tabs' documents.
 */

import type { TabDownload } from "../generated/types.ts";

/** the tabs of such a browser */
export interface OuterTabs {
  /** in a sentence for the user: "in …" */
  name: string;
  /** whether tabs can be opened now */
  available: boolean;
  /** whether the user has allowed an origin when they started the browser */
  allows: (origin: string) => boolean;
  /** asks the user whether tabs can be opened, for a press of theirs */
  allow?: () => Promise<boolean>;
  /** false if the user uses the tabs only in their own windows */
  takesInput?: boolean;
  /** whether the user shares a tab that shows a URL already */
  adopts?: (url: string) => boolean;
  request: <Result>(method: Method, params: object, signal?: AbortSignal) => Promise<Result>;
  /** reads a part of a finished download, or drops one; only of a browser that reports downloads */
  requestDownload?: <Result>(
    method: "download" | "discard",
    params: { tab: string; id: string; start?: number },
  ) => Promise<Result>;
  /** calls it with each report; returns a function that ends this */
  listen: (listener: OuterListener) => () => void;
}

export type Method = "open" | "ask" | "close" | "show" | "input";

/** a null tab means all */
export type OuterListener = (
  report:
    | { kind: "changed"; state: DocumentState }
    | { kind: "messages" | "lost"; tab: string | null }
    | { kind: "picture"; tab: string; data: string }
    | { kind: "download"; tab: string; report: Report },
) => void;

/** `site`: the source of a file; `tools`: the names of those that the document offers */
export interface DocumentState {
  tab: string;
  url: string;
  title: string;
  loading: boolean;
  readable: boolean;
  why: string | null;
  framing?: Framing;
  site: { url: string; root: string } | null;
  tools?: string[];
  downloads?: TabDownload[];
}

/** the header that forbids showing a page in a frame; null: it may be shown */
export type Framing = "unknown" | "X-Frame-Options" | "frame-ancestors" | null;

/** one change of a download, from a document or its browser */
export interface Report {
  id: string;
  name: string;
  type?: string;
  url: string;
  /** bytes */
  received: number;
  /** bytes; 0 if unknown */
  size: number;
  state: "running" | "done" | "failed";
  why: string | null;
}
