// Takes steps on the memory that the frame shares with the kernel, and prints as JSON after each whether the terminal's
// command is to stop, and the step's result. Arguments: the module, and the steps as JSON.
const [module, given] = process.argv.slice(2);
const { createMemory, Interrupts } = await import(module);
const memory = createMemory();
const frame = new Interrupts(memory);
const kernel = new Interrupts(memory);
const withdraw = {};
const steps = {
  stop: (number, stop) => void (withdraw[stop] = frame.interruptTerminal(number, stop)),
  withdraw: (stop) => withdraw[stop](),
  end: (number) => kernel.endInterrupt(number),
  receive: (stop) => kernel.receive(stop),
};
const results = JSON.parse(given).map(([step, ...values]) => [steps[step](...values) ?? null, kernel.isTerminalInterrupted(1)]);
console.log(JSON.stringify({ results, pending: kernel.pending }));
