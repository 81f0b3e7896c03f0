// The work tree of a call: its files, the attributes of their paths, and their line ends.
import { Attributes } from "./attributes.js";
import { LineEnds } from "./line_ends.js";
import { setting } from "./settings.js";
import { WorkTreeFiles } from "./work_tree_files.js";

/**
 * @typedef {import("./repository.js").Repository} Repository
 * @typedef {import("./answers.js").Context} Context
 * @typedef {import("./settings.js").Setting[]} Settings
 */

/**
 * Return the files of a work tree, as git sees them.
 * @param {Context} context @param {Settings} settings @param {import("./work_tree_files.js").Place} place
 * @param {() => Promise<Repository>} repositoryOf is asked for objects
 */
export function openWorkTree({ files: raw, env }, settings, place, repositoryOf) {
  const textOf = (/** @type {string} */ path) => (raw.isFile(path) ? raw.textAt(path) : null);
  const bytesOf = (/** @type {string} */ path) => (raw.isFile(path) ? raw.FS.readFile(path) : null);
  const home = env.get("HOME") ?? "/home/user";
  const user = setting(settings, "core.attributesFile")?.replace(/^~(?=\/)/, home) ?? `${env.get("XDG_CONFIG_HOME") ?? `${home}/.config`}/git/attributes`;
  const indexBytes = () => bytesOf(`${place.gitDir}/index`);
  const texts = { user: textOf(user), own: textOf(`${place.gitDir}/info/attributes`) };
  const attributes = new Attributes((name) => bytesOf(`${place.workTree}/${name}`), texts);
  const blobOf = async (/** @type {string} */ hash) => (await (await repositoryOf()).objectStore.read(hash)).content;
  const lineEnds = new LineEnds(settings, attributes, { indexBytes, blobOf });
  const hasModes = setting(settings, "core.fileMode") !== "false";
  return new WorkTreeFiles(raw, place, { lineEnds, hasModes, blobOf });
}
