// Configuration: the user's (`~/.gitconfig`) and the repository's (`.git/config`), as git-config describes the syntax.

/**
 * @typedef {{ name: string, value: string, scope: string }} Setting the name has its section and key in lowercase
 * @typedef {import("./answers.js").Context} Context
 */

/** @param {string} line the part after `=` @returns {string} */
function valueOf(line) {
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

/** @param {string} text @param {string} scope @returns {Setting[]} */
export function parseSettings(text, scope) {
  let section = "";
  /** @type {Setting[]} */
  const found = [];
  for (const raw of text.replace(/\\\r?\n/g, "").split("\n")) {
    const line = raw.trim();
    const [, name, sub] = /^\[\s*([\w.-]+)(?:\s+"((?:\\.|[^"\\])*)")?\s*\]/.exec(line) ?? [];
    const [, key, value] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(line) ?? [];
    if (name !== undefined) section = name.toLowerCase() + (sub === undefined ? "" : `.${sub.replace(/\\(.)/g, "$1")}`);
    else if (key !== undefined)
      found.push({ name: `${section}.${key.toLowerCase()}`, value: value === undefined ? "true" : valueOf(value), scope });
  }
  return found;
}

/** A name in the form that settings have. @param {string} name */
export function normalized(name) {
  const parts = name.split(".");
  const section = (parts.shift() ?? "").toLowerCase();
  const key = (parts.pop() ?? "").toLowerCase();
  return [section, ...parts, key].join(".");
}

/** @param {Context} context */
export const userFile = ({ env }) => `${env.get("HOME") ?? "/home/user"}/.gitconfig`;

/** @param {Context} context @param {string | null} path @param {string} scope @returns {Promise<Setting[]>} */
async function readSettings({ fs }, path, scope) {
  return path !== null && (await fs.exists(path)) ? parseSettings(await fs.readFile(path), scope) : [];
}

/**
 * All settings; a later one of a name overrides the earlier.
 * @param {Context} context @param {string | null} gitDir @returns {Promise<Setting[]>}
 */
export async function allSettings(context, gitDir) {
  const user = await readSettings(context, userFile(context), "global");
  const own = await readSettings(context, gitDir && `${gitDir}/config`, "local");
  const given = Object.entries(context.overrides ?? {}).map(([name, value]) => ({ name: normalized(name), value, scope: "command" }));
  return [...user, ...own, ...given];
}

/** @param {Setting[]} settings @param {string} name @returns {string | undefined} */
export const setting = (settings, name) => settings.findLast((one) => one.name === normalized(name))?.value;

/** @param {Setting[]} settings @param {string} name @returns {boolean} true if a setting is switched on (git-config(1), "Values") */
export const isOn = (settings, name) => /^(true|yes|on|1)$/i.test(setting(settings, name) ?? "");
