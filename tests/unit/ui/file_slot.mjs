// Asks from a thread and serves in this one, as the machine's worker and the kernel's do: `node file_slot.mjs MODULE`.
import { parentPort, Worker, workerData } from "node:worker_threads";

const { Slot } = await import(workerData?.module ?? process.argv[2]);
const MANY = 300;

if (workerData) {
  const slot = new Slot(workerData.memory);
  const call = () => parentPort.postMessage("call");
  const text = (answer) => (typeof answer === "string" ? answer : `answer ${answer}`);
  const ask = (...bytes) => text(slot.ask(Uint8Array.from(bytes), call));
  const silent = [slot.ask(Uint8Array.of(1, 2), () => {}), ask(3)];
  parentPort.postMessage({ silent });
  parentPort.once("message", () => {
    const large = ask(...Array(65).keys());
    let right = 0;
    for (let number = 0; number < MANY; number++) {
      let got = "full";
      while (got === "full") got = ask(number % 256, 7);
      right += Number(got === `answer 7,${number % 256}`);
    }
    parentPort.postMessage({ large, right });
  });
} else {
  const memory = Slot.create(64);
  const slot = new Slot(memory);
  const machine = new Worker(new URL(import.meta.url), { workerData: { memory, module: process.argv[2] } });
  const late = [];
  const serve = () => {
    const more = slot.serve((request) => request.reverse(), (answer) => late.push(`${answer}`));
    if (more) setImmediate(serve);
  };
  const results = {};
  machine.on("message", (message) => {
    if (message === "call") return serve();
    Object.assign(results, message);
    if ("silent" in message) {
      serve();
      results.first = late.splice(0);
      machine.postMessage("next");
    } else {
      serve();
      console.log(JSON.stringify({ ...results, late: late.length }));
      void machine.terminate();
    }
  });
}
