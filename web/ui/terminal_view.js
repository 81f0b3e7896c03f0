/** One terminal on the page: xterm.js on a byte port of the kernel. */

import { FitAddon } from "@xterm/addon-fit";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal } from "@xterm/xterm";
import { h } from "./elements.js";
import { monospace, motionReduced, terminalTheme } from "./terminal_theme.js";

const SCROLLBACK_LINES = 5000;

export class TerminalView {
  /** @type {Terminal} */
  #terminal;
  #fit = new FitAddon();
  /** @type {MessagePort | null} */
  #port = null;
  #disposed = false;
  /** @type {ResizeObserver} */
  #observer;

  /**
   * @param {string} key unique on the page
   * @param {() => Promise<MessagePort>} attach opens the terminal's byte port
   * @param {() => void} interrupt stops what runs there even where it takes no messages
   */
  constructor(key, attach, interrupt) {
    this.element = h("div", { class: "terminal-view", role: "tabpanel", id: `view-${key}`, hidden: true });
    this.#terminal = new Terminal({
      // What the Unicode add-on uses is still called a proposal.
      allowProposedApi: true,
      fontFamily: monospace(), fontSize: 13, lineHeight: 1.2, theme: terminalTheme(),
      minimumContrastRatio: 4.5, scrollback: SCROLLBACK_LINES, cursorBlink: !motionReduced(),
    });
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(new Unicode11Addon());
    this.#terminal.unicode.activeVersion = "11";
    this.#terminal.attachCustomKeyEventHandler((event) => !this.#leftToTheBrowser(event));
    this.#terminal.onData((keys) => {
      if (keys.includes("\x03")) interrupt();
      this.#port?.postMessage(keys);
    });
    this.#terminal.onResize((size) => this.#announceSize(size));
    this.element.addEventListener("copy", () => queueMicrotask(() => this.#terminal.clearSelection()));
    this.#observer = new ResizeObserver(() => requestAnimationFrame(() => this.#fitToElement()));
    this.#observer.observe(this.element);
    void this.#connect(attach);
  }

  /** Shows the terminal, or hides it: it goes on reading its output either way. */
  set shown(/** @type {boolean} */ shown) {
    this.element.hidden = !shown;
    if (!shown) return;
    // xterm measures its font when it opens, which needs an element that is laid out.
    if (!this.#terminal.element && this.element.isConnected) {
      this.#terminal.open(this.element);
      this.#terminal.textarea?.setAttribute("data-focus-first", "");
    }
    this.#fitToElement();
  }

  focus() {
    this.#terminal.focus();
  }

  get focused() {
    return this.element.contains(document.activeElement);
  }

  restyle() {
    this.#terminal.options.theme = terminalTheme();
  }

  dispose() {
    this.#disposed = true;
    this.#observer.disconnect();
    this.#port?.close();
    this.#terminal.dispose();
    this.element.remove();
  }

  /** @param {() => Promise<MessagePort>} attach */
  async #connect(attach) {
    try {
      const port = await attach();
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
    if (this.#terminal.element && this.element.checkVisibility()) this.#fit.fit();
  }

  /**
   * Keys that the browser or the page handles: copy where something is selected, paste, and the next panel.
   *
   * @param {KeyboardEvent} event
   */
  #leftToTheBrowser(event) {
    if (event.key === "F6") return true;
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
    return key === "v" || (key === "c" && this.#terminal.hasSelection());
  }
}
