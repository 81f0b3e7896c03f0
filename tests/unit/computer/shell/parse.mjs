// Parse scripts: `node parse.mjs URL-OF-SYNTAX SCRIPTS`, and print for each its statements or the error.
const [folder, given] = process.argv.slice(2);
const { parse } = await import(`${folder}/reader.js`);

const results = JSON.parse(given).map((text) => {
  try {
    return { statements: parse(text) };
  } catch (error) {
    if (error.line === undefined) throw error;
    const { message, line, incomplete } = error;
    return { message, line, incomplete };
  }
});
console.log(JSON.stringify(results));
