// `git mv`: files are renamed, since just-git copies them, which would lose permissions and what isn't tracked.
import type { WorkTreeFiles } from "../work_tree/work_tree_files.ts";
import { answer, type Answer } from "../repository/answers.ts";
import { takeFlag } from "../repository/options.ts";
import { inTree, needRepository, type Call } from "../repository/repository.ts";

/** paths from the root of the work tree */
type Move = { from: string; to: string };

export async function mv(args: string[], call: Call): Promise<Answer | null> {
  const { workTree } = needRepository(call);
  const dry = takeFlag(args, "n", "--dry-run", "");
  const verbose = takeFlag(dry.args, "v", "--verbose", "");
  const words = verbose.args.filter((word) => word !== "--");
  const checked = await call.run(["mv", "-n", ...words]);
  if (checked.exitCode) return checked;
  const { fs } = call.context;
  const moves = movesOf(
    words.filter((word) => !word.startsWith("-")),
    call,
  );
  const renaming = moves.map(({ from, to }) => `Renaming ${from} to ${to}\n`).join("");
  if (dry.found)
    return answer(moves.map(({ from, to }) => `Checking rename of '${from}' to '${to}'\n`).join("") + renaming);
  const done = await fs.renaming(() => call.run(["mv", ...words]));
  if (done.exitCode) return done;
  for (const { from, to } of moves) await moveRest(`${workTree}/${from}`, `${workTree}/${to}`, fs);
  return answer(verbose.found ? renaming : "");
}

function movesOf(operands: string[], call: Call): Move[] {
  const repository = needRepository(call);
  const paths = operands.map((path) => inTree(repository, call.context, path));
  const target = paths.pop() ?? "";
  const { fs } = call.context;
  const node = fs.nodeAt(`${repository.workTree}/${target}`);
  const isFolder = node !== null && fs.FS.isDir(node.mode);
  return paths.map((from) => ({ from, to: isFolder ? `${target && `${target}/`}${from.split("/").at(-1)}` : target }));
}

/** Move what isn't tracked, and stayed in a folder. */
async function moveRest(from: string, to: string, fs: WorkTreeFiles): Promise<void> {
  const node = fs.nodeAt(from);
  if (node === null || !fs.FS.isDir(node.mode)) return;
  await fs.mkdir(to, { recursive: true });
  for (const name of await fs.readdir(from)) {
    if (fs.linkExists(`${to}/${name}`)) await moveRest(`${from}/${name}`, `${to}/${name}`, fs);
    else fs.FS.rename(`${from}/${name}`, `${to}/${name}`);
  }
  await fs.rm(from, { recursive: true });
}
