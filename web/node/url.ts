// node:url.
import legacy from "url";

import { fromFileUrl, toFileUrl } from "./paths.js";

export const url = {
  .../** @type {any} */ (legacy), URL, URLSearchParams, fileURLToPath: fromFileUrl, pathToFileURL: toFileUrl,
  domainToASCII: (/** @type {string} */ domain) => URL.parse(`http://${domain}`)?.hostname ?? "",
};
