/**
 * The commands that the user has typed in terminals, as the page itself knows from their keys, and which requests such a
 * command names. Python decides what a command does, so a question says only what was typed, and only if the line names the
 * place of the request. One answer applies to everything that the line names, until the next line in that terminal.
 */

import type { Facts } from "./kinds/kind.ts";
import type { Words } from "./consent.ts";
import { INDEX_NAME, isOfIndex } from "./package_index.ts";

const KINDS = new Set(["network", "private-origin"]);
const LASTS_MS = 10 * 60_000;
const PIP = /(?:^|[\s;&|])(?:pip3?|python3? -m pip) (?:install|download|wheel)\b/;
const GIT = /(?:^|[\s;&|])git (?:\S+ )*(?:clone|fetch|pull|ls-remote)\b/;
const FETCH = /(?:^|[\s;&|])(?:curl|wget)\b/;
const ADDRESS = /https?:\/\/[^\s'"]+/g;

interface Command {
  text: string;
  terminal: string;
  at: number;
  /** undefined: not answered yet */
  answer?: boolean;
}

export interface TypedUse {
  command: Command;
  /** what "Allow for this command" covers; null: this request alone */
  covers: string | null;
  /** whether it installs packages from the usual index */
  installs: boolean;
}

export class TypedCommands {
  /** The last line of each terminal. */
  #last = new Map<string, Command>();
  now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.now = now;
  }

  /** Record a line. Call this only for trusted keys of the user's. */
  note(terminal: string, text: string | null) {
    if (text === null || text.trim() === "") this.#last.delete(terminal);
    else this.#last.set(terminal, { text: text.trim(), terminal, at: this.now() });
  }

  /** Return the line that names the place of a request; null if there is none, or Python says that a tool or run asks. */
  useOf(kind: string, facts: Facts, { tool, caller, run }: Words): TypedUse | null {
    // A line names no secret, even if git uses one to read there.
    if (!KINDS.has(kind) || facts.secrets || tool || caller || run) return null;
    for (const command of [...this.#last.values()].reverse()) {
      const use = this.now() - command.at < LASTS_MS ? named(command, facts) : null;
      // A private address is allowed separately from the line's reading there.
      if (use !== null) return kind === "network" ? use : { command, covers: null, installs: false };
    }
    return null;
  }

  /** Forget all lines: the user has restarted Python. */
  clear() {
    this.#last.clear();
  }
}

function named(command: Command, { url, method, access }: Facts): TypedUse | null {
  const { text } = command;
  const reads = access === "read";
  if (PIP.test(text) && reads && isOfIndex(url)) return { command, covers: `read from ${INDEX_NAME}`, installs: true };
  const addresses = (text.match(ADDRESS) ?? []).map((each) => URL.parse(each)?.href).filter((each) => each != null);
  if (FETCH.test(text) && reads && addresses.includes(url)) return { command, covers: null, installs: false };
  if (!GIT.test(text)) return null;
  const repository = addresses
    .map(bare)
    .find((each) => [`${each}/`, `${each}.git/`].some((start) => url.startsWith(start)));
  const asks = reads || (method === "POST" && new URL(url).pathname.endsWith("/git-upload-pack"));
  return repository && asks ? { command, covers: `read the repository ${repository}`, installs: false } : null;
}

/** Return a repository's address without its usual ending. */
function bare(address: string) {
  return address.replace(/\/+$/, "").replace(/\.git$/, "");
}
