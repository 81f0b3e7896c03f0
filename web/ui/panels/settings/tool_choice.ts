/** The tools that agents in the browser see (WebMCP), as the user chose. The page saves it: it registers tools before Python starts. */

import type { Choice } from "../../../../webmcp_bridge.js";
import { loadSaved, save } from "../../../shared/local_state.ts";

const SAVED = "webmcp.tools";

export const CHOICES: { value: Choice; label: string }[] = [
  { value: "automatic", label: "Automatic" },
  { value: "all", label: "All" },
  { value: "lean", label: "Short list" },
  { value: "code", label: "Code" },
];

export function chosenTools(): Choice {
  const saved = loadSaved(SAVED, "automatic");
  return CHOICES.find(({ value }) => value === saved)?.value ?? "automatic";
}

export function saveChoice(choice: Choice) {
  save(SAVED, choice === "automatic" ? undefined : choice);
}
