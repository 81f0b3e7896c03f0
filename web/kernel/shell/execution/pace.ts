// The event loop's turns. All tasks share the worker, so one that calculates lets the others have a turn now and then.

// How long commands may run before the event loop has its turn.
const TURN_MS = 12;

let last = performance.now();

/** Begin to count: the event loop has had its turn. */
export function startTurn() {
  last = performance.now();
}

/** Return whether the event loop had its last turn so long ago, as far as the shell knows, that it needs one. */
export const isDue = () => performance.now() - last >= TURN_MS;

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
