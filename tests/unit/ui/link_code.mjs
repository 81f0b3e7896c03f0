// Encodes or decodes links, and prints the results as JSON. Arguments: the module, and a list of `{files}` with text
// contents, `{code}`, or `{deflate}`, a text to make a code of, as JSON.
const [module, given] = process.argv.slice(2);
const { decodeFiles, encodeFiles } = await import(module);
const deflated = async (text) => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
};
const answers = [];
for (const { name = "shop", files, code, deflate, zeros } of JSON.parse(given)) {
  try {
    const contents = files?.map(([path, text]) => ({ path, content: new TextEncoder().encode(text) }));
    const text = zeros ? "\0".repeat(zeros) : deflate;
    const made = code ?? (text === undefined ? await encodeFiles({ name, files: contents }) : await deflated(text));
    const read = await decodeFiles(made);
    answers.push({
      code: made,
      name: read.name,
      files: read.files.map(({ path, content }) => [path, new TextDecoder().decode(content)]),
    });
  } catch (error) {
    answers.push({ error: `${error.constructor.name}: ${error.message}` });
  }
}
console.log(JSON.stringify(answers));
