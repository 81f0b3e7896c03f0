/** Return the name of a model for the user: llama.cpp's may be the path of its file. As `models/interface/names.py`. */
export function shownName(name: string) {
  return name.endsWith(".gguf") ? (name.split(/[/\\]/).at(-1) ?? name).slice(0, -".gguf".length) : name;
}

/** Return the names in the same order; those that would look the same stay as they are. */
export function shownNames(names: string[]) {
  const shown = names.map(shownName);
  return shown.map((name, index) => (shown.indexOf(name) === shown.lastIndexOf(name) ? name : (names[index] ?? name)));
}
