// The command line of `node` (https://nodejs.org/docs/latest-v20.x/api/cli.html), as far as it makes sense here.

export interface Options {
  /** of -e or -p */
  code: string | null;
  prints: boolean;
  checks: boolean;
  tests: boolean;
  isModule: boolean;
  required: string[];
  reporter: string;
  /** a pattern of names of tests */
  only: string;
  /** text to print instead of running something */
  answer: string | null;
  execArgv: string[];
  /** the script and its arguments */
  rest: string[];
}

const HELP = `Usage: node [options] [ script.js ] [arguments]
       node [options] -e "code" [arguments]
       node --test [files]

Options:
  -                     script read from stdin
  -c, --check           syntax check script without executing
  -e, --eval=...        evaluate script
  -h, --help            print node command line options
  -i, --interactive     not available here
  --input-type=...      set module type for string input: module or commonjs
  -p, --print [...]     evaluate script and print result
  -r, --require=...     CommonJS module to preload
  --test                run tests of node:test
  --test-name-pattern   run tests whose name matches
  --test-reporter=...   tap or spec
  -v, --version         print Node.js version

This is not Node.js itself: JavaScript runs in a worker of the page. Documentation is in docs/shell.md.
`;
const VALUES =
  /^(?:-e|--eval|-pe|-r|--require|--input-type|--test-reporter|--test-name-pattern|--import|-C|--conditions|--test-concurrency|--test-timeout|--unhandled-rejections|--env-file)$/;
const IGNORED =
  /^--(?:no-)?(?:warnings|deprecation|enable-source-maps|addons|trace-(?!exit|sigint|require|event)[\w-]+|stack-trace-limit=\d+|max-old-space-size=\d+|max-semi-space-size=\d+|expose-gc|harmony[\w-]*|disable-warning=.*|pending-deprecation|extra-info-on-fatal-exception|test-concurrency|test-force-exit|unhandled-rejections=(?:throw|strict)|experimental-(?!default-type|test-coverage|test-module-mocks|permission|policy|sea-config|strip-types|transform-types)[\w-]+)$/;
/** Replacements for options of Node 20 that aren't possible here. */
const REFUSED: [RegExp, string][] = [
  [/^--(?:inspect|debug-port)/, "there is no inspector: use console.log, or `debugger` in a page"],
  [/^--watch/, "use `watch -g node FILE`, or run it again"],
  [/^--env-file/, "run `set -a; . FILE` before"],
  [
    /^--(?:cpu-prof|heap-prof|prof|heapsnapshot|track-heap|snapshot-blob|build-snapshot|report-|diagnostic-dir|redirect-warnings|node-memory-debug)/,
    "the browser's tools measure programs: leave it out",
  ],
  [/^(?:--conditions|-C)$/, "packages are found by the conditions node, import and require: leave it out"],
  [
    /^--test-(?:only|shard|timeout|reporter-destination)|^--experimental-test-/,
    "use --test-name-pattern, and a redirection",
  ],
  [
    /^--unhandled-rejections$/,
    "a rejection that nobody handles ends the program, as --unhandled-rejections=throw says",
  ],
  [
    /^--(?:loader|experimental-loader|preserve-symlinks|experimental-default-type|experimental-(?:strip|transform)-types)/,
    "name files .mjs or .cjs, or use --input-type",
  ],
  [
    /^--(?:allow-|experimental-permission|experimental-policy|policy-|disable-proto|disallow-code|frozen-intrinsics)/,
    "a program has the page's rights only: leave it out",
  ],
  [
    /^--(?:abort-on|completion-bash|dns-|enable-|disable-|force-|global-search|no-|huge-|icu-|insecure-|interpreted|jitless|max-http|network-|openssl-|secure-heap|throw-deprecation|title|tls-|trace-|use-|v8-|zero-fill|experimental-)/,
    "the browser's engine has no such setting: leave it out",
  ],
];

/** An error that ends the program with its message alone. */
export const usageError = (message: string) => Object.assign(new Error(message), { usage: true, status: 9 });

/** @throws an option that isn't known */
export function parseCommandLine(args: string[], version: string): Options {
  const options: Options = {
    code: null,
    prints: false,
    checks: false,
    tests: false,
    isModule: false,
    required: [],
    reporter: "",
    only: "",
    answer: null,
    execArgv: [],
    rest: [],
  };
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "-" || !word.startsWith("-")) break;
    options.execArgv.push(word);
    if (word === "--") {
      at++;
      break;
    }
    const [, name = word, attached] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (/^(?:-p|--print|-pe)$/.test(name)) options.prints = true;
    const takes = VALUES.test(name) || /^(?:-p|--print)$/.test(name);
    if (takes && attached === undefined && args[at + 1] === undefined)
      throw usageError(`node: ${name} requires an argument`);
    const value = attached ?? (takes ? (args[++at] ?? "") : "");
    if (takes && attached === undefined) options.execArgv.push(value);
    apply(options, name, value, version);
  }
  options.rest = args.slice(at);
  return options;
}

function apply(options: Options, name: string, value: string, version: string) {
  if (/^(?:-e|--eval|-p|--print|-pe)$/.test(name)) options.code = value;
  else if (name === "-c" || name === "--check") options.checks = true;
  else if (name === "-r" || name === "--require" || name === "--import") options.required.push(value);
  else if (name === "--input-type") options.isModule = value === "module";
  else if (name === "--test") options.tests = true;
  else if (name === "--test-reporter") options.reporter = value;
  else if (name === "--test-name-pattern") options.only = value;
  else if (name === "-v" || name === "--version") options.answer = `${version}\n`;
  else if (name === "-h" || name === "--help") options.answer = HELP;
  else if (name === "-i" || name === "--interactive")
    throw usageError(`node: ${name} isn't supported: there is no interactive prompt: use -e, or a file`);
  else if (!IGNORED.test(`${name}${value && `=${value}`}`) && !IGNORED.test(name)) {
    const reason = REFUSED.find(([pattern]) => pattern.test(name))?.[1];
    throw usageError(reason ? `node: ${name} isn't supported: ${reason}` : `node: bad option: ${name}`);
  }
}
