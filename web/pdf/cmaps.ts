// The character maps of pdf.js, which files refer to by name.

export async function load(name: string): Promise<Uint8Array> {
  const { default: bytes } = await import(`../node_modules/pdfjs-dist/cmaps/${name}.bcmap`);
  return bytes;
}
