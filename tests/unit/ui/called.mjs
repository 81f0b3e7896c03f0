// Calls a function of a module of the page: its address, its name, its arguments as JSON. Prints the result as JSON.
const [address, name, given] = process.argv.slice(2);
const module = await import(address);
process.stdout.write(JSON.stringify(module[name](...JSON.parse(given))));
