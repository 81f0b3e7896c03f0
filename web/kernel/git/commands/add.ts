// `git add`: files in place of folders, paths behind links, line ends, and options that just-git lacks.
import { GitProblem, type Answer } from "../repository/answers.ts";
import { nodesBelow } from "../index/changes.ts";
import { readIndex } from "../index/index_file.ts";
import { has, splitAtDashes, without } from "../repository/options.ts";
import { inTree, needRepository, type Call, inRoot } from "../repository/repository.ts";
import { isBelow } from "../repository/pathspec.ts";

const SUBMODULE = 0o160000;

/** just-git's `-A` takes all files, also where some are named, and it has no `--`. */
export async function add(args: string[], call: Call): Promise<Answer> {
  const [before, after] = splitAtDashes(args);
  const paths = [...before.filter((word) => !word.startsWith("-")), ...after.slice(1)];
  check(paths, call);
  const renormalizes = has(args, "--renormalize");
  call.context.fs.lineEnds.renormalizes = renormalizes;
  const given = (paths.length ? without(args, "-A", "--all") : args).filter(
    (word) => word !== "--" && word !== "--renormalize",
  );
  const words = renormalizes && !has(given, "-u") ? ["-u", ...given] : given;
  if (has(words, "-n", "--dry-run")) return call.run(["add", ...without(words, "-v", "--verbose")]);
  await removeFolders(paths, call);
  if (renormalizes) await needFiles(paths, call);
  if (!has(words, "-v", "--verbose")) return call.run(["add", ...words]);
  const rest = without(words, "-v", "--verbose");
  const listed = await call.run(["add", "-n", ...rest]);
  const done = await call.run(["add", ...rest]);
  return { ...done, stdout: listed.stdout };
}

function check(paths: string[], call: Call) {
  const repository = needRepository(call);
  for (const path of paths) {
    if (call.context.fs.isBehindLink(inTree(repository, call.context, path)))
      throw new GitProblem(`fatal: pathspec '${path}' is beyond a symbolic link`);
  }
}

/** @throws {GitProblem} a tracked file is missing */
async function needFiles(paths: string[], call: Call) {
  const repository = needRepository(call);
  const specs = paths.map((path) => inTree(repository, call.context, path));
  for (const { path } of (await readIndex(repository)) ?? []) {
    if (specs.some((spec) => isBelow(path, spec)) && !(await call.context.fs.exists(`${repository.workTree}/${path}`)))
      throw new GitProblem(`fatal: unable to stat '${path}': No such file or directory`);
  }
}

/** Remove files from the index that are folders now. */
async function removeFolders(paths: string[], call: Call) {
  const repository = needRepository(call);
  const { fs } = call.context;
  const specs = paths.map((path) => inTree(repository, call.context, path));
  const nodeOf = nodesBelow(fs, repository.workTree ?? "");
  const replaced = ((await readIndex(repository)) ?? []).filter(({ path, mode }) => {
    const node = mode === SUBMODULE ? null : nodeOf(path);
    return (
      node !== null &&
      fs.FS.isDir(node.mode) &&
      (specs.length === 0 || specs.some((spec) => isBelow(path, spec) || isBelow(spec, path)))
    );
  });
  const names = replaced.map(({ path }) => path);
  if (names.length) await inRoot(call, () => fs.without(names, () => call.run(["rm", "-f", "--cached", ...names])));
}
