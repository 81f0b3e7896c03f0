// node:url.
import legacy from "url";

import { fromFileUrl, toFileUrl } from "./paths.ts";

export const url = {
  ...legacy,
  URL,
  URLSearchParams,
  fileURLToPath: fromFileUrl,
  pathToFileURL: toFileUrl,
  domainToASCII: (domain: string) => URL.parse(`http://${domain}`)?.hostname ?? "",
};
