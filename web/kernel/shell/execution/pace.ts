// The event loop's turns. All tasks share the worker, so one that calculates lets the others have a turn now and then.

// How long commands may run before the event loop has its turn.
const TURN_MS = 12;

let last = performance.now();

/** Begin to count: the event loop has had its turn. */
export function startTurn() {
  last = performance.now();
}

/** Return the time since the event loop last had its turn, as far as the shell knows. */
export const heldFor = () => performance.now() - last;

export const isDue = () => heldFor() >= TURN_MS;

/** Let the event loop have its turn. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
  startTurn();
}
