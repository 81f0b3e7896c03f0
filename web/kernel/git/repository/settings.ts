// Configuration: the user's (`~/.gitconfig`) and the repository's (`.git/config`), as git-config describes the syntax.

import type { Context } from "./answers.ts";

/** the name has its section and key in lowercase */
export type Setting = { name: string; value: string; scope: string };

/** @param line - the part after `=` */
function valueOf(line: string): string {
  let text = "";
  let quoted = false;
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    if (letter === "\\") {
      const next = line[++at] ?? "";
      text += { n: "\n", t: "\t", b: "\b" }[next] ?? next;
    } else if (letter === '"') quoted = !quoted;
    else if (!quoted && /[#;]/.test(letter)) break;
    else text += letter;
    if (quoted || !/\s/.test(letter)) end = text.length;
  }
  return text.slice(0, end).replace(/^\s+/, "");
}

export function parseSettings(text: string, scope: string): Setting[] {
  let section = "";
  const found: Setting[] = [];
  for (const raw of text.replace(/\\\r?\n/g, "").split("\n")) {
    const line = raw.trim();
    const [, name, sub] = /^\[\s*([\w.-]+)(?:\s+"((?:\\.|[^"\\])*)")?\s*\]/.exec(line) ?? [];
    const [, key, value] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(line) ?? [];
    if (name !== undefined) section = name.toLowerCase() + (sub === undefined ? "" : `.${sub.replace(/\\(.)/g, "$1")}`);
    else if (key !== undefined)
      found.push({
        name: `${section}.${key.toLowerCase()}`,
        value: value === undefined ? "true" : valueOf(value),
        scope,
      });
  }
  return found;
}

/** A name in the form that settings have. */
export function normalized(name: string) {
  const parts = name.split(".");
  const section = (parts.shift() ?? "").toLowerCase();
  const key = (parts.pop() ?? "").toLowerCase();
  return [section, ...parts, key].join(".");
}

export const userFile = ({ env }: Context) => `${env.get("HOME") ?? "/home/user"}/.gitconfig`;

async function readSettings({ fs }: Context, path: string | null, scope: string): Promise<Setting[]> {
  return path !== null && (await fs.exists(path)) ? parseSettings(await fs.readFile(path), scope) : [];
}

/** All settings; a later one of a name overrides the earlier. */
export async function allSettings(context: Context, gitDir: string | null): Promise<Setting[]> {
  const user = await readSettings(context, userFile(context), "global");
  const own = await readSettings(context, gitDir && `${gitDir}/config`, "local");
  const given = Object.entries(context.overrides ?? {}).map(([name, value]) => ({
    name: normalized(name),
    value,
    scope: "command",
  }));
  return [...user, ...own, ...given];
}

export const setting = (settings: Setting[], name: string): string | undefined =>
  settings.findLast((one) => one.name === normalized(name))?.value;

/** @returns true if a setting is switched on (git-config(1), "Values") */
export const isOn = (settings: Setting[], name: string): boolean =>
  /^(true|yes|on|1)$/i.test(setting(settings, name) ?? "");
