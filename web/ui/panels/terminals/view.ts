/** A terminal's screen: xterm.js on a byte port of the kernel. */

import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import { Answers } from "./answers.ts";
import { CallerMarks } from "./caller_marks.ts";
import { TypedLine } from "./typed_line.ts";
import { findColors, leastContrast, monospace, motionReduced, terminalTheme } from "./theme.ts";
import { whenShown } from "../../workbench/regions.ts";

const SCROLLBACK_LINES = 5000;
// xterm parses for at most 12 ms at a time, but finishes the text of one write.
const MAX_WRITE = 4096;
// Readline's keys: go to the end of the line, and delete to its beginning.
const WHOLE_LINE = "\x05\x15";
const CONTROL_C = "\x03";
// The events of a user that make xterm send data. An input method's text follows a little later.
const BY_PERSON = [
  "keydown",
  "keypress",
  "keyup",
  "beforeinput",
  "input",
  "paste",
  "compositionend",
  "mousedown",
  "mouseup",
  "mousemove",
  "wheel",
  "click",
  "focus",
  "blur",
];
const COMPOSED_WITHIN_MS = 100;
const HAS_CONTROLS = /[\x00-\x1f\x80-\x9f]/;

export interface Callbacks {
  /** opens the byte port */
  attach: () => Promise<MessagePort>;
  /** stops the running command even if it reads no messages; `send` sends the keys, marked with the number */
  interrupt: (send: (stop: number) => Promise<unknown>) => void;
  /** whether the user's keys go to their computer instead of Python */
  own: () => boolean;
  /** whether an event of the user's may type there */
  accepts: (event: Event) => boolean;
  /** sends keys to the user's computer */
  type: (keys: string, onEnd: (why: unknown) => void) => void;
  /** the user has typed a line; null: the page can't tell which */
  typed: (line: string | null) => void;
  /** opens a clicked link */
  follow: (url: string) => void;
  /** returns the typed keys, with Ctrl if the user holds it on the screen */
  withControl: (keys: string) => string;
  /** whether the page handles a key instead of the terminal */
  isForPage: (event: KeyboardEvent) => boolean;
}

export class TerminalView {
  #terminal: Terminal;
  #fit = new FitAddon();
  #search = new SearchAddon();
  #marks: CallerMarks;
  #port: MessagePort | null = null;
  #disposed = false;
  /** Called when the kernel has received an interrupt, by its number. */
  #unheard = new Map<number, (value?: unknown) => void>();
  #wanted = false;
  #locked = false;
  #line = new TypedLine();
  /** The user's last event. */
  #event: Event | null = null;
  #ending = new AbortController();
  #observer = new ResizeObserver(() => requestAnimationFrame(() => this.#fitToElement()));
  callbacks: Callbacks;
  element: HTMLDivElement;

  constructor(callbacks: Callbacks) {
    this.callbacks = callbacks;
    this.element = document.createElement("div");
    this.element.className = "terminal-view";
    this.#terminal = new Terminal({
      // Needed by the Unicode add-on and the caller labels.
      allowProposedApi: true,
      fontFamily: monospace(),
      fontSize: 13,
      lineHeight: 1.2,
      theme: terminalTheme(),
      minimumContrastRatio: leastContrast(),
      scrollback: SCROLLBACK_LINES,
      cursorBlink: !motionReduced(),
      // xterm's own question would open a window of the browser, past the gate.
      linkHandler: { activate: (_, url) => callbacks.follow(url) },
    });
    for (const addon of [this.#fit, this.#search, new Unicode11Addon()]) this.#terminal.loadAddon(addon);
    this.#terminal.loadAddon(new WebLinksAddon((_, url) => callbacks.follow(url)));
    this.#terminal.unicode.activeVersion = "11";
    this.#marks = new CallerMarks(this.#terminal);
    this.#terminal.attachCustomKeyEventHandler((event) => !this.#leftToTheBrowser(event));
    const answers = new Answers(this.#terminal);
    this.#terminal.onData((typed) => {
      const data = this.callbacks.own() ? typed : this.callbacks.withControl(typed);
      if (answers.has(data)) {
        if (answers.mayFollow()) this.#answer(data);
      } else if (this.callbacks.own()) this.#type(data);
      else {
        const line = this.#line.add(data, this.#isByPerson(data));
        if (data.includes("\r")) this.callbacks.typed(line);
        this.#send(data);
      }
    });
    this.#terminal.onResize((size) => this.#announceSize(size));
    this.element.addEventListener("copy", () => queueMicrotask(() => this.#terminal.clearSelection()));
    for (const type of BY_PERSON) {
      window.addEventListener(type, (event) => this.#note(event), {
        capture: true,
        passive: true,
        signal: this.#ending.signal,
      });
    }
    this.#observer.observe(this.element);
    void this.#connect();
  }

  /** Keep the callers' labels out of the bar that lies over the screen. */
  avoid(bar: Element) {
    this.#marks.avoid(bar);
  }

  /** Focus the terminal, now or when it is laid out and shown: a pressed tab's panel is still hidden. */
  focus() {
    this.#wanted = true;
    whenShown(this.element, () => {
      if (!this.#wanted || !this.#terminal.element) return;
      this.#wanted = false;
      this.#terminal.focus();
    });
  }

  get focused() {
    return this.element.contains(document.activeElement);
  }

  /** Type a line for a press of a button, in the place of the text at the prompt. Never on the user's own computer. */
  typeLine(line: string) {
    if (!this.callbacks.own()) this.#send(`${WHOLE_LINE}${line}\r`);
  }

  /** Type a key for a press of a button. Never on the user's own computer. */
  press(keys: string) {
    if (this.callbacks.own()) return;
    // Full-screen programs get the arrow keys in another form (DECCKM).
    this.#terminal.input(this.#terminal.modes.applicationCursorKeysMode ? keys.replace("\x1b[", "\x1bO") : keys);
  }

  /** Interrupt the running command, for a press of a button. */
  interrupt() {
    if (!this.callbacks.own()) this.#send(CONTROL_C);
    else if (this.#event !== null && this.#event.eventPhase !== Event.NONE) this.#typeNow(CONTROL_C);
  }

  /** Set whether the screen takes the keyboard. */
  lock(locked: boolean) {
    this.#locked = locked;
    // A field that can't be used loses the focus, and the events of that come first.
    if (locked) setTimeout(() => this.#applyLock());
    else this.#applyLock();
  }

  #applyLock() {
    const { textarea } = this.#terminal;
    if (!textarea) return;
    // Also no paste, drop or input method reaches a disabled field.
    textarea.disabled = this.#locked;
    textarea.toggleAttribute("data-focus-first", !this.#locked);
  }

  restyle() {
    this.#terminal.options.theme = terminalTheme();
    this.#terminal.options.minimumContrastRatio = leastContrast();
  }

  /** Set whether screen readers announce output, which is slower. */
  readAloud(on: boolean) {
    this.#terminal.options.screenReaderMode = on;
  }

  /**
   * Highlight all matches in the scrollback and go to one.
   *
   * @param way - here: stay at the current match while it still matches
   */
  find(text: string, way: "next" | "previous" | "here") {
    const options = { decorations: findColors(), incremental: way === "here" };
    if (text === "") this.#search.clearDecorations();
    else if (way === "previous") this.#search.findPrevious(text, options);
    else this.#search.findNext(text, options);
  }

  endFind() {
    this.#search.clearDecorations();
    this.#terminal.clearSelection();
  }

  /** @param listener - the index is -1 if there are too many matches */
  onFound(listener: (found: { resultIndex: number; resultCount: number }) => void) {
    this.#search.onDidChangeResults(listener);
  }

  dispose() {
    this.#disposed = true;
    this.#observer.disconnect();
    this.#marks.dispose();
    this.#ending.abort();
    this.#port?.close();
    for (const settle of this.#unheard.values()) settle();
    this.#terminal.dispose();
    this.element.remove();
  }

  #note(event: Event) {
    if (event.isTrusted) this.#event = event;
  }

  /** Send keys to the user's computer. xterm also answers queries that Python draws; those aren't keys. */
  #type(keys: string) {
    if (this.#event !== null && this.callbacks.accepts(this.#event) && this.#isByPerson(keys)) this.#typeNow(keys);
  }

  /** Return whether keys come from an event of the user's. */
  #isByPerson(keys: string) {
    const event = this.#event;
    if (event === null) return false;
    const composed = performance.now() - event.timeStamp < COMPOSED_WITHIN_MS && !HAS_CONTROLS.test(keys);
    // An event has a phase while its listeners run, and xterm is one of them.
    return event.eventPhase !== Event.NONE || composed;
  }

  #typeNow(keys: string) {
    this.callbacks.type(keys, () =>
      this.#terminal.write("\r\n\x1b[2m[This terminal no longer accepts keys.]\x1b[0m\r\n"),
    );
  }

  #send(keys: string) {
    const port = this.#port;
    if (!keys.includes(CONTROL_C)) port?.postMessage(keys);
    else if (port) this.callbacks.interrupt((stop) => this.#sendInterrupt(port, keys, stop));
  }

  #sendInterrupt(port: MessagePort, keys: string, stop: number) {
    port.postMessage({ keys, stop });
    return new Promise((resolve) => this.#unheard.set(stop, resolve));
  }

  /** Send a reply of the terminal, marked as not typed. */
  #answer(text: string) {
    this.#port?.postMessage({ answer: text });
  }

  async #connect() {
    try {
      const port = await this.callbacks.attach();
      if (this.#disposed) {
        port.close();
        return;
      }
      this.#port = port;
      port.onmessage = ({ data }) => this.#receive(data, port);
      if (this.#terminal.element) this.#announceSize(this.#terminal);
    } catch (error) {
      if (!this.#disposed) this.#terminal.write(`\r\nThis terminal could not be connected: ${error}\r\n`);
    }
  }

  #receive(message: string | { secret?: string; heard?: number }, port: MessagePort) {
    if (typeof message === "string") this.#draw(message, port);
    else if (message.secret !== undefined) this.#marks.secret = message.secret;
    else if (message.heard !== undefined) this.#hear(message.heard);
  }

  #hear(stop: number) {
    this.#unheard.get(stop)?.();
    this.#unheard.delete(stop);
  }

  #draw(text: string, port: MessagePort) {
    let start = 0;
    for (; start + MAX_WRITE < text.length; start += MAX_WRITE)
      this.#terminal.write(text.slice(start, start + MAX_WRITE));
    this.#terminal.write(text.slice(start), () => port.postMessage({ ack: text.length }));
  }

  /** @param size - in characters */
  #announceSize({ cols, rows }: { cols: number; rows: number }) {
    this.#port?.postMessage({ cols, rows });
  }

  #fitToElement() {
    if (!this.element.checkVisibility() || this.element.clientHeight === 0) return;
    // xterm measures its font when it opens, which needs layout.
    if (!this.#terminal.element) {
      this.#terminal.open(this.element);
      this.#applyLock();
    }
    if (this.#wanted) this.focus();
    this.#fit.fit();
  }

  /** Return whether the browser or the page handles a key: copy with a selection, paste, and the page's shortcuts. */
  #leftToTheBrowser(event: KeyboardEvent) {
    if (event.key === "F6" || this.callbacks.isForPage(event)) return true;
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
    return key === "v" || (key === "c" && this.#terminal.hasSelection());
  }
}
