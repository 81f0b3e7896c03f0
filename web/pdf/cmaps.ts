// The character maps of pdf.js, which files refer to by name.

/** @param {string} name @returns {Promise<Uint8Array>} */
export async function load(name) {
  const { default: bytes } = await import(`../node_modules/pdfjs-dist/cmaps/${name}.bcmap`);
  return bytes;
}
