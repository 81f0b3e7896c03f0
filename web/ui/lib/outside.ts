/** Opening an address in a tab of the browser, outside of the surface. */

/** @param url - of a page that the user has chosen */
export function openOutside(url: string) {
  // The page must reach neither this window nor learn its address.
  window.open(url, "_blank", "noopener,noreferrer");
}
