// The shells of all terminals, their subshells and jobs: what `ps` lists and `kill` reaches.

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./task.js").Task} Task
 */

/** @type {Set<WeakRef<Session>>} */
const sessions = new Set();

/** @param {Session} session */
export const register = (session) => sessions.add(new WeakRef(session));

/** @returns {Session[]} */
export const openSessions = () => [...sessions].flatMap((reference) => {
  const session = reference.deref();
  if (session && !session.closed) return [session];
  sessions.delete(reference);
  return [];
});

/**
 * List a task and those below it.
 * @param {Task} task
 * @returns {{ pid: number, parent: number, terminal: number, command: string, started: number }[]}
 */
const listed = (task) => {
  const { host, parent, command, pid, started } = task;
  // A terminal's shell runs programs in its own process.
  const shown = parent || command === "bash" ? command : `bash: ${command}`;
  const row = { pid, parent: parent?.pid ?? 1, terminal: host.options.number, command: shown, started: started / 1000 };
  return [row, ...[...task.children].flatMap(listed)];
};

/** List the shells of all terminals, their subshells and jobs. */
export const processes = () => openSessions().flatMap(({ root }) => listed(root));

/**
 * Send a signal to a process of any terminal.
 * @param {import("./host.js").Host} from the terminal that it is sent from
 * @param {number} pid
 * @param {string} signal "EXIT" to only look
 * @returns {boolean} whether there is such a process
 */
export function signalProcess(from, pid, signal) {
  // A session without a terminal isn't registered before it is open.
  for (const session of new Set([from, ...openSessions()])) {
    const task = session.root.find(pid);
    if (!task) continue;
    if (signal === "EXIT") return true;
    if (session !== from && task === session.root) /** @type {Session} */ (session).signal(signal);
    else task.receive(signal);
    return true;
  }
  return false;
}
