// `env`: a command with another environment, and `nohup`, which changes nothing here.
import { shellQuote } from "./state.js";

/** @typedef {import("./builtins.js").Result} Result */

/** @param {string[]} args @param {any} context @returns {Promise<Result>} */
export async function env(args, context) {
  /** @type {Record<string, string>} */
  let variables = { ...context.exportedEnv };
  let at = 0;
  for (; /^-/.test(args[at] ?? ""); at++) {
    const word = args[at] ?? "";
    if (word === "-i" || word === "-" || word === "--ignore-environment") variables = {};
    else if (word === "-u") delete variables[args[++at] ?? ""];
    else if (word.startsWith("--unset=")) delete variables[word.slice(8)];
    else return context.origCommand(args);
  }
  for (; /^[A-Za-z_]\w*=/.test(args[at] ?? ""); at++) {
    const [name = "", ...value] = (args[at] ?? "").split("=");
    variables[name] = value.join("=");
  }
  const command = args.slice(at);
  if (command.length) return run(command, variables, context);
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  return { stdout: lines.join(""), stderr: "", exitCode: 0 };
}

/** @param {string[]} args @param {any} context @returns {Promise<Result>} */
export const nohup = (args, context) =>
  args.length
    ? run(args, { ...context.exportedEnv }, context)
    : Promise.resolve({ stdout: "", stderr: "nohup: missing operand\n", exitCode: 125 });

/** @param {string[]} command @param {Record<string, string>} variables @param {any} context @returns {Promise<Result>} */
async function run(command, variables, context) {
  const names = Object.keys(variables).filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== "_");
  // A nested exec knows the variables, but no longer that they are exported.
  const script = `${names.length ? `export ${names.join(" ")}\n` : ""}${command.map(shellQuote).join(" ")}`;
  const { stdout, stderr, exitCode, stdoutKind } = await context.exec(script, {
    rawScript: true,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", IFS: " \t\n", ...variables },
    replaceEnv: true,
    cwd: context.cwd,
    stdin: context.stdin,
    stdinKind: "bytes",
    signal: context.signal,
  });
  return { stdout, stderr, exitCode, stdoutKind };
}
