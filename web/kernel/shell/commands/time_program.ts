// The program `time`, which measures another one (GNU time 1.9). The word `time` is the shell's own (execution.ts).
import { CommandError } from "../control.ts";
import { encode } from "../../bytes.ts";
import { answers, readOptions, wrongUse } from "./program_options.ts";
import { runWrapped } from "./programs.ts";
import { openPath } from "../execution/redirections.ts";
import type { Shell } from "../shell.ts";

type Measured = { command: string; seconds: number; status: number };

const NAME = "/usr/bin/time";
const WRONG_USAGE = 125;
const SIGNALS = 128;
const HELP = `Usage: ${NAME} [OPTION]... COMMAND [ARG]...
Run COMMAND, and print how long it took. The processor's time is the elapsed time here, and memory isn't known: 0.

  -f, --format=FORMAT  print FORMAT: %e, %E elapsed, %U user, %S system, %P processor, %x exit code, %C command
  -o, --output=FILE    print to FILE, with -a at its end
  -p, --portability    print in POSIX's format
  -q, --quiet          don't print that the command has failed
  -v, --verbose        print all that is known`;
const DEFAULT =
  "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata %Mmaxresident)k\n%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults %Wswaps";
const POSIX = "real %e\nuser %U\nsys %S";
const VERBOSE = `	Command being timed: "%C"
	User time (seconds): %U
	System time (seconds): %S
	Percent of CPU this job got: %P
	Elapsed (wall clock) time (h:mm:ss or m:ss): %E
	Average shared text size (kbytes): %X
	Average unshared data size (kbytes): %D
	Average stack size (kbytes): %p
	Average total size (kbytes): %K
	Maximum resident set size (kbytes): %M
	Average resident set size (kbytes): %t
	Major (requiring I/O) page faults: %F
	Minor (reclaiming a frame) page faults: %R
	Voluntary context switches: %w
	Involuntary context switches: %c
	Swaps: %W
	File system inputs: %I
	File system outputs: %O
	Socket messages sent: %s
	Socket messages received: %r
	Signals delivered: %k
	Page size (bytes): %Z
	Exit status: %x`;
const PAGE_SIZE = "65536";
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", "\\": "\\" };

/** The time as h:mm:ss or m:ss.cc. */
function clock(seconds: number) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours) return `${hours}:${String(minutes).padStart(2, "0")}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  return `${minutes}:${(seconds % 60).toFixed(2).padStart(5, "0")}`;
}

function report(format: string, { command, seconds, status }: Measured) {
  const values: Record<string, string> = {
    ...{ e: seconds.toFixed(2), E: clock(seconds), U: seconds.toFixed(2), S: "0.00", P: seconds ? "100%" : "?%" },
    ...{ C: command, x: String(status), Z: PAGE_SIZE, "%": "%" },
    ...Object.fromEntries([..."DFIKMORWXckprstw"].map((letter) => [letter, "0"])),
  };
  return format.replace(/%([^]|$)|\\([^])/g, (whole, letter, escaped) =>
    letter === undefined ? (ESCAPES[escaped] ?? `?${whole}`) : (values[letter] ?? `?${letter}`),
  );
}

export async function time(shell: Shell, args: string[]) {
  const long = { append: "a", "format=": "f", "output=": "o", portability: "p", quiet: "q", verbose: "v" };
  const { options, rest } = readOptions(NAME, args, "af:o:pqvhV", long, WRONG_USAGE);
  if (await answers(shell, NAME, options, HELP)) return 0;
  if (rest.length === 0) throw wrongUse(NAME, "missing program to run", WRONG_USAGE);
  const has = (letter: string) => options.some(({ name }) => name === letter);
  const valueOf = (letter: string) => options.findLast(({ name }) => name === letter)?.value;
  const path = valueOf("o");
  const file = path === undefined ? null : opened(shell, path, has("a")).retain();
  try {
    const start = performance.now();
    const status = await runWrapped(shell, `${NAME}: cannot run `, rest, rest[0]);
    const measured = {
      command: rest.join(" "),
      seconds: (performance.now() - start) / 1000,
      status: Math.max(0, status > SIGNALS ? 0 : status),
    };
    const format = has("v") ? VERBOSE : has("p") ? POSIX : (valueOf("f") ?? DEFAULT);
    const failure =
      status > SIGNALS
        ? `Command terminated by signal ${status - SIGNALS}\n`
        : status
          ? `Command exited with non-zero status ${status}\n`
          : "";
    const text = `${has("q") ? "" : failure}${report(format, measured)}\n`;
    if (file) await file.write(encode(text), shell.task);
    else await shell.write(2, text);
    return status;
  } finally {
    file?.release();
  }
}

function opened(shell: Shell, path: string, appends: boolean) {
  try {
    return openPath(shell, path, appends ? ">>" : ">");
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`${NAME}: ${error.message}`, WRONG_USAGE);
  }
}
