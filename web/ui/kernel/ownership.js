// One tab owns the stored files, and with them the kernel. The others wait until it has gone, or ask for its place.

const NAME = "gemini-surface";
// A page that is loaded again finds the lock of the one before for a moment.
const PATIENCE_MS = 500;

/**
 * @typedef {object} Options
 * @property {() => void} onOwned this tab owns the files from now on
 * @property {() => void} onElsewhere another tab does
 * @property {() => Promise<void>} letGo saves everything and lets go of the files: another tab asks for them
 */

/**
 * Wait for the ownership, and keep it until another tab asks for it.
 * @param {Options} options
 * @returns {{ takeOver(): void }} asks for it
 */
export function seekOwnership({ onOwned, onElsewhere, letGo }) {
  if (!navigator.locks) {
    onOwned();
    return { takeOver() {} };
  }
  /** @type {(() => void) | null} what gives the lock back, while this tab has it */
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
      const give = release;
      release = null;
      await letGo();
      give();
    } else {
      // Whoever asks comes first.
      queued.abort(BEHIND);
    }
    queue();
  };
  const notice = setTimeout(onElsewhere, PATIENCE_MS);
  queue();
  return { takeOver: () => channel.postMessage("let go") };
}

const BEHIND = new Error("another tab asked for the files");
