// The shells of all terminals, their subshells and jobs: what `ps` lists and `kill` reaches.

import { listBy } from "./execution/process_files.ts";
import type { Host } from "./execution/host.ts";
import type { Session } from "./session.ts";
import type { Task } from "./execution/task.ts";

const sessions = new Set<WeakRef<Session>>();

export const register = (session: Session) => sessions.add(new WeakRef(session));

export const openSessions = (): Session[] =>
  [...sessions].flatMap((reference) => {
    const session = reference.deref();
    if (session && !session.closed) return [session];
    sessions.delete(reference);
    return [];
  });

const described = ({ host, parent, group, session, command, pid, started }: Task) => {
  // A terminal's shell runs programs in its own process.
  const shown = pid !== host.root.pid || command === "bash" ? command : `bash: ${command}`;
  return {
    pid,
    parent: parent?.pid ?? 1,
    group,
    session,
    terminal: host.options.number,
    command: shown,
    started: started / 1000,
  };
};

/** List the shells of all terminals, and all that they have started and that still runs. */
export const processes = () => openTasks().map(described);

export const openTasks = (): Task[] => openSessions().flatMap(({ tasks }) => [...tasks.values()]);
listBy(openTasks);

/** All terminals and the one that sends; a session without a terminal isn't registered before it is open. */
const hostsFrom = (from: Host | null) => new Set(from ? [from, ...openSessions()] : openSessions());

/**
 * Send a signal to all processes of a group.
 * @param from - as for `signalProcess`
 * @param signal - "EXIT" to only look
 * @returns whether there is such a group
 */
function signalGroup(from: Host | null, group: number, signal: string): boolean {
  const members = [...hostsFrom(from)]
    .flatMap(({ tasks }) => [...tasks.values()])
    .filter((task) => task.group === group);
  if (signal === "EXIT") return members.length > 0;
  const first = members.filter((task) => signal === "KILL" || !task.isRepresented(signal));
  for (const task of first) signalProcess(from, task.pid, signal, true);
  return members.length > 0;
}

/**
 * Send a signal to a process of any terminal.
 * @param from - the terminal whose shell sends it, null for a program
 * @param pid - negative for a group
 * @param signal - "EXIT" to only look
 * @param isForGroup - whether all of its group get the signal
 * @returns whether there is such a process
 */
export function signalProcess(from: Host | null, pid: number, signal: string, isForGroup = false): boolean {
  if (pid < 0) return signalGroup(from, -pid, signal);
  for (const session of hostsFrom(from)) {
    const task = session.tasks.get(pid);
    if (!task) continue;
    if (signal === "EXIT") return true;
    // Only sessions have a root.
    if (session !== from && task === session.root) (session as Session).signal(signal);
    else task.receive(signal, isForGroup);
    return true;
  }
  return false;
}
