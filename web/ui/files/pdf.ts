/** PDF files, which most browsers show by themselves. */

/** Return whether the browser's viewer shows a file. Without a viewer, its text is shown. @param {string} path */
export function isPdf(path) {
  return navigator.pdfViewerEnabled && /\.pdf$/i.test(path);
}
