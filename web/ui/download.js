/** Has the browser save something under a name. @param {string} url @param {string} name */
export function download(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
