/** PDF files, which most browsers show by themselves. */

/** Return whether the browser's viewer shows a file. Without a viewer, its text is shown. */
export function isPdf(path: string) {
  return navigator.pdfViewerEnabled && /\.pdf$/i.test(path);
}
