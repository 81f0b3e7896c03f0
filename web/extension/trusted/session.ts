/**
 * The browser's debugger in one tab. It is attached when it is needed, and detached when it hasn't been used for a while,
 * because the browser shows a bar meanwhile.
 * https://developer.chrome.com/docs/extensions/reference/api/debugger
 */

const VERSION = "1.3";
const IDLE_MS = 10_000;
const CANCELLED = "canceled_by_user";
const LEAVES = "beforeunload";
// Pictures that nobody takes. While they are on, a tab in the background is drawn and has frames, as one that is looked at.
const KEEPS_DRAWING = { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16, everyNthFrame: 1_000 };

/** how questions are answered */
export type Policy = { accept?: boolean; text?: string };

export type Answered = { kind: string; message: string; answer: boolean | string | null };

/** the params of `Page.javascriptDialogOpening` */
type Dialog = { type: string; message: string; defaultPrompt?: string };

export class Session {
  /** The answers to dialogs that the page script doesn't answer. */
  policy: Policy = {};
  #target: { tabId: number };
  #onEnd: (cancelled: boolean) => void;
  #attached: Promise<void> | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #using = 0;
  #answered: Answered[] = [];
  #choosers = 0;

  /**
   * @param id - of the browser's tab
   * @param onEnd - called when the debugger is detached
   */
  constructor(id: number, onEnd: (cancelled: boolean) => void) {
    this.#target = { tabId: id };
    this.#onEnd = onEnd;
    chrome.debugger.onDetach.addListener(this.#onDetach);
    chrome.debugger.onEvent.addListener(this.#onEvent);
  }

  /** True while work is running. */
  get used() {
    return this.#using > 0;
  }

  /** Do some work while the debugger is attached. Rejects if the browser doesn't allow it in the tab. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#using += 1;
    try {
      this.#attached ??= this.#attach();
      await this.#attached;
      return await work();
    } finally {
      this.#using -= 1;
      if (this.#using === 0) this.#idle = setTimeout(() => void this.end(), IDLE_MS);
    }
  }

  send<Result = unknown>(method: string, params: object = {}): Promise<Result> {
    return chrome.debugger.sendCommand<Result>(this.#target, method, params);
  }

  /** Return the dialogs that were answered since the last call. */
  takeAnswered(): Answered[] {
    return this.#answered.splice(0);
  }

  /** Return whether the page has asked for the browser's file dialog since the last call; it stays closed. */
  takeChoosers() {
    const asked = this.#choosers > 0;
    this.#choosers = 0;
    return asked;
  }

  /** Detach, until it is used again. */
  async end() {
    clearTimeout(this.#idle);
    const attached = this.#attached;
    if (attached === null) return;
    this.#attached = null;
    await attached.then(() => chrome.debugger.detach(this.#target)).catch(() => {});
    this.#onEnd(false);
  }

  async close() {
    chrome.debugger.onEvent.removeListener(this.#onEvent);
    await this.end();
    chrome.debugger.onDetach.removeListener(this.#onDetach);
  }

  async #attach() {
    try {
      await chrome.debugger.attach(this.#target, VERSION);
      await Promise.all([
        this.send("Page.enable"),
        // Presses must not open a dialog of the system.
        this.send("Page.setInterceptFileChooserDialog", { enabled: true }),
        this.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
        this.send("Page.startScreencast", KEEPS_DRAWING),
      ]);
    } catch (error) {
      this.#attached = null;
      throw error;
    }
  }

  #onDetach = ({ tabId }: { tabId?: number }, reason: string) => {
    if (tabId !== this.#target.tabId) return;
    clearTimeout(this.#idle);
    this.#attached = null;
    this.#onEnd(reason === CANCELLED);
  };

  #onEvent = ({ tabId }: { tabId?: number }, method: string, params: Dialog) => {
    if (tabId !== this.#target.tabId) return;
    if (method === "Page.javascriptDialogOpening") void this.#answer(params);
    if (method === "Page.fileChooserOpened") this.#choosers += 1;
  };

  async #answer({ type, message, defaultPrompt = "" }: Dialog) {
    const { accept = false, text = defaultPrompt } = this.policy;
    const isAccepted = type === LEAVES || type === "alert" || accept;
    const answer = type === "prompt" ? (accept ? text : null) : isAccepted;
    this.#answered.push({ kind: type, message, answer });
    // The user may have answered it.
    await this.send("Page.handleJavaScriptDialog", { accept: isAccepted, promptText: text }).catch(() => {});
  }
}
