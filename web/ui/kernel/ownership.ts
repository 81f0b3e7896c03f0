// One tab owns the stored files, and with them the kernel. The others wait until it closes, or ask to take over. They talk
// by the page's local storage: workers have none, so Python can't take part, even if it shares the page's origin.

const NAME = "gemini-surface";
const STORAGE_KEY = "gemini-ownership";
// The owner answers at once. A page that is about to end, such as a reloaded page's predecessor, doesn't.
const SILENT_MS = 5_000;
type Message = "who owns it" | "I own it" | "let go";

interface Options {
  /** called when this tab owns the files */
  onOwned: () => void;
  /** called when another tab owns them */
  onElsewhere: () => void;
  /** saves everything and closes the files for another tab */
  onRelease: () => Promise<void>;
  /** called when other code of this origin has taken the lock, which no tab does */
  onStolen: () => void;
}

/**
 * Wait for the ownership, and hold it until another tab asks for it.
 *
 * @returns requests the ownership
 */
export function seekOwnership({ onOwned, onElsewhere, onRelease, onStolen }: Options): { takeOver(): void } {
  if (!navigator.locks) {
    onOwned();
    return { takeOver() {} };
  }
  /** releases the lock while this tab has it */
  let release: (() => void) | null = null;
  let queued = new AbortController();
  const own = (quietly: boolean) =>
    new Promise((resolve: (value?: unknown) => void) => {
      clearTimeout(notice);
      isWaiting = false;
      release = resolve;
      send("I own it");
      if (!quietly) onOwned();
    });
  /** @param quietly - whether the ownership starts nothing */
  const queue = (quietly = false) => {
    queued = new AbortController();
    navigator.locks
      .request(NAME, { signal: queued.signal }, () => own(quietly))
      .catch((error) => {
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
    // Only this module writes the key.
    const message = newValue.split(":")[0] as Message;
    if (message === "let go") void letGo();
    else if (message === "I own it") noticeOwner();
    else if (release) send("I own it");
  });
  const notice = setTimeout(noticeOwner, SILENT_MS);
  queue();
  send("who owns it");
  return { takeOver: () => send("let go") };
}

/** Send a message to the other tabs. The number makes each a change. */
function send(message: Message) {
  try {
    localStorage.setItem(STORAGE_KEY, `${message}:${crypto.randomUUID()}`);
  } catch (error) {
    // Without storage, a tab gets the files when the other one is closed.
    if (!(error instanceof DOMException)) throw error;
  }
}

const BEHIND = Symbol("another tab asked for the files");
