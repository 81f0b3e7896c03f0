// `help`, and how each builtin is called (Bash manual, 4 and 3.2). The explanations are ours, and short.
import { CommandError } from "../control.ts";
import type { Builtin } from "../execution/builtin_table.ts";
import type { Shell } from "../shell.ts";

/** For each name, its usage and its purpose. */
const TOPICS = new Map<string, [string, string]>(
  Object.entries({
    ".": [". filename [arguments]", "Runs a file in this shell."],
    ":": [":", "Does nothing, with success."],
    "[": ["[ arg... ]", "Tests a condition, as test does."],
    alias: ["alias [-p] [name[=value] ... ]", "Defines or lists aliases."],
    bg: ["bg [job_spec ...]", "Continues jobs in the background."],
    bind: [
      "bind [-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x keyseq:shell-command] [keyseq:readline-function or readline-command]",
      "Binds keys of readline, which this shell doesn't use.",
    ],
    break: ["break [n]", "Leaves loops."],
    builtin: ["builtin [shell-builtin [arg ...]]", "Runs a builtin, not a function of that name."],
    caller: ["caller [expr]", "Prints who called the function."],
    cd: ["cd [-L|[-P [-e]] [-@]] [dir]", "Changes the directory."],
    command: ["command [-pVv] command [arg ...]", "Runs or describes a command, not a function of that name."],
    compgen: [
      "compgen [-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [word]",
      "Prints what could complete a word.",
    ],
    complete: [
      "complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]",
      "Says how a command's words are completed.",
    ],
    compopt: ["compopt [-o|+o option] [-DEI] [name ...]", "Changes the options of a completion."],
    continue: ["continue [n]", "Goes on with a loop's next turn."],
    declare: [
      "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
      "Sets or prints variables and their attributes.",
    ],
    dirs: ["dirs [-clpv] [+N] [-N]", "Prints the stack of directories."],
    disown: ["disown [-h] [-ar] [jobspec ... | pid ...]", "Forgets jobs."],
    echo: ["echo [-neE] [arg ...]", "Prints its arguments."],
    enable: ["enable [-a] [-dnps] [-f filename] [name ...]", "Turns builtins on and off."],
    eval: ["eval [arg ...]", "Runs its arguments as a command."],
    exec: [
      "exec [-cl] [-a name] [command [argument ...]] [redirection ...]",
      "Replaces the shell by a program, or redirects the shell.",
    ],
    exit: ["exit [n]", "Ends the shell."],
    export: ["export [-fn] [name[=value] ...] or export -p", "Passes variables and functions on to programs."],
    false: ["false", "Fails."],
    fc: ["fc [-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]", "Lists or repeats earlier commands."],
    fg: ["fg [job_spec]", "Waits for a job in the foreground."],
    getopts: ["getopts optstring name [arg ...]", "Reads the next option of a script."],
    hash: ["hash [-lr] [-p pathname] [-dt] [name ...]", "Remembers where programs are."],
    help: ["help [-dms] [pattern ...]", "Explains builtins."],
    history: [
      "history [-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
      "Lists or changes the earlier commands.",
    ],
    jobs: ["jobs [-lnprs] [jobspec ...] or jobs -x command [args]", "Lists jobs."],
    kill: ["kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]", "Sends a signal."],
    let: ["let arg [arg ...]", "Calculates."],
    local: ["local [option] name[=value] ...", "Makes variables of the running function."],
    logout: ["logout [n]", "Ends a login shell."],
    mapfile: [
      "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
      "Reads lines into an array.",
    ],
    popd: ["popd [-n] [+N | -N]", "Takes a directory off the stack."],
    printf: ["printf [-v var] format [arguments]", "Prints by a format."],
    pushd: ["pushd [-n] [+N | -N | dir]", "Puts a directory on the stack."],
    pwd: ["pwd [-LP]", "Prints the directory."],
    read: [
      "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]",
      "Reads a line into variables.",
    ],
    readarray: [
      "readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
      "Reads lines into an array.",
    ],
    readonly: ["readonly [-aAf] [name[=value] ...] or readonly -p", "Protects variables and functions."],
    return: ["return [n]", "Leaves a function."],
    set: ["set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]", "Sets options and the parameters."],
    shift: ["shift [n]", "Drops the first parameters."],
    shopt: ["shopt [-pqsu] [-o] [optname ...]", "Sets or prints options."],
    source: ["source filename [arguments]", "Runs a file in this shell."],
    suspend: ["suspend [-f]", "Stops the shell, which isn't possible here."],
    test: ["test [expr]", "Tests a condition."],
    times: ["times", "Prints the time that was used."],
    trap: ["trap [-lp] [[arg] signal_spec ...]", "Says what a signal does."],
    true: ["true", "Succeeds."],
    type: ["type [-afptP] name [name ...]", "Says what a name means."],
    typeset: ["typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]", "Is declare."],
    ulimit: ["ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]", "Prints or remembers limits."],
    umask: ["umask [-p] [-S] [mode]", "Sets which permissions new files lack."],
    unalias: ["unalias [-a] name [name ...]", "Removes aliases."],
    unset: ["unset [-f] [-v] [-n] [name ...]", "Removes variables and functions."],
    wait: ["wait [-fn] [-p var] [id ...]", "Waits for jobs."],
    case: [
      "case WORD in [PATTERN [| PATTERN]...) COMMANDS ;;]... esac",
      "Runs what belongs to the first pattern that matches.",
    ],
    coproc: ["coproc [NAME] command [redirections]", "Starts a job with pipes to and from it."],
    for: ["for NAME [in WORDS ... ] ; do COMMANDS; done", "Runs commands for each word."],
    function: ["function name { COMMANDS ; } or name () { COMMANDS ; }", "Defines a function."],
    if: [
      "if COMMANDS; then COMMANDS; [ elif COMMANDS; then COMMANDS; ]... [ else COMMANDS; ] fi",
      "Runs commands on a condition.",
    ],
    select: ["select NAME [in WORDS ... ;] do COMMANDS; done", "Lets the user choose a word."],
    time: ["time [-p] pipeline", "Prints how long a pipeline takes."],
    until: ["until COMMANDS; do COMMANDS-2; done", "Repeats commands until a condition holds."],
    while: ["while COMMANDS; do COMMANDS-2; done", "Repeats commands while a condition holds."],
  }),
);

/** The lines above the list of builtins: where to read more. */
export const WELCOME = `\
Documents: ~/MANUAL.md is a short manual of this computer, and docs/index.md of the project lists all of them.
\`help NAME' explains a builtin, \`man NAME' a program, \`man -k WORD' finds one. The keys are in the page's Help.
`;

/** Return how a builtin is called. */
export const synopsis = (name: string): string => TOPICS.get(name)?.[0] ?? name;

/** The names that `help` explains. */
export const topics = (): string[] => [...TOPICS.keys()];

/**
 * Print how a builtin is called, after a wrong call.
 * @returns the exit code
 */
export async function usage(shell: Shell, name: string): Promise<number> {
  await shell.write(2, `${name}: usage: ${synopsis(name)}\n`);
  return 2;
}

/**
 * The error of an option that a builtin doesn't have.
 * @param option - with its dash
 */
export const invalidOption = (command: string, option: string) =>
  new CommandError(`${command}: ${option}: invalid option\n${command}: usage: ${synopsis(command)}`, 2);

export const explanation = (name: string): string => `${name}: ${synopsis(name)}\n    ${TOPICS.get(name)?.[1] ?? ""}\n`;

// They have no options in POSIX.
const WITHOUT_HELP = new Set([":", "[", "echo", "false", "test", "true"]);

/** Return a builtin that explains itself with `--help`. */
export function withHelp(name: string, builtin: Builtin): Builtin {
  if (WITHOUT_HELP.has(name)) return builtin;
  return (shell, args) => (args[0] === "--help" ? explain(shell, name) : builtin(shell, args));
}

async function explain(shell: Shell, name: string) {
  await shell.print(explanation(name));
  return 2;
}
