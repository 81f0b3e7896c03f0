// The downloads of a page in a frame. The browser blocks them there (web/ui/panels/browser/frame.ts), so that no page
// stores files on the user's device. This script reads the files instead and reports them to the surface, which has
// its own files.

import type { Connection } from "../../webmcp_bridge.js";
import * as dom from "./dom.ts";
import { InvalidArguments, messageOf } from "./errors.ts";
import { replaceCall } from "./hooks.ts";

/** a download; `received` and `size` in bytes, `size` is 0 if unknown */
interface Row {
  id: string;
  /** as the page or its server names the file */
  name: string;
  type: string;
  url: string;
  received: number;
  size: number;
  state: "running" | "done" | "failed";
  /** it has failed */
  why: string | null;
}

export const DOWNLOADED = "notifications/downloaded";
const MOST_BYTES = 100 * 1024 * 1024;
const MOST_OPEN = 5;
const PART = 1 << 20;
const LINK = "a[download], area[download]";
const PDF = /\.pdf$/i;
export const PDF_TYPE = "application/pdf";
// A document that replaces this one does so before; otherwise the answer may be a file.
const LATE_MS = 1_000;
const SHOWN = /^(text|image|audio|video|font)\/|^application\/(json|xml|xhtml\+xml|javascript)\b|\+(json|xml)\b/;

/** The downloads of a document. */
export class Downloads {
  /** Files that the surface hasn't taken yet, by id. */
  #files = new Map<string, Blob>();
  #open = 0;
  #last = 0;
  /** Distinguishes the ids from those of other documents of the tab. */
  #document = Math.random().toString(36).slice(2);
  #send: ((row: Row) => void) | null = null;
  /** True if the browser would store what an action downloads. */
  #takes = false;
  /** True if the last action has sent a form, whose answer can't be requested again. */
  #sent = false;

  /**
   * Read the document's downloads, and report it to the surface.
   * @param onlyActions - whether the browser stores what users download
   */
  report(surface: Connection, onlyActions: boolean) {
    if (this.#send === null && !onlyActions) this.#watch(globalThis);
    this.#takes = onlyActions;
    this.#send = (params) => surface.notify(DOWNLOADED, params);
  }

  /**
   * Read what an action downloads, instead of the browser.
   * @param event - the navigation of the download
   * @returns false if the browser may store it
   */
  take(event: NavigateEvent): boolean {
    if (!this.#takes || !event.cancelable) return false;
    event.preventDefault();
    const { url } = event.destination;
    void this.#store(url, event.downloadRequest ?? "", fetch(url));
    return true;
  }

  /** Note that an action begins, or that it sends a form. */
  noteSent(sent: boolean) {
    this.#sent = sent;
  }

  /**
   * Read a file that the browser would store or show in a viewer.
   * @param options - by default this document, if it is a PDF file
   * @returns not begun after a form was sent, or for a file of another site
   */
  begin({ url = location.href }: { url?: string }): { begun: boolean; sent: boolean } {
    const isPdf = dom.contentType(document) === PDF_TYPE;
    const sent = this.#sent;
    if (sent || URL.parse(url)?.origin !== location.origin) return { begun: false, sent };
    const name = lastPart(url);
    void this.#store(url, isPdf && !PDF.test(name) ? `${name || "document"}.pdf` : name, fetch(url));
    return { begun: true, sent };
  }

  /**
   * Return a part of a file in base64, and where the next starts; null at the end, after which it is forgotten.
   * @param options - `discard` forgets it at once
   */
  async read({
    id,
    start = 0,
    discard = false,
  }: {
    id: string;
    start?: number;
    discard?: boolean;
  }): Promise<{ data: string; next: number | null }> {
    const file = this.#files.get(id);
    if (!file) throw new InvalidArguments(`There is no finished download ${JSON.stringify(id)}.`);
    if (discard) this.#files.delete(id);
    if (discard) return { data: "", next: null };
    const data = await base64(file.slice(start, start + PART));
    const next = start + PART < file.size ? start + PART : null;
    if (next === null) this.#files.delete(id);
    return { data, next };
  }

  #watch(realm: typeof globalThis) {
    realm.addEventListener(
      "click",
      (event: Event) => {
        const link = event
          .composedPath()
          .find((target): target is HTMLAnchorElement => target instanceof realm.Element && dom.matches(target, LINK));
        if (link) this.#follow(link, event);
      },
      true,
    );
    // Scripts press links that are in no document.
    const press = (target: Function, self: EventTarget, args: unknown[]) =>
      this.#pressed(self, () => Reflect.apply(target, self, args));
    replaceCall(realm.HTMLElement.prototype, "click", press);
    replaceCall(realm.EventTarget.prototype, "dispatchEvent", press);
    realm.navigation?.addEventListener("navigate", (event) => this.#leaving(event, realm));
  }

  /** @param self - the target of a script's press or event */
  #pressed(self: EventTarget, press: () => unknown) {
    if (!isLink(self) || dom.isConnected(self)) return press();
    const note = (event: Event) => this.#follow(self, event);
    dom.addEventListener(self, "click", note, { capture: true, once: true });
    try {
      return press();
    } finally {
      dom.removeEventListener(self, "click", note, true);
    }
  }

  /** @param event - of a press */
  #follow({ href, download }: HTMLAnchorElement, event: Event) {
    const url = URL.parse(href);
    // Browsers follow such a link to another origin without a download.
    if (!url || (url.origin !== location.origin && url.protocol !== "data:")) return;
    // The page may revoke the URL right after the press.
    const early = url.protocol === "blob:" ? fetch(url) : null;
    early?.catch(() => {});
    setTimeout(() => {
      if (!event.defaultPrevented) void this.#store(url.href, download, early ?? fetch(url));
    });
  }

  /** A document that the browser would store instead of showing it doesn't replace this one. */
  #leaving(event: NavigateEvent, realm: typeof globalThis) {
    const { destination, downloadRequest, formData, navigationType } = event;
    const url = URL.parse(destination.url);
    if (destination.sameDocument || event.hashChange || downloadRequest !== null || formData) return;
    if (url?.origin !== location.origin || !/^https?:$/.test(url.protocol) || /traverse|reload/.test(navigationType))
      return;
    // A frame can't show it.
    if (PDF.test(url.pathname) && event.cancelable) {
      event.preventDefault();
      void this.#store(url.href, "", fetch(url));
      return;
    }
    setTimeout(async () => {
      if (event.defaultPrevented || realm.navigation.transition || location.href === url.href) return;
      const response = await fetch(url);
      if (isFile(response)) void this.#store(url.href, "", Promise.resolve(response));
      else void response.body?.cancel();
    }, LATE_MS);
  }

  /** @param named - by the link */
  async #store(url: string, named: string, loading: Promise<Response>) {
    const row: Row = {
      id: `${this.#document}.${(this.#last += 1)}`,
      name: named || lastPart(url),
      type: "",
      url: url.slice(0, 2_000),
      received: 0,
      size: 0,
      state: "running",
      why: null,
    };
    const send = () => this.#send?.(row);
    if (this.#open + this.#files.size >= MOST_OPEN) {
      Object.assign(row, { state: "failed", why: `${MOST_OPEN} downloads of the tab are running` });
      return send();
    }
    this.#open += 1;
    send();
    try {
      const response = await loading;
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const type = response.headers.get("content-type")?.split(";")[0] ?? "";
      const size = Number(response.headers.get("content-length")) || 0;
      Object.assign(row, { name: nameIn(response) ?? row.name, type, size });
      this.#files.set(row.id, await received(response, row, send));
      row.state = "done";
    } catch (error) {
      Object.assign(row, { state: "failed", why: messageOf(error) });
    } finally {
      this.#open -= 1;
    }
    send();
  }
}

function isLink(target: EventTarget): target is HTMLAnchorElement {
  return target instanceof Element && dom.matches(target, LINK);
}

/** @param row - is updated */
async function received({ body }: Response, row: Row, report: () => void) {
  const parts: BlobPart[] = [];
  let reported = 0;
  const reader = body?.getReader();
  for (;;) {
    const value = (await reader?.read())?.value;
    if (value === undefined) return new Blob(parts, { type: row.type });
    parts.push(value);
    row.received += value.length;
    if (Math.max(row.received, row.size) > MOST_BYTES) {
      void reader?.cancel();
      throw new Error(`it is larger than ${MOST_BYTES >> 20} MB`);
    }
    if (row.received - reported < PART) continue;
    reported = row.received;
    report();
  }
}

/** Return whether a browser would store an answer instead of showing it. */
function isFile({ ok, headers }: Response) {
  const type = headers.get("content-type") ?? "";
  return (
    ok && (/^\s*attachment\b/i.test(headers.get("content-disposition") ?? "") || (type !== "" && !SHOWN.test(type)))
  );
}

/** Return the name in a Content-Disposition header (RFC 6266), or null. */
function nameIn({ headers }: Response) {
  const text = headers.get("content-disposition") ?? "";
  const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(text)?.[1];
  if (encoded !== undefined) return decoded(encoded);
  return (
    /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(text)?.slice(1).find(Boolean)?.replace(/\\(.)/g, "$1") ??
    null
  );
}

function lastPart(url: string) {
  const { protocol, pathname } = new URL(url);
  return /^https?:$/.test(protocol) ? decoded(pathname.slice(pathname.lastIndexOf("/") + 1)) : "";
}

/** @param text - percent-encoded */
function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
