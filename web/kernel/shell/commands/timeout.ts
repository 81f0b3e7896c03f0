// `timeout` and `sleep` (GNU coreutils manual, 23.6 and 25.1).
import { Alarm } from "../execution/alarms.ts";
import { runWrapped } from "./programs.ts";
import { answers, readOptions, wrongUse } from "./program_options.ts";
import type { Shell } from "../shell.ts";
import { exitOfSignal, nameOfSignal } from "../execution/signals.ts";
import { signalProcess } from "../processes.ts";
import { startTask } from "../execution/subshells.ts";

const TIMED_OUT = 124;
const CANNOT_RUN = 125;
const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * @param text - as in `1.5m`
 * @returns milliseconds
 */
function duration(text: string): number | null {
  const match = /^(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|infinity|inf)([smhd]?)$/i.exec(text);
  if (!match) return null;
  const number = /^inf/i.test(match[1] ?? "") ? Infinity : Number(match[1]);
  // The expression lets no other units pass.
  return number * UNITS[(match[2] || "s") as keyof typeof UNITS] * 1000;
}

const SLEEP_HELP = `Usage: sleep NUMBER[SUFFIX]...
Wait for the sum of the NUMBERs: seconds, or with a SUFFIX minutes (m), hours (h) or days (d).`;

export async function sleep(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = readOptions("sleep", args, "", {});
  if (await answers(shell, "sleep", options, SLEEP_HELP)) return 0;
  if (rest.length === 0) throw wrongUse("sleep", "missing operand", 1);
  let total = 0;
  for (const word of rest) {
    const time = duration(word);
    if (time === null) throw wrongUse("sleep", `invalid time interval '${word}'`, 1);
    total += time;
  }
  const end = performance.now() + total;
  // A signal with a trap doesn't end it, unless its process group got it.
  for (let left = total; left > 0 && shell.task.programEnding === null; left = end - performance.now())
    await shell.task.sleep(left);
  return shell.task.programEnding === null ? 0 : exitOfSignal(shell.task.programEnding);
}

const TIMEOUT_HELP = `Usage: timeout [OPTION]... DURATION COMMAND [ARG]...
Run COMMAND, and end it if it still runs after DURATION.

  -s, --signal=SIGNAL        send SIGNAL instead of TERM
  -k, --kill-after=DURATION  send KILL if COMMAND still runs DURATION after that
      --preserve-status      return the exit code of COMMAND after a timeout, too
      --foreground           send signals to COMMAND alone, not to what it has started
  -v, --verbose              report each signal`;
const TIMEOUT_LONG = {
  ...{ "signal=": "s", "kill-after=": "k" },
  ...{ "preserve-status": "preserve-status", foreground: "foreground", verbose: "v" },
};

function milliseconds(text: string): number {
  const time = duration(text);
  if (time === null) throw wrongUse("timeout", `invalid time interval '${text}'`, CANNOT_RUN);
  return time;
}

export async function timeout(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = readOptions("timeout", args, "k:s:v", TIMEOUT_LONG, CANNOT_RUN);
  if (await answers(shell, "timeout", options, TIMEOUT_HELP)) return 0;
  const last = (wanted: string) => options.findLast(({ name }) => name === wanted)?.value;
  const signal = nameOfSignal(last("s") ?? "TERM");
  if (signal === null) throw wrongUse("timeout", `'${last("s")}': invalid signal`, CANNOT_RUN);
  const killsAfter = milliseconds(last("k") ?? "0");
  const [limit, ...command] = rest;
  if (limit === undefined || command.length === 0) throw wrongUse("timeout", "missing operand", CANNOT_RUN);
  const time = milliseconds(limit);
  const leads = last("foreground") === undefined;
  const running = startTask(
    shell,
    async (copy) => void (copy.status = await runWrapped(copy, "timeout: failed to run command ", command)),
    new Map(),
    { prepare: (copy) => leads && copy.task.lead() },
  );
  let sent = "";
  const send = (name: string) => {
    sent = name;
    if (last("v") !== undefined) void shell.write(2, `timeout: sending signal ${name} to command '${command[0]}'\n`);
    if (leads) signalProcess(shell.host, -running.task.group, name);
    else running.task.receive(name);
  };
  const after = (delay: number, name: string) => new Alarm(running.task, delay, () => send(name), name === "INT");
  const alarms = time > 0 ? [after(time, signal)] : [];
  if (killsAfter > 0 && time > 0) alarms.push(after(time + killsAfter, "KILL"));
  const status = await running.done.finally(() => alarms.forEach((alarm) => alarm.cancel()));
  if (!sent || last("preserve-status") !== undefined) return status;
  return sent === "KILL" ? exitOfSignal("KILL") : TIMED_OUT;
}
