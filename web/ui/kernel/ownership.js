// One tab owns the stored files, and with them the kernel. The others wait until it closes, or ask to take over.

const NAME = "gemini-surface";
// The owner answers at once. A page that is about to end, such as a reloaded page's predecessor, doesn't.
const SILENT_MS = 5_000;
/** @typedef {"who owns it" | "I own it" | "let go"} Message */

/**
 * @typedef {object} Options
 * @property {() => void} onOwned called when this tab owns the files
 * @property {() => void} onElsewhere called when another tab owns them
 * @property {() => Promise<void>} onRelease saves everything and closes the files for another tab
 */

/**
 * Wait for the ownership, and hold it until another tab asks for it.
 *
 * @param {Options} options
 * @returns {{ takeOver(): void }} requests the ownership
 */
export function seekOwnership({ onOwned, onElsewhere, onRelease }) {
  if (!navigator.locks) {
    onOwned();
    return { takeOver() {} };
  }
  /** @type {(() => void) | null} releases the lock while this tab has it */
  let release = null;
  let queued = new AbortController();
  const channel = new BroadcastChannel(NAME);
  const send = (/** @type {Message} */ message) => channel.postMessage(message);
  const own = () =>
    new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      clearTimeout(notice);
      isWaiting = false;
      release = resolve;
      send("I own it");
      onOwned();
    });
  const queue = () => {
    queued = new AbortController();
    navigator.locks.request(NAME, { signal: queued.signal }, own).catch((error) => {
      if (error !== BEHIND) throw error;
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
  channel.onmessage = (/** @type {MessageEvent<Message>} */ { data }) => {
    if (data === "let go") void letGo();
    else if (data === "I own it") noticeOwner();
    else if (release) send("I own it");
  };
  const notice = setTimeout(noticeOwner, SILENT_MS);
  queue();
  send("who owns it");
  return { takeOver: () => send("let go") };
}

const BEHIND = new Error("another tab asked for the files");
