// New branches that follow the remote's branch that they begin at (`branch.autoSetupMerge` in git-config(1)).
import { has, parseOptions } from "./options.ts";
import { needRepository, type Call } from "./repository.ts";
import { setting } from "./settings.ts";
import { tableOf } from "../../tables.ts";

const CREATING: Record<string, string[]> = tableOf({
  checkout: ["-b", "-B"],
  switch: ["-c", "-C", "--create", "--force-create"],
});

/** The new branch of a command, and its start point. */
function namesOf(command: string, args: string[]): [string | undefined, string | undefined] {
  const creating = CREATING[command];
  const { flags, values, operands } = parseOptions(args, [...(creating ?? []), "-u", "--set-upstream-to"]);
  if (creating) return [creating.map((name) => values.get(name)).find(Boolean), operands[0]];
  const others = [...flags].some((flag) => !/^(-f|--force|-q|--quiet|-t|--track)$/.test(flag)) || values.size > 0;
  return others ? [undefined, undefined] : [operands[0], operands[1]];
}

/**
 * Let the branch that a command has created follow its start, if that is a remote's branch.
 * @returns what git says of it
 */
export async function track(command: string, args: string[], call: Call): Promise<string> {
  if (has(args, "--no-track") || args.includes("--") || setting(call.settings, "branch.autoSetupMerge") === "false")
    return "";
  const [name, start] = namesOf(command, args);
  if (name === undefined || start === undefined) return "";
  const { refStore } = needRepository(call);
  const [, remote, branch] = /^(?:refs\/)?(?:remotes\/)?([^/]+)\/(.+)$/.exec(start) ?? [];
  if (remote === undefined || branch === undefined || setting(call.settings, `remote.${remote}.url`) === undefined)
    return "";
  if (
    (await refStore.readRef(`refs/heads/${start}`)) !== null ||
    (await refStore.readRef(`refs/remotes/${remote}/${branch}`)) === null
  )
    return "";
  await call.elsewhere(["config", `branch.${name}.remote`, remote], call.context.cwd);
  await call.elsewhere(["config", `branch.${name}.merge`, `refs/heads/${branch}`], call.context.cwd);
  return `branch '${name}' set up to track '${remote}/${branch}'.\n`;
}
