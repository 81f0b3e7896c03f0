// Compares releases. Arguments: the folder of the page's modules, and a list of options as JSON. Prints JSON.
const [web, given] = process.argv.slice(2);
const { VERSION } = await import(`${web}/shared/version.js`);
const { differentVersions } = await import(`${web}/ui/status/versions.js`);
console.log(JSON.stringify({ version: VERSION, answers: JSON.parse(given).map(differentVersions) }));
