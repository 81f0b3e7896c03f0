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
 * @param {Task} task
 * @returns {{ pid: number, parent: number, terminal: number, command: string, started: number }}
 */
const described = ({ host, parent, command, pid, started }) => {
  // A terminal's shell runs programs in its own process.
  const shown = pid !== host.root.pid || command === "bash" ? command : `bash: ${command}`;
  return { pid, parent: parent?.pid ?? 1, terminal: host.options.number, command: shown, started: started / 1000 };
};

/** List the shells of all terminals, and all that they have started and that still runs. */
export const processes = () => openTasks().map(described);

/** @returns {Task[]} */
export const openTasks = () => openSessions().flatMap(({ tasks }) => [...tasks.values()]);

/**
 * Send a signal to a process of any terminal.
 * @param {import("./host.js").Host | null} from the terminal whose shell sends it, null for a program
 * @param {number} pid
 * @param {string} signal "EXIT" to only look
 * @returns {boolean} whether there is such a process
 */
export function signalProcess(from, pid, signal) {
  // A session without a terminal isn't registered before it is open.
  for (const session of new Set(from ? [from, ...openSessions()] : openSessions())) {
    const task = session.tasks.get(pid);
    if (!task) continue;
    if (signal === "EXIT") return true;
    if (session !== from && task === session.root) /** @type {Session} */ (session).signal(signal);
    else task.receive(signal);
    return true;
  }
  return false;
}
