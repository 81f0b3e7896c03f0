/** The extension's APIs (https://developer.chrome.com/docs/extensions/reference/api). */
declare const chrome: any;
