// The work tree of a call: its files, the attributes of their paths, and their line ends.
import type { Context } from "../repository/answers.ts";
import { Attributes } from "./attributes.ts";
import { LineEnds } from "./line_ends.ts";
import type { Repository } from "../repository/repository.ts";
import { setting, type Setting } from "../repository/settings.ts";
import { WorkTreeFiles, type Place } from "./work_tree_files.ts";

type Settings = Setting[];

/**
 * Return the files of a work tree, as git sees them.
 * @param repositoryOf - is asked for objects
 */
export function openWorkTree(
  { files: raw, env }: Context,
  settings: Settings,
  place: Place,
  repositoryOf: () => Promise<Repository>,
) {
  const textOf = (path: string) => (raw.isFile(path) ? raw.textAt(path) : null);
  const bytesOf = (path: string) => (raw.isFile(path) ? raw.FS.readFile(path) : null);
  const home = env.get("HOME") ?? "/home/user";
  const user =
    setting(settings, "core.attributesFile")?.replace(/^~(?=\/)/, home) ??
    `${env.get("XDG_CONFIG_HOME") ?? `${home}/.config`}/git/attributes`;
  const indexBytes = () => bytesOf(`${place.gitDir}/index`);
  const texts = { user: textOf(user), own: textOf(`${place.gitDir}/info/attributes`) };
  const attributes = new Attributes((name) => bytesOf(`${place.workTree}/${name}`), texts);
  const blobOf = async (hash: string) => (await (await repositoryOf()).objectStore.read(hash)).content;
  const lineEnds = new LineEnds(settings, attributes, { indexBytes, blobOf });
  const hasModes = setting(settings, "core.fileMode") !== "false";
  return new WorkTreeFiles(raw, place, { lineEnds, hasModes, blobOf });
}
