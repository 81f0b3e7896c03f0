/** What a terminal shows: xterm.js on a byte port of the kernel. */

import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import { CallerMarks } from "./caller_marks.js";
import { findColors, monospace, motionReduced, terminalTheme } from "./theme.js";

const SCROLLBACK_LINES = 5000;
const CONTROL_C = "\x03";

/**
 * @typedef {object} Ways how a terminal reaches the rest
 * @property {() => Promise<MessagePort>} attach opens its byte port
 * @property {() => void} interrupt stops what runs there even where it takes no messages
 * @property {(url: string) => void} follow opens an address that somebody pressed
 * @property {(event: KeyboardEvent) => boolean} isForPage whether a key is for the page and not for the terminal
 */

export class TerminalView {
  #terminal;
  #fit = new FitAddon();
  #search = new SearchAddon();
  /** @type {MessagePort | null} */
  #port = null;
  #disposed = false;
  #wanted = false;
  #observer = new ResizeObserver(() => requestAnimationFrame(() => this.#fitToElement()));

  /** @param {Ways} ways */
  constructor(ways) {
    this.ways = ways;
    this.element = document.createElement("div");
    this.element.className = "terminal-view";
    this.#terminal = new Terminal({
      // What the Unicode add-on and the marks use is still called a proposal.
      allowProposedApi: true,
      fontFamily: monospace(), fontSize: 13, lineHeight: 1.2, theme: terminalTheme(),
      minimumContrastRatio: 4.5, scrollback: SCROLLBACK_LINES, cursorBlink: !motionReduced(),
    });
    for (const addon of [this.#fit, this.#search, new Unicode11Addon()]) this.#terminal.loadAddon(addon);
    this.#terminal.loadAddon(new WebLinksAddon((_, url) => ways.follow(url)));
    this.#terminal.unicode.activeVersion = "11";
    new CallerMarks(this.#terminal);
    this.#terminal.attachCustomKeyEventHandler((event) => !this.#leftToTheBrowser(event));
    this.#terminal.onData((keys) => this.#send(keys));
    this.#terminal.onResize((size) => this.#announceSize(size));
    this.element.addEventListener("copy", () => queueMicrotask(() => this.#terminal.clearSelection()));
    this.#observer.observe(this.element);
    void this.#connect();
  }

  /** Puts the keyboard there, now or when it is laid out. */
  focus() {
    if (this.#terminal.element) this.#terminal.focus();
    else this.#wanted = true;
  }

  get focused() {
    return this.element.contains(document.activeElement);
  }

  interrupt() {
    this.#send(CONTROL_C);
  }

  restyle() {
    this.#terminal.options.theme = terminalTheme();
  }

  /** What it says is read out by screen readers, at some cost of speed. @param {boolean} on */
  readAloud(on) {
    this.#terminal.options.screenReaderMode = on;
  }

  /**
   * Marks every place of a text in the scrollback, and goes to the next one.
   *
   * @param {string} text
   * @param {"next" | "previous" | "here"} way here stays where it is as long as the text goes on there
   */
  find(text, way) {
    const options = { decorations: findColors(), incremental: way === "here" };
    if (text === "") this.#search.clearDecorations();
    else if (way === "previous") this.#search.findPrevious(text, options);
    else this.#search.findNext(text, options);
  }

  endFind() {
    this.#search.clearDecorations();
    this.#terminal.clearSelection();
  }

  /** @param {(found: {resultIndex: number, resultCount: number}) => void} listener the index is -1 where there are too many */
  onFound(listener) {
    this.#search.onDidChangeResults(listener);
  }

  dispose() {
    this.#disposed = true;
    this.#observer.disconnect();
    this.#port?.close();
    this.#terminal.dispose();
    this.element.remove();
  }

  /** @param {string} keys */
  #send(keys) {
    if (keys.includes(CONTROL_C)) this.ways.interrupt();
    this.#port?.postMessage(keys);
  }

  async #connect() {
    try {
      const port = await this.ways.attach();
      if (this.#disposed) {
        port.close();
        return;
      }
      this.#port = port;
      port.onmessage = ({ data }) => this.#draw(data, port);
      if (this.#terminal.element) this.#announceSize(this.#terminal);
    } catch (error) {
      if (!this.#disposed) this.#terminal.write(`\r\nThis terminal could not be reached: ${error}\r\n`);
    }
  }

  /**
   * @param {string} text
   * @param {MessagePort} port
   */
  #draw(text, port) {
    this.#terminal.write(text, () => port.postMessage({ ack: text.length }));
  }

  /** @param {{cols: number, rows: number}} size in characters */
  #announceSize({ cols, rows }) {
    this.#port?.postMessage({ cols, rows });
  }

  #fitToElement() {
    if (!this.element.checkVisibility() || this.element.clientHeight === 0) return;
    // xterm measures its font when it opens, which needs an element that is laid out.
    if (!this.#terminal.element) {
      this.#terminal.open(this.element);
      this.#terminal.textarea?.setAttribute("data-focus-first", "");
      if (this.#wanted) this.#terminal.focus();
      this.#wanted = false;
    }
    this.#fit.fit();
  }

  /**
   * Keys that the browser or the page handles: copy where something is selected, paste, and the page's own.
   *
   * @param {KeyboardEvent} event
   */
  #leftToTheBrowser(event) {
    if (event.key === "F6" || this.ways.isForPage(event)) return true;
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
    return key === "v" || (key === "c" && this.#terminal.hasSelection());
  }
}
