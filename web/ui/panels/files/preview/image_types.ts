/** Images by the suffix of their names. */

export const IMAGES: Record<string, string> = {
  png: "image/png",
  apng: "image/apng",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  ico: "image/x-icon",
  svg: "image/svg+xml",
};

/** @returns undefined if it isn't an image */
export function imageType(path: string): string | undefined {
  return IMAGES[suffixOf(path)];
}

/** Return the end of a file's name after its last point, in lower case. */
export function suffixOf(path: string) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
}
