// One tab owns the stored files, and with them the kernel. The others wait until it closes, or ask to take over.

const NAME = "gemini-surface";
// A reloaded page still finds the lock of its predecessor for a moment.
const TIMEOUT_MS = 500;

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
  const own = () =>
    new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      clearTimeout(notice);
      release = resolve;
      onOwned();
    });
  const queue = () => {
    queued = new AbortController();
    navigator.locks.request(NAME, { signal: queued.signal }, own).catch((error) => {
      if (error !== BEHIND) throw error;
    });
  };
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = async () => {
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
  const notice = setTimeout(onElsewhere, TIMEOUT_MS);
  queue();
  return { takeOver: () => channel.postMessage("let go") };
}

const BEHIND = new Error("another tab asked for the files");
