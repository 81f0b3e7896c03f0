/**
 * Where agents never act in the browser's tabs, and where they act only after the user has allowed the site: banks and
 * mail. The user's list is in the extension's storage, which Python can't reach.
 */

import { problem } from "../shared/document_link.ts";
import { companionOrigin } from "../shared/companion_address.ts";

const ALLOWED = "allowed-sites";
const STORES = ["chromewebstore.google.com", "chrome.google.com", "microsoftedge.microsoft.com", "addons.mozilla.org"];
// Complete labels of a host's name, or parts of them.
const MAIL_LABELS = new Set(["mail", "webmail", "email", "outlook", "inbox"]);
const BANK_PARTS = /bank|sparkasse|paypal|creditunion/;
const NAMED = [
  "proton.me",
  "tutanota.com",
  "fastmail.com",
  "gmx.net",
  "gmx.de",
  "web.de",
  "icloud.com",
  "zoho.com",
  "chase.com",
  "wellsfargo.com",
  "citi.com",
  "capitalone.com",
  "hsbc.com",
  "barclays.co.uk",
  "ing.de",
  "ing.nl",
  "santander.com",
  "bbva.com",
  "schwab.com",
  "fidelity.com",
  "vanguard.com",
  "revolut.com",
  "n26.com",
  "wise.com",
  "stripe.com",
  "coinbase.com",
  "binance.com",
  "kraken.com",
  "venmo.com",
  "americanexpress.com",
];

/** Return whether a site is of a bank or for mail. */
export function isSensitive(host: string) {
  const labels = host.split(".");
  return (
    labels.some((label) => MAIL_LABELS.has(label)) ||
    BANK_PARTS.test(labels.slice(0, -1).join(".")) ||
    NAMED.some((name) => host === name || host.endsWith(`.${name}`))
  );
}

/** @returns the origins that the user has allowed */
export async function allowedSites(): Promise<string[]> {
  const { [ALLOWED]: allowed = [] } = await chrome.storage.local.get<string[]>(ALLOWED);
  return allowed;
}

/** Allow a site of a bank or for mail, or end this. */
export async function allowSite(origin: string, allowed: boolean) {
  const others = (await allowedSites()).filter((each) => each !== origin);
  await chrome.storage.local.set({ [ALLOWED]: allowed ? [...others, origin] : others });
}

/** Return whether a page is of the companion, by any of its names. */
function isCompanion({ hostname, port }: URL) {
  const own = URL.parse(companionOrigin() ?? "");
  return (
    own !== null &&
    port === own.port &&
    (hostname === "localhost" || hostname.endsWith(".localhost") || hostname.startsWith("127."))
  );
}

/**
 * Return why agents may not read or use a page, or null.
 * @param text - its URL
 */
async function reasonAgainst(text: string) {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (text !== "about:blank" && (!isWeb || STORES.includes(url.hostname))) {
    return {
      message: `Agents can't use ${text}: it is a page of the browser, or of an extension store.`,
      hint: "Open a website.",
    };
  }
  if (url !== null && isCompanion(url)) {
    return {
      message: `Agents can't use ${url.origin}: it is the companion, where a surface runs.`,
      hint: "Open another site.",
    };
  }
  if (url === null || !isSensitive(url.hostname) || (await allowedSites()).includes(url.origin)) return null;
  return {
    message: `Agents can't use ${url.origin}: it looks like a bank's or a mail site, which are off.`,
    hint: "The user can allow it in the surface: Browser, Share tabs.",
  };
}

/** Return whether agents may read and use a page, if the user allows its site. */
export async function isAllowed(url: string) {
  return (await reasonAgainst(url)) === null;
}

/** Throw if agents may not read or use a page. */
export async function requireAllowed(url: string) {
  const reason = await reasonAgainst(url);
  if (reason !== null) throw problem({ type: "OffLimits", ...reason });
}
