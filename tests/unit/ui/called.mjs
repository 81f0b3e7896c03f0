// Calls a function of a page module. Arguments: the module's URL, the function's name, its arguments as JSON. Prints the
// result as JSON.
const [address, name, given] = process.argv.slice(2);
const module = await import(address);
process.stdout.write(JSON.stringify(module[name](...JSON.parse(given))));
