/**
 * Powers of the user's browser: share, draft, copy, paste, locate, choose photos. The page owns these powers. It asks,
 * shows all that would leave, and acts in the press of the user's button. A separate bundle.
 */

import type { Consent, Words } from "../consent/consent.ts";
import { untilWhen } from "../consent/refusals.ts";

type Given = { text?: string; title?: string; url?: string; to?: string; subject?: string; kind?: string };

/** `problem` makes errors of the page's own bundle, which it recognises */
type Page = { consent: Consent; problem: typeof import("../../shared/document_link.ts").problem };

const LOCATE_MS = 30_000;
const MOST_TEXT = 100_000;
const MOST_PHOTOS = 20;
const MOST_BYTES = 20_000_000;

/** The work of each action, once the user has agreed. */
const ACTIONS: Record<string, (given: Given) => unknown> = {
  share: ({ text, title, url }) => {
    if (!navigator.share) throw new DOMException("this browser has no sheet to share with", "NotSupportedError");
    return navigator.share({ text, title, ...(url ? { url } : {}) });
  },
  draft: (given) => {
    window.open(addressOf(given), "_self");
  },
  copy: ({ text = "" }) => navigator.clipboard.writeText(text),
  paste: async () => {
    const text = await navigator.clipboard.readText();
    if (text.length > MOST_TEXT)
      throw new DOMException(
        `the clipboard has more than ${MOST_TEXT.toLocaleString("en")} characters`,
        "QuotaExceededError",
      );
    return { text };
  },
  locate: () =>
    new Promise((resolve, reject) => {
      navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude, accuracy, altitude } }) =>
          resolve({ latitude, longitude, accuracy, ...(altitude === null ? {} : { altitude }) }),
        ({ message }) => reject(new DOMException(message || "the place is unknown", "NotAllowedError")),
        { timeout: LOCATE_MS },
      );
    }),
  photos: () => choosePhotos(),
};

/** Return the address that opens a draft (RFC 6068, RFC 5724). */
export function addressOf({ text = "", to = "", subject = "", kind }: Given) {
  const fields = kind === "message" ? { body: text } : { subject, body: text };
  const query = Object.entries(fields)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${kind === "message" ? "sms" : "mailto"}:${encodeURIComponent(to).replaceAll("%40", "@").replaceAll("%2C", ",").replaceAll("%2B", "+")}${query.length ? `?${query.join("&")}` : ""}`;
}

async function choosePhotos(): Promise<{ photos: { name: string; data: string }[] }> {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: "image/*", multiple: true });
  const files: File[] = await new Promise((resolve, reject) => {
    input.addEventListener("change", () => resolve([...(input.files ?? [])]));
    input.addEventListener("cancel", () => reject(new DOMException("no picture was chosen", "AbortError")));
    input.showPicker();
  });
  const sizes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > MOST_PHOTOS || sizes > MOST_BYTES)
    throw new DOMException(`more than ${MOST_PHOTOS} pictures or 20 MB were chosen`, "QuotaExceededError");
  return {
    photos: await Promise.all(
      files.map(async (file) => ({ name: file.name, data: base64(new Uint8Array(await file.arrayBuffer())) })),
    ),
  };
}

function base64(bytes: Uint8Array) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Answer a request of Python's. */
export async function ask(
  { action, given, words, signal }: { action: string; given: Given; words?: Words; signal?: AbortSignal },
  { consent, problem }: Page,
) {
  if (!Object.hasOwn(ACTIONS, action))
    throw problem({ type: "InvalidArguments", message: `The page has no action ${JSON.stringify(action)}.` });
  const texts = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const outcome = await consent.ask({ kind: "personal", facts: { ...texts, action }, words }, signal);
  const hint = "Don't repeat it unchanged. Ask the user what they would prefer.";
  if (!outcome.allowed) {
    const message =
      outcome.decision === "nobody"
        ? "nobody is at the page to agree"
        : `the user refused: ${action}${untilWhen(outcome)}`;
    throw problem({ type: "Refused", message, hint });
  }
  try {
    return (await ACTIONS[action](texts)) ?? {};
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    throw problem({
      type: name === "NotAllowedError" || name === "AbortError" ? "Refused" : "Unsupported",
      message: `${action}: ${message}`,
      hint,
    });
  }
}
