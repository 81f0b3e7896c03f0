// One tab owns the stored files, and with them the kernel. The others wait until it closes, or ask to take over. They talk
// by the page's local storage: workers have none, so Python can't take part, even if it shares the page's origin.

const NAME = "gemini-surface";
const STORAGE_KEY = "gemini-ownership";
// The owner answers at once. A page that is about to end, such as a reloaded page's predecessor, doesn't.
const SILENT_MS = 5_000;
/** @typedef {"who owns it" | "I own it" | "let go"} Message */

/**
 * @typedef {object} Options
 * @property {() => void} onOwned called when this tab owns the files
 * @property {() => void} onElsewhere called when another tab owns them
 * @property {() => Promise<void>} onRelease saves everything and closes the files for another tab
 * @property {() => void} onStolen called when other code of this origin has taken the lock, which no tab does
 */

/**
 * Wait for the ownership, and hold it until another tab asks for it.
 *
 * @param {Options} options
 * @returns {{ takeOver(): void }} requests the ownership
 */
export function seekOwnership({ onOwned, onElsewhere, onRelease, onStolen }) {
  if (!navigator.locks) {
    onOwned();
    return { takeOver() {} };
  }
  /** @type {(() => void) | null} releases the lock while this tab has it */
  let release = null;
  let queued = new AbortController();
  const own = (/** @type {boolean} */ quietly) =>
    new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      clearTimeout(notice);
      isWaiting = false;
      release = resolve;
      send("I own it");
      if (!quietly) onOwned();
    });
  /** @param {boolean} [quietly] whether the ownership starts nothing */
  const queue = (quietly = false) => {
    queued = new AbortController();
    navigator.locks.request(NAME, { signal: queued.signal }, () => own(quietly)).catch((error) => {
      if (error === BEHIND) return;
      if (release === null) throw error;
      release = null;
      onStolen();
      queue(true);
    });
  };
  const letGo = async () => {
    if (release) {
      const unlock = release;
      release = null;
      await onRelease();
      unlock();
    } else {
      // The requesting tab comes first.
      queued.abort(BEHIND);
    }
    queue();
  };
  let isWaiting = true;
  const noticeOwner = () => {
    clearTimeout(notice);
    if (isWaiting) onElsewhere();
    isWaiting = false;
  };
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== STORAGE_KEY || newValue === null) return;
    const message = /** @type {Message} */ (newValue.split(":")[0]);
    if (message === "let go") void letGo();
    else if (message === "I own it") noticeOwner();
    else if (release) send("I own it");
  });
  const notice = setTimeout(noticeOwner, SILENT_MS);
  queue();
  send("who owns it");
  return { takeOver: () => send("let go") };
}

/** Send a message to the other tabs. The number makes each a change. @param {Message} message */
function send(message) {
  try {
    localStorage.setItem(STORAGE_KEY, `${message}:${crypto.randomUUID()}`);
  } catch (error) {
    // Without storage, a tab gets the files when the other one is closed.
    if (!(error instanceof DOMException)) throw error;
  }
}

const BEHIND = new Error("another tab asked for the files");
