/** The address of the kernel's frame. */

/**
 * Return the address of the frame's document.
 * @param kernel - the URL of the kernel's origin; null: it shares the page's
 */
export function kernelAddress(kernel: string | null): URL {
  const build = new URL(document.baseURI);
  // The same folders exist at both origins, so that page and kernel are from the same build.
  const url = new URL(
    "kernel.html",
    kernel === null ? build : new URL(build.pathname.split("/").slice(-2).join("/"), kernel),
  );
  // The document's policy names this page's origin, and browsers cache both.
  if (url.origin !== location.origin) url.search = location.port;
  return url;
}
