/**
 * The screen, window or tab that the user shares with the surface. The page owns this power: it asks in its own words,
 * and then the browser lets the user choose. Loads with the first request.
 */

import type { Consent, Words } from "../../consent/consent.ts";
import { untilWhen } from "../../consent/refusals.ts";

/** `problem` makes errors of the page's own bundle, which it recognises */
type Page = { consent: Consent; problem: typeof import("../../../shared/document_link.ts").problem };

const QUALITY = 0.85;
const FRAMES_PER_SECOND = 5;

class Screen {
  #track: MediaStreamTrack | null = null;
  #video = Object.assign(document.createElement("video"), { muted: true, playsInline: true });
  /** The question or the browser's dialog that is open. */
  #asking: Promise<void> | null = null;
  /** The pictures that agents have taken since sharing began, and the time of the last one. */
  taken = { count: 0, at: "" };
  page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The screen that the user shares now, if any. */
  get state() {
    const track = this.#track;
    return { shared: track !== null, label: track?.label ?? "", surface: track?.getSettings().displaySurface ?? "" };
  }

  /** The video of the shared screen. */
  get stream(): MediaProvider | null {
    return this.#video.srcObject;
  }

  async capture(widest: number, words?: Words, signal?: AbortSignal) {
    if (this.#track === null) {
      this.#asking ??= this.#share(words, signal).finally(() => {
        this.#asking = null;
      });
      await this.#asking;
    }
    const { videoWidth, videoHeight } = this.#video;
    const scale = Math.min(1, widest / videoWidth);
    const canvas = Object.assign(document.createElement("canvas"), {
      width: Math.round(videoWidth * scale),
      height: Math.round(videoHeight * scale),
    });
    canvas.getContext("2d")?.drawImage(this.#video, 0, 0, canvas.width, canvas.height);
    const data = canvas.toDataURL("image/jpeg", QUALITY).split(",")[1];
    this.taken = { count: this.taken.count + 1, at: new Date().toISOString() };
    changed();
    return { data, width: canvas.width, height: canvas.height, format: "jpeg", ...this.state };
  }

  stop() {
    this.#track?.stop();
    this.#forget();
    return this.state;
  }

  #forget() {
    this.#track = null;
    this.#video.srcObject = null;
    changed();
  }

  async #share(words?: Words, signal?: AbortSignal) {
    const { consent, problem } = this.page;
    const refused = (message: string) =>
      problem({ type: "Refused", message, hint: "Don't ask for it again. Ask the user what they would prefer." });
    if (!navigator.mediaDevices?.getDisplayMedia) {
      throw problem({
        type: "Unsupported",
        message: "This browser can't share a screen.",
        hint: "Ask the user for a picture.",
      });
    }
    const outcome = await consent.ask({ kind: "screen", facts: {}, words }, signal);
    if (!outcome.allowed) {
      throw refused(
        outcome.decision === "nobody"
          ? "nobody is at the page to share a screen"
          : `the user refused to share a screen${untilWhen(outcome)}`,
      );
    }
    // The press on the button allows the page to open the browser's dialog.
    const stream = await navigator.mediaDevices
      .getDisplayMedia({ video: { frameRate: FRAMES_PER_SECOND }, audio: false })
      .catch((error) => {
        if (error.name === "NotAllowedError" || error.name === "AbortError")
          throw refused("the user chose no screen in the browser's dialog");
        throw problem({
          type: "Unsupported",
          message: `The screen can't be shared: ${error.message}`,
          hint: "Ask the user for a picture.",
        });
      });
    const [track] = stream.getVideoTracks();
    track.addEventListener("ended", () => this.#track === track && this.#forget());
    this.#video.srcObject = stream;
    await this.#video.play();
    this.#track = track;
    this.taken = { count: 0, at: "" };
    changed();
  }
}

const watchers = new Set<() => void>();

function changed() {
  for (const watcher of watchers) watcher();
}

let screen: Screen | null = null;

/** Call `watcher` whenever sharing begins or ends. */
export function watchSharing(watcher: () => void) {
  watchers.add(watcher);
}

/** Return the screen if the user shares one. */
export function sharing() {
  return screen?.state.shared ? screen : null;
}

/** Answer a request of Python's. */
export function ask(
  {
    action,
    widest = Infinity,
    words,
    signal,
  }: {
    action: string;
    widest?: number;
    words?: Words;
    signal?: AbortSignal;
  },
  page: Page,
) {
  screen ??= new Screen(page);
  if (action === "capture") return screen.capture(widest, words, signal);
  if (action === "state") return screen.state;
  if (action === "stop") return screen.stop();
  throw page.problem({ type: "InvalidArguments", message: `A screen has no action ${JSON.stringify(action)}.` });
}
