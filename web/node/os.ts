// node:os.
import { process } from "./base.ts";

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 };
const zero = () => 0;

export const os = {
  EOL: "\n",
  constants: { signals: SIGNALS },
  devNull: "/dev/null",
  arch: () => "wasm32",
  availableParallelism: () => 1,
  endianness: () => "LE",
  hostname: () => "localhost",
  cpus: () => [{ model: "browser", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
  homedir: () => process.env.HOME ?? "/home/user",
  tmpdir: () => (process.env.TMPDIR ?? "/tmp").replace(/(?<=.)\/$/, ""),
  loadavg: () => [0, 0, 0],
  networkInterfaces: () => ({}),
  platform: () => "linux",
  release: () => "0",
  type: () => "Linux",
  version: () => "",
  machine: () => "wasm32",
  uptime: () => performance.now() / 1000,
  freemem: zero,
  totalmem: zero,
  userInfo: () => ({
    uid: 1000,
    gid: 1000,
    username: process.env.USER ?? "user",
    homedir: os.homedir(),
    shell: process.env.SHELL ?? "/bin/bash",
  }),
};
