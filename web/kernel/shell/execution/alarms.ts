// Alarms of tasks: what happens to a task at a time, such as the signal of `timeout`. A timer rings an alarm while the
// worker's event loop turns. Python code that never pauses stops the timers too, so its interrupts ask for alarms
// (py/gemini/core/interrupts.py), again and again until the task has ended and its alarm is cancelled.
import type { Task } from "./task.ts";

const LONGEST_MS = 2 ** 31 - 1;

const alarms = new Set<Alarm>();

/** Return whether the time of an alarm has come. CPython asks many times a second. */
export function isSomeAlarmDue() {
  for (const alarm of alarms) if (alarm.isDue) return true;
  return false;
}

/**
 * Ring the alarms whose time has come for a task, or for one that has started it.
 * @returns whether there are any
 */
export function ringFor(task: Task): boolean {
  let found = false;
  for (let each: Task | null = task; each; each = each.parent)
    for (const alarm of alarms)
      if (alarm.task === each && alarm.isDue) {
        found = true;
        alarm.ring();
      }
  return found;
}

export class Alarm {
  readonly task: Task;
  readonly #at: number;
  readonly #action: () => void;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #hasRung = false;

  /**
   * @param delay - in ms
   * @param action - what happens to the task, once
   * @param isOnce - whether code that pauses is left alone afterwards, so that it can end in its own way
   */
  constructor(task: Task, delay: number, action: () => void = () => {}, isOnce = false) {
    this.task = task;
    this.#at = performance.now() + delay;
    this.#action = action;
    alarms.add(this);
    // A longer delay would end at once.
    if (delay > LONGEST_MS) return;
    this.#timer = setTimeout(() => {
      this.ring();
      if (isOnce) this.cancel();
    }, delay);
  }

  get isDue() {
    return performance.now() >= this.#at;
  }

  ring() {
    if (this.#hasRung) return;
    this.#hasRung = true;
    this.#action();
  }

  cancel() {
    clearTimeout(this.#timer);
    alarms.delete(this);
  }
}
