/**
 * Types of tabs outside of this page, in a browser that the companion or the extension drives (web/ui/browser/outer_tab.js), and
 * of the states of tabs' documents.
 *
 * @import { TabDownload } from "../generated/types.js"
 *
 * @typedef {object} OuterTabs the tabs of such a browser
 * @property {string} name in a sentence for the person: "in …"
 * @property {boolean} available whether tabs can be opened now
 * @property {(origin: string) => boolean} allows whether the person has allowed an origin when they started the browser
 * @property {() => Promise<boolean>} [allow] asks the person whether tabs can be opened, for a press of theirs
 * @property {boolean} [takesInput] false if the person uses the tabs only in their own windows
 * @property {(url: string) => boolean} [adopts] whether the person shares a tab that shows a URL already
 * @property {(method: Method, params: object, signal?: AbortSignal) => Promise<any>} request
 * @property {(method: "download" | "discard", params: {tab: string, id: string, start?: number}) => Promise<any>} [requestDownload]
 *   reads a part of a finished download, or drops one; only of a browser that reports downloads
 * @property {(listener: OuterListener) => () => void} listen calls it with each report; returns a function that ends this
 *
 * @typedef {"open" | "ask" | "close" | "show" | "input"} Method
 *
 * @typedef {(report: {kind: "changed", state: DocumentState} | {kind: "error" | "lost", tab: string | null}
 *   | {kind: "picture", tab: string, data: string} | {kind: "download", tab: string, report: Report}) => void} OuterListener a null tab
 *   means all
 *
 * @typedef {{tab: string, url: string, title: string, loading: boolean, readable: boolean, why: string | null,
 *   framing?: Framing, site: {url: string, root: string} | null, tools?: string[], downloads?: TabDownload[]}} DocumentState `site`: the source of a file; `tools`: the
 *   names of those that the document offers
 *
 * @typedef {"unknown" | "X-Frame-Options" | "frame-ancestors" | null} Framing the header that forbids showing a page in a frame; null: it may be
 *   shown
 *
 * @typedef {object} Report one change of a download, from a document or its browser
 * @property {string} id
 * @property {string} name
 * @property {string} [type]
 * @property {string} url
 * @property {number} received bytes
 * @property {number} size bytes; 0 if unknown
 * @property {"running" | "done" | "failed"} state
 * @property {string | null} why
 */

export {};
