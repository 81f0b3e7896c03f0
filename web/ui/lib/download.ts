/** Save data as a file through the browser. */
export function download(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has started saving by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
