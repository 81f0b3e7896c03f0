// The order in which the tasks of a team are shown: each after those that come before it.

/**
 * @template {{id: string, after: string[]}} Task
 * @param {Task[]} tasks the first one is the leader's; edges have no cycles
 * @returns {{task: Task, depth: number}[]} with the length of the longest way to each task; 0 for the leader's
 */
export function plan(tasks) {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  /** @type {Map<string, number>} */
  const depths = new Map(tasks.slice(0, 1).map(({ id }) => [id, 0]));
  /** @param {Task} task @returns {number} */
  const depthOf = (task) => {
    const known = depths.get(task.id);
    if (known !== undefined) return known;
    const before = task.after.flatMap((id) => byId.get(id) ?? []);
    const depth = 1 + Math.max(0, ...before.map(depthOf));
    depths.set(task.id, depth);
    return depth;
  };
  return tasks.map((task) => ({ task, depth: depthOf(task) })).sort((one, other) => one.depth - other.depth);
}
