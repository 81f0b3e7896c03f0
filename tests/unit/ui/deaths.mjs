// Plays lives of the kernel, and prints after each death whether it starts again, as JSON. Arguments: the module, and the
// lives as `[milliseconds, used, milliseconds of its start]`, or "forget", as JSON.
const [module, lives] = process.argv.slice(2);
const { Deaths } = await import(module);
let now = 0;
Object.defineProperty(globalThis, "performance", { value: { now: () => now } });
const deaths = new Deaths();
const starts = [];
for (const life of JSON.parse(lives)) {
  if (life === "forget") {
    deaths.forget();
    continue;
  }
  deaths.start();
  now += life[2] ?? 0;
  deaths.ready();
  now += life[0];
  deaths.used = life[1];
  starts.push(deaths.isWorthAStart());
}
console.log(JSON.stringify(starts));
